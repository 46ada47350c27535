import type { Command } from 'commander';
import { createDemo, removeDemo } from '../../demo/demo.ts';
import { action, type CliContext, command, confirm } from '../context.ts';
import { fieldsOf } from '../output.ts';

type Made = Awaited<ReturnType<typeof createDemo>> | Awaited<ReturnType<typeof removeDemo>>;

export function register(program: Command, context: CliContext): void {
  command(program, 'demo', 'Add two demo brokers with records of every kind and well-known keys', 'demo')
    .option('--remove', 'delete them with all their records')
    .option('--yes', 'do not ask before that')
    .action(
      action(
        context,
        async (parts, { remove, yes }: { remove?: true; yes?: true }): Promise<Made> => {
          if (!remove) return createDemo(parts);
          await confirm(context, { yes }, async () => 'The demo brokers are deleted with all their records.');
          return removeDemo(parts);
        },
        show,
        { migrating: 'always' },
      ),
    );
}

function show(made: Made): string {
  if ('removed' in made) return made.removed ? 'The demo data is removed.' : 'There is no demo data.';
  return `${made.created ? 'The demo data is there.' : 'The demo data was there already.'}\n${fieldsOf(made.keys)}`;
}
