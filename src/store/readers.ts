import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DrizzleQueryError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import type { Piscina } from 'piscina';
import { tables } from '../../drizzle/sqlite.ts';
import { fail } from '../errors.ts';
import type { Csv, CsvQuery } from './csv.ts';
import type { ReadAnswer, ReadTask } from './reader-thread.ts';
import { createSession, type Database } from './session.ts';
import { REPORTS_AT_ONCE, SLOW_AT_ONCE } from './slow-queries.ts';
import { type Guard, type Reads, readsOf, wrapCalls } from './store.ts';

export interface ReaderOptions {
  file: string;
  /** The thread's module; another one only where a test wants a thread that fails. */
  threadModule?: string;
}

/** SQLite's reads beside the event loop. */
export interface Readers {
  /** The same reads as on the event loop, run by a thread. */
  readonly read: Reads;
  /** The rows of a query as a file, written by a thread; null where it would be larger than `maxBytes`. */
  csv(query: CsvQuery, maxBytes: number): Promise<Csv | null>;
  /** Ends the threads. What they are reading is given up. */
  close(): Promise<void>;
}

/** Beside this module, compiled or not. */
const THREAD_MODULE = fileURLToPath(new URL(`./reader-thread${extname(import.meta.url)}`, import.meta.url));

/** A thread costs some megabytes; one that nobody needed for this long ends. */
const IDLE_TIMEOUT_MS = 10_000;

/** What a thread holds is a page or a batch of rows; files lie outside of its heap, and end at ten megabytes. */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 };

const RETRY_AFTER_SECONDS = 1;

/**
 * Threads that read a SQLite file, for a query holds the thread that runs it to its end. None is started before there
 * is something to read, one that dies is replaced by the next read, and all see what is committed, as in WAL mode
 * every connection does.
 */
export function createReaders({ file, threadModule = THREAD_MODULE }: ReaderOptions): Readers {
  let pool: Promise<Piscina<ReadTask, ReadAnswer>> | undefined;

  const start = async () => {
    const { Piscina } = await import('piscina');
    return new Piscina<ReadTask, ReadAnswer>({
      filename: threadModule,
      minThreads: 0,
      // Whoever has a turn finds a thread.
      maxThreads: SLOW_AT_ONCE + REPORTS_AT_ONCE,
      idleTimeout: IDLE_TIMEOUT_MS,
      // An idle thread waits for a message like any other part of the process, and ends when it is asked to.
      atomics: 'disabled',
      resourceLimits: HEAP,
    });
  };

  async function ask(task: ReadTask): Promise<ReadAnswer> {
    pool ??= start();
    const threads = await pool;
    const answer = await threads.run(task).catch((error: unknown) => {
      // The thread died or is being closed: nothing that the query is to blame for.
      throw fail.unavailable(RETRY_AFTER_SECONDS, error);
    });
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    return answer;
  }

  // The settings are heeded in this place alone; the one before it is for batches.
  const db = drizzle(async (sql, params) => (await ask({ file, sql, params })) as { rows: unknown[][] }, undefined, {
    casing: 'snake_case',
  });
  const session = createSession('sqlite', db as unknown as Database, tables, async (query) => db.run(query));

  return {
    read: wrapCalls(readsOf(session), unwrapping),
    async csv({ sql, params, columns }, maxBytes) {
      const { csv } = (await ask({ file, sql, params, csv: { columns, maxBytes } })) as { csv: Csv | null };
      return csv && { ...csv, content: Buffer.from(csv.content) };
    },
    async close() {
      await (await pool)?.destroy();
    },
  };
}

/** Errors say what went wrong, without the query and its values around it. */
const unwrapping: Guard =
  (call) =>
  async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      throw error instanceof DrizzleQueryError ? error.cause : error;
    }
  };
