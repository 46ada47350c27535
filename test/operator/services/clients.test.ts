import { equal } from 'node:assert';
import t from 'tap';
import { DEMO_KEYS } from '../../../src/demo/demo.ts';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { setPlan } from '../../../src/operator/plans/plans.ts';
import { eraseClient, exportClient, previewErasure } from '../../../src/operator/services/clients.ts';
import { resumeService, setService, suspendService } from '../../../src/operator/services/services.ts';
import { showServiceFile } from '../../../src/operator/services/views.ts';
import { NO_ACCESS } from '../../../src/rules/access.ts';
import { openDemo } from '../../support/demo.ts';
import { createOperatorContext } from '../../support/operator-context.ts';
import { anEmail, aRequest, aService } from '../../support/rows.ts';
import { createWorld } from '../../support/world.ts';

/** The document of an export, read as a whole. */
async function exportedOf(...[context, input]: Parameters<typeof exportClient.run>) {
  const pieces: Buffer[] = [];
  for await (const piece of await exportClient.run(context, input)) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  const document = JSON.parse(text) as Record<
    'services' | 'consumption' | 'requests' | 'invoices' | 'emails' | 'calls',
    Kept[]
  >;
  equal(text, `${JSON.stringify(document, null, 2)}\n`);
  return document;
}

interface Kept {
  service_number: number;
  client: { email: string | null };
  history: unknown[];
  recipient: string | null;
  email_id: string;
}

t.test('a client is exported with all that is kept of them, and of no other client or broker', async (t) => {
  const context = await createOperatorContext(openDemo);
  t.teardown(() => context.close());
  const exported = await exportedOf(context, { broker: 'demo', email: ' CLIENT-1000002@example.com ' });
  t.match(exported, { broker: 'demo', client_email: 'CLIENT-1000002@example.com' });
  const numbers = exported.services.map(({ service_number: number }) => number);
  t.ok(numbers.length > 0);
  for (const { client } of exported.services) t.equal(client.email?.toLowerCase(), 'client-1000002@example.com');
  t.ok(
    exported.requests.length > 0 &&
      exported.emails.length > 0 &&
      exported.invoices.length > 0 &&
      exported.calls.length > 0,
  );
  for (const record of [...exported.requests, ...exported.invoices, ...exported.calls]) {
    t.ok(numbers.includes(Number(record.service_number)));
  }
  for (const { history } of exported.requests) t.ok(history.length > 0);
  for (const { recipient, service_number: number } of exported.emails) {
    t.ok(recipient === 'client-1000002@example.com' || numbers.includes(Number(number)));
  }
  t.notMatch(JSON.stringify(exported), new RegExp(DEMO_KEYS.live));

  const [row] = (await listAudit(context, { action: 'client.export' })) as unknown as Array<Record<string, unknown>>;
  t.match(row, { action: 'client.export', broker: 'demo', subject: 'client', after: { services: numbers.length } });
  t.notMatch(JSON.stringify(row), /client-1000002/);
  await t.rejects(exportClient.run(context, { broker: 'demo', email: 'none@example.com' }), {
    message: '"demo" has no client "none@example.com"',
  });
  await t.rejects(exportClient.run(context, { broker: 'demo', email: ' ' }), { message: /^email: must not be blank/ });
  await t.rejects(exportClient.run(context, { broker: 'none', email: 'a@example.com' }), {
    message: 'There is no broker "none"',
  });
});

const ADA = 'ada@example.com';
const PERSONAL = /ada\b|lovelace|@example\.com/i;

/** Everything that is kept of a broker's services, requests and emails, as one text. */
async function keptOf({ store, clock }: Awaited<ReturnType<typeof createWorld>>, brokerId: string) {
  const { read } = store;
  const all = { limit: 1_000, offset: 0 };
  const requests = await read.requests.page(brokerId, {}, all);
  const listed = await read.services.page(brokerId, {}, all);
  const numbers = listed.map(({ service }) => service.number);
  return {
    // With the columns that no list shows.
    services: await read.services.listMany(brokerId, numbers),
    requests: requests.map(({ request }) => request),
    histories: await Promise.all(requests.map(({ request }) => read.requests.listHistory(brokerId, request.id))),
    emails: await read.emails.list({ brokerId, now: clock.now(), limit: 1_000 }),
  };
}

