import type { Command } from 'commander';
import { acceptClock } from '../../context/clock-keeper.ts';
import { action, type CliContext, command, group } from '../context.ts';

export function register(program: Command, context: CliContext): void {
  const clock = group(program, 'clock', 'What the dates of all records go by');
  command(
    clock,
    'accept',
    "Say that this machine's clock is right, after it was set: changes and work bound to a date go on",
    'clock accept',
  ).action(action(context, (parts) => acceptClock(parts)));
}
