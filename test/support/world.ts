import { deepStrictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { type AppParts, buildApp } from '../../src/app.ts';
import type { Actor } from '../../src/audit/audit.ts';
import { openSandboxStore } from '../../src/compose.ts';
import type { Context, Mailer, MailMessage } from '../../src/ports.ts';
import { composeKey, hashKey, newKeyParts } from '../../src/rules/key-format.ts';
import type { Scope } from '../../src/rules/scopes.ts';
import { type Clock, clockOf } from '../../src/runtime/clock.ts';
import { createIds } from '../../src/runtime/ids.ts';
import { createSandboxes } from '../../src/sandbox/sandbox.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import type { KeyRow } from '../../src/store/queries/keys.ts';
import type { PlanRow } from '../../src/store/queries/plans.ts';
import type { ServiceRow } from '../../src/store/queries/services.ts';
import type { Store } from '../../src/store/store.ts';
import { holdToDocument } from './documented.ts';
import { aBroker, aKey, aPlan as planRow, aService as serviceRow } from './rows.ts';
import { ON_POSTGRES, openScratchPostgres } from './services.ts';
import { PATIENCE_MS } from './until.ts';

/** A clock that moves only when a test says so. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function createTestClock(startMs = Date.UTC(2030, 0, 15, 12)): TestClock {
  let now = startMs;
  return {
    ...clockOf({ now: () => now, monotonic: () => now }),
    advance: (ms) => {
      now += ms;
    },
  };
}

/** Whoever acts for the operator in a test. */
export const AN_OPERATOR: Actor = { kind: 'command', name: 'ada', clientIp: null };

/** A mailer that keeps what it was given, and fails while `failWith` is set. */
export interface TestMailer extends Mailer {
  readonly sent: MailMessage[];
  failWith: Error | undefined;
}

export function createTestMailer(): TestMailer {
  const sent: MailMessage[] = [];
  return {
    sent,
    failWith: undefined,
    maxMessageBytes: 10_000_000,
    async send(message) {
      if (this.failWith) throw this.failWith;
      sent.push(message);
      return { messageId: `message-${sent.length}` };
    },
  };
}

export interface LoggedLine {
  level: 'error' | 'warn';
  details: object;
  message: string;
}

export interface WorldOptions {
  /** Opens the database; a fresh one of the engine that is tested by default. */
  openStore?: (clock: TestClock) => Promise<Store>;
  /** For a test that looks into the file: SQLite whatever engine is tested. */
  onFile?: true;
  config?: Partial<AppParts['config']>;
  metrics?: AppParts['metrics'];
  /** For the reference page; see `AppParts`. */
  demoKey?: string;
  logger?: AppParts['logger'];
  /** When the test begins, in epoch milliseconds. */
  startMs?: number;
  mailer?: Mailer;
  /** See `Context`; as configured by default. */
  warningsPerService?: number;
}

const CONFIG: AppParts['config'] = {
  publicUrl: undefined,
  trustedProxies: [],
  keepAliveMs: 72_000,
  requireHttps: false,
  tls: undefined,
  rateLimit: { max: 120, windowSeconds: 60, authFailureMax: 100 },
};

/**
 * Every answer of every test has all that its operation returned, as it was: a schema that leaves out or changes a field
 * fails the call. Serializers are compiled with their first answer, because most tests need few of them.
 */
export function requireExact(app: FastifyInstance): void {
  const build = SerializerSelector();
  app.setSchemaController({
    compilersFactory: {
      buildSerializer(schemas, options) {
        const compile = build(schemas, options as SerializerSelector.Options);
        return (route) => {
          let serialize: SerializerSelector.Serializer | undefined;
          return (value) => {
            serialize ??= compile(route);
            const text = serialize(value);
            deepStrictEqual(
              JSON.parse(text),
              JSON.parse(JSON.stringify(value)),
              `an answer's schema and its record differ: ${text}`,
            );
            return text;
          };
        };
      },
    },
  });
}

/** Builds an app whose every answer is held so: one that `build` makes before it first waits. */
export function exact<T>(build: () => T): T {
  const onNewApp = (message: unknown) => requireExact((message as { fastify: FastifyInstance }).fastify);
  subscribe('fastify.initialization', onNewApp);
  try {
    return build();
  } finally {
    unsubscribe('fastify.initialization', onNewApp);
  }
}

/** A fresh database: a SQLite file, or one on the real server where the suite runs on PostgreSQL. */
export async function openScratch(file: string, clock: Clock, onFile = !ON_POSTGRES): Promise<Store> {
  if (!onFile) return openScratchPostgres();
  template ??= makeTemplate();
  return openCopy(await template, file, clock);
}

/** The store on a copy of this file. */
export async function openCopy(template: string, file: string, clock: Clock): Promise<Store> {
  await copyFile(template, file);
  return openSqlite({ file, monotonic: clock.monotonic, queuePatienceMs: PATIENCE_MS });
}

let template: Promise<string> | undefined;

/** A migrated file without records, of which this process's databases are copies; filled where a test wants records. */
export async function makeTemplate(fill: (store: Store) => Promise<unknown> = async () => undefined): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'broker-template-'));
  process.once('exit', () => rmSync(directory, { recursive: true }));
  const file = join(directory, 'broker.db');
  const store = await openSqlite({ file, monotonic: () => 0 });
  await fill(store);
  await store.close();
  return file;
}

