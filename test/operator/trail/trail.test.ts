import t, { type Test } from 'tap';
import {
  allowAddress,
  disableFirewall,
  enableFirewall,
  listFirewall,
  removeAddress,
} from '../../../src/operator/access/firewall.ts';
import { createKey, revokeKey, rotateKey, setKey } from '../../../src/operator/access/keys.ts';
import { findAudit } from '../../../src/operator/audit/audit.ts';
import { createBroker, resumeBroker, setBroker, suspendBroker } from '../../../src/operator/brokers/brokers.ts';
import { createOperatorKey, revokeOperatorKey } from '../../../src/operator/people/operator-keys.ts';
import { addOperator, removeOperator, setOperator } from '../../../src/operator/people/operators.ts';
import { eraseClient } from '../../../src/operator/services/clients.ts';
import { showRestored } from '../../../src/operator/system/restored.ts';
import { keepTrail } from '../../../src/operator/trail/keeper.ts';
import { redoTrail } from '../../../src/operator/trail/redo.ts';
import { aLoss } from '../../support/rows.ts';
import { createWorld } from '../../support/world.ts';

const MINUTE_MS = 60_000;
const BROKER = {
  slug: 'acme',
  name: 'Acme Hosting',
  contact_email: 'contact@acme.example',
  sender_email: 'sender@acme.example',
};

/** A broker with two keys, people and a client, as the backup has them; what follows is lost. */
async function setup(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const deps = { ...world.context, defaultRateLimit: 120 } as unknown as Parameters<typeof redoTrail>[0];
  const { store, clock } = world;
  await createBroker.run(deps, BROKER);
  const broker = await store.read.brokers.findBySlug('acme');
  if (!broker) throw new Error('there is no broker');
  const key = await createKey.run(deps, { broker: 'acme', name: 'Shop of Ada', mode: 'live', scopes: 'admin:full' });
  const other = await createKey.run(deps, { broker: 'acme', name: 'Spare', mode: 'live', scopes: 'services:read' });
  const ops = await createOperatorKey.run(deps, { name: 'Billing', role: 'admin' });
  const [ada, eve] = [
    await addOperator.run(deps, { email: 'ada@operator.example', name: 'Ada', role: 'admin' }),
    await addOperator.run(deps, { email: 'eve@operator.example', name: 'Eve', role: 'support' }),
  ];
  await allowAddress.run(deps, { broker: 'acme', rule: '192.0.2.0/24', note: 'the office of Ada' });
  const plan = await world.addPlan(broker);
  const ended = { status: 'terminated', clientName: 'Zoe Client', clientEmail: 'zoe@client.example' } as const;
  const services = [await world.addService(broker, plan, ended), await world.addService(broker, plan, ended)];
  const logged: string[] = [];
  const keeper = keepTrail(world.context, (audit) => logged.push(JSON.stringify({ level: 30, audit, msg: 'audit' })));
  await keeper.look();
  logged.length = 0;
  clock.advance(MINUTE_MS);
  const lostFrom = clock.now();
  clock.advance(1000);
  return {
    world,
    deps,
    store,
    clock,
    broker,
    key,
    other,
    ops,
    ada,
    eve,
    services,
    lostFrom,
    /** What was logged since the backup. */
    async lines() {
      await keeper.look();
      return logged;
    },
    /** The records as the backup had them, found to be so a minute later. */
    async goBack() {
      await store.tx(async (tx) => {
        for (const { key_id, scopes } of [key, other])
          await tx.keys.update(key_id, {
            status: 'active',
            scopes: JSON.stringify(scopes),
            expiresAt: null,
          });
        await tx.operatorKeys.update(ops.key_id, { status: 'active' });
        await tx.brokers.update(broker.id, { status: 'active', rateLimit: null, ipRestrictionEnabled: false });
        for (const service of services) {
          const { number, clientName, clientEmail, clientEmailFolded, searchText } = service;
          await tx.services.update(broker.id, number, { clientName, clientEmail, clientEmailFolded, searchText });
        }
        for (const { operator_id, role } of [ada, eve]) await tx.operators.update(operator_id, { role, active: true });
      });
      clock.advance(MINUTE_MS);
      const loss = aLoss({ history: 2_000_000_000, lostFrom, lostUntil: clock.now() });
      await store.tx((tx) => tx.history.insert(loss));
      clock.advance(1000);
    },
  };
}

const outcomes = ({ redone }: Awaited<ReturnType<typeof redoTrail>>) =>
  redone.map(({ action, outcome }) => `${action} ${outcome}`).sort();

