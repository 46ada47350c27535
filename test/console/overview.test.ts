import { jsx } from 'hono/jsx';
import t, { type Test } from 'tap';
import { Bar, milliseconds, Spark, short } from '../../console/components/plot.tsx';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { listOperators } from '../../src/operator/people/operators.ts';
import { importPlans } from '../../src/operator/plans/plans.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { setService } from '../../src/operator/services/services.ts';
import { recordBackup } from '../../src/operator/system/system.ts';
import type { Work, WorkOutcome } from '../../src/ports.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import type { ServiceRow } from '../../src/store/queries/services.ts';
import { watchProvisioner } from '../../src/worker/provisioner-state.ts';
import { createHeartbeat } from '../../src/worker/registry.ts';
import { createTestConsole, formAgain } from '../support/console.ts';
import { BROKER, file, PLANS } from '../support/operator-context.ts';
import { aCall, aKey, anAuditRow, anEmail, aRequest, aUsageRow, stock } from '../support/rows.ts';

/** A text that would run if anything forgot to escape it. */
const HOSTILE = `"><script>alert(1)</script>'&`;

async function open(t: Test, ...given: Parameters<typeof createTestConsole>) {
  const console = await createTestConsole(...given);
  t.teardown(() => console.close());
  return console;
}

t.test('an overview of nothing says so, and that no worker is there', async (t) => {
  const console = await open(t);
  const viewer = await console.signedIn('viewer');
  const { status, text } = await viewer.get('/');
  t.equal(status, 200);
  t.match(text, /No worker is running/);
  for (const said of ['No calls in this period', 'No key was used', 'Nothing was refused', 'No broker made calls']) {
    t.match(text, new RegExp(said));
  }
  t.match(text, /none in the day before/);
  await createHeartbeat(console.store, console.clock).record();
  t.match((await viewer.get('/')).text, /Nothing needs attention/);
  for (const span of ['1h', '7d', '30d', '90d', 'nonsense']) t.equal((await viewer.get(`/?span=${span}`)).status, 200);
});

t.test('a provisioner that does not answer stands first, on System with its last answer', async (t) => {
  const console = await open(t, { hasProvisioner: true, demo: true });
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/system')).text, /Provisioner unknown no answer yet/);
  let outcome: WorkOutcome = { outcome: 'done' };
  const watched = watchProvisioner({ fulfil: async () => outcome }, console);
  const call = async () => {
    await watched.provisioner.fulfil({} as Work);
    await watched.record(true);
    console.clock.advance(30_000);
  };
  await call();
  t.match((await viewer.get('/system')).text, /Provisioner answers last 30 s ago/);
  outcome = { outcome: 'retry', reason: 'outcome_unknown', message: 'The provisioner did not answer', mayBeDone: true };
  for (let calls = 0; calls < 3; calls += 1) await call();
  const { text } = await viewer.get('/');
  t.match(
    text,
    /The provisioner has not answered since 20\d\d-\d\d-\d\d \d\d:\d\d UTC \d+ requests? waits?\. The provisioner did not answer\. State/,
  );
  t.ok(text.indexOf('The provisioner has not') < text.indexOf('Other Hosting'), 'before what brokers’ calls meet');
  t.match((await viewer.get('/system')).text, /Health degraded.*Provisioner does not answer since 20\d\d-/s);
});

