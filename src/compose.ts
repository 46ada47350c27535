import { type Clock, systemClock } from './clock.ts';
import { type Config, ConfigError } from './config.ts';
import { innermost } from './errors.ts';
import { createIds, type NewId } from './ids.ts';
import { createOutboxMailer } from './mail/outbox.ts';
import { createPostmarkMailer } from './mail/postmark.ts';
import { createTemplateRenderer } from './mail/templates.ts';
import type { Mailer, TemplateRenderer } from './operations/ports.ts';
import { isUnfinishedCopy, type TableAccess } from './store/copy.ts';
import { openPostgres, openPostgresTables } from './store/postgres.ts';
import { openSqlite, openSqliteTables } from './store/sqlite.ts';
import type { Store } from './store/store.ts';

/** The parts that the server and the operator's commands have in common, made from the configuration. */
export interface Parts {
  store: Store;
  /** Whether opening the store made a new, empty database. */
  created: boolean;
  mailer: Mailer;
  templates: TemplateRenderer;
  clock: Clock;
  newId: NewId;
}

/** Opens the database (migrating it where needed) and makes the ports that the configuration asks for. */
export async function composeParts(
  config: Config,
  onError: (error: Error) => void,
  clock: Clock = systemClock,
): Promise<Parts> {
  const store = await openStore(config, clock, onError).catch((error: unknown) => {
    throw new ConfigError(`DATABASE_URL: cannot be opened: ${innermost(error)}`, { cause: error });
  });
  if (await isUnfinishedCopy(store.read)) {
    await store.close();
    throw new ConfigError('DATABASE_URL: this is an unfinished copy of another database; run "broker copy" again');
  }
  return {
    store,
    created: store.created,
    mailer: createMailer(config, clock),
    templates: createTemplateRenderer(),
    clock,
    newId: createIds(),
  };
}

/** Connections of one process: several instances and workers share the server's limit, a hundred by default. */
const POSTGRES_POOL_SIZE = 10;

const openStore = (config: Config, clock: Clock, onError: (error: Error) => void) =>
  config.database.kind === 'sqlite'
    ? openSqlite({ file: config.database.file, monotonic: clock.monotonic })
    : openPostgres({ url: config.database.url, poolSize: POSTGRES_POOL_SIZE, onError });

/** Opens a database for moving whole tables, unfinished copies included. */
export const openTables = (database: Config['database'], clock: Clock): Promise<TableAccess> =>
  database.kind === 'sqlite'
    ? openSqliteTables({ file: database.file, monotonic: clock.monotonic })
    : openPostgresTables(database.url);

function createMailer({ mail }: Config, clock: Clock): Mailer {
  return mail.postmark
    ? createPostmarkMailer({ ...mail.postmark, timeoutMs: mail.timeoutMs })
    : createOutboxMailer({ directory: mail.outboxDirectory, clock });
}
