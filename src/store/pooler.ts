import { setTimeout } from 'node:timers/promises';
import { connectAlone, type PostgresClient } from './postgres-client.ts';

/** How long the second look may take: of a pool with one connection the other client holds it. */
const PATIENCE_MS = 5_000;

const PROBE = { name: 'broker.pooler', text: 'select 1' };

/** What PostgreSQL says of a prepared statement that this connection does not have, or has from another client. */
const FORGOTTEN = ['26000', '42P05'];

/**
 * Throws where a pooler hands on the server's connections between transactions without the statements that were prepared
 * on them (PgBouncer before 1.21): most calls would fail. Another client takes the connection on which a statement was
 * prepared, and then the statement is used again.
 * @param url a DATABASE_URL of PostgreSQL
 */
export async function requirePreparedStatements(url: string, patienceMs = PATIENCE_MS): Promise<void> {
  const open = () => connectAlone(url, 'start', patienceMs);
  if (await using(open, (asking) => using(open, (other) => forgets(asking, other, patienceMs)))) {
    throw new Error(
      'a pooler between here and PostgreSQL does not keep prepared statements; PgBouncer does from 1.21 on, with max_prepared_statements',
    );
  }
}

async function forgets(asking: PostgresClient, other: PostgresClient, patienceMs: number): Promise<boolean> {
  if (await isForgotten(asking)) return true;
  await other.query('begin');
  const forgotten = await Promise.race([isForgotten(asking), setTimeout(patienceMs, false, { ref: false })]);
  await other.query('rollback');
  return forgotten;
}

const isForgotten = (client: PostgresClient): Promise<boolean> =>
  client.query(PROBE).then(
    () => false,
    ({ code }: { code?: string }) => FORGOTTEN.includes(code as string),
  );

/** Ends the connection whatever happens: a command whose connection stays open never ends. */
async function using<T>(open: () => Promise<PostgresClient>, work: (client: PostgresClient) => Promise<T>): Promise<T> {
  const client = await open();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
