import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { composeParts } from '../../../src/compose.ts';
import { loadConfig } from '../../../src/config.ts';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import { importInThread, runImport } from '../../../src/operator/imports/run.ts';
import { createOperatorKey, revokeOperatorKey } from '../../../src/operator/people/operator-keys.ts';
import { addOperator, setOperator } from '../../../src/operator/people/operators.ts';
import { listPlans } from '../../../src/operator/plans/plans.ts';
import type { ImportTask } from '../../../src/operator/use-case/import-task.ts';
import type { Store } from '../../../src/store/store.ts';
import { BROKER } from '../../support/operator-context.ts';
import { until } from '../../support/until.ts';

type Parts = Awaited<ReturnType<typeof composeParts>>;

async function open(t: Test, content: string) {
  const directory = mkdtempSync(join(tmpdir(), 'broker-importing-'));
  const config = loadConfig({
    DATABASE_URL: `file:${join(directory, 'broker.db')}`,
    MAIL_OUTBOX_DIR: join(directory, 'outbox'),
  });
  const parts = await composeParts(config, () => undefined);
  t.teardown(async () => {
    await parts.store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  await createBroker.run(parts, BROKER);
  const task: ImportTask = {
    kind: 'plans',
    broker: 'acme',
    name: 'plans.csv',
    content: Buffer.from(content),
    dryRun: false,
    actor: { kind: 'operator', name: 'ada@example.com', clientIp: '192.0.2.1' },
  };
  return { config, parts, task };
}

const PLANS = `slug,display_name,upgrade_rank,billing_type
${Array.from({ length: 900 }, (_, at) => `p${at},Plan ${at},${at},monthly`).join('\n')}`;

t.test('a thread looks at a file and imports it in its person’s name, telling how far it is', async (t) => {
  const { config, parts, task } = await open(t, PLANS);
  const run = importInThread(config);
  const reported: number[][] = [];
  const onProgress = (...progress: number[]) => void reported.push(progress);
  t.match(await run({ ...task, dryRun: true }, onProgress), { preview: { created: 900, refused: 0 } });
  t.strictSame((await listPlans.run(parts, { broker: 'acme' })).records, []);
  t.match(await run(task, onProgress), { report: { broker: 'acme', created: 900, updated: 0 } });
  t.match(reported[0], [500, 900]);
  t.equal((await listPlans.run(parts, { broker: 'acme' })).records.length, 900);
  t.match(await listAudit(parts, { action: 'plan.import' }), [
    { actor: 'ada@example.com', actor_kind: 'operator', client_ip: '192.0.2.1', after: { file: 'plans.csv' } },
  ]);
});

t.test('what is refused comes back as a sentence; an unexpected error rejects', async (t) => {
  const { config, task } = await open(t, 'slug\n');
  const run = importInThread(config);
  t.match(await run({ ...task, broker: 'nobody' }, () => undefined), { refusal: 'There is no broker "nobody"' });
  const unreachable = importInThread({ ...config, database: { kind: 'sqlite', file: '/nowhere/broker.db' } } as never);
  await t.rejects(unreachable(task, () => undefined));
});

t.test('a failure of the store is no refusal of the file: it rejects as it is', async (t) => {
  const { parts, task } = await open(t, PLANS);
  const gone = new Error('gone');
  const store = { ...parts.store, tx: () => Promise.reject(gone) };
  await t.rejects(
    runImport({ ...parts, store }, task, () => undefined),
    gone,
  );
});

t.test('a file that takes more memory than there is ends its thread, and nothing else', async (t) => {
  // Sound records are kept until all are read, a faulty one is only counted.
  const plan = JSON.stringify({ slug: 'p', display_name: 'P', upgrade_rank: 1, billing_type: 'monthly' });
  const { config, task } = await open(t, `[${`${plan},`.repeat(200_000)}${plan}]`);
  const run = importInThread(config, { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 4 });
  t.match(await run({ ...task, name: 'plans.json' }, () => undefined), {
    refusal: 'plans.json: the file has too many records',
  });
});

t.test('an import that is ended before it is done imports nothing', async (t) => {
  const { config, parts, task } = await open(t, PLANS);
  const ending = new AbortController();
  const work = importInThread(config)(task, () => undefined, ending.signal);
  ending.abort();
  await t.rejects(work, { message: 'an import was ended before it was done' });
  t.strictSame((await listPlans.run(parts, { broker: 'acme' })).records, []);
});

t.test('an import says when it begins, and leaves nothing behind in the signal that could have ended it', async (t) => {
  const { config, task } = await open(t, PLANS);
  const run = importInThread(config);
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, 'abort').length;
  const events: string[] = [];
  const named = (name: string) =>
    run(
      task,
      () => undefined,
      signal,
      () => events.push(`${name} begins`),
    ).then(() => events.push(`${name} is done`));
  await Promise.all([named('first'), named('second')]);
  t.strictSame(events, ['first begins', 'first is done', 'second begins', 'second is done']);
  await until('the last thread has ended', () => listeners() === 0);
});

t.test('imports are done one after the other: one that ends in the meantime, or fails, delays no other', async (t) => {
  const { config, parts, task } = await open(t, PLANS);
  const run = importInThread(config);
  const ends: string[] = [];
  const named = async (name: string, broker: string, signal?: AbortSignal) => {
    const onProgress = () => ends.length > 0 || ends.push(name);
    await run({ ...task, broker }, onProgress, signal).then(
      (outcome) => ends.push(`${name} ${Object.keys(outcome)[0]}`),
      (error: Error) => ends.push(`${name} ${error.message}`),
    );
  };
  const ending = new AbortController();
  const work = [
    named('first', 'acme'),
    named('unknown', 'no-such-broker'),
    named('ended', 'acme', ending.signal),
    named('last', 'acme'),
  ];
  ending.abort();
  await Promise.all(work);
  t.strictSame(ends, [
    'first',
    'first report',
    'unknown refusal',
    'ended an import was ended before it was done',
    'last report',
  ]);
  t.equal((await listAudit(parts, { action: 'plan.import' })).length, 2);
});

for (const [ends, end] of [
  ['a key that is revoked', async (parts: Parts, keyId: string) => revokeOperatorKey.run(parts, { key_id: keyId })],
  [
    'a key that expires',
    async (parts: Parts, keyId: string) => parts.store.tx((tx) => tx.operatorKeys.update(keyId, { expiresAt: 1 })),
  ],
] as const) {
  t.test(`${ends} before its import begins, or before that commits, imports nothing`, async (t) => {
    const { parts, task } = await open(t, PLANS);
    const { store } = parts;
    const keyOf = async (name: string) => (await createOperatorKey.run(parts, { name, role: 'admin' })).key_id;
    const importFor = (keyId: string, tx = store.tx) =>
      runImport({ ...parts, store: { ...store, tx } }, { ...task, importer: { keyId } }, () => undefined);
    const before = await keyOf('Before');
    await end(parts, before);
    t.match(await importFor(before), { endedImporter: true });
    const within = await keyOf('Within');
    // It has been looked at when this transaction is about to begin.
    const afterTheEnd: Store['tx'] = async (work) => {
      await end(parts, within);
      return store.tx(work);
    };
    t.match(await importFor(within, afterTheEnd), { endedImporter: true });
    t.strictSame((await listPlans.run(parts, { broker: 'acme' })).records, []);
    t.strictSame(await listAudit(parts, { action: 'plan.import' }), []);
    t.match(await importFor(await keyOf('Another')), { report: { created: 900 } });
  });
}

t.test('a person who may import no more imports nothing', async (t) => {
  const { parts, task } = await open(t, PLANS);
  const { operator_id: operatorId, email } = await addOperator.run(parts, {
    email: 'ada@example.com',
    name: 'Ada',
    role: 'admin',
  });
  await addOperator.run(parts, { email: 'bo@example.com', name: 'Bo', role: 'admin' });
  await setOperator.run(parts, { email, role: 'viewer' });
  t.match(await runImport(parts, { ...task, importer: { operatorId } }, () => undefined), { endedImporter: true });
  t.strictSame((await listPlans.run(parts, { broker: 'acme' })).records, []);
});
