import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { databaseName } from '../../config.ts';
import { getStatus } from '../../operator/pending-work.ts';
import { VERSION } from '../../version.ts';
import { action, type CliContext, command } from '../context.ts';
import { CommandError } from '../errors.ts';
import { fieldsOf } from '../output.ts';

export function register(program: Command, context: CliContext): void {
  const here = () => ({ database: databaseName(context.config().database), version: VERSION });
  command(program, 'status', 'Show what waits: decisions, reviews, the queue, unclear emails', 'status').action(
    action(context, async (parts) => ({ ...(await getStatus(parts)), ...here() })),
  );

  command(program, 'migrate', 'Bring the database up to date; every other command does so as well', 'migrate').action(
    action(
      context,
      // Opening the database has migrated it.
      async () => ({ database: context.config().database.kind, up_to_date: true }),
      fieldsOf,
      { creates: true },
    ),
  );

  command(program, 'backup <file>', 'Copy a SQLite database while it is in use', 'backup broker-2030-01-31.db').action(
    action(context, async ({ store }, { file }: { file: string }) => {
      if (!store.backup) throw new CommandError('Only SQLite is backed up here; use pg_dump for PostgreSQL');
      if (existsSync(file)) throw new CommandError(`${file}: the file exists already`);
      await store.backup(file);
      return { backup: file };
    }),
  );
}
