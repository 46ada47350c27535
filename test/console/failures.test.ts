import t, { type Test } from 'tap';
import { showRequest } from '../../src/operator/requests/views.ts';
import type { RequestRow } from '../../src/store/queries/requests.ts';
import { createTestConsole } from '../support/console.ts';
import { aRequest, stock } from '../support/rows.ts';

const DAY = 86_400_000;

/** Failed requests of two reasons, each of a service of its own. */
async function open(t: Test) {
  const console = await createTestConsole({ hasProvisioner: true });
  t.teardown(() => console.close());
  const { store, clock } = console;
  const { broker, rows } = await stock(store, 4);
  const now = clock.now();
  const failedOf = (service: (typeof rows)[number], reason: string, fields: Partial<RequestRow> = {}) =>
    aRequest(service, {
      type: 'cancellation',
      origin: 'broker',
      status: 'failed',
      cancellationType: 'immediate',
      failureReason: reason,
      failureMessage: `node-3: ${reason}`,
      failureServiceUsable: true,
      failureRetryable: false,
      processedAt: now,
      updatedAt: now,
      ...fields,
    });
  const old = { processedAt: now - 3 * DAY, updatedAt: now - 3 * DAY };
  const failed = rows.map((service, index) =>
    failedOf(service, index < 2 ? 'no_capacity' : 'image_missing', index === 3 ? old : {}),
  );
  await store.tx(async (tx) => {
    for (const request of failed) await tx.requests.insert(request);
    await tx.services.update(broker.id, rows[0]?.number as number, { reference: 'node-3/vm-17' });
  });
  return { console, broker, rows, failed: failed as [RequestRow, RequestRow, RequestRow, RequestRow] };
}

t.test(
  'failed requests stand by reason with their counts, and each with time, reason, client, machine, broker',
  async (t) => {
    const { console, broker } = await open(t);
    const viewer = await console.signedIn('viewer');
    const { text } = await viewer.get('/requests?status=failed');
    t.match(text, /By reason .*Image missing image_missing 2 1 now .*No capacity no_capacity 2 1 now/s);
    t.match(
      text,
      new RegExp(
        `Cancellation 2030-01-15 12:00 UTC No capacity node-3: no_capacity \\d+ .*node-3/vm-17 ${broker.name}`,
        's',
      ),
    );
    t.notMatch(text, /again/i, 'a viewer tries nothing again');
    const since = (await viewer.get('/requests?status=failed&since=2d')).text;
    t.match(since, /Image missing image_missing 1 1/);
    t.match(since, /3 requests/);
    t.match((await viewer.get('/requests?status=failed&reason=no_capacity&since=2d')).text, /2 requests/);
    t.match(
      (await viewer.get('/requests?status=failed&since=tomorrow')).text,
      /Ended from/,
      'the faulty filter is named',
    );
    const csv = await viewer.get('/requests.csv?status=failed&reason=no_capacity');
    t.match(csv.body, /Request,Failed,Reason,Service,Client,Machine,Broker,"Once more"/);
  },
);

t.test('one, chosen ones, and all of a reason are tried again, and say so', async (t) => {
  const { console, failed } = await open(t);
  const support = await console.signedIn('support');
  const [first, second, third, fourth] = failed;
  const page = await support.get(`/requests/${first.id}`);
  t.match(page.text, /Once more was not tried again/);
  t.notMatch(page.text, /will not succeed/);
  await support.post(`/requests/${first.id}/retry`, {});
  const { retried_as } = await showRequest(console.context, { requestId: first.id });
  t.match((await support.get(`/requests/${first.id}`)).text, /Once more tried again, as another request/);
  t.match((await support.get(`/requests/${retried_as}`)).text, /Does once more a failed request/);
  const chosen = await support.get(`/requests/retries?request_id=${second.id}&request_id=${first.id}`);
  t.match(chosen.text, /Try 1 request again/, 'those that were tried again are left out');
  await support.post('/requests/retries/begin', { request_id: second.id, back: '/requests?status=failed' });
  t.match(await showRequest(console.context, { requestId: second.id }), { can_retry: false });
  const reason = { reason: 'image_missing', since: '2d', broker: '', type: '' };
  const asked = await support.post('/requests/retry-all', reason);
  const question = '1 of 1 failed requests are submitted once more, as requests of the operator: 1 cancellation.';
  t.match(asked.text, question);
  await support.post('/requests/retry-all', { ...reason, confirmed: question });
  t.match(await showRequest(console.context, { requestId: third.id }), { can_retry: false });
  t.match(await showRequest(console.context, { requestId: fourth.id }), { can_retry: true }, 'it ended before');
  const again = await support.post('/requests/retries/begin', {
    request_id: first.id,
    back: '/requests?status=failed',
  });
  t.match(again.text, /1 request not submitted.*It was tried again already/s);
});