t.test('the demo’s day is an overview of everything: what waits, figures, plot, table, keys, gates', async (t) => {
  const console = await open(t, {
    environmentLabel: 'demo data',
    processInfo: { settings: [], away: () => ({ redis: true, other: true, fine: false }) },
    demo: true,
  });
  const viewer = await console.signedIn('viewer');
  const { body, text } = await viewer.get('/');
  t.match(text, /Redis is unavailable/);
  t.match(text, /other is unavailable/);
  t.notMatch(text, /fine is unavailable/);
  t.match(text, /4 reviews wait the oldest for 24 h: Demo Hosting \(4\) Show/);
  t.match(text, /2 emails of unknown outcome Show/);
  t.match(
    text,
    /Other Hosting [\d,]+ of [\d,]+ calls \(\d+ %\) were refused or failed since \S+ \S+ UTC · most: Rate limit, rate_limit_exceeded/,
  );
  t.match(body, /href="\/calls\/failures\?broker=demo-other&amp;since=20\d\d-/);
  t.match(text, /[▲▼] \d+ % against the day before/);
  t.match(text, /Rate limit.*Scope.*Fields.*Not found.*Rules.*Processing/);
  const plot = /data-plot="([^"]+)"/.exec(body)?.[1]?.replaceAll('&quot;', '"') as string;
  const { at, series } = JSON.parse(plot) as { at: number[]; series: Array<{ name: string; rates: number[] }> };
  t.strictSame(
    series.map(({ name, rates }) => [name, rates.length]),
    ['answered', 'limited', 'refused', 'failed'].map((name) => [name, at.length]),
  );
  t.equal(body.match(/<time datetime="[^"]+">\d{4}-\d\d-\d\d [\d:]+ UTC<\/time>/g)?.length, 24, 'a row an hour');
  t.match(body, /<script src="\/assets\/[\w-]+\/plots\.js" defer="">/);
  t.notMatch((await viewer.get('/brokers')).body, /plots\./, 'only where there is a plot');
  const found = /\/assets\/[\w-]+\/plots\.(js|css)/g;
  for (const [path] of body.matchAll(found)) t.equal((await viewer.get(path)).status, 200, path);
});

t.test(
  'the card of work counts what was done, failed, waits and is at the provisioner, each with its list',
  async (t) => {
    const console = await open(t);
    const { store, clock } = console;
    const { rows } = await stock(store, 5);
    const [done, failed, waiting, begun, cleaning] = rows as [
      ServiceRow,
      ServiceRow,
      ServiceRow,
      ServiceRow,
      ServiceRow,
    ];
    const made = { type: 'service-suspension', origin: 'operator', submittedAt: clock.now() - 60_000 } as const;
    const ended = { ...made, updatedAt: clock.now(), processedAt: clock.now() };
    const DAY = 24 * 3_600_000;
    const before = { submittedAt: clock.now() - 9 * DAY, updatedAt: clock.now() - 8 * DAY };
    const { rows: others } = await stock(store, 2);
    await store.tx(async (tx) => {
      await tx.requests.insert(aRequest(others[0] as ServiceRow, { ...made, status: 'operator_review' }));
      await tx.requests.insert(aRequest(others[1] as ServiceRow, { ...made, status: 'pending' }));
      await tx.requests.insert(aRequest(done, { ...ended, status: 'completed' }));
      const late = {
        submittedAt: clock.now() - 3 * DAY,
        decidedAt: clock.now() - 120_000,
        status: 'completed',
      } as const;
      await tx.requests.insert(aRequest(done, { ...ended, ...late }));
      const gone = { ...ended, ...before, processedAt: before.updatedAt, status: 'completed' } as const;
      await tx.requests.insert(aRequest(done, gone));
      await tx.requests.insert(aRequest(failed, { ...ended, status: 'failed', failureReason: 'no_host' }));
      await tx.requests.insert(aRequest(waiting, { ...made, status: 'accepted', dueAt: clock.now() }));
      const action = { type: 'service-action', actionName: 'reboot', actionDisplayName: 'Restart' } as const;
      const at = { workToken: 'at the provisioner', workBegunAt: clock.now(), dueAt: clock.now() + 60_000 };
      await tx.requests.insert(aRequest(begun, { ...made, ...action, ...at, status: 'accepted' }));
      const cleanUp = { type: 'cancellation', cancellationType: 'immediate', cleansUp: true } as const;
      await tx.requests.insert(
        aRequest(cleaning, { ...ended, ...cleanUp, status: 'failed', failureReason: 'no_host' }),
      );
    });
    const viewer = await console.signedIn('viewer');
    const { body, text } = await viewer.get('/');
    t.match(
      text,
      /Requests finished, 24 h All Completed 2 Failed 2 Half of them took 2 min or less, the slowest 2 min\./,
      'those that were submitted long before too',
    );
    t.match(
      text,
      /Requests that wait For your decision 1 For the broker’s decision 1 To be done 1 In progress at the provisioner 1/,
    );
    for (const status of ['completed', 'failed', 'operator_review', 'pending', 'accepted'])
      t.match(body, new RegExp(`href="/requests\\?status=${status}(&amp;since=20[^"]+)?"`));
  },
);