t.test('an erased client is in no record of the broker any more; numbers, dates and plans stay', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const [broker, other] = [await world.addBroker(), await world.addBroker()];
  const forgotten: string[] = [];
  const context = {
    ...world.context,
    mailer: { ...world.mailer, forget: async (ids: readonly string[]) => void forgotten.push(...ids) },
  };
  const input = { broker: broker.slug, email: 'ADA@example.com' };
  const { key } = await world.addKey(broker);
  const plan = await world.addPlan(broker);
  await world.addTemplate(broker);
  const fields = { label: 'Ada’s shop', externalReference: 'ada-7', clientName: 'Ada Lovelace', clientEmail: ADA };
  const { number } = await world.addService(broker, plan, fields);
  const grace = { clientName: 'Grace', clientEmail: 'grace@example.org', label: 'Navy' };
  const kept = await world.addService(broker, plan, grace);
  const foreign = await world.addService(other, await world.addPlan(other), fields);
  const call = (path: string, body: object, idempotencyKey: string, of = number) =>
    world.call(key, 'POST', `/services/${of}/${path}`, { body, headers: { 'x-idempotency-key': idempotencyKey } });
  const rename = { label: 'Lovelace & Co.' };
  t.equal((await call('update', rename, 'rename')).status, 200);
  t.equal((await call('update', rename, 'rename-grace', kept.number)).status, 200);
  t.equal((await call('cancellation-warning', { warningReason: 'Ada did not pay' }, 'none')).status, 200);
  const { json } = await call('cancel', { cancellation_type: 'immediate', reason: 'Ada left' }, 'cancel');
  const { request_id: withdrawn } = json.data;
  await world.call(key, 'POST', `/requests/${withdrawn}/withdraw`, { body: { reason: 'Ada stays' } });
  await world.store.tx(async (tx) => {
    const to = { brokerId: broker.id, serviceNumber: null, recipient: 'Ada@Example.com', settledNote: 'Ada called' };
    await tx.emails.insert(anEmail(broker, to));
    await tx.emails.insert(anEmail(broker, { recipient: 'grace@example.org' }));
    await tx.emails.insert(anEmail(broker, { serviceNumber: number, recipient: null, erasedAt: 7, html: null }));
  });

  const open = { message: `Nothing was erased: these services have not ended: ${number}` };
  await t.rejects(previewErasure(context, input), open);
  await t.rejects(eraseClient.run(context, input), open);
  t.equal((await world.store.read.services.find(broker.id, number))?.clientName, 'Ada Lovelace', 'nothing was erased');
  t.strictSame(forgotten, []);
  await setService.run(context, { broker: broker.slug, service_number: number, service_status: 'terminated' });
  const before = await keptOf(world, broker.id);
  const elsewhere = await keptOf(world, other.id);
  t.match(await previewErasure(context, input), { services: 1, client: 'The client ADA@example.com' });

  const counts = { services: 1, requests: 2, emails: 3, stored_answers: 2 };
  t.match(await eraseClient.run(context, input), { broker: broker.slug, ...counts, remains: /^Backups and exports/ });

  const after = await keptOf(world, broker.id);
  t.notMatch(JSON.stringify({ ...after, services: after.services.filter((one) => one.number === number) }), PERSONAL);
  const found = await world.store.read.services.find(broker.id, number);
  t.match(found, {
    label: 'erased',
    externalReference: 'erased',
    clientName: 'erased',
    clientEmail: 'erased',
    clientEmailFolded: 'erased',
    searchText: 'erasedZerasedZerased',
    status: 'terminated',
    planId: plan.id,
  });
  t.ok(Number(found?.updatedAt) > Number(before.services.find((one) => one.number === number)?.updatedAt));
  t.strictSame(
    await world.store.read.services.find(broker.id, kept.number),
    before.services.find((one) => one.number === kept.number),
  );
  for (const request of after.requests) {
    const was = before.requests.find(({ id }) => id === request.id);
    t.ok(request.updatedAt > Number(was?.updatedAt), 'copies learn of it');
    t.match(request, {
      submittedAt: was?.submittedAt,
      processedAt: was?.processedAt,
      failureReason: was?.failureReason,
    });
  }
  const cancelled = after.requests.find(({ id }) => id === withdrawn);
  t.match(cancelled, { cancellationReason: 'erased', failureReason: 'withdrawn', failureMessage: 'erased' });
  t.equal(after.emails.filter(({ recipient }) => recipient === 'grace@example.org').length, 1);
  t.strictSame(
    new Set(after.emails.flatMap(({ recipient, id }) => (recipient === 'grace@example.org' ? [] : [id]))),
    new Set(forgotten),
    'the outbox forgets them',
  );
  const theirs = after.emails.filter(({ recipient, erasedAt }) => recipient !== 'grace@example.org' && erasedAt !== 7);
  t.strictSame(new Set(theirs.map(({ subject }) => subject)), new Set(['erased']), 'a subject can name the client');
  t.ok(
    after.emails.find(({ erasedAt }) => erasedAt === 7),
    'one that was erased before keeps that date',
  );
  t.strictSame(await keptOf(world, other.id), elsewhere, 'another broker’s client of that address stays');
  t.match(await world.store.read.services.find(other.id, foreign.number), fields);

  for (const [path, body, idempotencyKey] of [
    ['update', rename, 'rename'],
    ['cancel', { cancellation_type: 'immediate', reason: 'Ada left' }, 'cancel'],
  ] as const) {
    const { status, json } = await call(path, body, idempotencyKey);
    t.match([status, json.error], [409, { code: 'already_processed', details: { reason: 'idempotency_key_reused' } }]);
  }
  t.match(await call('update', rename, 'rename-grace', kept.number), {
    status: 200,
    headers: { 'idempotent-replayed': 'true' },
  });

  const rows = await listAudit(context, { action: 'client.erase' });
  t.match(rows, [{ broker: broker.slug, subject: 'client', after: counts }]);
  const { events } = await showServiceFile(context, {
    number: /\d+/.exec(JSON.stringify(rows[0]?.after?.service_numbers))?.[0] as string,
  });
  t.ok(
    events.some((event) => event.kind === 'edit' && event.action === 'client.erase'),
    'the history of the service says so',
  );
  t.notMatch(JSON.stringify(rows), /lovelace|@/i);
  await t.rejects(eraseClient.run(context, input), { message: `"${broker.slug}" has no client "ADA@example.com"` });
  for (const each of [exportClient.run, eraseClient.run]) {
    const ofAll: Promise<unknown> = each(context, { broker: broker.slug, email: 'Erased' });
    await t.rejects(ofAll, { message: /have been erased$/ }, 'what stands in place of an address names no client');
  }
});

