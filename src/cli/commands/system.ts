import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { openSandboxStore } from '../../compose.ts';
import { databaseName } from '../../config.ts';
import { marksOfCopy } from '../../history/loss.ts';
import { showStatus } from '../../operator/system/status.ts';
import { recordBackup } from '../../operator/system/system.ts';
import { describeFinish, finishUpdate, showUpdate } from '../../operator/system/update.ts';
import { omit } from '../../rules/omit.ts';
import { systemClock } from '../../runtime/clock.ts';
import { backupSqlite } from '../../store/drivers/sqlite-backup.ts';
import { action, askingCommand, type CliContext, command, confirm } from '../context.ts';
import { CommandError } from '../errors.ts';
import { printRecord } from '../output.ts';
import { useCaseDeps } from '../use-cases.ts';

export function register(program: Command, context: CliContext): void {
  command(program, 'status', 'Show what waits: decisions, reviews, the queue, unclear emails', 'status').action(
    action(context, async (parts) => {
      const { version, ...status } = await showStatus.run(useCaseDeps(context, parts), {});
      return { ...status, database: databaseName(context.config().database), version };
    }),
  );

  askingCommand(program, 'migrate', 'Make the database, or bring it up to date', 'migrate')
    .option('--finish', 'end the update: no process of a release before this one runs any more')
    .action(
      action(
        context,
        async (parts, { finish, yes }: { finish?: true; yes?: true }) => {
          // Opening a database brings it up to date.
          await (await openSandboxStore(context.config(), parts, () => undefined)).close();
          if (finish) {
            const update = await showUpdate(parts);
            if (update.waits_for_finish.length > 0) {
              await confirm(context, { yes }, async () => describeFinish(update));
            }
            await finishUpdate(parts);
          }
          const update = omit(await showUpdate(parts), 'former_workers');
          return { database: context.config().database.kind, up_to_date: true, ...update };
        },
        printRecord,
        { migrating: 'always' },
      ),
    );

  command(
    program,
    'backup <file>',
    'Copy a SQLite database while it is in use; sandboxes are not in it',
    'backup broker-2030-01-31.db',
  ).action(
    // The copy is the way back, so nothing is migrated for it.
    async (target: string, { json }: { json?: true }) => {
      const { database } = context.config();
      if (database.kind !== 'sqlite') {
        throw new CommandError('Only SQLite is backed up here; use pg_dump for PostgreSQL');
      }
      if (!existsSync(database.file))
        throw new CommandError(`DATABASE_URL: there is no ${database.file}; "broker migrate" makes an empty database`);
      if (existsSync(target)) throw new CommandError(`${target}: the file exists already`);
      await backupSqlite(database.file, target, marksOfCopy(systemClock.now()));
      // A database of another release is copied too, and left as it is.
      const isRecorded = await context
        .withParts((parts) => recordBackup(parts, { file: resolve(target) }))
        .then(
          () => true,
          () => false,
        );
      const made = { backup: target, in_audit_trail: isRecorded };
      context.io.out(`${json ? JSON.stringify(made, null, 2) : printRecord(made, context.style)}\n`);
    },
  );
}