t.test('work that is not taken up, and keys that are none, stand first', async (t) => {
  const console = await open(t);
  const now = console.clock.now();
  const viewer = await console.signedIn('viewer');
  await createBroker.run(console.context, BROKER);
  await importPlans(console.context, { broker: 'acme', file: file('plans.json', PLANS) });
  await importServices(console.context, {
    broker: 'acme',
    file: file('s.json', [{ service_number: 101, plan: 'start', client: { name: 'Ada' }, renewal_date: '2030-02-01' }]),
  });
  const { newRequest } = await import('../../src/lifecycle/submit.ts');
  const broker = await console.store.read.brokers.findBySlug('acme');
  const service = await console.store.read.services.find(broker?.id as string, 101);
  const row = (status: 'accepted' | 'failed') =>
    newRequest(console.context.newId('req', now), service as never, now - 600_000, {
      type: 'cancellation-warning',
      status,
      origin: 'broker',
      ...(status === 'accepted' && { dueAt: now - 600_000 }),
    });
  await console.store.tx(async (tx) => {
    await tx.requests.insert(row('accepted'));
    await tx.requests.insert(row('failed'));
    await tx.usage.count([
      aUsageRow('', now - 60_000, { keyId: '', calls: 120, outcome: 'authentication_failed', gate: 1 }),
      aUsageRow('', now - 25 * 3_600_000, { keyId: '', calls: 120 }),
    ]);
  });
  const { text } = await viewer.get('/');
  t.match(text, /No worker takes due requests the oldest is due for 10 min/);
  t.match(text, /120 calls within the hour without a valid key/);
  t.match(text, /1 request failed in 24 h By reason/);
  t.match(text, /as many as the day before/);
  t.match(text, /Queue 1 oldest 10 min ago/);
});

t.test('one of a kind is shown as one, fewer calls as fewer, and a key that nothing refused as such', async (t) => {
  const console = await open(t);
  const now = console.clock.now();
  await createBroker.run(console.context, BROKER);
  await importPlans(console.context, { broker: 'acme', file: file('plans.json', PLANS) });
  await importServices(console.context, {
    broker: 'acme',
    file: file('s.json', [{ service_number: 101, plan: 'start', client: { name: 'Ada' }, renewal_date: '2030-02-01' }]),
  });
  const { newRequest } = await import('../../src/lifecycle/submit.ts');
  const broker = (await console.store.read.brokers.findBySlug('acme')) as BrokerRow;
  const service = (await console.store.read.services.find(broker.id, 101)) as ServiceRow;
  const key = aKey(broker, { rateLimit: 1200, lastUsedAt: now, lastUsedIp: '203.0.113.9' });
  await console.store.tx(async (tx) => {
    await tx.keys.insert(key);
    await tx.requests.insert(
      newRequest(console.context.newId('req', now), service, now, {
        type: 'plan-upgrade',
        status: 'operator_review',
        origin: 'broker',
      }),
    );
    await tx.emails.insert(anEmail(broker, { status: 'unknown' }));
    await tx.usage.count([
      aUsageRow(broker.id, now - 60_000, { keyId: key.id, calls: 30 }),
      aUsageRow(broker.id, now - 25 * 3_600_000, { keyId: key.id, calls: 2_060 }),
      aUsageRow(broker.id, now - 240_000, { keyId: key.id, calls: 1_000 }),
    ]);
  });
  const viewer = await console.signedIn('viewer');
  const { text, body } = await viewer.get('/');
  t.match(text, /1 review waits the oldest for/);
  t.match(text, /1 email of unknown outcome/);
  t.match(text, /▼ 50 % against the day before/);
  t.match(body, /<td class="figure" data-title="Refused"><span class="quiet">0<\/span><\/td>/);
  const used = await viewer.get(`/brokers/acme/keys/${key.id}`);
  t.match(used.text, /from 203\.0\.113\.9.*About Calls a minute 1,200 Ends – Scopes admin:full/);
});

