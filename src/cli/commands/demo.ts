import type { Command } from 'commander';
import { countBesideDemo, createDemo, DEMO_KEYS, removeDemo } from '../../demo/demo.ts';
import type { OperatorDeps } from '../../operator/use-case/dependencies.ts';
import { action, type CliContext, command, confirm } from '../context.ts';
import { CommandError, usageError } from '../errors.ts';
import { printRecord } from '../output.ts';

type Made = Awaited<ReturnType<typeof createDemo>> | Awaited<ReturnType<typeof removeDemo>>;

interface Options {
  list?: true;
  remove?: true;
  yes?: true;
  json?: true;
}

export function register(program: Command, context: CliContext): void {
  command(program, 'demo', 'Add two demo brokers with records of every kind and well-known keys', 'demo')
    .option('--list', 'print the demo keys; the database is not opened')
    .option('--remove', 'delete the demo brokers with all their records')
    .option('--yes', 'do not ask before that, nor where the database holds other brokers')
    .action(async (...received: unknown[]): Promise<void> => {
      const { list, remove, json } = (received.at(-1) as Command).opts<Options>();
      if (list && remove) throw usageError('Give either --list or --remove');
      if (list) {
        context.io.out(`${json ? JSON.stringify({ keys: DEMO_KEYS }, null, 2) : printRecord(DEMO_KEYS)}\n`);
        return;
      }
      // Before the database is opened, which would make it.
      if (!remove && context.config().production) throw new CommandError(IN_PRODUCTION);
      await change(...received);
    });

  const change = action(
    context,
    async (parts, { remove, yes }: Options): Promise<Made> => {
      if (!remove) return create(context, parts, yes);
      await confirm(context, { yes }, async () => 'The demo brokers are deleted with all their records.');
      return removeDemo(parts);
    },
    show,
    { migrating: 'always' },
  );
}

const IN_PRODUCTION = 'NODE_ENV is production: the demo keys are known to everybody, so no demo data is added';

async function create(context: CliContext, parts: OperatorDeps, yes: true | undefined): Promise<Made> {
  const others = await countBesideDemo(parts);
  if (others) {
    const brokers = others === 1 ? 'a broker' : `${others} brokers`;
    await confirm(
      context,
      { yes },
      async () => `This database holds ${brokers}; two demo brokers are added, whose keys are known to everybody.`,
    );
  }
  return createDemo(parts);
}

function show(made: Made): string {
  if ('removed' in made) return made.removed ? 'The demo data is removed.' : 'There is no demo data.';
  return `${made.created ? 'The demo data is there.' : 'The demo data was there already.'}\n${printRecord(made.keys)}`;
}
