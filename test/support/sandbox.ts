import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Test } from 'tap';
import { type Answer, keysOf } from './v1.ts';
import { createWorld, type WorldOptions } from './world.ts';

export const MARKS = { mode: 'test', simulated: true };

/** Answers that are real in the sandbox too, and those that tell of the sandbox itself, bear no marks. */
const UNMARKED = /^\/(auth-check|sandbox)/;

/** What a call may leave behind in the live database: when its key was last used, and that it was made. */
const KEPT_APART = ['usage', 'calls'];

/**
 * A server with a live broker of its own, and sandbox keys for it. Every call through `sandbox` is watched: it
 * leaves the live database as it was, sends nothing, and is marked where it should be and nowhere else.
 */
export async function createSandboxWorld(t: Test, options: WorldOptions = {}) {
  const world = await createWorld({ ...options, onFile: true });
  t.teardown(() => world.close());
  const broker = await world.addBroker({ contactEmail: 'office@example.com' });
  const plan = await world.addPlan(broker, { slug: 'starter', displayName: 'Live Starter' });
  const service = await world.addService(broker, plan);
  await world.addTemplate(broker);
  const { key } = await world.addKey(broker, ['admin:full'], { mode: 'test' });
  const { key: liveKey } = await world.addKey(broker, ['admin:full']);

  const database = new Sqlite(join(world.directory, 'broker.db'), { readonly: true });
  t.teardown(() => database.close());
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[];
  const statements = tables
    .filter((name) => !KEPT_APART.includes(name))
    .map((name) => database.prepare(`select * from ${name}`));
  const withoutLastUse = (name: string, value: unknown) => (name.startsWith('last_used_') ? null : value);
  const records = () =>
    JSON.stringify(
      statements.map((statement) => statement.all()),
      withoutLastUse,
    );

  const call: typeof world.call = async (by, method, url, more) => {
    const before = { records: records(), sent: world.mailer.sent.length, misplaced: [] };
    const answer = await world.call(by, method, url, more);
    t.strictSame(
      { records: records(), sent: world.mailer.sent.length, misplaced: misplacedMarks(answer, !UNMARKED.test(url)) },
      before,
      `${method} ${url} ${answer.status} leaves no trace and is marked as simulated`,
    );
    return answer;
  };

  return {
    ...world,
    broker,
    plan,
    service,
    key,
    liveKey,
    tables,
    call,
    get: (url: string) => call(key, 'GET', url),
    post: (url: string, body: unknown = {}, headers: Record<string, string> = {}) =>
      call(key, 'POST', url, { body, headers }),
  };
}

export type SandboxWorld = Awaited<ReturnType<typeof createSandboxWorld>>;

/** Where marks are missing, or stand though they should not; empty when all is well. */
function misplacedMarks({ json }: Answer, marked: boolean): string[] {
  const { data, ...rest } = json;
  const items: object[] = data === undefined ? [] : Array.isArray(data) ? data : [data];
  const wrong: string[] = [];
  const search = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (keysOf(value).includes('simulated')) wrong.push(path);
    for (const [name, inner] of Object.entries(value)) search(inner, `${path}.${name}`);
  };
  search(rest, 'envelope');
  for (const item of items) {
    const { mode, simulated, ...fields } = item as Record<string, unknown>;
    if (marked ? mode !== 'test' || simulated !== true : simulated !== undefined) wrong.push('data');
    search(fields, 'data');
  }
  return wrong;
}
