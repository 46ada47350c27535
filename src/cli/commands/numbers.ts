import type { Command } from 'commander';
import { skipNumbers } from '../../operator/numbers.ts';
import { action, askingCommand, type CliContext, confirm, group } from '../context.ts';

export function register(program: Command, context: CliContext): void {
  const numbers = group(program, 'numbers', 'The counter of service numbers');
  askingCommand(
    numbers,
    'skip <count>',
    'Never issue the next so many numbers: after a failover that lost changes they may be out already',
    'numbers skip 1000',
  ).action(
    action(context, async (parts, { yes, count }: { yes?: true; count: string }) => {
      await confirm(context, { yes }, async () => `The next ${count} service numbers are never issued.`);
      return skipNumbers(parts, { count });
    }),
  );
}