t.test('a key’s page shows what it does, and lets an admin stop it there', async (t) => {
  const console = await open(t, { demo: true });
  const [viewer, admin] = [await console.signedIn('viewer'), await console.signedIn('admin')];
  const path = /href="(\/brokers\/demo-other\/keys\/[^"]+)"/.exec((await viewer.get('/')).body)?.[1] as string;
  const { text } = await viewer.get(`${path}?span=1h`);
  t.match(text, /sk_live_DemoOthr active/);
  const most = Number(/most in a minute: (\d+)/.exec(text)?.[1]);
  t.ok(most > Number(/Calls a minute (\d+) Ends/.exec(text)?.[1]), 'the demo’s limited key called more than its limit');
  t.match(text, /Refused or failed [\d,]+ [\d,]+ by the rate limit/);
  t.match(text, /listServices rate_limit_exceeded [\d,]+/);
  t.match(text, /Latest single calls All of them .* listServices × \d+ .* rate_limit_exceeded/);
  t.notMatch(text, /Revoke…/);
  const keyId = path.split('/').at(-1) as string;
  const broker = await console.store.read.brokers.findBySlug('demo-other');
  const at = console.clock.now() - 1000;
  const call = { brokerId: broker?.id as string, keyId, at, code: 'not_found', status: 404, serviceNumber: 1000101 };
  const row = aCall(broker as never, { id: keyId } as never, call);
  await console.store.tx((tx) =>
    tx.calls.insert([row, { ...row, requestId: 'another', code: null, serviceNumber: null }]),
  );
  t.match((await viewer.get(path)).text, new RegExp(`not_found 404 1000101 +${row.clientIp}`));
  t.match((await viewer.get('/brokers/demo-other')).body, /class="spark warn"/);
  t.match(await viewer.get(path.replace('demo-other', 'demo')), { status: 404, text: /has no key/ });
  t.match(await viewer.get('/brokers/demo/keys/none'), { status: 404 });
  t.match((await admin.get(path)).text, /Revoke…/);
  await admin.edit(path, `${path}/revoke`);
  const revoked = (await admin.get(path)).text;
  t.match(revoked, /revoked/);
  t.notMatch(revoked, /Revoke…/);
});

t.test('a broker’s page shows what it alone called over a span, and leads to its calls and its usage', async (t) => {
  const console = await open(t);
  const now = console.clock.now();
  await createBroker.run(console.context, BROKER);
  await createBroker.run(console.context, { ...BROKER, slug: 'other', name: 'Other' });
  const [acme, other] = await Promise.all(
    ['acme', 'other'].map(async (slug) => (await console.store.read.brokers.findBySlug(slug)) as BrokerRow),
  );
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/brokers/acme')).text, /Calls, 24 h 0 none in the day before .* No calls in this period/);
  const DAY = 86_400_000;
  await console.store.tx((tx) =>
    tx.usage.count([
      aUsageRow(acme?.id as string, now - 60_000, { calls: 1_030 }),
      aUsageRow(acme?.id as string, now - 60_000, { calls: 70, outcome: 'rate_limit_exceeded', gate: 3 }),
      aUsageRow(acme?.id as string, now - 1.5 * DAY, { calls: 2_200 }),
      aUsageRow(other?.id as string, now - 60_000, { calls: 5_000 }),
    ]),
  );
  const { text, body } = await viewer.get('/brokers/acme');
  t.match(text, /Calls, 24 h 1,100 70 refused or failed · ▼ 50 % against the day before · Usage/);
  t.match(text, /Calls a minute 1,030 answered 70 rate limited/);
  for (const page of ['calls', 'calls/failures', 'usage']) t.match(body, `href="/${page}?broker=acme&amp;since=24h"`);
  t.match(body, /<div id="live" data-live="true" hx-get="\/brokers\/acme"/, 'it follows what is called');
  t.match(body, /data-plot="/);
  const week = await viewer.get('/brokers/acme?span=7d');
  t.match(week.text, /Calls, 7 d 3,300 70 refused or failed · none in the week before/);
  t.match(week.body, 'href="/usage?broker=acme&amp;since=7d"');
});

t.test('services are searched, narrowed, sorted and paged by the address', async (t) => {
  const console = await open(t);
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get('/services')).text, /There are no services yet/);
  await createBroker.run(console.context, BROKER);
  await importPlans(console.context, { broker: 'acme', file: file('plans.json', PLANS) });
  const records = Array.from({ length: 120 }, (_, index) => ({
    service_number: 100 + index,
    label: index === 7 ? HOSTILE : `server-${index}.example.com`,
    plan: index === 3 ? 'more' : 'start',
    requires_operator_review: index === 5,
    client: { name: `Client ${index}` },
    renewal_date: '2030-02-01',
  }));
  await importServices(console.context, { broker: 'acme', file: file('s.json', records) });
  const listed = async (query: string) =>
    [...(await viewer.get(`/services?${query}`)).body.matchAll(/href="\/services\/(\d+)" class="figure"/g)].map(
      ([, number]) => number,
    );
  t.strictSame((await listed('')).slice(0, 2), ['219', '218']);
  t.equal((await listed('page=3')).length, 20);
  t.strictSame(await listed('q=server-77'), ['177']);
  t.strictSame(await listed('review=yes'), ['105']);
  t.equal((await listed('review=no&status=active')).length, 50);
  t.strictSame(await listed('broker=acme&plan=more'), ['103']);
  t.match((await viewer.get('/services?broker=acme')).text, /Plan Any ?Start ?More/);
  const tiers = Array.from({ length: 101 }, (_, at) => ({
    ...PLANS[0],
    slug: `tier-${at}`,
    display_name: `Tier ${at}`,
    upgrade_rank: at + 1,
  }));
  await createBroker.run(console.context, { ...BROKER, slug: 'other' });
  await importPlans(console.context, { broker: 'other', file: file('plans.json', tiers) });
  t.match(
    (await viewer.get('/services?broker=other')).body,
    /Plan’s slug<\/label><input[^>]+list="list-plan"\/><datalist id="list-plan"><option value="tier-0">Tier 0/,
    'too many to choose from',
  );
  t.match((await viewer.get('/services?broker=nobody')).text, /No service matches. Show all/);
  t.match((await viewer.get('/services?order=changed')).body, /value="changed" selected/);
  t.match((await viewer.get('/services?q=script')).body, /&quot;&gt;&lt;script&gt;/);
  t.match((await viewer.get('/services?q=server')).text, /1 to 50 of 119 services/);
});

