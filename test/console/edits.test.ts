import t, { type Test } from 'tap';
import { allowAddress } from '../../src/operator/access/firewall.ts';
import { createKey, rotateKey, setKey } from '../../src/operator/access/keys.ts';
import { createBroker, setBroker } from '../../src/operator/brokers/brokers.ts';
import { setTemplate } from '../../src/operator/mail/templates.ts';
import { addOperator, setOperator } from '../../src/operator/people/operators.ts';
import { importPlans, setPlan } from '../../src/operator/plans/plans.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { setService } from '../../src/operator/services/services.ts';
import { keyPrefix } from '../../src/rules/key-format.ts';
import { createTestConsole, formAgain, formOf, type TestConsole } from '../support/console.ts';
import { BROKER, file, PLANS } from '../support/operator-context.ts';

const broker = 'acme';
const SOURCE = { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
const TEMPLATE = { broker, kind: 'cancellation-warning' };
const PERSON = { email: 'ada@example.com', name: 'Ada', role: 'support' };
const SERVICE = { service_number: 7000, client: { name: 'Z', email: 'z@example.com' }, plan: 'start' };

async function open(t: Test) {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context } = console;
  await createBroker.run(context, BROKER);
  await importPlans(context, { broker, file: file('p.json', PLANS) });
  await importServices(context, { broker, file: file('s.json', [SERVICE]) });
  await setTemplate(context, { ...TEMPLATE, ...SOURCE });
  const { operator_id: personId } = await addOperator.run(context, PERSON);
  const plan = (
    await context.store.read.plans.list(String((await context.store.read.brokers.findBySlug(broker))?.id))
  )[0];
  const { key_id: keyId } = await createKey.run(context, { broker, name: 'Shop', mode: 'live', scopes: 'plans:read' });
  return { console, context, admin: await console.signedIn('admin'), keyId, personId, planPath: `/plans/${plan?.id}` };
}

type World = Awaited<ReturnType<typeof open>>;

/** An edit form of a page, what another operator changes while it is open, and what is typed into it. */
interface EditForm {
  page(world: World): string;
  action(world: World): string;
  meanwhile(context: TestConsole['context'], world: World): Promise<unknown>;
  /** Changes what was changed. */
  typed: Record<string, string>;
  /** What the page then names. */
  reported: RegExp;
  /** Changes something else. */
  other?: Record<string, string>;
  /** What the record holds after `other`: both changes. */
  both?(world: World): Promise<unknown>;
  kept?: object;
}

const FORMS: Record<string, EditForm> = {
  broker: {
    page: () => '/brokers/acme',
    action: () => '/brokers/acme/set',
    meanwhile: (context) => setBroker.run(context, { broker, contact_email: 'new@example.com' }),
    typed: { contact_email: 'typed@example.com' },
    reported: /Contact: was "office@acme\.example\.com", is "new@example\.com" now/,
    other: { rate_limit: '50' },
    both: ({ context }) => context.store.read.brokers.findBySlug(broker),
    kept: { contactEmail: 'new@example.com', rateLimit: 50 },
  },
  key: {
    page: () => '/brokers/acme',
    action: ({ keyId }) => `/brokers/acme/keys/${keyId}/set`,
    meanwhile: (context, { keyId }) => setKey.run(context, { key_id: keyId, scopes: '', rate_limit: 9 }),
    typed: { rate_limit: '70' },
    reported: /Calls a minute: was none, is 9 now/,
    other: { expires_date: '2031-01-01' },
    both: ({ context, keyId }) => context.store.read.keys.find(keyId),
    kept: { scopes: '[]', rateLimit: 9, expiresAt: Date.UTC(2031, 0, 1) },
  },
  operator: {
    page: () => '/operators',
    action: ({ personId }) => `/operators/${personId}/set`,
    meanwhile: (context) => setOperator.run(context, { email: PERSON.email, role: 'viewer' }),
    typed: { role: 'admin' },
    reported: /Role: was "support", is "viewer" now/,
    other: { name: 'Ada L' },
    both: ({ context }) => context.store.read.operators.findByEmail(PERSON.email),
    kept: { role: 'viewer', name: 'Ada L' },
  },
  service: {
    page: () => '/services/7000',
    action: () => '/services/7000/set',
    meanwhile: (context) =>
      setService.run(context, { broker, service_number: 7000, service_status: 'suspended', 'client.email': null }),
    typed: { service_status: 'pending' },
    reported: /Status: was "active", is "suspended" now/,
    other: { 'client.name': 'Zoe', renewal_date: '2031-05-01' },
    both: async ({ context }) => {
      const owner = await context.store.read.allServices.findOwner(7000);
      return context.store.read.services.find(String(owner), 7000);
    },
    kept: { status: 'suspended', clientEmail: null, clientName: 'Zoe', renewalAt: Date.UTC(2031, 4, 1) },
  },
  'suspension of a service': {
    page: () => '/services/7000',
    action: () => '/services/7000/suspend',
    meanwhile: (context) =>
      setService.run(context, { broker, service_number: 7000, service_status: 'suspended', reason: 'First' }),
    typed: { reason: 'Typed' },
    reported: /Service status: was "active", is "suspended" now/,
  },
  plan: {
    page: ({ planPath }) => planPath,
    action: ({ planPath }) => `${planPath}/preview`,
    meanwhile: (context) =>
      setPlan.run(context, {
        broker,
        slug: 'start',
        upgrade_rank: 11,
        'price.amount': '1.00',
        'price.currency': 'EUR',
      }),
    typed: { upgrade_rank: '12' },
    reported: /Rank: was 10, is 11 now/,
  },
  template: {
    page: () => '/templates/acme/cancellation-warning',
    action: () => '/templates/acme/cancellation-warning',
    meanwhile: (context) => setTemplate(context, { ...TEMPLATE, ...SOURCE, text: 'Other' }),
    typed: { text: 'Typed' },
    reported: /Newest version: was 1, is 2 now/,
  },
  'use of a template': {
    page: () => '/templates/acme/cancellation-warning',
    action: () => '/templates/acme/cancellation-warning',
    meanwhile: (context) => setTemplate(context, { ...TEMPLATE, ...SOURCE, active: false }),
    typed: { text: 'Typed' },
    reported: /In use: was yes, is no now/,
  },
};

