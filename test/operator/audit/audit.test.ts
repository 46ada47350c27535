import t, { type Test } from 'tap';
import * as firewall from '../../../src/operator/access/firewall.ts';
import * as keys from '../../../src/operator/access/keys.ts';
import { exportAudit, listAudit, pageAudit } from '../../../src/operator/audit/audit.ts';
import { importInvoices } from '../../../src/operator/billing/invoices.ts';
import * as brokers from '../../../src/operator/brokers/brokers.ts';
import { sendTestTemplate, setTemplate } from '../../../src/operator/mail/templates.ts';
import { importPlans, setPlan } from '../../../src/operator/plans/plans.ts';
import { decideReview, submitClientRequest } from '../../../src/operator/requests/decisions.ts';
import { importServices } from '../../../src/operator/services/import.ts';
import { resumeService, setService, suspendService } from '../../../src/operator/services/services.ts';
import { showServiceFile } from '../../../src/operator/services/views.ts';
import type { BrokerRow } from '../../../src/store/queries/brokers.ts';
import { BROKER, createOperatorContext, file, PLANS } from '../../support/operator-context.ts';
import { anAuditRow } from '../../support/rows.ts';

async function setting(t: Test) {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  await brokers.createBroker.run(context, BROKER);
  return {
    context,
    /** Actions, subjects and values of what was changed by the work, in its order. */
    async changes(work: () => Promise<unknown>) {
      const before = (await listAudit(context)).length;
      await work();
      const rows = await listAudit(context);
      for (const row of rows) t.match(row, { actor: 'ada', actor_kind: 'command', client_ip: null, broker: 'acme' });
      return rows
        .slice(0, rows.length - before)
        .toReversed()
        .map(({ action, subject, before, after }) => [action, subject, before, after]);
    },
  };
}

const broker = 'acme';

t.test('what is done to a broker stands in the trail, with what it was before', async (t) => {
  const { context, changes } = await setting(t);
  t.match((await listAudit(context))[0], { action: 'broker.create', subject: 'broker/acme', after: { slug: 'acme' } });
  t.strictSame(
    await changes(async () => {
      await brokers.setBroker.run(context, { broker, name: 'Other' });
      await brokers.setBroker.run(context, { broker, name: 'Other' });
      await brokers.suspendBroker.run(context, { broker });
      await brokers.resumeBroker.run(context, { broker });
      await brokers.addRecipient.run(context, { broker, email: 'a@b.example' });
      await brokers.removeRecipient.run(context, { broker, email: 'a@b.example' });
      await firewall.enableFirewall.run(context, { broker });
      await firewall.allowAddress.run(context, { broker, rule: '192.0.2.1', note: 'office' });
      await firewall.removeAddress.run(context, { broker, rule: '192.0.2.1' });
      await firewall.disableFirewall.run(context, { broker });
    }),
    [
      ['broker.set', 'broker/acme', { name: 'Acme Hosting' }, { name: 'Other' }],
      ['broker.suspend', 'broker/acme', { broker_status: 'active' }, { broker_status: 'suspended' }],
      ['broker.resume', 'broker/acme', { broker_status: 'suspended' }, { broker_status: 'active' }],
      ['recipient.add', 'broker/acme', null, { email: 'a@b.example' }],
      ['recipient.remove', 'broker/acme', { email: 'a@b.example' }, null],
      ['firewall.enable', 'broker/acme', { ip_restriction_enabled: false }, { ip_restriction_enabled: true }],
      ['firewall.allow', 'broker/acme', null, { rule: '192.0.2.1', note: 'office' }],
      ['firewall.remove', 'broker/acme', { rule: '192.0.2.1', note: 'office' }, null],
      ['firewall.disable', 'broker/acme', { ip_restriction_enabled: true }, { ip_restriction_enabled: false }],
    ],
  );
});

t.test('what is done to a key stands in the trail, and never the key or its hash', async (t) => {
  const { context, changes } = await setting(t);
  const made: keys.NewKeyRecord[] = [];
  const found = await changes(async () => {
    const first = await keys.createKey.run(context, { broker, name: 'Shop', mode: 'live', scopes: 'admin:full' });
    const next = await keys.rotateKey.run(context, { key_id: first.key_id });
    made.push(first, next);
    await keys.setKey.run(context, { key_id: next.key_id, scopes: 'plans:read' });
    for (let time = 0; time < 2; time += 1) await keys.revokeKey.run(context, { key_id: next.key_id });
  });
  const [first, next] = made as [keys.NewKeyRecord, keys.NewKeyRecord];
  t.match(found, [
    ['key.create', `key/${first.key_id}`, null, { key_prefix: first.key_prefix, scopes: ['admin:full'] }],
    ['key.rotate', `key/${next.key_id}`, null, { rotated_from: first.key_id }],
    [
      'key.rotate',
      `key/${first.key_id}`,
      { expires_date: null },
      { expires_date: '2030-01-16T12:00:00.000Z', rotated_to: next.key_id },
    ],
    ['key.set', `key/${next.key_id}`, { scopes: ['admin:full'] }, { scopes: ['plans:read'] }],
    ['key.revoke', `key/${next.key_id}`, { key_status: 'active' }, { key_status: 'revoked' }],
  ]);
  t.equal(found.length, 5);
  for (const { key } of made) t.notOk(JSON.stringify(found).includes(key.slice(-38)));
});