/** A whole server on a database of its own, with a clock and a mailbox that the test holds in its hands. */
export async function createWorld(options: WorldOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'broker-test-'));
  const clock = createTestClock(options.startMs);
  const mailer = createTestMailer();
  const store = await (options.openStore?.(clock) ?? openScratch(join(directory, 'broker.db'), clock, options.onFile));
  const logged: LoggedLine[] = [];
  const newId = createIds();
  const context: Context & { actor: Actor } = {
    actor: AN_OPERATOR,
    store,
    mailer: options.mailer ?? mailer,
    clock,
    newId,
    warningsPerService: options.warningsPerService ?? 20,
    log: {
      error: (details, message) => logged.push({ level: 'error', details, message }),
      warn: (details, message) => logged.push({ level: 'warn', details, message }),
    },
  };
  // On PostgreSQL in the scratch database itself.
  const url = (store as { url?: string }).url;
  const database = url
    ? { kind: 'postgres' as const, url }
    : { kind: 'sqlite' as const, file: join(directory, 'broker.db') };
  const sandboxes = createSandboxes({
    openStore: () => openSandboxStore({ database }, { store, clock }, () => undefined),
    live: context,
    queuePatienceMs: PATIENCE_MS,
  });
  const config = { ...CONFIG, ...options.config };
  // A busy test machine is no reason to refuse a call.
  const overload = { maxEventLoopDelayMs: 0 };
  const app = await exact(() =>
    buildApp({
      config,
      context,
      sandboxes,
      overload,
      metrics: options.metrics,
      demoKey: options.demoKey,
      ...(options.logger && { logger: options.logger }),
    }),
  );

  const undocumented = holdToDocument(app);

  return {
    app,
    store,
    clock,
    mailer,
    context,
    logged,
    directory,
    sandboxes,
    ...seeding(store, clock),
    /** One call of the API with a key; the JSON answer beside the raw one. */
    async call(key: string | undefined, method: InjectOptions['method'], url: string, more: CallOptions = {}) {
      const { body, headers, ...rest } = more;
      const response = await app.inject({
        method: method as 'GET',
        url: `/api/v1${url}`,
        headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers },
        ...(body !== undefined && { payload: body as object }),
        ...rest,
      });
      return { status: response.statusCode, headers: response.headers, raw: response.body, json: response.json() };
    },
    async close() {
      await app.close();
      await sandboxes.close();
      await store.close();
      await rm(directory, { recursive: true, force: true });
      const faults = await undocumented();
      if (faults.length > 0) throw new Error(`not as the OpenAPI document has it:\n${faults.join('\n')}`);
    },
  };
}

export type World = Awaited<ReturnType<typeof createWorld>>;

interface CallOptions extends Omit<InjectOptions, 'method' | 'url' | 'body' | 'payload'> {
  body?: unknown;
  headers?: Record<string, string>;
}

/** Puts records into the store; every field has a value that does not matter unless the test gives one. */
function seeding(store: Store, clock: Clock) {
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  const aPlan = (broker: BrokerRow, fields: Partial<PlanRow> = {}): PlanRow => {
    const slug = fields.slug ?? `plan-${next()}`;
    const displayName = fields.displayName ?? slug.toUpperCase();
    return planRow(broker, {
      slug,
      displayName,
      displayNameFolded: displayName.normalize('NFC').toLowerCase(),
      upgradeRank: next() * 10,
      createdAt: clock.now(),
      updatedAt: clock.now(),
      ...fields,
    });
  };
  const aService = (broker: BrokerRow, plan: PlanRow, fields: Partial<ServiceRow> = {}): ServiceRow =>
    serviceRow(broker, plan, { number: 5000 + next(), createdAt: clock.now(), updatedAt: clock.now(), ...fields });
  return {
    async addBroker(fields: Partial<BrokerRow> = {}): Promise<BrokerRow> {
      const row = aBroker({
        slug: `broker-${next()}`,
        contactEmail: 'contact@broker.example',
        senderEmail: 'sender@broker.example',
        createdAt: clock.now(),
        updatedAt: clock.now(),
        ...fields,
      });
      await store.tx((tx) => tx.brokers.insert(row));
      return row;
    },
    /** Makes a key and returns it as its owner holds it, with its record. */
    async addKey(broker: BrokerRow, scopes: Scope[] = ['admin:full'], fields: Partial<KeyRow> = {}) {
      const parts = newKeyParts((n) => randomBytes(n));
      const mode = fields.mode ?? 'live';
      const key = composeKey({ mode, ...parts });
      const row = aKey(broker, {
        publicId: parts.publicId,
        hash: hashKey(key),
        mode,
        scopes: JSON.stringify([...scopes].sort()),
        rateLimit: 1_000_000,
        createdAt: clock.now(),
        ...fields,
      });
      await store.tx((tx) => tx.keys.insert(row));
      return { key, row };
    },
    async addPlan(broker: BrokerRow, fields: Partial<PlanRow> = {}): Promise<PlanRow> {
      const row = aPlan(broker, fields);
      await store.tx((tx) => tx.plans.insert(row));
      return row;
    },
    async addService(broker: BrokerRow, plan: PlanRow, fields: Partial<ServiceRow> = {}): Promise<ServiceRow> {
      const row = aService(broker, plan, fields);
      await store.tx((tx) => tx.services.insert([row]));
      return row;
    },
    async addTemplate(broker: BrokerRow, kind = 'cancellation-warning', active = true): Promise<void> {
      const subject = 'About service {{ service_number }}';
      const html = '<p>{{ client_name }}: {{ warning_reason }}</p>';
      const text = '{{ client_name }}: {{ warning_reason }}';
      await store.tx((tx) =>
        tx.templates.upsert({ brokerId: broker.id, kind, subject, html, text, active, updatedAt: clock.now() }),
      );
    },
  };
}