t.test('What protected is done again, and noted', async (t) => {
  const { deps, store, broker, key, other, ops, ada, eve, services, lines, goBack } = await setup(t);
  await revokeKey.run(deps, { key_id: key.key_id });
  await setKey.run(deps, { key_id: other.key_id, scopes: [], expires_date: '2031-01-01T00:00:00.000Z' });
  await revokeOperatorKey.run(deps, { key_id: ops.key_id });
  await enableFirewall.run(deps, { broker: 'acme' });
  await removeAddress.run(deps, { broker: 'acme', rule: '192.0.2.0/24' });
  await setBroker.run(deps, { broker: 'acme', rate_limit: 10 });
  await suspendBroker.run(deps, { broker: 'acme', reason: 'Ada owes' });
  await setOperator.run(deps, { email: eve.email, role: 'viewer' });
  await eraseClient.run(deps, { broker: 'acme', email: 'zoe@client.example' });
  const logged = await lines();
  t.equal(logged.length, 9);
  t.notMatch(logged.join(), /example|Ada|Eve|Zoe|Shop|owes|office|hash|sk_live/, 'nothing personal, nothing secret');
  for (const line of logged) t.equal(JSON.parse(line).audit.history, 0);
  await goBack();
  await allowAddressAgain();
  const report = await redoTrail(deps, logged.join('\n'));
  t.strictSame(outcomes(report), [
    'broker.set done',
    'broker.suspend done',
    'client.erase done',
    'firewall.enable done',
    'firewall.remove done',
    'key.revoke done',
    'key.set done',
    'operator.set done',
    'ops_key.revoke done',
  ]);
  t.equal((await store.read.keys.find(key.key_id))?.status, 'revoked');
  t.match(await store.read.keys.find(other.key_id), { scopes: '[]', expiresAt: Date.UTC(2031, 0, 1) });
  t.equal((await store.read.operatorKeys.find(ops.key_id))?.status, 'revoked');
  t.match(await store.read.brokers.find(broker.id), { status: 'suspended', rateLimit: 10, ipRestrictionEnabled: true });
  t.strictSame((await listFirewall.run(deps, { broker: 'acme' })).rules, []);
  t.equal((await store.read.operators.find(eve.operator_id))?.role, 'viewer');
  t.equal((await store.read.operators.find(ada.operator_id))?.role, 'admin');
  for (const { number } of services)
    t.not((await store.read.services.find(broker.id, number))?.clientName, 'Zoe Client');
  const noted = await store.read.audit.list({ action: 'records.redo' }, 100);
  t.equal(noted.length, 9);

  const again = await redoTrail(deps, [...logged, ...logged].reverse().join('\n'));
  t.strictSame([...new Set(again.redone.map(({ outcome }) => outcome))], ['as_it_was'], 'twice and out of order');

  async function allowAddressAgain() {
    const rule = { id: 'fwr_1', brokerId: broker.id, rule: '192.0.2.0/24', note: null, createdAt: 1 };
    await store.tx((tx) => tx.firewall.insert(rule));
  }
});

t.test('Of the entries about one thing the last counts, and one that widens or makes is listed', async (t) => {
  const { deps, store, broker, key, other, lines, goBack } = await setup(t);
  await suspendBroker.run(deps, { broker: 'acme' });
  await resumeBroker.run(deps, { broker: 'acme' });
  await enableFirewall.run(deps, { broker: 'acme' });
  await disableFirewall.run(deps, { broker: 'acme' });
  await setKey.run(deps, { key_id: other.key_id, scopes: [] });
  await setKey.run(deps, { key_id: other.key_id, scopes: ['services:write'] });
  await rotateKey.run(deps, { key_id: key.key_id, reason: 'leaked' });
  await addOperator.run(deps, { email: 'new@operator.example', name: 'New', role: 'viewer' });
  const logged = await lines();
  await goBack();
  const report = await redoTrail(deps, logged.join('\n'));
  t.strictSame(outcomes(report), [
    'broker.resume listed',
    'firewall.disable listed',
    'key.rotate done',
    'key.rotate listed',
    'key.set listed',
    'operator.add listed',
  ]);
  t.match(await store.read.brokers.find(broker.id), { status: 'active', ipRestrictionEnabled: false });
  t.equal((await store.read.keys.find(other.key_id))?.scopes, JSON.stringify(other.scopes));
  t.equal((await store.read.keys.find(key.key_id))?.status, 'revoked', 'the leaked key');
});

t.test('A key is never given more than it has and was given', async (t) => {
  const { deps, store, other, lines, goBack } = await setup(t);
  await setKey.run(deps, { key_id: other.key_id, scopes: ['services:write', 'plans:read'] });
  await setKey.run(deps, { key_id: other.key_id, scopes: ['services:write'] });
  const logged = await lines();
  await goBack();
  await redoTrail(deps, logged.join('\n'));
  t.equal((await store.read.keys.find(other.key_id))?.scopes, '["services:read"]');
});

