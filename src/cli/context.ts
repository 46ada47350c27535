import type { Command } from 'commander';
import { composeParts, type Parts } from '../compose.ts';
import { type Config, loadConfig } from '../config.ts';
import type { OnProgress } from '../operator/import-file.ts';
import type { Io } from './output.ts';

/** What the commands share. */
export interface CliContext {
  readonly io: Io;
  /** Reads the environment; throws a `ConfigError`. */
  config(): Config;
  /** Opens the database (which migrates it) for the time of the work alone. */
  withParts<T>(work: (parts: Parts, config: Config) => Promise<T>): Promise<T>;
}

export function createContext(
  io: Io,
  env: NodeJS.ProcessEnv | undefined,
  complain: (error: Error) => void,
): CliContext {
  const config = () => loadConfig(env);
  return {
    io,
    config,
    async withParts(work) {
      const settings = config();
      const parts = await composeParts(settings, complain);
      try {
        return await work(parts, settings);
      } finally {
        await parts.store.close();
      }
    },
  };
}

/**
 * A command that answers with one value: as JSON with `--json`, else as `show` makes it readable.
 * @param usage name and positional arguments, as commander has them
 * @param example an invocation, without the program's name
 */
export function command(group: Command, usage: string, description: string, example: string): Command {
  return group
    .command(usage)
    .description(description)
    .option('--json', 'print the answer as one JSON document')
    .addHelpText('after', `\nExample:\n  broker ${example}`);
}

/** A group of commands about one subject. */
export const group = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description);

/** What commander calls for a command: does the work on an open database and prints its answer. */
export function action<O extends object, T>(
  { io, withParts }: CliContext,
  work: (parts: Parts, options: O, args: string[]) => Promise<T>,
  show: (data: T) => string,
) {
  return async (...received: unknown[]): Promise<void> => {
    const invoked = received.at(-1) as Command;
    const options = invoked.opts<O & { json?: boolean }>();
    const data = await withParts((parts) => work(parts, options, invoked.args));
    io.out(`${options.json ? JSON.stringify(data, null, 2) : show(data)}\n`);
  };
}

/** Ten lines on standard error over a whole import, when somebody watches or asked for them. */
export function progressOf({ io }: CliContext, { progress }: { progress?: boolean }): OnProgress | undefined {
  if (!progress && !io.watched) return undefined;
  let shown = 0;
  return (done, total) => {
    const tenths = Math.floor((done * 10) / total);
    if (tenths === shown) return;
    shown = tenths;
    io.err(`${done} of ${total} records\n`);
  };
}
