import { setTimeout as pause } from 'node:timers/promises';
import type { OnDue } from '../store.ts';
import { connectAlone, type PostgresClient } from './postgres-client.ts';

/*
 * Work that becomes due in one process begins at once in another. What is lost here is found by the worker's poll, so that
 * no failure matters.
 */

const CHANNEL = 'broker_work_due';

/** Commits of so many milliseconds share one notification, which PostgreSQL sends one at a time. */
const TOGETHER_MS = 5;

const RECONNECT_MS = 5_000;
const LOCK_PATIENCE_MS = 1_000;
/** A server that does not answer holds up no stop for longer. */
const CONNECT_PATIENCE_MS = 3_000;

/**
 * Announces to workers elsewhere that work is due.
 * @param query runs a statement outside of any transaction
 */
export function createDueAnnouncer(query: (text: string, values: unknown[]) => Promise<unknown>): OnDue {
  let earliest: number | undefined;
  return (dueAt) => {
    if (earliest === undefined) {
      setTimeout(() => {
        const due = String(earliest);
        earliest = undefined;
        query('select pg_notify($1, $2)', [CHANNEL, due]).catch(() => undefined);
      }, TOGETHER_MS).unref();
    }
    earliest = Math.min(dueAt, earliest ?? dueAt);
  };
}

/**
 * Reports what other processes announce, over a connection of its own, which is opened again when it is lost.
 * @returns ends it
 */
export function listenForDue(url: string, onDue: OnDue): () => Promise<void> {
  const stopping = new AbortController();
  let client: PostgresClient | undefined;

  async function listen(): Promise<void> {
    const opened = await connectAlone(url, 'worker', LOCK_PATIENCE_MS, CONNECT_PATIENCE_MS);
    client = opened;
    const ended = new Promise<void>((resolve) => opened.once('end', resolve));
    opened.on('notification', ({ payload }) => onDue(Number(payload)));
    // It was stopped while it connected.
    if (stopping.signal.aborted) await opened.end();
    else await opened.query(`listen ${CHANNEL}`);
    await ended;
  }

  async function keepListening(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listen().catch(() => undefined);
      await pause(RECONNECT_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  const running = keepListening();
  return async () => {
    stopping.abort();
    await client?.end().catch(() => undefined);
    await running;
  };
}
