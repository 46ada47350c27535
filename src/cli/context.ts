import type { Command } from 'commander';
import { composeParts, type Parts } from '../compose.ts';
import { type Config, type LogLevel, loadConfig } from '../config.ts';
import { innermost } from '../errors.ts';
import { exportCsv, LIMIT_HAS_CUT, type Pages, type Pieces } from '../operator/use-case/exports.ts';
import type { Listed } from '../operator/use-case/pages.ts';
import type { Context } from '../ports.ts';
import { createLog } from '../process/log.ts';
import type { Migrating } from '../store/drivers/migrate.ts';
import { CommandError, inWordsOf, usageError, type WordOf } from './errors.ts';
import { type Io, printList, printRecord } from './output.ts';
import { COLOURED, PLAIN, type Style } from './style.ts';

/** What the commands share. */
export interface CliContext {
  readonly io: Io;
  /** How answers on standard output are set off. */
  readonly style: Style;
  /** Reads the environment; throws a `ConfigError`. */
  config(): Config;
  /**
   * Opens the database only while the command runs. By default it has to have this program's schema, and a SQLite file
   * has to exist (contract, section 9).
   */
  withParts<T>(run: (parts: Parts, config: Config) => Promise<T>, migrating?: Migrating): Promise<T>;
}

/** @param printError writes one line to standard error */
export function createContext(
  io: Io,
  env: NodeJS.ProcessEnv | undefined,
  printError: (line: string) => void,
): CliContext {
  const config = () => loadConfig(env);
  return {
    io,
    style: io.colours?.out ? COLOURED : PLAIN,
    config,
    async withParts(run, migrating = 'never') {
      const settings = config();
      const parts = await composeParts(
        settings,
        (message, error) => printError(error ? `${message}: ${innermost(error)}` : message),
        { isCommand: true, migrating },
      );
      try {
        return await run(parts, settings);
      } finally {
        await parts.close();
      }
    },
  };
}

/** The context of the operations that brokers call too; its log goes to standard error. */
export const operationsContext = (
  parts: Parts,
  io: Io,
  logLevel: LogLevel,
): Context & Pick<Parts, 'actor' | 'defaultRateLimit'> => ({
  ...parts,
  log: createLog(logLevel, { write: io.err }),
});

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

/** The same for a command that answers with a table. */
export const tableCommand = (...[group, usage, description, example]: Parameters<typeof command>): Command =>
  command(group, usage, description, example).option('--csv', 'print the table as CSV');

/** The same for a command that does what cannot be taken back; see `confirm`. */
export const askingCommand = (...[group, usage, description, example]: Parameters<typeof command>): Command =>
  command(group, usage, description, example).option('--yes', 'do not ask');

interface Presentation<T, O> {
  /** What `--json` prints of the answer; by default all of it. */
  asJson?: (data: T) => unknown;
  /** What `--csv` prints in place of the answer, as it is made. */
  csv?: (parts: Parts, options: O) => Promise<Pieces>;
  /** What the command may do to the schema; by default nothing. */
  migrating?: Migrating;
  /** Whether a limit has cut the answer. */
  isCut?: (data: T) => boolean;
  /** The forms in which a cut answer is a failure; by default those that programs read. */
  cutFails?: 'always' | 'in exports';
  /** What is wrong with an answer that is printed all the same: the command fails then, for records of a file. */
  faultOf?: (data: T) => string | undefined;
  /** What the command calls a field of the records, where that is not the field's own name. */
  wordOf?: WordOf;
}

/**
 * What commander calls for a command: runs the use case on an open database and prints its answer.
 * @param run gets the options, and the positional arguments as options named after them (`<key_id>`: `keyId`); what it
 * returns in pieces is printed as it is made
 */
