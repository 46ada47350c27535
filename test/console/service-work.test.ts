import t, { type Test } from 'tap';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { importPlans } from '../../src/operator/plans/plans.ts';
import { importServices } from '../../src/operator/services/import.ts';
import type { Action } from '../../src/rules/offers.ts';
import { OLDEST_RELEASE_SETTING } from '../../src/store/queries/update-state.ts';
import { createTestConsole, formAgain } from '../support/console.ts';
import { BROKER, file, PLANS } from '../support/operator-context.ts';

/** The page of a service brings what the operator does to the machine (contract, sections 12.6 and 12.9). */

const option = { description: null, required: false, default: null };
const REINSTALL: Action = {
  name: 'reinstall',
  display_name: 'Reinstall it',
  description: 'From scratch',
  requires_operator_review: false,
  destroys_data: true,
  options: [
    { ...option, name: 'hostname', display_name: 'Host name', type: 'text', format: 'hostname', max_length: 253 },
    { ...option, name: 'backups', display_name: 'Backups', type: 'boolean' },
  ],
};

async function open(t: Test, hasProvisioner = true) {
  const console = await createTestConsole({ hasProvisioner });
  t.teardown(() => console.close());
  await createBroker.run(console.context, BROKER);
  await importPlans(console.context, { broker: 'acme', file: file('plans.json', PLANS) });
  const services = [{ service_number: 101, plan: 'start', client: { name: 'Ada' }, renewal_date: '2030-02-01' }];
  await importServices(console.context, { broker: 'acme', file: file('s.json', services) });
  const broker = await console.store.read.brokers.findBySlug('acme');
  const id = broker?.id as string;
  const [plan] = (await console.store.read.plans.list(id)).filter(({ slug }) => slug === 'start');
  const offer = { options: [], actions: [REINSTALL], hasCredentials: false, provisioning: null };
  await console.store.tx((tx) => tx.plans.putOffers(id, new Map([[plan?.id as string, offer]])));
  return {
    console,
    id,
    support: await console.signedIn('support'),
    requests: async () =>
      (await console.store.read.requests.page(id, {}, { limit: 10, offset: 0 })).map(({ request }) => request),
    service: () => console.store.read.services.find(id, 101),
  };
}

t.test('an action is run with a form of its options, once the loss of data is accepted', async (t) => {
  const { console, support, requests } = await open(t);
  const page = await support.get('/services/101');
  t.match(page.body, /Reinstall it/);
  t.match(page.text, /Reinstall it deletes the data of service 101 of Ada/);
  t.match(page.body, /name="configuration\.hostname"/);
  t.match(page.body, /<option value="" selected="">as it is/);
  const path = '/services/101/action/reinstall';
  const given = { 'configuration.hostname': 'not_one', 'configuration.backups': '' };
  const asked = await support.post(path, given);
  t.match(asked, { status: 200, text: /Nothing has been done yet\. Reinstall it deletes the data/ });
  t.equal(formAgain(asked.body, path)['configuration.backups'], '', 'nothing is chosen that was not');
  const confirmed = 'Reinstall it deletes the data of service 101 of Ada.';
  t.match(await support.post(path, { ...given, confirmed }), { status: 422, text: /Must be a host name/ });
  t.equal((await requests()).length, 0);
  const done = await support.post(path, { ...given, 'configuration.hostname': 'a.example.com', confirmed });
  t.match(done, { status: 303, to: /^\/requests\/req_/ });
  t.match(await requests(), [
    { type: 'service-action', origin: 'operator', actionConfiguration: '{"hostname":"a.example.com"}' },
  ]);
  t.match((await support.get(done.to as string)).body, /data-live="soon"/, 'it may be done at any moment');
  console.clock.advance(60_000);
  t.match((await support.get(done.to as string)).body, /data-live="true"/, 'less often then');
  t.equal((await support.post('/services/101/action/none', {})).status, 404);
  const viewer = await console.signedIn('viewer');
  t.notMatch((await viewer.get('/services/101')).text, /Reinstall it…/);
});

t.test('a plan change is submitted with what its form offers, and nothing of a cancellation', async (t) => {
  const { support, requests } = await open(t);
  t.match((await support.get('/services/101')).body, /<option value="more">More<\/option>/);
  const change = { type: 'plan-upgrade', new_plan: 'more' };
  t.match(await support.edit('/services/101', '/services/101/submit', change), { status: 303 });
  t.match(await requests(), [{ type: 'plan-upgrade', origin: 'client' }]);
});

