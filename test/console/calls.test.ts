import t from 'tap';
import { gateNumber } from '../../src/errors.ts';
import { disableFirewall, enableFirewall } from '../../src/operator/access/firewall.ts';
import { setKey } from '../../src/operator/access/keys.ts';
import { countCallSteps, exportCalls, groupFailures, pageCalls } from '../../src/operator/calls/calls.ts';
import { ROWS_AT_ONCE } from '../../src/operator/use-case/exports.ts';
import { createIds } from '../../src/runtime/ids.ts';
import type { CallRow } from '../../src/store/queries/calls.ts';
import { createTestConsole } from '../support/console.ts';
import { aCall, aKey, anEmail, aRequest, aUsageRow, stock } from '../support/rows.ts';

t.test('the calls of all brokers are listed newest first, by every filter, page by page without a count', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { store, clock, context } = console;
  const [one, two] = [await stock(store), await stock(store)];
  const keys = [aKey(one.broker), aKey(two.broker)] as const;
  const at = clock.now();
  const rows: CallRow[] = Array.from({ length: 60 }, (_, index) =>
    aCall(one.broker, keys[0], { at: at - index * 1000, serviceNumber: one.service.number }),
  );
  const refused = aCall(two.broker, keys[1], {
    at: at - 90_000,
    operation: 'getService',
    status: 404,
    code: 'not_found',
    reason: 'service_cancelled',
    clientIp: '198.51.100.7',
    serviceNumber: 42,
  });
  await store.tx(async (tx) => {
    for (const key of keys) await tx.keys.insert(key);
    await tx.calls.insert([...rows, refused]);
  });

  const first = await pageCalls(context);
  t.strictSame(
    first.items.map(({ request_id }) => request_id),
    rows.slice(0, 50).map(({ requestId }) => requestId),
  );
  const second = await pageCalls(context, { before: first.next as string });
  t.equal(second.items.length, 11);
  t.equal(second.items.at(-1)?.request_id, refused.requestId);
  t.equal(second.next, null);

  const prefix = `sk_live_${keys[1].publicId}`;
  const filters = {
    broker: two.broker.slug,
    key: prefix,
    operation: 'getService',
    status: '4xx',
    code: 'not_found',
    reason: 'service_cancelled',
    service_number: '42',
    client_ip: '198.51.100.7',
    until: new Date(at - 80_000).toISOString(),
  };
  for (const [name, value] of [...Object.entries(filters), ['status', '404'], ['key', keys[1].id]] as const) {
    const { items, next, looked_through } = await pageCalls(context, { [name]: value });
    t.strictSame(
      items.map(({ request_id }) => request_id),
      [refused.requestId],
      name,
    );
    t.strictSame([next, looked_through], [null, null]);
  }
  t.equal((await pageCalls(context, { since: '85s' })).items.length, 50);
  for (const none of [{ broker: 'nobody' }, { key: 'key_nobody' }, { broker: one.broker.slug, key: prefix }]) {
    t.strictSame(await pageCalls(context, none), { items: [], next: null, looked_through: null });
  }
  // A page looks through so many calls for a filter without an index; the next one goes on behind the last of them.
  const reads = store.read.calls;
  const near = await reads.page({ operation: 'getService' }, undefined, { limit: 10, among: 60 });
  t.strictSame(near.rows, []);
  t.match(near.last, { requestId: rows[59]?.requestId });
  const far = await reads.page({ operation: 'getService' }, near.last ?? undefined, { limit: 10, among: 60 });
  t.match(far, { rows: [refused], last: null });

  const { get } = await console.signedIn('viewer');
  const page = await get('/calls');
  t.match(page.body, /data-live/);
  t.match(page.text, /now – 59 s ago upgradeService × 60 2030/);
  t.notMatch(page.body, /rel="next"/, 'all of them are on one page');
  const older = await get(`/calls?before=${first.next}`);
  t.notMatch(older.body, /data-live/, 'an older page stands still');
  t.match(older.body, /rel="first">Newest/);
  t.match(older.body, /not_found: service_cancelled/);
  for (const wrong of ['status=9', 'before=x', 'since=never'])
    t.equal((await get(`/calls?${wrong}`)).status, 422, wrong);
});

t.test('a file of calls since a day ago has the same day to its end, however long it is read', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { store, clock, context } = console;
  const { broker } = await stock(store);
  const key = aKey(broker);
  const at = clock.now() - 24 * 3_600_000;
  const count = ROWS_AT_ONCE + 10;
  await store.tx(async (tx) => {
    await tx.keys.insert(key);
    await tx.calls.insert(Array.from({ length: count }, (_, index) => aCall(broker, key, { at: at + index })));
  });
  let text = '';
  for await (const piece of await exportCalls(context, { since: '24h' })) {
    text += piece;
    clock.advance(60_000);
  }
  t.equal(text.match(/upgradeService/g)?.length, count);
});

