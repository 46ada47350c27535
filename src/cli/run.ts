import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { innermost } from '../errors.ts';
import { ImportError, OperatorError } from '../operator/errors.ts';
import { oneLine } from '../rules/one-line.ts';
import { CopyError } from '../store/copy.ts';
import * as brokers from './commands/brokers.ts';
import * as copy from './commands/copy.ts';
import * as demo from './commands/demo.ts';
import * as emails from './commands/emails.ts';
import * as firewall from './commands/firewall.ts';
import * as invoices from './commands/invoices.ts';
import * as keys from './commands/keys.ts';
import * as plans from './commands/plans.ts';
import * as requests from './commands/requests.ts';
import * as services from './commands/services.ts';
import * as system from './commands/system.ts';
import * as templates from './commands/templates.ts';
import * as worker from './commands/worker.ts';
import { createContext } from './context.ts';
import type { Io } from './output.ts';

/** One file a group of commands, in the order in which the help shows them. */
const GROUPS = [
  brokers,
  keys,
  firewall,
  plans,
  services,
  invoices,
  templates,
  requests,
  emails,
  worker,
  system,
  copy,
  demo,
];

/**
 * Runs one command of the operator's program (contract, section 9) and returns the exit code: 0, or 1 after one
 * clear line on standard error (a refused import: one for each faulty record before it).
 * @param argv the arguments behind the program's name
 * @param env the environment; the process's own unless given
 */
export async function run(argv: readonly string[], io: Io, env?: NodeJS.ProcessEnv): Promise<number> {
  let usage = '';
  const program = new Command('broker')
    .description('Manages the brokers of this installation and everything that is theirs')
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      // Commander explains a mistake on many lines; what it says stands in the error that it throws.
      writeErr: (text) => {
        usage = text.split('\n', 1)[0] as string;
      },
    });
  const complain = (error: unknown) => io.err(`${describe(error, usage)}\n`);
  const context = createContext(io, env, complain);
  for (const { register } of GROUPS) register(program, context);

  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof ImportError) for (const fault of error.faults) io.err(`${oneLine(fault)}\n`);
    complain(error);
    return 1;
  }
}

function describe(error: unknown, usage: string): string {
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help') return `A command is missing. ${usage}; --help shows them`;
    return `${oneLine(error.message.replace(/^error: /, ''))} (see --help)`;
  }
  if (error instanceof OperatorError || error instanceof ConfigError || error instanceof CopyError) {
    return oneLine(error.message);
  }
  return `It failed: ${innermost(error)}`;
}