t.test(
  'an import is one row with its counts and the hash of its file, and one for each plan that it changes; single changes name what they changed',
  async (t) => {
    const { context, changes } = await setting(t);
    const service = {
      service_number: 5000,
      client: { name: 'Zoe Private', email: 'z@private.example' },
      plan: 'start',
    };
    const invoice = {
      invoice_number: 'A-1',
      service_number: 5000,
      amount: '1.00',
      currency: 'EUR',
      invoice_status: 'open',
      issued_date: '2030-01-01',
    };
    const found = await changes(async () => {
      await importPlans(context, { broker, file: file('plans.json', PLANS) });
      await importServices(context, { broker, file: file('services.json', [service]) });
      await importInvoices(context, { broker, file: file('invoices.json', [invoice]) });
      await setPlan.run(context, { broker, slug: 'more', active: false });
      await setService.run(context, {
        broker,
        service_number: 5000,
        service_status: 'suspended',
        'client.name': 'Private Person',
      });
      await setTemplate(context, { broker, kind: 'service-created', subject: 'Hello', html: 'One', text: 'One' });
      await setTemplate(context, { broker, kind: 'service-created', subject: 'Hello', html: 'Two', text: 'Two' });
      await sendTestTemplate.run(context, { broker, kind: 'service-created', to: 'tester@private.example' });
    });
    const sha256 = /^[0-9a-f]{64}$/;
    t.match(found, [
      ['plan.create', 'plan/start', null, { slug: 'start', price: null }],
      ['plan.create', 'plan/more', null, { slug: 'more' }],
      ['plan.import', 'broker/acme', null, { file: 'plans.json', sha256, imported: 2, created: 2, updated: 0 }],
      ['service.import', 'broker/acme', null, { file: 'services.json', sha256, imported: 1 }],
      ['invoice.import', 'broker/acme', null, { file: 'invoices.json', sha256, imported: 1 }],
      ['plan.set', 'plan/more', { active: true }, { active: false }],
      [
        'service.set',
        'service/5000',
        { service_status: 'active' },
        { service_status: 'suspended', client_name: 'changed' },
      ],
      ['template.set', 'template/service-created', null, { active: true, subject: 'Hello', content_sha256: sha256 }],
      ['template.set', 'template/service-created', { content_sha256: sha256 }, { content_sha256: sha256 }],
      ['template.send_test', 'template/service-created', null, { email_id: /^eml_/, recipient_email: 'changed' }],
    ]);
    t.notMatch(JSON.stringify(found), /private/i);
  },
);

t.test('what belongs to no broker stands in the trail too', async (t) => {
  const { context } = await setting(t);
  await context.store.tx((tx) => tx.audit.insert(anAuditRow({ at: context.clock.now(), brokerId: null })));
  t.match(await listAudit(context, { action: 'key.revoke' }), [{ broker: null, actor: 'root' }]);
});

t.test('the list is narrowed by who, what, whose and when', async (t) => {
  const { context } = await setting(t);
  context.clock.advance(3_600_000);
  await brokers.setBroker.run(context, { broker, name: '=1+1' });
  const narrowed = async (filter: Parameters<typeof listAudit>[1]) =>
    (await listAudit(context, filter)).map(({ action }) => action);
  t.strictSame(await narrowed({}), ['broker.set', 'broker.create']);
  t.strictSame(await narrowed({ since: '30m' }), ['broker.set']);
  t.strictSame(await narrowed({ since: '2h', limit: '1' }), ['broker.set']);
  t.strictSame(await narrowed({ action: 'broker.create', actor: 'ada', broker, subject: 'broker/acme' }), [
    'broker.create',
  ]);
  t.strictSame(await narrowed({ actor: 'zoe' }), []);
  await t.rejects(narrowed({ broker: 'nobody' }), /no broker/);
  await t.rejects(narrowed({ since: 'yesterday' }), /since: must be/);
});

