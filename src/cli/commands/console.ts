import type { Command } from 'commander';
import { createConsoleLink } from '../../operator/console-access.ts';
import { action, type CliContext, command, group } from '../context.ts';
import { CommandError } from '../errors.ts';

export function register(program: Command, context: CliContext): void {
  const console = group(program, 'console', "The operator's console in the browser");

  command(
    console,
    'link',
    'Make a link that signs an operator in once, within 15 minutes',
    'console link --operator ada@example.com',
  )
    .requiredOption('--operator <email>', 'whom it signs in')
    .action(
      action(context, (parts, { operator }: { operator: string }) => {
        const settings = context.config().console;
        if (!settings)
          throw new CommandError('The console is off: set CONSOLE_PORT (and CONSOLE_URL) as its server has it');
        return createConsoleLink(parts, { email: operator, consoleUrl: settings.url });
      }),
    );
}