t.test(
  'what was chosen, how it is reached and what it consumed is exported, and erased wherever it stands',
  async (t) => {
    const world = await createWorld();
    t.teardown(() => world.close());
    const { context, store } = world;
    const broker = await world.addBroker();
    const { key } = await world.addKey(broker);
    const plan = await world.addPlan(broker);
    const OPTION = { name: 'host', display_name: 'Host', type: 'text' };
    await setPlan.run(context, {
      broker: broker.slug,
      slug: plan.slug,
      options: JSON.stringify([OPTION]),
      actions: JSON.stringify([{ name: 'reinstall', display_name: 'Reinstall', options: [OPTION] }]),
    });
    const { number } = await world.addService(broker, plan, {
      clientEmail: ADA,
      configuration: '{"host":"lovelace-a"}',
      access: JSON.stringify({ ...NO_ACCESS, hostname: 'lovelace.example.com', ip_addresses: ['192.0.2.77'] }),
    });
    const measured = { serviceNumber: number, brokerId: broker.id, measuredAt: 7, periodFrom: null };
    await store.tx((tx) => tx.consumption.upsert([{ ...measured, diskGbUsed: '12.5', transferGbUsed: null }]));
    const call = (path: string, body: object, idempotencyKey: string) =>
      world.call(key, 'POST', `/services/${number}/${path}`, {
        body,
        headers: { 'x-idempotency-key': idempotencyKey },
      });
    const action = { action: 'reinstall', configuration: { host: 'lovelace-b' } };
    t.match((await call('actions', action, 'act')).json.data, { configuration: { host: 'lovelace-b' } });
    t.match((await call('update', { label: 'Shop' }, 'rename')).json.data, {
      configuration: { host: 'lovelace-a' },
      access: { hostname: 'lovelace.example.com' },
    });
    const creation = { plan: plan.slug, client: { name: 'Ada', email: ADA }, configuration: { host: 'lovelace-c' } };
    const headers = { 'x-idempotency-key': 'create' };
    t.equal((await world.call(key, 'POST', '/services', { body: creation, headers })).status, 201);
    for (const { service } of await store.read.services.page(broker.id, {}, { limit: 9, offset: 0 }))
      await setService.run(context, { service_number: service.number, service_status: 'terminated' });

    const exported = await exportedOf(context, { broker: broker.slug, email: ADA });
    const own = exported.services.find((one) => one.service_number === number);
    t.match(own, { configuration: { host: 'lovelace-a' }, access: { ip_addresses: ['192.0.2.77'] } });
    t.match(JSON.stringify(exported.services), /lovelace-c/);
    t.match(exported.consumption, [{ service_number: number, disk_gb_used: '12.5' }]);
    t.match(JSON.stringify(exported.requests), /lovelace-b/);

    await eraseClient.run(context, { broker: broker.slug, email: ADA });
    t.notMatch(JSON.stringify(await keptOf(world, broker.id)), /lovelace|192\.0\.2\.77/);
    t.equal(await store.read.consumption.find(broker.id, number), null);
    const answers = await store.read.owned.page(broker.id, 'idempotencyRecords', undefined, 100);
    t.equal(answers.length, 3);
    t.notMatch(JSON.stringify(answers), /lovelace|192\.0\.2\.77/, 'no stored answer holds it');
    t.notMatch(JSON.stringify(await listAudit(context, { limit: '1000' })), /lovelace|192\.0\.2\.77/);
  },
);