t.test('What was changed since, what another history says and what a rule refuses is listed', async (t) => {
  const { deps, store, clock, key, other, eve, ada, lines, goBack } = await setup(t);
  await revokeKey.run(deps, { key_id: key.key_id });
  await revokeKey.run(deps, { key_id: other.key_id });
  await removeOperator.run(deps, { email: eve.email });
  const logged = (await lines()).map((line) => JSON.parse(line));
  await goBack();
  await setKey.run(deps, { key_id: key.key_id, rate_limit: 7 });
  await addOperator.run(deps, { email: 'new@operator.example', name: 'New', role: 'viewer' });
  clock.advance(1000);
  const strange = logged.map((line) => ({ ...line, audit: { ...line.audit, history: 7 } }));
  const refused = { ...logged[2], audit: { ...logged[2].audit, id: 'aud_x', subject: `operator/${ada.operator_id}` } };
  const lost = { ...logged[0], audit: { ...logged[0].audit, id: 'aud_y', subject: 'key/none' } };
  const late = { ...logged[1], audit: { ...logged[1].audit, id: 'aud_z', date: new Date(clock.now()).toISOString() } };
  const text = [logged[0], strange[1], refused, lost, late].map((line) => JSON.stringify(line)).join('\n');
  const report = await redoTrail(deps, `${text}\n${JSON.stringify(logged[1]).slice(0, 40)}\nplain text\n`);
  t.equal(report.unread, 2, 'what is cut');
  const whys = report.redone.map(({ outcome, why }) => `${outcome}: ${why}`);
  t.equal(whys.filter((why) => why.startsWith('listed')).length, 4);
  for (const part of [/changed since/, /history 7/, /last active admin/, /no key "none"/, /after the loss/])
    t.ok(
      whys.some((why) => part.test(why)),
      String(part),
    );
  t.equal((await store.read.keys.find(other.key_id))?.status, 'active');
});

t.test('What an earlier loss took is done again too, where the records have gone back once more', async (t) => {
  const { deps, store, clock, key, lines, goBack } = await setup(t);
  await revokeKey.run(deps, { key_id: key.key_id });
  const text = (await lines()).join('\n');
  await goBack();
  clock.advance(MINUTE_MS);
  const again = aLoss({ history: 2_000_000_060, lostFrom: clock.now() - 1_000, lostUntil: clock.now() });
  await store.tx((tx) => tx.history.insert(again));
  clock.advance(1_000);
  t.match((await showRestored.run(deps, {})).note, /may be valid again/);
  t.strictSame(outcomes(await redoTrail(deps, text)), ['key.revoke done']);
  t.equal((await store.read.keys.find(key.key_id))?.status, 'revoked');
  t.equal((await showRestored.run(deps, {})).note, null);
});

t.test('A file of which nothing can be read is no trail: what may be valid again stays said', async (t) => {
  const { deps, goBack } = await setup(t);
  await goBack();
  t.match(await redoTrail(deps, '{"records":[{"date":"2026-'), { redone: [], unread: 1 });
  t.match((await showRestored.run(deps, {})).note, /may be valid again/);
});

t.test('The JSON of audit list will do', async (t) => {
  const { deps, store, broker, key, eve, lostFrom, services, goBack } = await setup(t);
  await revokeKey.run(deps, { key_id: key.key_id });
  await setOperator.run(deps, { email: eve.email, active: false });
  await suspendBroker.run(deps, { broker: 'acme' });
  await eraseClient.run(deps, { broker: 'acme', email: 'zoe@client.example' });
  const { records } = await findAudit.run(deps, { limit: 100 });
  await goBack();
  const report = await redoTrail(deps, JSON.stringify(records));
  t.strictSame(outcomes(report), ['broker.suspend done', 'client.erase done', 'key.revoke done', 'operator.set done']);
  t.ok(report.earlier > 0, `entries from before ${lostFrom} are in the records`);
  t.equal((await store.read.keys.find(key.key_id))?.status, 'revoked');
  t.equal((await store.read.operators.find(eve.operator_id))?.active, false);
  t.not((await store.read.services.find(broker.id, Number(services[0]?.number)))?.clientName, 'Zoe Client');
});

t.test('Of the JSON of audit list that was cut, the whole entries are read', async (t) => {
  const { deps, store, key, other, goBack } = await setup(t);
  await revokeKey.run(deps, { key_id: key.key_id });
  await revokeKey.run(deps, { key_id: other.key_id });
  const text = JSON.stringify((await findAudit.run(deps, { limit: 2 })).records, null, 2);
  await goBack();
  const report = await redoTrail(deps, text.slice(0, -20));
  t.strictSame(outcomes(report), ['key.revoke done']);
  t.equal(report.unread, 1);
  t.equal((await store.read.keys.find(other.key_id))?.status, 'revoked');
});

t.test('Without a loss nothing is done again', async (t) => {
  const { deps, key, lines } = await setup(t);
  await revokeKey.run(deps, { key_id: key.key_id });
  await t.rejects(redoTrail(deps, (await lines()).join('\n')), { message: /never gone back/ });
});

t.test('Each entry is logged once by each server, also one that a command wrote while none ran', async (t) => {
  const { world, deps, clock, key, other, lines } = await setup(t);
  await revokeKey.run(deps, { key_id: key.key_id });
  t.equal((await lines()).length, 1);
  t.equal((await lines()).length, 1);
  const found: string[] = [];
  clock.advance(10 * MINUTE_MS);
  const later = keepTrail(world.context, ({ action }) => found.push(action));
  await later.look();
  t.ok(found.includes('key.revoke'));
  await revokeKey.run(deps, { key_id: other.key_id });
  await later.look();
  await later.look();
  t.equal(found.filter((action) => action === 'key.revoke').length, 2);
});
