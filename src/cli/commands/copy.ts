import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { openTables } from '../../compose.ts';
import { type Config, loadConfig } from '../../config.ts';
import { systemClock } from '../../runtime/clock.ts';
import { copyDatabase, type TableAccess } from '../../store/drivers/copy.ts';
import { SchemaError } from '../../store/drivers/migrate.ts';
import { type CliContext, command } from '../context.ts';
import { CommandError, usageError } from '../errors.ts';
import { type Io, printTable } from '../output.ts';
import { CLEAR_LINE, progressBar } from '../progress.ts';

export function register(program: Command, { io, style }: CliContext): void {
  command(
    program,
    'copy',
    'Copy a whole database into an empty one, in one transaction that compares them',
    'copy --from file:./data/broker.db --to postgres://broker@db.example.com/broker',
  )
    .requiredOption('--from <url>', 'the database to read: file:PATH or postgres://...')
    .requiredOption('--to <url>', 'the database to fill: file:PATH or postgres://...')
    .action(async ({ from, to, json }: { from: string; to: string; json?: true }) => {
      const report = await copy(databaseOf('--from', from), databaseOf('--to', to), io);
      io.out(
        `${json ? JSON.stringify(report, null, 2) : printTable(report.tables, ['table', 'rows', 'checksum'], style)}\n`,
      );
      if (report.source_changed) {
        throw new CommandError('The source has changed since: the copy is as it was at the beginning', {
          answered: true,
        });
      }
    });
}

async function copy(from: Config['database'], to: Config['database'], io: Io) {
  if (from.kind === 'sqlite' && !existsSync(from.file)) throw new CommandError(`--from: there is no ${from.file}`);
  const source = await opened('--from', openTables(from, systemClock, { readOnly: true }));
  try {
    const target = await opened('--to', openTables(to, systemClock));
    try {
      const { sourceChanged, tables } = await copyDatabase(source, target, progressOf(io));
      if (io.watched) io.err(CLEAR_LINE);
      return { from: from.kind, to: to.kind, source_changed: sourceChanged, tables };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** A copy never changes its source, so both must be of this program's version, or (the target) become so. */
async function opened(option: string, opening: Promise<TableAccess>): Promise<TableAccess> {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof SchemaError ? new CommandError(`${option}: ${error.message}`) : error;
  }
}

/** A database's URL, under the rules of `DATABASE_URL`. */
function databaseOf(option: string, url: string): Config['database'] {
  try {
    // Nothing at all would mean the default.
    return loadConfig({ DATABASE_URL: url || '?' }).database;
  } catch {
    throw usageError(`${option}: must be file:PATH or postgres://...`);
  }
}

/** One bar over the rows of all tables; what follows it takes about as long again. */
function progressOf(io: Io) {
  const bar = progressBar(io);
  return (done: number, total: number) => {
    bar?.(done, total);
    if (bar && done === total) io.err('Comparing both in full ...');
  };
}
