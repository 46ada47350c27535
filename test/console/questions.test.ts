import t from 'tap';
import * as firewall from '../../src/operator/access/firewall.ts';
import * as keys from '../../src/operator/access/keys.ts';
import { listAudit } from '../../src/operator/audit/audit.ts';
import * as brokers from '../../src/operator/brokers/brokers.ts';
import * as operators from '../../src/operator/people/operators.ts';
import * as plans from '../../src/operator/plans/plans.ts';
import * as clients from '../../src/operator/services/clients.ts';
import { importServices } from '../../src/operator/services/import.ts';
import * as services from '../../src/operator/services/services.ts';
import * as numbers from '../../src/operator/system/numbers.ts';
import type { AnyUseCase } from '../../src/operator/use-case/use-case.ts';
import { createTestConsole, formAgain, formOf } from '../support/console.ts';
import { BROKER, file, PLANS } from '../support/operator-context.ts';

const broker = 'acme';
const SERVICE = { service_number: 7000, client: { name: 'Zoe', email: 'zoe@example.com' }, plan: 'start' };

const MODULES = [brokers, clients, firewall, keys, numbers, operators, plans, services];
/** Those of the command line alone. */
const WITHOUT_FORM = ['clients erase', 'numbers skip'];

t.test('a yes is an answer to the question that was shown: to another one it counts as none', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context } = console;
  await brokers.createBroker.run(context, BROKER);
  await plans.importPlans(context, { broker, file: file('p.json', PLANS) });
  await importServices(context, { broker, file: file('s.json', [SERVICE]) });
  const key = { broker, name: 'Shop', mode: 'live', scopes: 'plans:read' } as const;
  const { key_id: keyId } = await keys.createKey.run(context, key);
  const { key_id: leakedId } = await keys.createKey.run(context, key);
  const { operator_id: personId } = await operators.addOperator.run(context, {
    email: 'ada@example.com',
    name: 'Ada',
    role: 'support',
  });
  const ofAcme = String((await context.store.read.brokers.findBySlug(broker))?.id);
  const unused = (await context.store.read.plans.list(ofAcme)).find(({ slug }) => slug !== 'start');
  const admin = await console.signedIn('admin');

  const at = '/brokers/acme';
  const person = `/operators/${personId}`;
  const plan = `/plans/${unused?.id}`;
  interface Asking {
    page: string;
    action: string;
    typed?: Record<string, string>;
    first?: () => Promise<unknown>;
  }
  const ASKING: Record<string, Asking> = {
    'services set': {
      page: '/services/7000',
      action: '/services/7000/set',
      typed: { service_status: 'terminated' },
    },
    'firewall enable': { page: at, action: `${at}/firewall/enable` },
    'firewall remove': {
      page: at,
      action: `${at}/firewall/remove`,
      first: () => firewall.allowAddress.run(context, { broker, rule: '192.0.2.1' }),
    },
    'keys rotate': { page: at, action: `${at}/keys/${leakedId}/rotate`, typed: { overlap: '0' } },
    'keys revoke': { page: at, action: `${at}/keys/${keyId}/revoke` },
    'operators remove': { page: '/operators', action: `${person}/remove` },
    'plans remove': { page: plan, action: `${plan}/remove` },
    'brokers suspend': { page: at, action: `${at}/suspend` },
  };
  const useCases = MODULES.flatMap((module) => Object.values<unknown>(module)) as Partial<AnyUseCase>[];
  const asks = useCases.filter((each) => each?.confirm).map(({ name }) => String(name));
  t.strictSame(asks.filter((name) => !WITHOUT_FORM.includes(name)).sort(), Object.keys(ASKING).sort());

  for (const [name, { page, action, typed, first }] of Object.entries(ASKING)) {
    await first?.();
    const form = { ...formOf((await admin.get(page)).body, action), ...typed };
    const changes = async () => (await listAudit(context)).length;
    const before = await changes();
    const other = await admin.post(action, { ...form, confirmed: 'Zoe becomes cancelled.' });
    t.match(other, { status: 200, text: /Nothing has been done yet/ }, `${name} asks again`);
    t.equal(await changes(), before, `${name} has done nothing`);
    const answered = await admin.post(action, formAgain(other.body, action));
    t.ok([201, 303].includes(answered.status), `${name} is done once its own question is answered`);
    t.ok((await changes()) > before, `${name} has changed something`);
  }
});

t.test('a question beside a form that is then changed is asked again, for what it says now', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const { context } = console;
  await brokers.createBroker.run(context, BROKER);
  await plans.importPlans(context, { broker, file: file('p.json', PLANS) });
  await importServices(context, { broker, file: file('s.json', [SERVICE]) });
  const admin = await console.signedIn('admin');
  const [page, action] = ['/services/7000', '/services/7000/set'];
  const statusOf = async () => (await context.store.read.services.find(owner, 7000))?.status;
  const owner = String(await context.store.read.allServices.findOwner(7000));

  const cancelling = await admin.edit(page, action, { service_status: 'cancelled' });
  t.match(cancelling.text, /Zoe .* becomes cancelled/);
  const changed = { ...formAgain(cancelling.body, action), service_status: 'terminated' };
  const terminating = await admin.post(action, changed);
  t.match(terminating, { status: 200, text: /Nothing has been done yet.* becomes terminated/ });
  t.equal(await statusOf(), 'active');
  t.equal((await admin.post(action, formAgain(terminating.body, action))).status, 303);
  t.equal(await statusOf(), 'terminated');

  const stale = formOf((await admin.get('/brokers/acme')).body, '/brokers/acme/suspend');
  await keys.createKey.run(context, { broker, name: 'Shop', mode: 'live', scopes: 'plans:read' });
  t.match(await admin.post('/brokers/acme/suspend', stale), { status: 200, text: /its 1 active key is refused/ });
});
