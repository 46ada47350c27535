import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import { type CliContext, command } from '../context.ts';

/** Needs neither configuration nor database. */
export function register(program: Command, { io }: CliContext): void {
  command(
    program,
    'completion',
    'Print a script with which the shell completes commands and options',
    'completion bash > /etc/bash_completion.d/broker',
  )
    .addArgument(new Argument('<shell>', SHELLS.join(', ')).choices(SHELLS))
    .action((shell: Shell, { json }: { json?: true }) => {
      const script = completionScript(program, shell);
      io.out(json ? `${JSON.stringify({ shell, script }, null, 2)}\n` : script);
    });
}