export function action<O extends object, T>(
  { io, style, withParts }: CliContext,
  run: (parts: Parts, options: O) => Promise<T>,
  show: (data: T, style: Style) => string = (data, style) => printRecord(data as object, style),
  {
    asJson = (data) => data,
    csv: pieces,
    migrating = 'never',
    isCut = () => false,
    cutFails = 'in exports',
    faultOf,
    wordOf,
  }: Presentation<T, O> = {},
) {
  return async (...received: unknown[]): Promise<void> => {
    const invoked = received.at(-1) as Command;
    const { json, csv, ...given } = invoked.opts<O & { json?: true; csv?: true }>();
    const options = { ...given, ...argumentsOf(invoked) } as O;
    const make = csv && !json && pieces ? pieces : run;
    const data = await withParts(async (parts) => {
      const answer = await make(parts, options);
      return isPieces(answer) ? writeAll(io, answer) : answer;
    }, migrating).catch((error: unknown) => {
      throw inWordsOf(invoked, error, wordOf);
    });
    if (data === WRITTEN) return;
    io.out(`${json ? JSON.stringify(asJson(data), null, 2) : show(data, style)}\n`);
    // With --json and a limit of their own, scripts read the records page by page.
    const isExport = csv || (json && invoked.getOptionValueSource('limit') !== 'cli');
    if (isCut(data) && (cutFails === 'always' || isExport)) throw new CommandError(LIMIT_HAS_CUT, { answered: true });
    const fault = faultOf?.(data);
    if (fault !== undefined) throw new CommandError(fault, { answered: true, exit: 'records' });
  };
}

const WRITTEN = Symbol('written');

const isPieces = (answer: unknown): answer is Pieces =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

/** Writes piece by piece, each when the reader has taken the one before; ends early where it has left. */
async function writeAll(io: Io, pieces: Pieces): Promise<typeof WRITTEN> {
  for await (const piece of pieces) if ((await io.out(String(piece))) === false) break;
  return WRITTEN;
}

const argumentsOf = ({ registeredArguments, processedArgs }: Command) =>
  Object.fromEntries(
    registeredArguments.map((argument, index) => [
      argument.name().replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase()),
      processedArgs[index],
    ]),
  );

/**
 * The same for a list: as JSON the records alone, else a table with these columns, and how many there are in all unless as
 * CSV, which has the further columns too.
 */
export const listAction = <O extends object, T extends object>(
  context: CliContext,
  run: (parts: Parts, options: O) => Promise<Listed<T> | T[]>,
  columns: readonly string[],
  {
    furtherColumns = [],
    pages = pageOf(run),
    wordOf,
  }: {
    furtherColumns?: readonly string[] | undefined;
    pages?: ((parts: Parts, options: O) => Promise<Pages<object>>) | undefined;
    wordOf?: WordOf;
  } = {},
) =>
  action(
    context,
    async (parts, options: O) => {
      const found = await run(parts, options);
      return Array.isArray(found) ? { records: found, total: found.length, truncated: false } : found;
    },
    (listed, style) => printList(listed, columns, style),
    {
      asJson: ({ records }) => records,
      csv: async (parts, options) => exportCsv([...columns, ...furtherColumns], await pages(parts, options)),
      isCut: ({ truncated }) => truncated,
      ...(wordOf && { wordOf }),
    },
  );

/** The records of a short list as one page. */
const pageOf =
  <O>(run: (parts: Parts, options: O) => Promise<Listed<object> | object[]>) =>
  async (parts: Parts, options: O): Promise<Pages<object>> => {
    const found = await run(parts, options);
    return (async function* () {
      yield Array.isArray(found) ? found : found.records;
    })();
  };

/** What a use case takes: the options of its command. */
export type InputOf<U extends (parts: never, input: never) => unknown> = NonNullable<Parameters<U>[1]>;

/**
 * Asks the person at the terminal before what cannot be taken back; with `--yes` it just goes on. Throws a `CommandError`
 * after a no, and where there is no terminal.
 * @param describe says what will be hit, in a sentence or two
 * @param words what the person has to type in place of a yes
 */
export async function confirm(
  { io }: CliContext,
  { yes }: { yes?: boolean | undefined },
  describe: () => Promise<string>,
  words?: string,
): Promise<void> {
  if (yes) return;
  if (!io.ask) throw usageError('Without a terminal this needs --yes');
  const how = words === undefined ? '[y/N]' : `Type ${words} to go on:`;
  if (!(await io.ask(`${await describe()} ${how} `, words))) throw new CommandError('Nothing was changed');
}