/** What a stale form says of who changed what it compares. */
const changedBy = ({ clock }: TestConsole['context'], ...names: string[]): string => {
  const at = new Date(clock.now()).toISOString().replace('T', ' ').slice(0, 16);
  return `Changed by ${names.map((name) => `${name} (${at} UTC)`).join(' and ')}. Nothing was saved`;
};

for (const [name, form] of Object.entries(FORMS)) {
  t.test(
    `the edit of a ${name} is refused where what it changes was changed meanwhile, and what was typed stays`,
    async (t) => {
      const world = await open(t);
      const { admin, context } = world;
      const [page, action] = [form.page(world), form.action(world)];
      const stale = formOf((await admin.get(page)).body, action);
      await form.meanwhile(context, world);
      const refused = await admin.post(action, { ...stale, ...form.typed });
      t.equal(refused.status, 409);
      t.match(refused.text.replaceAll('&quot;', '"'), form.reported);
      t.match(refused.text, changedBy(context, context.actor.name));
      const again = formAgain(refused.body, action);
      t.match(again, form.typed, 'what was typed');
      const ids = [...refused.body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      t.strictSame(ids, [...new Set(ids)], 'no id stands twice');
      t.ok((await admin.post(action, again)).status < 400, 'who has seen the change may replace it');
    },
  );

  if (form.other)
    t.test(`a stale form of a ${name} leaves alone what was not changed in it`, async (t) => {
      const world = await open(t);
      const { admin, context } = world;
      const [page, action] = [form.page(world), form.action(world)];
      const stale = formOf((await admin.get(page)).body, action);
      await form.meanwhile(context, world);
      t.equal((await admin.post(action, { ...stale, ...form.other })).status, 303);
      t.match(await form.both?.(world), form.kept as object);
      const same = await admin.edit(page, action, {});
      t.equal(same.status, 303);
      t.match((await admin.get(page)).text, /Nothing was changed\./);
    });
}

t.test(
  'a stale form names who changed its fields, each person of several, and a key as the audit page does',
  async (t) => {
    const { admin, context, keyId } = await open(t);
    const by = (name: string, kind: 'operator' | 'api_key' = 'operator') => ({
      ...context,
      actor: { kind, name, clientIp: null },
    });
    const stale = formOf((await admin.get('/brokers/acme')).body, '/brokers/acme/set');
    await setBroker.run(by('ada@example.com'), { broker, rate_limit: 9 });
    await setBroker.run(by('bob@example.com'), { broker, name: 'Acme again', rate_limit: 10 });
    await setBroker.run(by('eve@example.com'), { broker, contact_email: 'new@example.com' });
    await allowAddress.run(by('zoe@example.com'), { broker, rule: '192.0.2.1' });
    const typed = { rate_limit: '70', contact_email: 'typed@example.com' };
    const refused = await admin.post('/brokers/acme/set', { ...stale, ...typed });
    t.match(refused.text, changedBy(context, 'eve@example.com', 'bob@example.com'));

    const path = '/services/7000/set';
    const ofService = formOf((await admin.get('/services/7000')).body, path);
    (context.clock as TestConsole['clock']).advance(60_000);
    const service = { broker, service_number: 7000 };
    await setService.run(by(keyId, 'api_key'), { ...service, 'client.email': 'moved@example.com' });
    const key = keyPrefix('live', String((await context.store.read.keys.find(keyId))?.publicId));
    const again = await admin.post(path, { ...ofService, 'client.email': 'typed@example.com' });
    t.match(again.text, changedBy(context, key));
  },
);

t.test('a stale form names no author where the audit trail does not say who changed it', async (t) => {
  const { admin, context } = await open(t);
  const path = '/services/7000/set';
  const service = { broker, service_number: 7000 };
  const { clock, store } = context as TestConsole['context'] & Pick<TestConsole, 'clock'>;
  await setService.run(context, { ...service, service_status: 'suspended', 'client.name': 'Zoe' });
  await setService.run(context, { ...service, service_status: 'active' });
  const stale = formOf((await admin.get('/services/7000')).body, path);
  clock.advance(60_000);
  const owner = String(await store.read.allServices.findOwner(7000));
  // As a worker and an import do.
  await store.tx((tx) =>
    tx.services.update(owner, 7000, { status: 'pending', clientName: 'Imported', updatedAt: clock.now() }),
  );
  const refused = await admin.post(path, { ...stale, service_status: 'suspended', 'client.name': 'Typed' });
  t.match(refused.text.replaceAll('&quot;', '"'), /Status: was "active", is "pending" now.* Nothing was saved/);
  t.notMatch(refused.text, 'Changed by');
});

t.test('a name of several lines, from an earlier release, stays as it is until it is changed', async (t) => {
  const { admin, context } = await open(t);
  const { store } = context;
  const owner = String(await store.read.allServices.findOwner(7000));
  await store.tx((tx) => tx.services.update(owner, 7000, { clientName: 'Ada\nExample' }));
  const path = '/services/7000/set';
  const form = formOf((await admin.get('/services/7000')).body, path);
  t.equal(form['client.name'], 'Ada Example', 'a browser would join the lines');
  t.equal((await admin.post(path, { ...form, 'client.email': 'new@example.com' })).status, 303);
  const stored = () => store.read.services.find(owner, 7000);
  t.match(await stored(), { clientName: 'Ada\nExample', clientEmail: 'new@example.com' });
  await admin.edit('/services/7000', path, { 'client.name': 'Ada B Example' });
  t.match(await stored(), { clientName: 'Ada B Example' });
});

t.test('an edit that is refused for what was typed keeps it, and what it compares by', async (t) => {
  const world = await open(t);
  const { admin, context } = world;
  const stale = formOf((await admin.get('/brokers/acme')).body, '/brokers/acme/set');
  await setBroker.run(context, { broker, name: 'Meanwhile' });
  const refused = await admin.post('/brokers/acme/set', { ...stale, name: 'Typed', contact_email: 'x' });
  t.equal(refused.status, 422);
  const again = formAgain(refused.body, '/brokers/acme/set');
  t.match(again, { name: 'Typed', contact_email: 'x' });
  t.equal((await admin.post('/brokers/acme/set', { ...again, contact_email: 'c@example.com' })).status, 409);
});

t.test('a form without what it showed, from a page of an earlier release, changes nothing', async (t) => {
  const { admin, keyId, planPath } = await open(t);
  await admin.get('/brokers/acme');
  for (const path of ['/brokers/acme/set', `/brokers/acme/keys/${keyId}/set`, `${planPath}/set`, '/services/7000/set'])
    for (const seen of [{}, { seen: 'x' }, { seen: 'null' }])
      t.match(await admin.post(path, { name: 'N', ...seen }), { status: 422, text: /too old/ }, path);
});

t.test('a stale form never gives life back to a key that was rotated', async (t) => {
  const { admin, context, keyId } = await open(t);
  const action = `/brokers/acme/keys/${keyId}/set`;
  const stale = formOf((await admin.get('/brokers/acme')).body, action);
  await rotateKey.run(context, { key_id: keyId, overlap: '0' });
  await admin.post(action, { ...stale, rate_limit: '5' });
  t.match(await context.store.read.keys.find(keyId), { status: 'revoked' });
});

t.test('a version is restored only over the one that was seen', async (t) => {
  const { admin, context } = await open(t);
  const path = '/templates/acme/cancellation-warning';
  await setTemplate(context, { ...TEMPLATE, ...SOURCE, text: 'Second' });
  const stale = formOf((await admin.get(path)).body, `${path}/restore`);
  await setTemplate(context, { ...TEMPLATE, ...SOURCE, text: 'Third' });
  const refused = await admin.post(`${path}/restore`, stale);
  t.match(refused, { status: 409, text: /since this page was shown.*Newest version: was 2, is 3 now/ });
  t.match(await context.store.read.templates.list(String((await context.store.read.brokers.findBySlug(broker))?.id)), [
    { text: 'Third' },
  ]);
  const again = formOf(refused.body, `${path}/restore`);
  t.equal((await admin.post(`${path}/restore`, again)).status, 303, 'who has seen the newer one may replace it');
});