t.test(
  'a service is edited by a person with the role, and shows the edit; what was left alone stays to the millisecond',
  async (t) => {
    const console = await open(t, { demo: true });
    const [viewer, support] = [await console.signedIn('viewer'), await console.signedIn('support')];
    t.notMatch((await viewer.get('/services/1000025')).text, /Edit…/);
    t.match((await viewer.get('/services/999')).status, 404);
    t.match((await viewer.get('/services/x')).status, 422);
    const { text } = await support.get('/services/1000025');
    t.match(text, /Upgrade : operator review/);
    t.match(text, /Email plan change completed : sent/);
    t.match(text, /requires operator review no → yes/);
    const before = await console.store.read.allServices.findOwner(1000025);
    const row = () => console.store.read.services.find(before as string, 1000025);
    const renewalAt = (await row())?.renewalAt;
    const edit = (fields: Record<string, string>) => support.edit('/services/1000025', '/services/1000025/set', fields);
    const saved = await edit({
      service_status: 'suspended',
      requires_operator_review: 'false',
      'client.name': 'Eve',
      'client.email': 'new@example.com',
      reason: 'Unpaid since May',
    });
    t.match(saved, { status: 303, to: '/services/1000025' });
    t.match(await row(), {
      status: 'suspended',
      requiresOperatorReview: false,
      clientName: 'Eve',
      clientEmail: 'new@example.com',
      renewalAt,
    });
    const after = (await support.get('/services/1000025')).text;
    t.match(after, /Saved\./);
    t.match(after, /service status active → suspended/);
    t.match(after, /client email changed/);
    t.match(await listAudit(console.context, { subject: 'service/1000025', limit: '1' }), [{ actor: support.email }]);
    await edit({ service_status: 'active' });
    const lifted = (await support.get('/services/1000025')).text;
    t.match(lifted, /service status suspended → active/);
    t.match(lifted, /service status active → suspended.*Unpaid since May/, 'the reason outlives the suspension');
    await edit({ 'client.email': '', renewal_date: '2031-05-01' });
    t.match(await row(), { clientEmail: null, renewalAt: Date.UTC(2031, 4, 1) });
    t.match((await support.get('/services/1000025')).text, /none: no warnings can be sent/);
    const refused = await edit({ renewal_date: 'soon' });
    t.match(refused, { status: 422, text: /Renews: must be a date/ });
    for (const number of [1000021, 1000013, 1000012, 1000005]) {
      t.equal((await viewer.get(`/services/${number}`)).status, 200, String(number));
    }
    t.match((await viewer.get('/services/1000013')).text, /Cancelled for.*immediate.*Ended/);
    t.match((await viewer.get('/services/1000101')).text, /There are no requests and no changes yet/);
  },
);

