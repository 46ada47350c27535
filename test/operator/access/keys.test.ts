import t, { type Test } from 'tap';
import {
  createKey,
  type KeyRecord,
  listKeys,
  revokeKey,
  rotateKey,
  setKey,
  showKey,
} from '../../../src/operator/access/keys.ts';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import type { Performed } from '../../../src/operator/use-case/use-case.ts';
import { hashKey, parseKey } from '../../../src/rules/key-format.ts';
import { BROKER, createOperatorContext } from '../../support/operator-context.ts';

const NEW = { broker: 'acme', name: 'Shop', mode: 'live', scopes: 'services:write, plans:read' };

async function open(t: Test) {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, BROKER);
  return context;
}

t.test('a new key is shown whole once, and only its hash is kept', async (t) => {
  const context = await open(t);
  const made = await createKey.run(context, { ...NEW, expires_date: '2031-01-01', rate_limit: '5' });
  t.match(made, {
    name: 'Shop',
    mode: 'live',
    key_status: 'active',
    scopes: ['plans:read', 'services:write'],
    rate_limit: 5,
    expires_date: '2031-01-01T00:00:00.000Z',
    last_used_date: null,
  });
  t.strictSame(parseKey(made.key), { mode: 'live', publicId: made.key_prefix.slice('sk_live_'.length) });
  const stored = await context.store.read.keys.find(made.key_id);
  t.equal(stored?.hash, hashKey(made.key));
  t.notOk(JSON.stringify([stored, (await listKeys.run(context, { broker: 'acme' })).records]).includes(made.key));
});

t.test('a key may have no scopes, no expiry and no limit of its own', async (t) => {
  const context = await open(t);
  const made = await createKey.run(context, { ...NEW, mode: 'test', scopes: '' });
  t.match(made, { mode: 'test', scopes: [], rate_limit: null, expires_date: null });
  t.match(made.key, /^sk_test_/);
});

t.test('what no key can have is refused', async (t) => {
  const context = await open(t);
  const refused: Array<[Partial<Parameters<typeof createKey.run>[1]>, RegExp]> = [
    [{ mode: 'sandbox' }, /^mode: must be one of live, test$/],
    [{ scopes: 'everything' }, /^scopes: must be a list of admin:full, .*, separated by commas$/],
    [{ expires_date: 'tomorrow' }, /^expires_date: must be a date/],
    [{ expires_date: '1969-12-31' }, /^expires_date: must be in the years 1970 to 9999$/],
    [{ expires_date: '2030-01-15T12:00:00Z' }, /^expires_date: must not have passed$/],
    [{ rate_limit: '0' }, /^rate_limit: must be a whole number from 1 to 1000000$/],
    [{ rate_limit: '1e3' }, /^rate_limit: must be a whole number/],
    [{ broker: 'nobody' }, /no broker "nobody"/],
  ];
  for (const [fields, message] of refused) await t.rejects(createKey.run(context, { ...NEW, ...fields }), { message });
});

t.test('scopes, limit and expiry can be changed and taken away, one without the others', async (t) => {
  const context = await open(t);
  const { key_id: keyId } = await createKey.run(context, NEW);
  t.match(await setKey.run(context, { key_id: keyId, rate_limit: 7 }), {
    rate_limit: 7,
    scopes: ['plans:read', 'services:write'],
  });
  t.match(await setKey.run(context, { key_id: keyId, expires_date: '2030-02-01T00:00:00+01:00' }), {
    rate_limit: 7,
    expires_date: '2030-01-31T23:00:00.000Z',
  });
  t.match(await setKey.run(context, { key_id: keyId, scopes: '' }), { scopes: [], rate_limit: 7 });
  t.match(await setKey.run(context, { key_id: keyId, expires_date: null, rate_limit: null }), {
    rate_limit: null,
    expires_date: null,
  });
  await t.rejects(setKey.run(context, { key_id: keyId, expires_date: '2030-01-15T12:00:00Z' }), {
    message: /^expires_date: must not have passed$/,
  });
  await t.rejects(setKey.run(context, { key_id: keyId }), { message: /Nothing to change/ });
  await t.rejects(setKey.run(context, { key_id: 'key_none', scopes: '' }), { message: /no key "key_none"/ });
});

