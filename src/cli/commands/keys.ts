import type { Command } from 'commander';
import { createKey, listKeys, revokeKey, rotateKey, setKey, showKey } from '../../operator/keys.ts';
import { SCOPES } from '../../rules/scopes.ts';
import {
  action,
  askingCommand,
  type CliContext,
  command,
  confirm,
  group,
  type InputOf,
  listAction,
  orNull,
  tableCommand,
} from '../context.ts';
import { fieldsOf } from '../output.ts';
import type { Style } from '../style.ts';

const COLUMNS = [
  'key_id',
  'name',
  'key_prefix',
  'key_status',
  'scopes',
  'rate_limit',
  'expires_date',
  'last_used_date',
];
const SCOPE_LIST = `comma-separated: ${SCOPES.join(', ')}; "" for none`;

const settingsOf = <O extends Pick<InputOf<typeof setKey>, 'expires' | 'rateLimit'>>(options: O) => ({
  ...options,
  expires: orNull('none', options.expires),
  rateLimit: orNull('default', options.rateLimit),
});

const withKey = (record: object, style: Style): string =>
  `${fieldsOf(record, style)}\n\nThe key is shown this once. Keep it in a safe place.`;

export function register(program: Command, context: CliContext): void {
  const keys = group(program, 'keys', "The brokers' API keys");

  command(
    keys,
    'create',
    'Create a key; it is shown this once',
    'keys create --broker acme --name "Shop" --mode live --scopes services:read,plans:read',
  )
    .requiredOption('--broker <slug>', 'whose key')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--mode <mode>', 'live, or test for simulated answers')
    .requiredOption('--scopes <list>', SCOPE_LIST)
    .option('--expires <date>', 'when it ends, such as 2030-01-31 or 2030-01-31T12:00:00Z')
    .option('--rate-limit <number>', 'requests a minute, 1 to 1000000')
    .action(
      action(context, (parts, options: InputOf<typeof createKey>) => createKey(parts, settingsOf(options)), withKey),
    );

  tableCommand(keys, 'list', "List a broker's keys", 'keys list --broker acme')
    .requiredOption('--broker <slug>', 'whose keys')
    .action(listAction(context, listKeys, COLUMNS));

  command(keys, 'set <key_id>', 'Change a key', 'keys set key_01J0000000000000000000000A --scopes admin:full')
    .option('--scopes <list>', SCOPE_LIST)
    .option('--rate-limit <number>', 'requests a minute, or "default"')
    .option('--expires <date>', 'when it ends, or "none"')
    .action(action(context, (parts, options: InputOf<typeof setKey>) => setKey(parts, settingsOf(options))));

  type Ending = { keyId: string; yes?: true };
  const confirmEnd = (parts: Parameters<typeof showKey>[0], { keyId, yes }: Ending) =>
    confirm(context, { yes }, async () => {
      const { name, key_prefix, broker, last_used_date } = await showKey(parts, { keyId });
      const used = last_used_date === null ? 'never used' : `last used ${last_used_date}`;
      return `The key "${name}" (${key_prefix}) of ${broker}, ${used}, ends for good.`;
    });

  askingCommand(keys, 'revoke <key_id>', 'End a key for good', 'keys revoke key_01J0000000000000000000000A').action(
    action(context, async (parts, options: Ending) => {
      await confirmEnd(parts, options);
      return revokeKey(parts, options);
    }),
  );

  askingCommand(
    keys,
    'rotate <key_id>',
    'Replace a key by a new one',
    'keys rotate key_01J0000000000000000000000A --overlap 7d',
  )
    .option('--overlap <time>', 'how long the old key lives on: 0, or such as 30m, 24h, 7d; at most 30d', '24h')
    .action(
      action(
        context,
        async (parts, options: Ending & InputOf<typeof rotateKey>) => {
          if (Number.parseInt(options.overlap ?? '', 10) === 0) await confirmEnd(parts, options);
          return rotateKey(parts, options);
        },
        withKey,
      ),
    );
}
