import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { Piscina } from 'piscina';
import { tables } from '../../../drizzle/sqlite.ts';
import { fail } from '../../errors.ts';
import { programFile } from '../../runtime/paths.ts';
import type { Csv, CsvQuery } from '../session/csv.ts';
import { createSession, type Database } from '../session/session.ts';
import { type Guard, type Reads, readsOf, wrapCalls } from '../store.ts';
import type { ReadAnswer, ReadTask } from './reader-thread.ts';
import { SLOW_CONNECTIONS } from './slow-queries.ts';

export interface ReaderOptions {
  file: string;
  /** The thread's module; another one only where a test wants a thread that fails. */
  threadModule?: string;
}

/** SQLite reads in worker threads. */
export interface Readers {
  readonly read: Reads;
  /** The rows of a query as a CSV file; null where it would be larger than `maxBytes`. */
  csv(query: CsvQuery, maxBytes: number): Promise<Csv | null>;
  /** Ends the threads and their running queries. */
  close(): Promise<void>;
}

const THREAD_MODULE = programFile('store/drivers/reader-thread');

/** An idle thread ends after this: it costs some megabytes. */
const IDLE_TIMEOUT_MS = 10_000;

/** A thread holds a page or a batch of rows; files of up to ten megabytes are outside of its heap. */
const READER_HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

const RETRY_AFTER_SECONDS = 1;

/**
 * Threads that read a SQLite file, because a query blocks its thread. Reads start them, and replace one that
 * died. In WAL mode all see every commit.
 */
export function createReaders({ file, threadModule = THREAD_MODULE }: ReaderOptions): Readers {
  const pool = new Piscina<ReadTask, ReadAnswer>({
    filename: threadModule,
    minThreads: 0,
    maxThreads: SLOW_CONNECTIONS,
    idleTimeout: IDLE_TIMEOUT_MS,
    // With atomics an idle thread would block and could not end.
    atomics: 'disabled',
    resourceLimits: READER_HEAP,
  });

  async function ask(task: ReadTask): Promise<ReadAnswer> {
    const answer = await pool.run(task).catch((error: unknown) => {
      // The thread died or is being closed.
      throw fail.unavailable(RETRY_AFTER_SECONDS, error);
    });
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    return answer;
  }

  // The second argument is for batches.
  const db = drizzle(async (sql, params) => (await ask({ file, sql, params })) as { rows: unknown[][] }, undefined, {
    casing: 'snake_case',
  });
  const session = createSession('sqlite', db as unknown as Database, tables);

  return {
    read: wrapCalls(readsOf(session), unwrapping),
    async csv({ sql, params, columns }, maxBytes) {
      const { csv } = (await ask({ file, sql, params, csv: { columns, maxBytes } })) as { csv: Csv | null };
      return csv && { ...csv, content: Buffer.from(csv.content) };
    },
    close: () => pool.destroy(),
  };
}

/** Throws the database's error without Drizzle's query text and values. */
const unwrapping: Guard =
  (call) =>
  async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      throw error instanceof DrizzleQueryError ? error.cause : error;
    }
  };
