import type { Command } from 'commander';
import { allowAddress, disableFirewall, enableFirewall, listFirewall, removeAddress } from '../../operator/firewall.ts';
import { action, type CliContext, command, group } from '../context.ts';
import { tableOf } from '../output.ts';

type Firewall = Awaited<ReturnType<typeof listFirewall>>;

const show = ({ broker, ip_restriction_enabled, rules }: Firewall): string =>
  `The firewall of ${broker} is ${ip_restriction_enabled ? 'enabled' : 'disabled'}.\n` +
  tableOf(rules, ['rule', 'note', 'created_date']);

export function register(program: Command, context: CliContext): void {
  const firewall = group(program, 'firewall', "The addresses that a broker's keys may be used from");
  const subcommand = (usage: string, description: string, example: string) =>
    command(firewall, usage, description, example).requiredOption('--broker <slug>', 'whose firewall');

  subcommand('enable', 'Refuse every address that no rule covers', 'firewall enable --broker acme').action(
    action(context, enableFirewall, show),
  );
  subcommand('disable', 'Accept every address; the rules stay', 'firewall disable --broker acme').action(
    action(context, disableFirewall, show),
  );
  subcommand('list', 'Show the rules', 'firewall list --broker acme').action(action(context, listFirewall, show));

  subcommand('allow <cidr>', 'Add an address or a CIDR', 'firewall allow 192.0.2.0/24 --broker acme --note office')
    .option('--note <text>', 'what it is')
    .action(
      action(
        context,
        (parts, options: { broker: string; note?: string }, [rule = '']) => allowAddress(parts, { ...options, rule }),
        show,
      ),
    );
  subcommand('remove <cidr>', 'Remove a rule', 'firewall remove 192.0.2.0/24 --broker acme').action(
    action(
      context,
      (parts, options: { broker: string }, [rule = '']) => removeAddress(parts, { ...options, rule }),
      show,
    ),
  );
}
