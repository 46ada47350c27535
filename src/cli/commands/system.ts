import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { OperatorError } from '../../operator/errors.ts';
import { getStatus } from '../../operator/status.ts';
import { action, type CliContext, command } from '../context.ts';
import { fieldsOf } from '../output.ts';

export function register(program: Command, context: CliContext): void {
  command(program, 'status', 'Show what waits: decisions, reviews, the queue, unclear emails', 'status').action(
    action(context, getStatus, fieldsOf),
  );

  command(program, 'migrate', 'Bring the database up to date; every other command does so as well', 'migrate').action(
    action(
      context,
      // Opening it has done the work.
      async () => ({ database: context.config().database.kind, up_to_date: true }),
      fieldsOf,
    ),
  );

  command(program, 'backup <file>', 'Copy a SQLite database while it is in use', 'backup broker-2030-01-31.db').action(
    action(
      context,
      async ({ store }, _options, [file = '']) => {
        if (!store.backup) throw new OperatorError('Only SQLite is backed up here; use pg_dump for PostgreSQL');
        if (existsSync(file)) throw new OperatorError(`${file}: the file exists already`);
        await store.backup(file);
        return { backup: file };
      },
      fieldsOf,
    ),
  );
}