t.test('a call shows the calls of its key around it, and the request and the email that it made', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { store, clock } = console;
  const { broker, service } = await stock(store);
  const [live, test] = [aKey(broker), aKey(broker, { mode: 'test' })];
  const at = clock.now();
  const rows = [-2, -1, 0, 1, 2].map((seconds) =>
    aCall(broker, live, { at: at + seconds * 60_000, serviceNumber: service.number }),
  );
  const simulated = aCall(broker, test, { at, serviceNumber: service.number });
  const request = aRequest(service, { submittedAt: at - 10 });
  const email = anEmail(broker, {
    id: createIds()('eml', at - 5),
    serviceNumber: service.number,
    createdAt: at - 5,
  });
  await store.tx(async (tx) => {
    for (const key of [live, test]) await tx.keys.insert(key);
    await tx.calls.insert([...rows, simulated]);
    await tx.requests.insert(request);
    await tx.emails.insert(email);
  });
  const { get } = await console.signedIn('viewer');
  const { body } = await get(`/calls/${rows[2]?.requestId}`);
  for (const { requestId } of rows.filter((_, index) => index !== 2)) t.match(body, `href="/calls/${requestId}"`);
  t.match(body, 'this call');
  t.match(body, `href="/requests/${request.id}"`);
  t.match(body, `href="/emails/${email.id}"`);
  const other = (await get(`/calls/${simulated.requestId}`)).body;
  t.notMatch(other, 'Made by the call', 'a sandbox has requests of its own');
});

t.test('failed calls stand together by reason and key, most first; a reason leads to its calls', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { store, clock, context } = console;
  const [one, two] = [await stock(store), await stock(store)];
  const keys = [aKey(one.broker), aKey(two.broker)] as const;
  const at = clock.now();
  const missing = { status: 404, code: 'not_found', reason: null, gate: gateNumber('ownership') };
  const refused = {
    status: 403,
    code: 'insufficient_permissions',
    reason: 'ip_not_whitelisted',
    gate: gateNumber('firewall'),
  };
  await store.tx(async (tx) => {
    for (const key of keys) await tx.keys.insert(key);
    await tx.calls.insert([
      aCall(one.broker, keys[0], { at }),
      aCall(one.broker, keys[0], { at: at - 25 * 3_600_000, ...missing }),
      ...[1, 2, 3].map((seconds) => aCall(two.broker, keys[1], { at: at - seconds * 1000, ...refused })),
      ...[1, 2].map((seconds) => aCall(one.broker, keys[0], { at: at - seconds * 1000, ...missing })),
    ]);
  });
  // Of another reason of theirs no row was kept, and of 4 calls that went well.
  const usage = (owner: number, fields: object) =>
    aUsageRow([one, two][owner]?.broker.id as string, at - 60_000, { keyId: keys[owner]?.id as string, ...fields });
  await store.tx((tx) =>
    tx.usage.count([
      usage(0, { calls: 4 }),
      usage(0, { calls: 2, outcome: 'not_found', gate: gateNumber('ownership') }),
      usage(1, { calls: 26, outcome: refused.code, gate: gateNumber('firewall') }),
      usage(0, { fromAt: at - 25 * 3_600_000, calls: 1, outcome: 'not_found', gate: gateNumber('ownership') }),
    ]),
  );
  t.match(await groupFailures(context), {
    groups: [
      {
        code: refused.code,
        reason: refused.reason,
        gate: 'firewall',
        broker: two.broker.slug,
        calls: 26,
        kept: 3,
      },
      { code: 'not_found', reason: null, gate: 'ownership', key_id: keys[0].id, calls: 2, kept: 2 },
    ],
    calls: 32,
    failed: 28,
    kept: 5,
    truncated: false,
  });
  const other = { ...refused, reason: 'key_expired', requestId: 'other' };
  await store.tx((tx) => tx.calls.insert([aCall(two.broker, keys[1], { at: at - 4000, ...other })]));
  t.match(
    (await groupFailures(context, { broker: two.broker.slug })).groups.map(({ reason, calls, is_rest }) => [
      reason,
      calls,
      is_rest,
    ]),
    [
      [null, 22, true],
      [refused.reason, 3, false],
      ['key_expired', 1, false],
    ],
    'the rest is of one of several reasons',
  );
  t.match((await groupFailures(context, { broker: one.broker.slug, since: '2d' })).groups, [{ calls: 3 }]);
  t.match(await groupFailures(context, { code: 'not_found', until: '1h' }), { groups: [], failed: 0 });
  t.match(await groupFailures(context, { broker: 'nobody' }), { groups: [], failed: 0 });

  const { get } = await console.signedIn('viewer');
  const page = await get('/calls/failures?until=');
  t.match(
    page.text,
    /28 of 32 calls \(88 %\) failed in the last 24 hours. Of these 6 are kept as single calls.*ip_not_whitelisted Firewall/,
  );
  const link = /href="(\/calls\?[^"]*reason=ip_not_whitelisted[^"]*)"/.exec(page.body)?.[1]?.replaceAll('&amp;', '&');
  const rows = await get(link as string);
  t.match(rows.text, /1 s ago – 3 s ago \w+ × 3 /, 'neighbours that say the same are one line');
  t.match(
    rows.text,
    /Key sk_\w+ × Error insufficient_permissions × Reason ip_not_whitelisted × From 24h × Add a filter/,
  );
  t.match(
    (await get('/calls?address=1')).body,
    /href="\/calls\/failures"/,
    'a filter that failures do not have is dropped',
  );
  t.match((await get('/calls/failures?broker=nobody')).text, /No reason matches/);
});