t.test('suspension and its end ask the provisioner, or change the record alone', async (t) => {
  const { support, requests, service } = await open(t);
  t.match((await support.get('/services/101')).text, /the provisioner is asked/);
  const seen = (status: string, since: string | null) =>
    JSON.stringify({ service_status: status, 'suspension.suspended_date': since });
  await support.post('/services/101/suspend', { seen: seen('active', null), reason: 'Abuse' });
  const since = new Date((await service())?.suspendedAt as number).toISOString();
  t.match(await requests(), [{ type: 'service-suspension', origin: 'operator' }]);
  await support.post('/services/101/resume', { seen: seen('suspended', since), records_only: 'true' });
  t.match(await service(), { status: 'active' });
  t.equal((await requests()).length, 1, 'the provisioner is not asked for that');
});

t.test('a service is cancelled, and a cancellation at once is asked about first', async (t) => {
  const { support, requests } = await open(t);
  await support.get('/services/101');
  const asked = await support.post('/services/101/cancel', { cancellation_type: 'immediate' });
  t.match(asked, { status: 200, text: /Service 101 of Ada \(Start\) is removed at once/ });
  t.match(await support.post('/services/101/cancel', { cancellation_type: 'end_of_term', reason: 'Moves' }), {
    status: 303,
    to: /^\/requests\/req_/,
  });
  t.match(await requests(), [{ type: 'cancellation', origin: 'operator', cancellationReason: 'Moves' }]);
});

t.test('a page follows a request until it is final, and says who submitted it', async (t) => {
  const { console, id, support } = await open(t);
  await support.get('/services/101');
  const { to = '' } = await support.post('/services/101/cancel', { cancellation_type: 'end_of_term' });
  const page = await support.get(to);
  t.match(page.text, new RegExp(`Submitted by ${support.email}.*accepted now · ${support.email}`));
  t.match(page.body, /data-live="true"/, 'it waits for its date');
  t.match((await support.get('/services/101')).text, /Open request Cancellation accepted for 2030-02-01/);
  const requestId = to.slice('/requests/'.length);
  const done = { status: 'completed', processedAt: console.clock.now() } as const;
  await console.store.tx((tx) => tx.requests.move(id, requestId, { status: 'accepted' }, done));
  const final = await support.get(to);
  t.notMatch(final.body, /data-live/);
  t.match(final.text, /Completed 2030-01-15 now/);
  const late = await support.post(`${to}/withdraw`, { reason: 'Late' });
  t.match(late, { status: 422, text: /The request has been processed already/ });
  t.notMatch(late.body, /Withdraw/, 'it is not offered again');
});

t.test('a service that has ended does not renew, and takes no request', async (t) => {
  const { console, id, support } = await open(t);
  t.match((await support.get('/services/101')).text, /Renews 2030-02-01.*Submit a request/);
  await console.store.tx((tx) => tx.services.update(id, 101, { status: 'cancelled' }));
  for (const path of ['/services/101', '/services'])
    t.notMatch((await support.get(path)).text, /2030-02-01|in 16 days|Submit a request/, path);
});

t.test('without a provisioner the page says that the record alone changes', async (t) => {
  const { support } = await open(t, false);
  const page = (await support.get('/services/101')).text;
  t.match(page, /Only the record changes: the server itself runs on/);
  t.match(page, /Reinstall it .*No provisioner is called: only the record changes/);
});

t.test('the system page says what waits for the end of the update', async (t) => {
  const { console, support } = await open(t);
  t.notMatch((await support.get('/system')).text, /The update is not finished/);
  await console.store.tx((tx) => tx.settings.put({ name: OLDEST_RELEASE_SETTING, value: '1.1.0' }));
  t.match(
    (await support.get('/system')).text,
    /Release 1\.1\.0 may still use the database.*configuration of plan changes/,
  );
});

t.test('a clean-up that failed is shown on the overview and on its request, until the service has ended', async (t) => {
  const { console, id, support, requests } = await open(t);
  await console.store.tx((tx) => tx.services.update(id, 101, { status: 'pending' }));
  const { newRequest } = await import('../../src/lifecycle/submit.ts');
  const now = console.clock.now();
  const cleanUp = newRequest(console.context.newId('req', now), { brokerId: id, number: 101 }, now, {
    type: 'cancellation',
    status: 'failed',
    origin: 'operator',
    cleansUp: true,
    cancellationType: 'immediate',
    failureReason: 'no_such_node',
    failureMessage: 'None',
    failureServiceUsable: false,
    failureRetryable: false,
  });
  await console.store.tx((tx) => tx.requests.insert(cleanUp));
  t.match(
    (await support.get('/')).text,
    /A clean-up failed the service stays pending, and a machine may be there: 101/,
  );
  const page = `/requests/${(await requests())[0]?.id}`;
  t.match((await support.get(page)).text, /The clean-up failed, so the service stays pending/);
  await console.store.tx((tx) => tx.services.update(id, 101, { status: 'terminated' }));
  t.notMatch((await support.get('/')).text, /A clean-up failed/);
});