t.test('the client behind a service is exported and erased by admins alone', async (t) => {
  const console = await open(t, { demo: true });
  const [support, admin] = [await console.signedIn('support'), await console.signedIn('admin')];
  t.notMatch((await support.get('/services/1000013/client')).body, /client\.json|\/erase/);
  t.match((await admin.get('/services/1000013/client')).text, /Export Erase… /);
  const exported = await admin.get('/services/1000013/client.json');
  t.match(exported.headers, {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="client-of-1000013.json"',
  });
  t.match(JSON.parse(exported.body), { broker: 'demo', services: [{ service_number: 1000013 }] });
  t.match(await listAudit(console.context, { action: 'client.export' }), [{ actor: admin.email }]);

  const living = await admin.get('/services/1000001/client');
  t.match(living.text, /not possible yet, these services have not ended: 1000001/, 'before one tries');
  t.notMatch(living.body, /\/erase/);
  const isOpen = await admin.post('/services/1000001/client/erase');
  t.match(isOpen, { status: 422, text: /Nothing was erased: these services have not ended: 1000001/ });
  const erase = '/services/1000013/client/erase';
  const asked = await admin.post(erase);
  t.match(asked, {
    status: 200,
    text: /Nothing has been done yet.*client-1000013@example\.com is erased for good: .*Backups and exports made.*Cancel/,
  });
  t.strictSame(await listAudit(console.context, { action: 'client.erase' }), [], 'it asks first');
  t.match(asked.body, /<a class="button" href="\/services\/1000013\/client">Cancel/);
  const { operator_id: id } =
    (await listOperators.run(console.context, {})).find(({ role }) => role === 'support') ?? {};
  const removal = await admin.post(`/operators/${id}/remove`);
  t.match(
    removal.body,
    /Nothing has been done yet.*<a class="button" href="\/operators">Cancel/,
    'not all pages end with the id',
  );
  await admin.post(erase, formAgain(asked.body, erase));
  const erased = await admin.get('/services/1000013/client');
  t.match(
    erased.text,
    new RegExp(
      `The client is erased. Backups.*Client Broker Demo Hosting Erased 2030-01-15 now by ${admin.email} · Audit trail`,
    ),
  );
  const [, trail = ''] = /href="(\/audit[^"]*)">Audit trail/.exec(erased.body) ?? [];
  for (const to of [trail, '/audit?subject=1000013', '/audit?subject=client&broker=demo'])
    t.match((await admin.get(to.replaceAll('&amp;', '&'))).text, /client\.erase/, to);
  t.notMatch((await admin.get('/audit?subject=service/1000012')).text, /client\.erase/, 'of another service');
  t.notMatch(erased.body, /\/erase|client\.json/, 'an erased client has nothing to export');
  t.match(await listAudit(console.context, { action: 'client.erase' }), [
    { actor: admin.email, after: { services: 1 } },
  ]);

  const saved = await admin.edit('/services/1000001', '/services/1000001/set', { 'client.email': 'anna' });
  t.match(
    (await admin.get(saved.to as string)).body,
    /flash warn"[^>]*>Saved\. &quot;anna&quot; is no email address: the client gets no email\./,
  );
  t.match((await admin.get('/services/1000001/client')).body, 'href="/emails?recipient=anna&amp;broker=demo"');
  await setService.run(console.context, { broker: 'demo', service_number: 1000001, 'client.email': null });
  const nameless = await admin.get('/services/1000001/client.json');
  t.match(JSON.parse(nameless.body), { client_email: null, services: [{ service_number: 1000001 }] });
  t.equal(JSON.parse(nameless.body).services.length, 1, 'a client without an address is that of one service');
});