t.test(
  'what a broker gave as the reason of a suspension is in no row of the trail; what an operator gave is',
  async (t) => {
    const world = await createWorld();
    t.teardown(() => world.close());
    const { context } = world;
    const broker = await world.addBroker();
    const suspension = {
      status: 'suspended',
      suspendedBy: 'broker',
      suspensionReason: 'Ada left',
      suspendedAt: 1,
    } as const;
    const { number } = await world.addService(broker, await world.addPlan(broker), suspension);
    const input = { broker: broker.slug, service_number: number };
    await resumeService.run(context, input);
    await suspendService.run(context, { ...input, reason: 'Unpaid' });
    await setService.run(context, { ...input, 'client.name': 'Grace' });
    const trail = await listAudit(context, { subject: `service/${number}` });
    t.match(trail, [
      { after: { client_name: 'changed' } },
      { after: { service_status: 'suspended', suspension_reason: 'Unpaid' } },
      { after: { service_status: 'active' } },
    ]);
    t.notMatch(JSON.stringify(trail), 'Ada');
    t.notOk('suspension_reason' in (trail[0]?.after ?? {}), 'once');
  },
);

t.test('a client without an address is named by a service, which is all that there is of them', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { context } = world;
  const broker = await world.addBroker();
  const plan = await world.addPlan(broker);
  const nameless = { clientName: 'Ada Lovelace', clientEmail: null, status: 'terminated' as const };
  const { number } = await world.addService(broker, plan, nameless);
  const other = await world.addService(broker, plan, nameless);
  const named = await world.addService(broker, plan, { clientEmail: ADA });
  const input = { broker: broker.slug, service_number: number };
  await world.store.tx((tx) => tx.emails.insert(anEmail(broker, { serviceNumber: number })));
  await world.store.tx((tx) => tx.emails.insert(anEmail(broker, { recipient: null })));

  t.match(await exportedOf(context, input), {
    client_email: null,
    services: [{ service_number: number }],
    emails: [{ service_number: number }],
  });
  t.match(await previewErasure(context, input), { services: 1, client: `The client of service ${number}` });
  t.match(await eraseClient.run(context, input), { services: 1, emails: 1 });
  const found = (of: number) => world.store.read.services.find(broker.id, of);
  t.match(await found(number), { clientName: 'erased', clientEmail: null });
  t.match(
    await found(other.number),
    { clientName: 'Ada Lovelace' },
    'another client without an address is another client',
  );
  const gone = { message: `The client of service ${number} has been erased` };
  await t.rejects(exportClient.run(context, input), gone);
  await t.rejects(eraseClient.run(context, input), gone);

  const byService = await exportedOf(context, { broker: broker.slug, service_number: named.number });
  t.match(byService, { client_email: ADA }, 'a service with an address names the client of that address');
  for (const none of [{ broker: broker.slug }, { ...input, email: ADA }]) {
    await t.rejects(exportClient.run(context, none), { message: /give either the address or a service/ });
  }
  await t.rejects(exportClient.run(context, { ...input, service_number: 7 }), { message: /has no service 7/ });
});

