import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { systemClock } from '../../clock.ts';
import { openTables } from '../../compose.ts';
import { type Config, loadConfig } from '../../config.ts';
import { OperatorError } from '../../operator/errors.ts';
import { copyDatabase } from '../../store/copy.ts';
import { type CliContext, command } from '../context.ts';
import { type Io, tableOf } from '../output.ts';

interface Options {
  from: string;
  to: string;
  json?: boolean;
}

export function register(program: Command, { io }: CliContext): void {
  command(
    program,
    'copy',
    'Copy a whole database into an empty one and compare them; run again, it goes on where it was interrupted',
    'copy --from file:./data/broker.db --to postgres://broker@db.example.com/broker',
  )
    .requiredOption('--from <url>', 'the database to read: file:PATH or postgres://...')
    .requiredOption('--to <url>', 'the database to fill: file:PATH or postgres://...')
    .action(async ({ from, to, json }: Options) => {
      const report = await copy(databaseOf('--from', from), databaseOf('--to', to), io);
      io.out(`${json ? JSON.stringify(report, null, 2) : tableOf(report.tables, ['table', 'rows', 'checksum'])}\n`);
    });
}

async function copy(from: Config['database'], to: Config['database'], io: Io) {
  if (from.kind === 'sqlite' && !existsSync(from.file)) throw new OperatorError(`--from: there is no ${from.file}`);
  const source = await openTables(from, systemClock);
  try {
    const target = await openTables(to, systemClock);
    try {
      const { resumed, sourceChanged, tables } = await copyDatabase(source, target, progressTo(io));
      if (sourceChanged) {
        io.err('The source was written to while it was copied: the copy has the state at the beginning\n');
      }
      return { from: from.kind, to: to.kind, resumed, source_changed: sourceChanged, tables };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** A database's URL, under the rules of `DATABASE_URL`. */
function databaseOf(option: string, url: string): Config['database'] {
  try {
    // Nothing at all would mean the default.
    return loadConfig({ DATABASE_URL: url || '?' }).database;
  } catch {
    throw new OperatorError(`${option}: must be file:PATH or postgres://...`);
  }
}

const ROWS_A_LINE = 100_000;

/** A line for each table that has rows, and one more for every so many of them. */
const progressTo = (io: Io) => (table: string, done: number, total: number) => {
  if (done === total || done % ROWS_A_LINE === 0) io.err(`${table}: ${done} of ${total} rows\n`);
};