t.test('a page of the trail names keys as people know them, and subjects by their names alone', async (t) => {
  const { context } = await setting(t);
  const made = await keys.createKey.run(context, { broker, name: 'Panel', mode: 'live', scopes: 'plans:read' });
  const byKey = { ...context, actor: { kind: 'api_key' as const, name: made.key_id, clientIp: '192.0.2.7' } };
  await brokers.suspendBroker.run(byKey, { broker });
  const found = async (input: Parameters<typeof pageAudit>[1]) =>
    (await pageAudit(context, input)).items.map(({ action }) => action);
  t.match((await pageAudit(context, { actor: made.key_prefix })).items, [
    { action: 'broker.suspend', actor: made.key_id, key_prefix: made.key_prefix, audit_id: /^aud_/ },
  ]);
  t.strictSame(await found({ actor: made.key }), ['broker.suspend'], 'of a whole key the public part counts');
  t.strictSame(await found({ actor: 'sk_live_ZZZZZZZZ' }), []);
  t.strictSame(await found({ subject: made.key_prefix }), ['key.create']);
  t.strictSame(await found({ subject: 'acme' }), ['broker.suspend', 'broker.create']);
  t.strictSame(await found({ subject: 'broker/acme', broker, until: '2031-01-01' }), [
    'broker.suspend',
    'broker.create',
  ]);
  t.strictSame(await found({ broker: 'nobody' }), []);
  t.match((await pageAudit(context)).pagination, { total: 3, isMore: false });
});

t.test('the trail, the export and the history of a service hold what was done by way of its requests', async (t) => {
  const { context } = await setting(t);
  const deps = { ...context, log: { error: () => undefined, warn: () => undefined } };
  const byBob = { ...deps, actor: { kind: 'operator' as const, name: 'bob@example.com', clientIp: '192.0.2.9' } };
  await importPlans(context, { broker, file: file('p.json', PLANS) });
  const services = [5001, 5002].map((service_number) => ({
    service_number,
    client: { name: 'Ada' },
    plan: 'start',
    renewal_date: '2030-02-01',
  }));
  await importServices(context, { broker, file: file('s.json', services) });
  const upgrade = { broker, type: 'plan-upgrade', new_plan: 'more' } as const;
  for (const { service_number } of services) {
    await setService.run(context, { broker, service_number, requires_operator_review: true });
    const { request_id } = await submitClientRequest.run(deps, { ...upgrade, service_number });
    const { id } = (await context.store.read.brokers.findBySlug(broker)) as BrokerRow;
    await context.store.tx((tx) =>
      tx.requests.move(id, request_id, { status: 'pending' }, { status: 'operator_review' }),
    );
    await decideReview.run(byBob, { request_id, accept: true });
  }
  await suspendService.run(byBob, { broker, service_number: 5001, reason: 'Unpaid', records_only: true });
  await resumeService.run(byBob, { broker, service_number: 5001, records_only: true });

  const trail = (await pageAudit(context, { subject: 'service/5001' })).items.map(({ action }) => action);
  t.strictSame(trail, ['service.set', 'service.set', 'request.accept', 'request.submit', 'service.set']);
  t.strictSame((await pageAudit(context, { subject: '5001' })).items.length, trail.length, 'by its number alone');
  let csv = '';
  for await (const piece of await exportAudit(context, { subject: 'service/5001' })) csv += piece;
  t.equal(csv.trimEnd().split('\r\n').length, 1 + trail.length);
  const { events } = await showServiceFile(context, { number: '5001' });
  t.match(
    events.filter((event) => event.kind === 'request').map(({ request_status, actor }) => [request_status, actor])[0],
    ['accepted', 'bob@example.com'],
  );
  const edits = events.flatMap((event) => (event.kind === 'edit' ? [event] : []));
  t.match(
    edits.filter(({ action }) => action === 'service.import'),
    [{ actor: 'ada', after: { file: 's.json' } }],
  );
  t.ok(
    edits.some(({ after }) => after?.suspension_reason === 'Unpaid'),
    'also once the suspension is lifted',
  );
});

t.test('an export is made piece by piece, each row once, and defused', async (t) => {
  const { context } = await setting(t);
  const evil = { ...context, actor: { kind: 'command' as const, name: '=cmd()', clientIp: null } };
  for (let times = 0; times < 501; times += 1) {
    await brokers.setBroker.run(evil, { broker, name: `Ünïcode ${times}` });
  }
  const textOf = async (pieces: AsyncGenerator<Buffer>) => {
    const all: Buffer[] = [];
    for await (const piece of pieces) all.push(piece);
    return { pieces: all.length, lines: Buffer.concat(all).toString().trimEnd().split('\r\n') };
  };
  const { pieces, lines } = await textOf(await exportAudit(context, {}));
  t.equal(pieces, 3);
  t.equal(lines.length, 503);
  t.equal(lines[0], '\uFEFFdate,actor,actor_kind,client_ip,action,broker,subject,before,after');
  t.equal(new Set(lines).size, 503, 'no row twice');
  t.match(lines[1], /,"'=cmd\(\)",command,.*Ünïcode 500/);
  t.equal((await textOf(await exportAudit(context, { broker: 'nobody' }))).lines.length, 1);
  await t.rejects(exportAudit(context, { since: 'never' }), { name: 'OperatorError' }, 'before its first piece');
});