t.test(
  'a client of more services, requests, emails and answers than go into one step is erased whole, also where a crash came between',
  async (t) => {
    const world = await createWorld();
    t.teardown(() => world.close());
    const { store } = world;
    const broker = await world.addBroker();
    const plan = await world.addPlan(broker);
    const services = Array.from({ length: 101 }, () =>
      aService(broker, plan, { status: 'cancelled', cancelledAt: 1, clientName: 'Ada', clientEmail: ADA }),
    );
    const [first] = services as [(typeof services)[0]];
    const answer = (key: number, data: object) => ({
      brokerId: broker.id,
      mode: 'live' as const,
      namespace: 'action' as const,
      key: String(key).padStart(4, '0'),
      fingerprint: 'its input',
      createdAt: 1,
      expiresAt: null,
      data,
    });
    await store.tx(async (tx) => {
      await tx.services.insert(services);
      for (const service of services) {
        const request = aRequest(service, { status: 'denied', decisionReason: 'withdrawn', warningReason: 'Ada' });
        await tx.requests.insert(request);
        const line = { id: request.id.replace('req', 'evt'), brokerId: broker.id, requestId: request.id };
        await tx.requests.addHistory({ ...line, status: 'denied', at: 1, actor: 'broker', note: 'Ada asked' });
      }
      for (let index = 0; index < 501; index += 1) {
        await tx.emails.insert(
          anEmail(broker, { serviceNumber: null, recipient: index === 500 ? ADA : 'x@example.org' }),
        );
        const data = index === 500 ? { service_number: 1, client: { email: ADA } } : { service_number: 2 };
        const { data: stored, ...name } = answer(index, data);
        await tx.idempotency.complete(name, { statusCode: 200, body: JSON.stringify({ data: stored }) });
      }
    });
    let steps = 0;
    const failing = (after: number): typeof store => ({
      ...store,
      tx: (work) => {
        steps += 1;
        if (steps > after) throw new Error('killed');
        return store.tx(work);
      },
    });
    // Of those that are read first: a repeat finds the client by it as long as any service is left.
    const input = { broker: broker.slug, service_number: Math.max(...services.map(({ number }) => number)) };
    // Killed before the answers, before the requests, before the last service.
    for (const after of [1, 1, 3]) {
      steps = 0;
      await t.rejects(eraseClient.run({ ...world.context, store: failing(after) }, input), { message: 'killed' });
    }
    await eraseClient.run(world.context, input);
    const { emails, ...kept } = await keptOf(world, broker.id);
    t.equal(kept.services.length + kept.requests.length, 202);
    t.notMatch(JSON.stringify(kept), PERSONAL);
    t.ok(emails.every(({ recipient }) => recipient !== ADA));
    t.ok(
      kept.requests.every(({ decisionReason }) => decisionReason === 'withdrawn'),
      'the system’s own words stay',
    );
    t.equal((await listAudit(world.context, { action: 'client.erase' })).length, 1);
    const left = await store.read.erasure.pageAnswers(broker.id, '0499', 10);
    t.match(left, [{ key: '0500', body: '' }]);

    // A client of whom there are emails alone.
    await store.tx((tx) =>
      tx.emails.insert(anEmail(broker, { serviceNumber: first.number, recipient: 'bob@example.com' })),
    );
    t.match(await eraseClient.run(world.context, { broker: broker.slug, email: 'bob@example.com' }), {
      services: 0,
      emails: 1,
    });
    t.equal((await listAudit(world.context, { action: 'client.erase' })).length, 2);
  },
);

t.test(
  'of many services that have not ended a refusal names the first, and one that is opened meanwhile is noticed',
  async (t) => {
    const world = await createWorld();
    t.teardown(() => world.close());
    const broker = await world.addBroker();
    const plan = await world.addPlan(broker);
    const services = Array.from({ length: 501 }, (_, at) =>
      aService(broker, plan, { number: 7_000 - at, clientEmail: ADA }),
    );
    await world.store.tx((tx) => tx.services.insert(services));
    const input = { broker: broker.slug, email: ADA };
    await t.rejects(eraseClient.run(world.context, input), {
      message: /^Nothing was erased: these services have not ended: 7000, 6999, .* and 481 more$/,
    });

    const ended = await world.addService(broker, plan, { status: 'terminated', clientEmail: 'eve@example.com' });
    const { store } = world;
    const meanwhile: typeof store = {
      ...store,
      async tx(work) {
        await store.tx((tx) => tx.services.update(broker.id, ended.number, { status: 'active' }));
        return store.tx(work);
      },
    };
    const eve = { broker: broker.slug, email: 'eve@example.com' };
    await t.rejects(eraseClient.run({ ...world.context, store: meanwhile }, eve), {
      message: `Nothing was erased: these services have not ended: ${ended.number}`,
    });
    t.equal((await store.read.services.find(broker.id, ended.number))?.clientEmail, 'eve@example.com');
  },
);