t.test('a revoked key stays revoked', async (t) => {
  const context = await open(t);
  const { key_id: keyId } = await createKey.run(context, NEW);
  t.equal((await revokeKey.run(context, { key_id: keyId })).key_status, 'revoked');
  t.equal((await revokeKey.run(context, { key_id: keyId })).key_status, 'revoked');
  await t.rejects(rotateKey.run(context, { key_id: keyId }), { message: /is revoked/ });
  await t.rejects(setKey.run(context, { key_id: keyId, rate_limit: 5 }), { message: /is revoked/ });
});

t.test('a rotated key hands its settings on and lives for the overlap, never past its own expiry', async (t) => {
  const context = await open(t);
  const settings = { ...NEW, expires_date: '2030-01-20', rate_limit: '9' };
  const cases: Array<[overlap: string | undefined, endsAt: string]> = [
    [undefined, '2030-01-16T12:00:00.000Z'],
    ['90s', '2030-01-15T12:01:30.000Z'],
    ['30m', '2030-01-15T12:30:00.000Z'],
    ['3d', '2030-01-18T12:00:00.000Z'],
    ['30d', '2030-01-20T00:00:00.000Z'],
  ];
  for (const [overlap, endsAt] of cases) {
    const old = await createKey.run(context, settings);
    const rotated = await rotateKey.run(context, { key_id: old.key_id, overlap });
    t.match(rotated, { name: 'Shop', mode: 'live', scopes: old.scopes, rate_limit: 9, expires_date: old.expires_date });
    t.not(rotated.key, old.key);
    t.equal(rotated.rotated_from.expires_date, endsAt, `overlap ${overlap}`);
    t.equal((await context.store.read.keys.find(old.key_id))?.expiresAt, Date.parse(endsAt));
  }
});

t.test('a rotation without overlap revokes the old key at once', async (t) => {
  const context = await open(t);
  const { key_id: keyId } = await createKey.run(context, NEW);
  t.match((await rotateKey.run(context, { key_id: keyId, overlap: '0' })).rotated_from, { key_status: 'revoked' });
  t.match(await context.store.read.keys.find(keyId), { status: 'revoked' });
  const [row] = await listAudit(context, { subject: `key/${keyId}`, action: 'key.rotate' });
  t.match(row, { before: { key_status: 'active' }, after: { key_status: 'revoked' } }, 'its own trail has its end');
});

t.test('the end of a key that was rotated is never put off, whoever does it at the same time', async (t) => {
  const context = await open(t);
  const { key_id: keyId } = await createKey.run(context, { ...NEW, expires_date: '2030-02-01' });
  const { key_id: successor } = await rotateKey.run(context, { key_id: keyId, overlap: '1h' });
  for (const expires of [null, '2030-01-20', '2030-02-01', '2030-01-15T13:00:00.001Z']) {
    await t.rejects(setKey.run(context, { key_id: keyId, expires_date: expires, scopes: '' }), {
      message: new RegExp(`use ${successor}$`),
    });
  }
  t.match(await setKey.run(context, { key_id: keyId, expires_date: '2030-01-15T12:30:00Z' }), {
    scopes: ['plans:read', 'services:write'],
  });
  t.match(await setKey.run(context, { key_id: keyId, scopes: 'plans:read' }), {
    expires_date: '2030-01-15T12:30:00.000Z',
  });
  await setKey.run(context, { key_id: successor, expires_date: null });

  const { key_id: racing } = await createKey.run(context, NEW);
  await Promise.allSettled([
    rotateKey.run(context, { key_id: racing, overlap: '1h' }),
    setKey.run(context, { key_id: racing, expires_date: '2030-03-01' }),
    setKey.run(context, { key_id: racing, expires_date: null }),
  ]);
  t.equal((await context.store.read.keys.find(racing))?.expiresAt, context.clock.now() + 3_600_000);
});

t.test(
  'a leaked key ends at once, a planned rotation overlaps by a day, and a leaked key takes no overlap',
  async (t) => {
    const context = await open(t);
    const made = async () => (await createKey.run(context, NEW)).key_id;
    const rotated = async (input: object) =>
      (await rotateKey.run(context, { key_id: await made(), ...input })).rotated_from;
    t.match(await rotated({ reason: 'leaked' }), { key_status: 'revoked' });
    t.match(await rotated({ reason: 'leaked', overlap: '0' }), { key_status: 'revoked' });
    t.match(await rotated({ reason: 'planned' }), { expires_date: '2030-01-16T12:00:00.000Z' });
    const staying = rotateKey.run(context, { key_id: await made(), reason: 'leaked', overlap: '1h' });
    await t.rejects(staying, { message: 'overlap: must be empty: a leaked key ends at once' });
  },
);

