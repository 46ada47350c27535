import t from 'tap';
import { listAudit } from '../../src/operator/audit.ts';
import { removeBroker } from '../../src/operator/broker-removal.ts';
import * as brokers from '../../src/operator/brokers.ts';
import * as clients from '../../src/operator/clients.ts';
import * as access from '../../src/operator/console-access.ts';
import * as decisions from '../../src/operator/decisions.ts';
import * as emails from '../../src/operator/emails.ts';
import * as firewall from '../../src/operator/firewall.ts';
import { runImport } from '../../src/operator/importing.ts';
import { importRecords } from '../../src/operator/imports.ts';
import * as keys from '../../src/operator/keys.ts';
import * as numbers from '../../src/operator/numbers.ts';
import * as operatorKeys from '../../src/operator/operator-keys.ts';
import * as operators from '../../src/operator/operators.ts';
import * as plans from '../../src/operator/plans.ts';
import { USE_CASES } from '../../src/operator/registry.ts';
import * as removals from '../../src/operator/service-removal.ts';
import * as services from '../../src/operator/services.ts';
import * as templates from '../../src/operator/templates.ts';
import type { AnyUseCase, UseCaseDeps } from '../../src/operator/use-case.ts';
import type { BrokerRow } from '../../src/store/brokers.ts';
import { anEmail } from '../store/records.ts';
import { BROKER, createOperatorContext } from '../support/operator-context.ts';

const ALL = USE_CASES;

/** The use cases that change nothing. */
const READS = [
  'audit list',
  'brokers list',
  'brokers show',
  'calls list',
  'calls show',
  'emails list',
  'emails show',
  'firewall check',
  'firewall list',
  'imports list',
  'invoices list',
  'invoices show',
  'keys list',
  'keys show',
  'operators list',
  'operators sessions',
  'operators show',
  'ops-keys list',
  'plans list',
  'plans preview',
  'plans show',
  'requests list',
  'requests show',
  'services list',
  'services show',
  'status',
  'templates list',
  'templates preview',
  'templates show',
  'templates versions',
  'usage',
];

const broker = 'acme';
const email = 'zoe@example.com';
const PLAN = { broker, upgrade_rank: 10, billing_type: 'monthly' };

