import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import Fastify from 'fastify';
import { AccessReport } from '../schemas/access.ts';
import { Envelope } from '../schemas/envelope.ts';
import { NAMED_SCHEMAS } from '../schemas/named.ts';
import { buildApp } from '../src/app.ts';
import { systemClock as clock } from '../src/clock.ts';
import { createIds } from '../src/ids.ts';
import { createOutboxMailer } from '../src/mail/outbox.ts';
import { createTemplateRenderer } from '../src/mail/templates.ts';
import { createContext } from '../src/operations/context.ts';
import { createOperations } from '../src/operations/operations.ts';
import { composeKey, hashKey, newKeyParts } from '../src/rules/key-format.ts';
import { openSqlite } from '../src/store/sqlite.ts';
import { rawTransactions } from './raw.ts';

/** What the load needs to know of the server. */
export interface Setup {
  key: string;
  urls: string[];
  /** Their numbers are 1 to this. */
  services?: number;
}

/** What the load asks of the server beside HTTP; answered with a number a second. */
export interface Ask {
  ask: 'raw transactions';
  seconds: number;
}

const directory = mkdtempSync(join(tmpdir(), 'broker-bench-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
process.once('disconnect', () => process.exit());

const newId = createIds();
const parts = newKeyParts((n) => randomBytes(n));
const key = composeKey({ mode: 'live', ...parts });
const unlimited = { max: 1_000_000_000, windowSeconds: 60, authFailureMax: 100 };

/** A database with one broker, its key, a firewall rule, two plans and so many services; made in seconds. */
async function fill(name: string, services: number) {
  const file = join(directory, `${name}.db`);
  const store = await openSqlite({ file, monotonic: clock.monotonic });
  const now = clock.now();
  const plan = (id: string, upgradeRank: number) => ({
    id,
    brokerId: 'brk_bench',
    slug: id,
    slugFolded: id,
    displayName: id.toUpperCase(),
    displayNameFolded: `the ${id}`,
    upgradeRank,
    billingType: 'monthly' as const,
    active: true,
    requiresOperatorReview: false,
    description: null,
    vcpu: 1,
    memoryMb: 1024,
    diskGb: 20,
    transferGb: null,
    priceAmount: '9.90',
    priceCurrency: 'EUR',
    createdAt: now,
    updatedAt: now,
  });
  await store.tx(async (tx) => {
    await tx.brokers.insert({
      id: 'brk_bench',
      slug: 'bench',
      name: 'Example Hosting',
      status: 'active',
      contactEmail: 'contact@example.com',
      senderEmail: 'sender@example.com',
      ipRestrictionEnabled: true,
      createdAt: now,
      updatedAt: now,
    });
    await tx.firewall.insert({ id: 'fwr_1', brokerId: 'brk_bench', rule: '127.0.0.0/8', note: null, createdAt: now });
    await tx.keys.insert({
      id: 'key_bench',
      brokerId: 'brk_bench',
      publicId: parts.publicId,
      hash: hashKey(key),
      mode: 'live',
      name: 'The benchmark',
      scopes: '["admin:full"]',
      status: 'active',
      rateLimit: null,
      expiresAt: null,
      createdAt: now,
      lastUsedAt: null,
      lastUsedIp: null,
      rotatedFromId: null,
    });
    await tx.plans.upsert([plan('one', 1), plan('two', 2)]);
  });
  await store.close();

  const db = new Sqlite(file);
  db.pragma('synchronous = OFF');
  db.exec(`
    begin;
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${services})
    insert into services (number, broker_id, status, plan_id, client_name, client_email, client_email_folded,
        search_text, requires_operator_review, created_at, updated_at)
      select n, 'brk_bench', 'active', 'one', 'Ada', 'ada@example.com', 'ada@example.com', 'ada', 0, ${now} + n, ${now}
      from numbers where n <= ${services};
    insert into counters values ('brk_bench', 'services', 'one', 'active', ${services});
    commit;`);
  db.close();
  return file;
}

async function serve(file: string) {
  const store = await openSqlite({ file, monotonic: clock.monotonic });
  const context = createContext({
    store,
    mailer: createOutboxMailer({ directory: join(directory, 'outbox'), clock }),
    templates: createTemplateRenderer(),
    clock,
    newId,
    log: console,
  });
  const operations = createOperations(context);
  const app = await buildApp({
    config: { trustedProxies: [], requireHttps: false, tls: undefined, rateLimit: unlimited },
    store,
    clock,
    live: operations,
    sandbox: operations,
  });
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

/** What Fastify alone makes of the same answer, which lies ready. */
async function serveBare(answer: object, headers: Record<string, unknown> = {}): Promise<string> {
  const bare = Fastify();
  for (const schema of NAMED_SCHEMAS) bare.addSchema(schema);
  const names = Object.keys(headers);
  bare.get('/auth-check', { schema: { response: { 200: Envelope(AccessReport) } } }, async (_request, reply) => {
    for (const name of names) reply.header(name, headers[name]);
    return answer;
  });
  return bare.listen({ port: 0, host: '127.0.0.1' });
}

const setups: Record<string, () => Promise<Setup>> = {
  async 'auth-check'() {
    const { app, url } = await serve(await fill('auth-check', 1));
    const headers = { authorization: `Bearer ${key}` };
    const answer = await app.inject({ url: '/api/v1/auth-check', headers });
    return { key, urls: [url, await serveBare(answer.json())] };
  },
  async headers() {
    const { app } = await serve(await fill('headers', 1));
    const answer = await app.inject({ url: '/api/v1/auth-check', headers: { authorization: `Bearer ${key}` } });
    const ours = Object.entries(answer.headers).filter(([name]) => /^(x-|ratelimit|cache-control)/.test(name));
    return { key, urls: [await serveBare(answer.json(), Object.fromEntries(ours)), await serveBare(answer.json())] };
  },
  async upgrade() {
    const services = 400_000;
    // All of the filling comes first: a server whose event loop stood still refuses its next calls as overload.
    const [file, rawFile] = [await fill('upgrade', services), await fill('raw', services)];
    const raw = rawTransactions(rawFile, newId);
    process.on('message', async ({ seconds }: Ask) => process.send?.(await raw(seconds)));
    const { url } = await serve(file);
    return { key, urls: [url], services };
  },
  async lists() {
    const files = [await fill('million', 1_000_000), await fill('thousand', 1000)] as const;
    const [million, thousand] = [await serve(files[0]), await serve(files[1])];
    return { key, urls: [million.url, thousand.url] };
  },
};

const setup = setups[process.argv[2] ?? ''];
if (!setup) throw new Error('this is started by the benchmark');
process.send?.(await setup());