t.test(
  'a limit that a key has already is no change: no row of the audit trail, and not announced as one',
  async (t) => {
    const context = await open(t);
    const { key_id } = await createKey.run(context, NEW);
    const changes = async () => (await listAudit(context, { action: 'key.set' })).length;
    const done = ({ record, isChanged }: Performed<KeyRecord>) =>
      (setKey.done as (record: KeyRecord, performed: { isChanged: boolean }) => string)(record, { isChanged });
    const asDefault = await setKey.perform(context, { key_id, rate_limit: context.defaultRateLimit });
    t.match([asDefault.record.rate_limit, done(asDefault), await changes()], [null, /^Nothing was changed/, 0]);
    t.match(done(await setKey.perform(context, { key_id, rate_limit: 240 })), /takes effect within a second/);
    t.match(done(await setKey.perform(context, { key_id, rate_limit: 240 })), /^Nothing was changed/);
    t.equal(await changes(), 1);
    t.match(await showKey.run(context, { key_id }), { limit_in_force: 240 });
  },
);

t.test('an overlap that is no time, or a longer one than thirty days, is refused', async (t) => {
  const context = await open(t);
  const { key_id: keyId } = await createKey.run(context, NEW);
  for (const overlap of ['31d', '24', '-1h', '1w', 'long']) {
    await t.rejects(rotateKey.run(context, { key_id: keyId, overlap }), { message: /^overlap: must be 0 or a time/ });
  }
});

t.test('a key is rotated once, and not after its end', async (t) => {
  const context = await open(t);
  const first = await createKey.run(context, NEW);
  const second = await rotateKey.run(context, { key_id: first.key_id });
  await t.rejects(rotateKey.run(context, { key_id: first.key_id }), {
    message: new RegExp(`successor is ${second.key_id}`),
  });

  const ended = await createKey.run(context, { ...NEW, expires_date: '2030-01-15T12:00:01Z' });
  context.clock.advance(1000);
  await t.rejects(rotateKey.run(context, { key_id: ended.key_id }), { message: /has expired/ });
  t.equal((await context.store.read.keys.find(ended.key_id))?.expiresAt, Date.parse('2030-01-15T12:00:01Z'));
});

t.test('a key that is revoked while it is being rotated gets no successor', async (t) => {
  const context = await open(t);
  const { key_id: keyId } = await createKey.run(context, NEW);
  const [, rotated] = await Promise.allSettled([
    revokeKey.run(context, { key_id: keyId }),
    rotateKey.run(context, { key_id: keyId }),
  ]);
  if (rotated.status === 'fulfilled') t.match(await context.store.read.keys.find(keyId), { status: 'revoked' });
  else t.match(rotated.reason, { message: /is revoked/ });
  t.match(await context.store.read.keys.find(keyId), { status: 'revoked' });
});

t.test('a public id that is taken already is drawn again, and not for ever', async (t) => {
  const context = await open(t);
  const taken = Object.assign(new Error('taken'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
  let draws = 0;
  const unlucky = (times: number) => ({
    ...context,
    store: {
      ...context.store,
      tx: (work: Parameters<typeof context.store.tx>[0]) => {
        draws += 1;
        return draws <= times ? Promise.reject(taken) : context.store.tx(work);
      },
    } as typeof context.store,
  });
  t.match((await createKey.run(unlucky(1), NEW)).key_status, 'active');
  t.equal(draws, 2);
  await t.rejects(createKey.run(unlucky(Number.POSITIVE_INFINITY), NEW), { message: 'taken' });
  t.equal(draws, 4);
});

t.test('the list shows when and from where a key was last used', async (t) => {
  const context = await open(t);
  const { key_id: keyId } = await createKey.run(context, NEW);
  await context.store.tx((tx) => tx.keys.update(keyId, { lastUsedAt: context.clock.now(), lastUsedIp: '192.0.2.1' }));
  t.match((await listKeys.run(context, { broker: 'acme' })).records, [
    { last_used_date: '2030-01-15T12:00:00.000Z', last_used_ip: '192.0.2.1' },
  ]);
});