t.test('every use case that changes something writes its row of the audit trail', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  const { store } = context;
  const log = { error: () => undefined, warn: () => undefined };
  const deps: UseCaseDeps = {
    ...context,
    log,
    consoleUrl: 'http://console.example.com',
    removeSandbox: async () => undefined,
    countSandboxes: async () => 0,
    runImport: (task, onProgress) => runImport(context, task, onProgress),
  };
  const done = new Set<string>();

  // biome-ignore lint/suspicious/noExplicitAny: the result of this use case
  async function changes(useCase: AnyUseCase, given: object, ...actions: string[]): Promise<any> {
    const before = (await listAudit(context)).length;
    const result = await useCase.run(deps, given);
    const rows = await listAudit(context);
    t.strictSame(
      rows.slice(0, rows.length - before).map((row) => row.action),
      actions,
      useCase.name,
    );
    done.add(useCase.name);
    return result;
  }

  await changes(brokers.createBroker, BROKER, 'broker.create');
  await changes(brokers.setBroker, { broker, rate_limit: '50' }, 'broker.set');
  await changes(brokers.suspendBroker, { broker }, 'broker.suspend');
  await changes(brokers.resumeBroker, { broker }, 'broker.resume');
  await changes(brokers.addRecipient, { broker, email }, 'recipient.add');
  await changes(brokers.removeRecipient, { broker, email }, 'recipient.remove');
  await changes(firewall.allowAddress, { broker, rule: '192.0.2.1' }, 'firewall.allow');
  await changes(firewall.enableFirewall, { broker }, 'firewall.enable');
  await changes(firewall.removeAddress, { broker, rule: '192.0.2.1' }, 'firewall.remove');
  await changes(firewall.disableFirewall, { broker }, 'firewall.disable');

  const first = await changes(keys.createKey, { broker, name: 'Shop', mode: 'live', scopes: '' }, 'key.create');
  const { key_id } = await changes(keys.rotateKey, { key_id: first.key_id }, 'key.rotate', 'key.rotate');
  await changes(keys.setKey, { key_id, rate_limit: '5' }, 'key.set');
  await changes(keys.revokeKey, { key_id }, 'key.revoke');

  await changes(plans.createPlan, { ...PLAN, slug: 'start', display_name: 'Start' }, 'plan.create');
  await changes(plans.createPlan, { ...PLAN, slug: 'spare', display_name: 'Spare' }, 'plan.create');
  await changes(plans.setPlan, { broker, slug: 'start', display_name: 'Starter' }, 'plan.set');
  await changes(plans.removePlan, { broker, slug: 'spare' }, 'plan.remove');

  const service = { service_number: 7000, client: { name: 'Zoe', email }, plan: 'start' };
  const spare = { ...service, service_number: 7001 };
  const imported = {
    plans: [{ ...PLAN, broker: undefined, slug: 'more', display_name: 'More' }],
    services: [service, spare],
    invoices: [
      {
        invoice_number: 'A-1',
        service_number: 7000,
        amount: '1',
        currency: 'EUR',
        invoice_status: 'open',
        issued_date: '2030-01-01',
      },
    ],
  };
  for (const each of importRecords) {
    const kind = each.name.split(' ')[0] as keyof typeof imported;
    const content = Buffer.from(JSON.stringify({ records: imported[kind] }));
    const actions = {
      plans: ['plan.import', 'plan.create'],
      services: ['service.import'],
      invoices: ['invoice.import'],
    };
    await changes(each, { broker, content }, ...actions[kind]);
  }
  await changes(removals.removeNamedServices, { broker, service_numbers: '7001' }, 'service.remove');
  const name = { broker, service_number: '7000' };
  await changes(services.setService, { ...name, 'client.name': 'Zoe Z' }, 'service.set');
  await changes(services.suspendService, { ...name, reason: 'unpaid' }, 'service.set');
  await changes(services.resumeService, name, 'service.set');
  const asked = { ...name, type: 'cancellation' };
  const { request_id } = await changes(decisions.submitRequest, asked, 'request.submit');
  const { id: brokerId } = (await store.read.brokers.findBySlug(broker)) as BrokerRow;
  await store.tx((tx) => tx.requests.move(brokerId, request_id, { status: 'pending' }, { status: 'operator_review' }));
  await changes(decisions.decideReview, { request_id, accept: 'true' }, 'request.accept');
  await changes(decisions.takeBackRequest, { request_id }, 'request.withdraw');

  const template = { broker, kind: 'service-created' };
  const parts = { subject: 'Hello', html: 'Hello', text: 'Hello' };
  await changes(templates.setTemplateParts, { ...template, ...parts }, 'template.set');
  await changes(templates.sendTestTemplate, { ...template, to: email }, 'template.send_test');
  await templates.setTemplate(context, { ...template, subject: 'Hello again', html: 'Hello', text: 'Hello' });
  await changes(templates.restoreTemplate, { ...template, version: '1' }, 'template.set');

  const sent = anEmail({ id: brokerId } as BrokerRow, { status: 'unknown' });
  await store.tx((tx) => tx.emails.insert(sent));
  await changes(emails.settleEmail, { email_id: sent.id, arrived: 'true', note: 'They called' }, 'email.settle');
  await changes(clients.exportClient, { broker, email }, 'client.export');
  await services.setService.run(context, { ...name, service_status: 'terminated' });
  await changes(clients.eraseClient, { broker, email }, 'client.erase');

  await operators.addOperator.run(context, { email: 'root@example.com', name: 'Root', role: 'admin' });
  await changes(operators.addOperator, { email, name: 'Zoe', role: 'viewer' }, 'operator.add');
  await changes(operators.setOperator, { email, role: 'support' }, 'operator.set');
  await changes(access.createConsoleLink, { email }, 'operator.link');
  await changes(access.endSessions, { email }, 'operator.sign_out');
  await changes(operators.removeOperator, { email }, 'operator.remove');
  await changes(numbers.skipNumbers, { count: '5' }, 'numbers.skip');

  const made = await changes(operatorKeys.createOperatorKey, { name: 'Billing', role: 'viewer' }, 'ops_key.create');
  await changes(operatorKeys.revokeOperatorKey, { key_id: made.key_id }, 'ops_key.revoke');

  await brokers.suspendBroker.run(context, { broker });
  context.clock.advance(86_400_000);
  await changes(removeBroker, { broker }, 'broker.remove');

  const named = ALL.map(({ name }) => name);
  t.strictSame([...done, ...READS].sort(), named.sort(), 'each is either run here or changes nothing');
});
