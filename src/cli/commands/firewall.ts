import type { Command } from 'commander';
import { allowAddress, disableFirewall, enableFirewall, listFirewall, removeAddress } from '../../operator/firewall.ts';
import { checkAddress } from '../../operator/firewall-check.ts';
import { action, askingCommand, type CliContext, command, confirm, group } from '../context.ts';
import { tableOf } from '../output.ts';
import type { Style } from '../style.ts';

type Firewall = Awaited<ReturnType<typeof listFirewall>>;

const show = ({ broker, ip_restriction_enabled, rules }: Firewall, style: Style): string =>
  `The firewall of ${broker} is ${ip_restriction_enabled ? 'enabled' : 'disabled'}.\n` +
  tableOf(rules, ['rule', 'note', 'created_date'], style);

export function register(program: Command, context: CliContext): void {
  const firewall = group(program, 'firewall', "The addresses that a broker's keys may be used from");
  const subcommand = (usage: string, description: string, example: string, make = command) =>
    make(firewall, usage, description, example).requiredOption('--broker <slug>', 'whose firewall');
  const confirmEmpty = (options: { yes?: true; broker: string }) =>
    confirm(context, options, async () => `The firewall of ${options.broker} would admit no address: no rule is left.`);

  subcommand(
    'enable',
    'Refuse every address that no rule covers',
    'firewall enable --broker acme',
    askingCommand,
  ).action(
    action(
      context,
      async (parts, options: { yes?: true; broker: string }) => {
        if ((await listFirewall(parts, options)).rules.length === 0) await confirmEmpty(options);
        return enableFirewall(parts, options);
      },
      show,
    ),
  );
  subcommand('disable', 'Accept every address; the rules stay', 'firewall disable --broker acme').action(
    action(context, disableFirewall, show),
  );
  subcommand('list', 'Show the rules', 'firewall list --broker acme').action(action(context, listFirewall, show));

  subcommand(
    'check <address>',
    'Say whether a call from an address would be let in, and by which rule',
    'firewall check 192.0.2.9 --broker acme',
  ).action(action(context, checkAddress));

  subcommand('allow <cidr>', 'Add an address or a CIDR', 'firewall allow 192.0.2.0/24 --broker acme --note office')
    .option('--note <text>', 'what it is')
    .action(
      action(
        context,
        (parts, { cidr, ...options }: { broker: string; cidr: string; note?: string }) =>
          allowAddress(parts, { ...options, rule: cidr }),
        show,
      ),
    );
  subcommand('remove <cidr>', 'Remove a rule', 'firewall remove 192.0.2.0/24 --broker acme', askingCommand).action(
    action(
      context,
      async (parts, { cidr, ...options }: { yes?: true; broker: string; cidr: string }) => {
        const { ip_restriction_enabled: enabled, rules } = await listFirewall(parts, options);
        if (enabled && rules.length === 1) await confirmEmpty(options);
        return removeAddress(parts, { ...options, rule: cidr });
      },
      show,
    ),
  );
}
