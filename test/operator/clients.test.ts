import t from 'tap';
import { createDemo, DEMO_KEYS } from '../../src/demo/demo.ts';
import { listAudit } from '../../src/operator/audit.ts';
import { exportClient } from '../../src/operator/clients.ts';
import { createOperatorContext } from '../support/operator-context.ts';

t.test('a client is exported with all that is kept of them, and of no other client or broker', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.store.close());
  await createDemo(context);
  const exported = await exportClient(context, { broker: 'demo', email: ' CLIENT-1000002@example.com ' });
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
  await t.rejects(exportClient(context, { broker: 'demo', email: 'none@example.com' }), {
    message: '"demo" has no client "none@example.com"',
  });
  await t.rejects(exportClient(context, { broker: 'demo', email: ' ' }), { message: /^email: must not be blank/ });
  await t.rejects(exportClient(context, { broker: 'none', email: 'a@example.com' }), {
    message: 'There is no broker "none"',
  });
});