t.test('what a service does not have is said, and its past is made of what the trail holds of it', async (t) => {
  const console = await open(t);
  await createBroker.run(console.context, BROKER);
  await importPlans(console.context, { broker: 'acme', file: file('plans.json', PLANS) });
  await importServices(console.context, {
    broker: 'acme',
    file: file('s.json', [{ service_number: 101, plan: 'start', client: { name: 'Ada' }, renewal_date: '2030-02-01' }]),
  });
  const edits: Array<[action: string, before: object | null, after: object | null]> = [
    ['service.warn', null, null],
    ['service.create', null, { plan: 'start', label: null }],
    ['service.upgrade', null, { plan: 'more', request_id: 'req_01Q4JQ3TG0NGJF0A3F8PG18M55' }],
    ['service.move', null, { import_id: 'aud_01Q4JQ3TG0NGJF0A3F8PG18M55' }],
    ['service.update', { label: null, seats: 1 }, { label: 'Shop', seats: 2 }],
  ];
  const kept = (fields: object | null) => fields && JSON.stringify(fields);
  await console.store.tx(async (tx) => {
    for (const [action, before, after] of edits) {
      const fields = { action, before: kept(before), after: kept(after), at: console.clock.now() };
      await tx.audit.insert(anAuditRow({ subject: 'service/101', ...fields }));
    }
  });
  const support = await console.signedIn('support');
  const { text } = await support.get('/services/101');
  t.match(text, /Broker’s reference none Machine not known Renews/);
  t.match(text, /service: warn/);
  t.match(text, /plan start\s*, label none/);
  t.match(text, 'import id aud_01Q4JQ3TG0NGJF0A3F8PG18M55', 'an id stands as it is');
  t.notMatch(text, /plan more/, 'the request itself says what submitted it');
  t.match(text, /label none → Shop\s*, seats 1 → 2/);
  const emptied = await support.edit('/services/101', '/services/101/set', { 'client.email': '', renewal_date: '' });
  t.match(emptied, { status: 422, text: /a monthly service always has one/ });
});

t.test('the system page shows settings, parts, workers and sizes', async (t) => {
  const settings = [
    { name: 'HOST', title: 'where it listens', value: '127.0.0.1', isDefault: false },
    { name: 'REDIS_URL', title: 'counts together', value: null, isDefault: true },
  ];
  const console = await open(t, { processInfo: { settings, away: () => ({ redis: true, other: false }) } });
  const viewer = await console.signedIn('viewer');
  const alone = (await viewer.get('/system')).text;
  t.match(alone, /degraded see below what is unavailable/);
  t.match(alone, /accepted requests wait/);
  t.match(alone, /No worker has been seen within a day/);
  t.match(alone, /Redis unavailable each process counts rate limits for itself other ok/);
  t.match(alone, /Configuration HOST where it listens 127\.0\.0\.1 1 settings as they are by default REDIS_URL/);
  const { broker, service } = await stock(console.store);
  await console.store.tx(async (tx) => {
    const now = console.clock.now();
    for (const status of ['sent', 'failed', 'unknown'] as const)
      await tx.emails.insert(anEmail(broker, { id: console.context.newId('eml', now), createdAt: now, status }));
    // A crash left it open.
    const before = now - 7_200_000;
    await tx.emails.insert(
      anEmail(broker, { id: console.context.newId('eml', before), createdAt: before, status: 'open' }),
    );
    await tx.requests.insert(
      aRequest(service, { id: console.context.newId('req', now), status: 'failed', submittedAt: now }),
    );
  });
  await createHeartbeat(console.store, console.clock).record();
  const seen = (await viewer.get('/system')).text;
  t.match(seen, /seen within a minute/);
  t.match(seen, /Workers Process Seen Since Version \S+ \d+ now now /);
  t.match(seen, /Backups none was made broker backup FILE copies the database/);
  t.match(seen, /Applied migrations .*0035_baseline/);
  t.match(
    seen,
    /Connections one file, no pool Queue nothing is due Email 1 sent ?, 1 failed within the hour; 2 of unknown outcome Provisioner none requests change records alone Failed requests \d within the hour Clock steady 2030-01-15 12:00:\d\d UTC/,
  );
  await recordBackup(console.context, { file: '/backups/one.db' });
  t.match((await viewer.get('/system')).text, /Backups Last 2030-01-15 now File \/backups\/one\.db/);
  const well = await open(t);
  await createHeartbeat(well.store, well.clock).record();
  t.match((await (await well.signedIn('viewer')).get('/system')).text, /Health ok every dependency answers/);
});

t.test('figures are short where that is enough', async (t) => {
  t.strictSame([0, 7, 999, 999.6, 1234, 98_765, 999_999, 12_345_678, 5e13].map(short), [
    '0',
    '7',
    '999',
    '1.0k',
    '1.2k',
    '99k',
    '1.0M',
    '12M',
    '50000G',
  ]);
  t.strictSame([null, 0.42, 9.96, 41.2, 1530].map(milliseconds), ['–', '0.4 ms', '10.0 ms', '41 ms', '1.5 s']);
  t.match(String(jsx(Spark, { points: [] })), /<polyline points="">/);
  t.match(String(jsx(Spark, { points: [3], warn: true })), /class="spark warn"/);
  t.match(String(jsx(Bar, { value: 0, of: 0 })), /width="0\.0"/);
});
