import { Command, CommanderError } from 'commander';
import { ConformanceError } from '../../conformance/run.ts';
import { ConfigError } from '../config.ts';
import { innermost } from '../errors.ts';
import { oneLine } from '../rules/text.ts';
import { VERSION } from '../runtime/version.ts';
import { CopyError } from '../store/drivers/copy.ts';
import * as brokers from './commands/brokers.ts';
import * as completion from './commands/completion.ts';
import * as conformance from './commands/conformance.ts';
import * as copy from './commands/copy.ts';
import * as declared from './commands/declared.ts';
import * as demo from './commands/demo.ts';
import * as health from './commands/health.ts';
import * as imports from './commands/imports.ts';
import * as requests from './commands/requests.ts';
import * as restored from './commands/restored.ts';
import * as services from './commands/services.ts';
import * as system from './commands/system.ts';
import * as templates from './commands/templates.ts';
import * as usage from './commands/usage.ts';
import * as worker from './commands/worker.ts';
import { createContext } from './context.ts';
import { CommandError, EXIT } from './errors.ts';
import type { Io } from './output.ts';
import { CLEAR_LINE } from './progress.ts';
import { COLOURED, PLAIN } from './style.ts';

/** The declared commands, then those that are written out. */
const GROUPS = [
  declared,
  brokers,
  services,
  imports,
  templates,
  requests,
  restored,
  usage,
  worker,
  health,
  system,
  copy,
  demo,
  conformance,
  completion,
];

/**
 * Runs one command of the operator's program (contract, section 9) and returns the exit code: 0, or one of `EXIT` after one
 * clear line on standard error (a refused import: one for each faulty record before it). With `--json` the failure is
 * one JSON document on standard output too.
 * @param argv the arguments behind the program's name
 * @param env the environment; the process's own unless given
 */
export async function run(argv: readonly string[], io: Io, env?: NodeJS.ProcessEnv): Promise<number> {
  let usage = '';
  const program = new Command('broker')
    .description('Manages the brokers of this installation and everything that is theirs')
    .version(VERSION, '-V, --version', 'print the version of this program')
    // So that a command may have an option of the same name.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: io.out,
      // Commander explains a mistake on many lines; the error that it throws has the message.
      writeErr: (text) => {
        usage = text.split('\n', 1)[0] as string;
      },
    });
  const style = io.colours?.err ? COLOURED : PLAIN;
  // On a terminal a progress bar may stand in this line.
  const printError = (line: string) => io.err(`${io.watched ? CLEAR_LINE : ''}${style.failure(line)}\n`);
  const reportFailure = (error: unknown) => printError(describe(error, usage));
  const context = createContext(io, env, (line) => printError(oneLine(line)));
  for (const { register } of GROUPS) register(program, context);

  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const faults = error instanceof CommandError ? error.faults.map(oneLine) : [];
    for (const fault of faults) printError(fault);
    reportFailure(error);
    if (argv.includes('--json') && !(error instanceof CommandError && error.answered)) {
      const failure = { message: describe(error, usage), ...(faults.length > 0 && { faults }) };
      io.out(`${JSON.stringify({ error: failure }, null, 2)}\n`);
    }
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return EXIT.usage;
  return error instanceof CommandError ? error.exitCode : EXIT.failure;
}

/** Errors whose message is written for the operator. */
const FOR_OPERATORS = [CommandError, ConfigError, ConformanceError, CopyError];

function describe(error: unknown, usage: string): string {
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help') return `A command is missing. ${usage}; --help shows them`;
    return `${oneLine(error.message.replace(/^error: /, ''))} (see --help)`;
  }
  for (const kind of FOR_OPERATORS) if (error instanceof kind) return oneLine(error.message.replaceAll('\n', '; '));
  return `It failed: ${innermost(error)}`;
}
