import t from 'tap';
import { REASONS, type Reason } from '../../../src/errors.ts';
import { createSandboxWorld, type SandboxWorld } from '../../support/sandbox.ts';
import type { Answer } from '../../support/v1.ts';

interface Item {
  scenario: string;
  kind: 'service' | 'request' | 'plan';
  service_number: number | null;
  request_id: string | null;
  plan_id: string | null;
  description: string;
  provokes: Array<{ operation: string; status: number; code: string | null; reason: Reason | null }>;
}

const client = { name: 'Ada Example', email: 'ada@example.com' };

/** How a claim is played: what the operation is called with, by the reason that it shall give. */
async function play({ get, post }: SandboxWorld, item: Item, claim: Item['provokes'][number]): Promise<Answer> {
  const number = item.service_number ?? 900001;
  const service = `/services/${number}`;
  const { operation, reason, status } = claim;
  const plan =
    item.plan_id ??
    PLANS[String(reason)] ??
    (operation === 'upgradeService' ? 'enterprise' : item.service_number === 900018 ? 'starter' : 'business');
  switch (operation) {
    case 'getService':
      return get(service);
    case 'readCredentials':
      return get(`${service}/credentials`);
    case 'listUpgradeOptions':
      return get(`${service}/upgrade-options`);
    case 'createService':
      return post('/services', { plan, client });
    case 'updateService':
      return post(`${service}/update`, { label: 'Shop' });
    case 'cancelService':
      return post(`${service}/cancel`);
    case 'suspendService':
      return post(`${service}/suspend`);
    case 'unsuspendService':
      return post(`${service}/unsuspend`);
    case 'warnCancellation':
      return post(`${service}/cancellation-warning`, { warningReason: 'An invoice is overdue.' });
    case 'sendInvoicesReport':
      return post('/reports/invoices', { service_number: number, recipient_email: 'somebody@example.com' });
    case 'upgradeService':
    case 'downgradeService': {
      const path = `${service}/${operation.replace('Service', '')}`;
      const key = { 'x-idempotency-key': 'one' };
      if (reason === 'idempotency_key_reused') await post(path, { new_plan: 'business' }, key);
      return post(path, { new_plan: plan }, reason === 'idempotency_key_reused' ? key : {});
    }
    case 'approveRequest':
    case 'denyRequest':
    case 'withdrawRequest': {
      let id = item.request_id;
      if (reason === 'work_has_begun') {
        id = (await post(`${service}/upgrade`, { new_plan: 'business' })).json.data.request_id;
        await post('/sandbox/clock', { advance_seconds: 7 });
      } else if (reason === 'creation_closed') id = (await post(`${service}/cancel`)).json.data.request_id;
      return post(`/requests/${id}/${operation.replace('Request', '')}`, { reason: 'As agreed.' });
    }
    default:
      throw new Error(`the test cannot play ${operation} ${status}`);
  }
}

const PLANS: Record<string, string> = {
  plan_not_available: 'platinum',
  plan_rank_not_higher: 'business',
};

/** What no record provokes: by another call, or not in a sandbox at all (docs/sandbox.md says how and why). */
const ELSEWHERE: Reason[] = [
  // By the call itself, in both modes alike.
  ...REASONS.invalid_request,
  ...REASONS.authentication_failed,
  ...REASONS.insufficient_permissions,
  // By two of a kind one after the other, and by another name (test/routes/v1/suspend.test.ts, actions.test.ts).
  'suspension_in_progress',
  'action_in_progress',
  'action_not_available',
  // By where the clock goes, and by a thousand services (test/sandbox/sandbox.test.ts).
  'clock_out_of_range',
  'sandbox_full',
  // By a loss of live records (test/routes/v1/records-lost.test.ts).
  'records_lost',
  // Not at all: its operator submits nothing, it is too small for a large report, and it has no limit of warnings.
  'asked_by_operator',
  'report_too_large',
  'warning_limit',
];

t.test('the scenarios of the sandbox', async (t) => {
  const world = await createSandboxWorld(t);
  const { get, post } = world;
  const all = await get('/sandbox/scenarios?limit=100');
  const items: Item[] = all.json.data;

  t.test('provoke what they say, in a sandbox as it is made', async (t) => {
    for (const item of items) {
      for (const claim of item.provokes) {
        await post('/sandbox/reset');
        const { status, json } = await play(world, item, claim);
        const { code = null, details } = json.error ?? {};
        t.strictSame(
          { operation: claim.operation, status, code, reason: details?.reason ?? null },
          claim,
          `${item.scenario} ${claim.operation}`,
        );
      }
    }
  });

  t.test('provoke every reason that a record can provoke', async (t) => {
    const provoked = items.flatMap(({ provokes }) => provokes.flatMap(({ reason }) => reason ?? []));
    t.strictSame([...new Set([...provoked, ...ELSEWHERE])].sort(), [...Object.values(REASONS).flat()].sort());
  });
});