t.test('the calls of a time are bars; each leads to its own time, and the list has more names than rows', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { store, clock, context } = console;
  const { broker } = await stock(store);
  const key = aKey(broker);
  const at = clock.now();
  const usage = (minutes: number, fields: object) =>
    aUsageRow(broker.id, at - minutes * 60_000, { keyId: key.id, ...fields });
  await store.tx(async (tx) => {
    await tx.keys.insert(key);
    await tx.usage.count([
      usage(10, { calls: 7 }),
      usage(10, { calls: 3, outcome: 'not_found', gate: gateNumber('ownership') }),
      usage(200, { calls: 5 }),
      usage(50 * 60, { calls: 9 }),
    ]);
  });
  const counted = await countCallSteps(context, { broker: broker.slug });
  t.match(counted, { calls: 15, ends: { answered: 12, refused: 3 }, step: '30 min' });
  t.equal(
    counted?.steps.reduce((sum, { answered, refused }) => sum + answered + refused, 0),
    15,
    'every call in one bar',
  );
  t.match(await countCallSteps(context, { since: '3d' }), { calls: 24 });
  t.match(await countCallSteps(context, { code: 'not_found' }), { calls: 3 });
  t.equal(await countCallSteps(context, { broker: 'nobody' }), null);
  const { get } = await console.signedIn('viewer');
  const { body, text } = await get('/calls?status=4xx');
  t.match(text, /15 calls 1 h 24 h.*12 answered 3 refused.*whatever status or 4xx/);
  const bar = /href="(\/calls\?[^"]*)" tabindex="-1"[^>]*><title>[^<]*3 refused/
    .exec(body)?.[1]
    ?.replaceAll('&amp;', '&');
  t.match((await get(bar as string)).text, /10 calls/);
});

t.test('a refused call leads to the rule that refused it, and to the last change of that rule before', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { store, clock, context } = console;
  const { broker, service } = await stock(store);
  const key = aKey(broker);
  await store.tx((tx) => tx.keys.insert(key));
  await enableFirewall.run(context, { broker: broker.slug });
  await setKey.run(context, { key_id: key.id, rate_limit: 5 });
  clock.advance(60_000);
  const refusals = [
    ['firewall', { status: 403, code: 'insufficient_permissions', clientIp: '198.51.100.7' }],
    ['scope', { status: 403, code: 'insufficient_permissions', reason: 'missing_scope' }],
    ['rate_limit', { status: 429, code: 'rate_limit_exceeded' }],
    ['rules', { status: 400, code: 'invalid_state', serviceNumber: service.number }],
    ['ownership', { status: 404, code: 'not_found' }],
    ['capacity', { status: 500, code: 'server_error' }],
    // Of which the gate is not known.
    [null, { status: 500, code: 'server_error' }],
  ] as const;
  const rows = refusals.map(([gate, refusal]) =>
    aCall(broker, key, { at: clock.now(), gate: gate && gateNumber(gate), ...refusal }),
  );
  await store.tx((tx) => tx.calls.insert(rows));
  clock.advance(60_000);
  await disableFirewall.run(context, { broker: broker.slug });
  const { get } = await console.signedIn('viewer');
  const pages = await Promise.all(rows.map(({ requestId }) => get(`/calls/${requestId}`)));
  const expected = [
    [/The broker’s firewall.*firewall\.enable by/, /\?address=198\.51\.100\.7#firewall/],
    [/The key’s scopes Missing scope admin:full.*key\.set by/, new RegExp(`#${key.id}"`)],
    [/The key’s limit.*key\.set by/, /\/audit\?subject=key[^"]*#aud_/],
    [/The service’s state.*none is kept/, new RegExp(`/services/${service.number}"`)],
    [/Refused by Not found/, /./],
    [/Refused by Overload/, /./],
    [/^(?!.*Refused by)/s, /./],
  ];
  for (const [index, [text, link]] of expected.entries()) {
    t.match(pages[index]?.text, text);
    t.match(pages[index]?.body, link);
  }
});

t.test(
  'a list without single calls says which are kept, where calls are counted; bars of all calls are not shown above one service’s',
  async (t) => {
    const console = await createTestConsole();
    t.teardown(() => console.close());
    const { store, clock } = console;
    const { broker } = await stock(store);
    const key = aKey(broker);
    await store.tx(async (tx) => {
      await tx.keys.insert(key);
      await tx.usage.count([aUsageRow(broker.id, clock.now() - 60_000, { keyId: key.id, calls: 2 })]);
    });
    const viewer = await console.signedIn('viewer');
    const { text } = await viewer.get(`/calls?key=${key.id}`);
    t.match(text, /2 calls .*No single call matches\. Show all Single calls: those that were to change something/);
    t.notMatch((await viewer.get('/calls?service=1000001')).text, /2 calls|The bars/);
  },
);
