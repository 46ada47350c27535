import fc from 'fast-check';
import t from 'tap';
import { createService } from '../../src/broker/create-service.ts';
import { approveRequest, denyRequest, withdrawRequest } from '../../src/broker/decide-request.ts';
import {
  cancelService,
  downgradeService,
  suspendService,
  unsuspendService,
  upgradeService,
} from '../../src/broker/submit-request.ts';
import { ApiError } from '../../src/errors.ts';
import { reviewRequest, submitForClient, withdrawForOperator } from '../../src/lifecycle/operator-requests.ts';
import {
  resumeService as resumeByOperator,
  suspendService as suspendByOperator,
} from '../../src/operator/services/services.ts';
import { actionUseCase, cancelService as cancelByOperator } from '../../src/operator/services/work.ts';
import { OperatorError } from '../../src/operator/use-case/errors.ts';
import type { Provisioner, WorkOutcome } from '../../src/ports.ts';
import type { Action } from '../../src/rules/offers.ts';
import { canMove } from '../../src/rules/request-states.ts';
import { isFinal } from '../../src/rules/words.ts';
import type { PlanRow } from '../../src/store/queries/plans.ts';
import type { RequestRow } from '../../src/store/queries/requests.ts';
import type { Store } from '../../src/store/store.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { full } from '../support/full.ts';
import { ON_POSTGRES } from '../support/services.ts';
import { AN_OPERATOR, createWorld, type World } from '../support/world.ts';

const DAY_MS = 86_400_000;
const PAGE = { limit: 1000, offset: 0 };
const PLANS = ['small', 'medium', 'large'];
/** The last one is never corrected by hand. */
const NUMBERS = [5000, 5001, 5002];
const CORRECTED = NUMBERS.slice(0, 2);

const REBOOT: Action = {
  name: 'reboot',
  display_name: 'Reboot',
  description: null,
  options: [],
  requires_operator_review: false,
  destroys_data: false,
};

/** What one participant of the storm does; `pick` chooses among the services, plans or requests there are. */
type Act =
  | { kind: 'upgrade' | 'downgrade' | 'submit-upgrade' | 'cancel' | 'submit-cancel'; pick: number; plan: number }
  | {
      kind: 'approve' | 'deny' | 'review-accept' | 'review-deny' | 'withdraw' | 'operator-withdraw';
      pick: number;
      plan: number;
    }
  | {
      kind:
        | 'create'
        | 'cancel-new'
        | 'broker-suspend'
        | 'broker-unsuspend'
        | 'operator-suspend'
        | 'operator-resume'
        | 'operator-action'
        | 'operator-cancel'
        | 'suspend'
        | 'activate'
        | 'wait'
        | 'work'
        | 'work-killed';
      pick: number;
      plan: number;
    };

const KINDS: Act['kind'][] = [
  'upgrade',
  'upgrade',
  'downgrade',
  'downgrade',
  'submit-upgrade',
  'submit-cancel',
  'cancel',
  'approve',
  'deny',
  'review-accept',
  'review-deny',
  'withdraw',
  'operator-withdraw',
  'cancel-new',
  'create',
  'broker-suspend',
  'broker-suspend',
  'broker-unsuspend',
  'operator-suspend',
  'operator-suspend',
  'operator-resume',
  'operator-resume',
  'operator-action',
  'operator-cancel',
  'suspend',
  'activate',
  'activate',
  'wait',
  'work',
  'work',
  'work-killed',
];

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(...KINDS),
  pick: fc.nat(1000),
  plan: fc.nat(2),
}) as never;

/** Acts of one gust go off together; the gusts follow one another. */
const storm = fc.array(fc.array(act, { minLength: 1, maxLength: 8 }), { minLength: 10, maxLength: 30 });

/** Done mostly, and now and then everything else that can happen. */
function moodyProvisioner(): Provisioner {
  let calls = 0;
  const moods: WorkOutcome[] = [
    { outcome: 'done' },
    { outcome: 'done' },
    { outcome: 'done' },
    { outcome: 'retry', reason: 'outcome_unknown', message: 'Cut off', mayBeDone: true },
    { outcome: 'done' },
    { outcome: 'failed', reason: 'no_capacity', message: 'None', serviceUsable: true, retryable: true },
    { outcome: 'retry', reason: 'provisioner_unreachable', message: 'Away', mayBeDone: false },
  ];
  return {
    async fulfil({ type, service }) {
      calls += 1;
      // Others get their turn while the work is done.
      await new Promise((resolve) => setImmediate(resolve));
      if (type === 'service-creation' && calls % 3 === 0) return ended('outcome_unknown');
      if (type === 'cancellation' && service.service_status === 'pending' && calls % 2 === 0) {
        return ended('service_not_found');
      }
      return moods[calls % moods.length] as WorkOutcome;
    },
  };
}

const ended = (reason: string): WorkOutcome => ({
  outcome: 'failed',
  reason,
  message: 'It ended',
  serviceUsable: false,
  retryable: false,
});

class Killed extends Error {}

const EXPECTED = [ApiError, OperatorError, Killed];

/** A store that a worker loses right after its claim: as a SIGKILL in the middle of its work would look to the others. */
function storeOfTheDoomed(store: Store): Store {
  let claimed = false;
  return {
    ...store,
    tx: (work) => {
      if (claimed) return Promise.reject(new Killed());
      claimed = true;
      return store.tx(work);
    },
  };
}

const oneOf = <T>(items: readonly T[], pick: number): T | undefined => items[pick % items.length];

async function play(
  world: World,
  brokerId: string,
  provisioner: Provisioner,
  { kind, pick, plan }: Act,
): Promise<unknown> {
  const { context, store, clock } = world;
  const caller = { brokerId };
  const deps = { ...context, actor: AN_OPERATOR };
  const serviceNumber = oneOf(NUMBERS, pick) as number;
  const newPlan = PLANS[plan] as string;
  const request = async (...statuses: RequestRow['status'][]) => {
    const rows = (await store.read.requests.page(brokerId, {}, PAGE)).map((view) => view.request);
    return (
      oneOf(
        rows.filter((row) => statuses.includes(row.status)),
        pick,
      )?.id ?? 'none'
    );
  };
  const pending = () => store.read.services.page(brokerId, { status: 'pending' }, PAGE);
  switch (kind) {
    case 'upgrade':
    case 'downgrade':
      return (kind === 'upgrade' ? upgradeService : downgradeService)(context, caller, { serviceNumber, newPlan });
    case 'submit-upgrade':
      return submitForClient(context, { ...caller, serviceNumber, type: 'plan-upgrade', newPlan, reason: null });
    case 'submit-cancel':
      return submitForClient(context, {
        ...caller,
        serviceNumber,
        type: 'cancellation',
        cancellationType: 'end_of_term',
        reason: null,
      });
    case 'cancel':
    case 'cancel-new': {
      const made = kind === 'cancel-new' && oneOf(await pending(), pick)?.service.number;
      const cancellationType = plan === 0 ? 'immediate' : 'end_of_term';
      return cancelService(context, caller, { serviceNumber: made || serviceNumber, cancellationType, reason: null });
    }
    case 'approve':
      return approveRequest(context, caller, { requestId: await request('pending'), reason: null });
    case 'deny':
      return denyRequest(context, caller, { requestId: await request('pending'), reason: 'No' });
    case 'review-accept':
    case 'review-deny': {
      const accept = kind === 'review-accept';
      return reviewRequest(context, { requestId: await request('operator_review'), accept, reason: null });
    }
    case 'withdraw':
      return withdrawRequest(context, caller, {
        requestId: await request('accepted', 'operator_review'),
        reason: null,
      });
    case 'operator-withdraw':
      return withdrawForOperator(context, { requestId: await request('accepted', 'operator_review'), reason: null });
    case 'create': {
      const client = { name: 'Ada', email: 'ada@example.com' };
      return createService(context, caller, { plan: newPlan, client, label: null, externalReference: null });
    }
    case 'broker-suspend':
      return suspendService(context, caller, { serviceNumber, reason: 'overdue' });
    case 'broker-unsuspend':
      return unsuspendService(context, caller, { serviceNumber });
    case 'operator-suspend':
      return suspendByOperator.run(deps, { service_number: serviceNumber });
    case 'operator-resume':
      return resumeByOperator.run(deps, { service_number: serviceNumber });
    case 'operator-action':
      return actionUseCase(REBOOT).run(deps, { service_number: serviceNumber });
    case 'operator-cancel': {
      const made = oneOf(await pending(), pick)?.service.number;
      return cancelByOperator.run(deps, { service_number: made ?? serviceNumber });
    }
    case 'suspend':
    case 'activate': {
      // The operator's hand, which also brings services back that had ended.
      const status = kind === 'suspend' ? 'suspended' : 'active';
      return store.tx(async (tx) => {
        const corrected = oneOf(CORRECTED, pick) as number;
        await tx.services.lock(brokerId, corrected);
        await tx.services.update(brokerId, corrected, { status });
      });
    }
    case 'wait':
      clock.advance(pick * DAY_MS * 0.01);
      return undefined;
    case 'work':
      return createWorker({ context, provisioner, keptDays: { emails: 90, calls: 14, audit: 730 } }).runOnce();
    case 'work-killed': {
      const doomed = { ...context, store: storeOfTheDoomed(store) };
      return createWorker({
        context: doomed,
        provisioner,
        keptDays: { emails: 90, calls: 14, audit: 730 },
        concurrency: 2,
      }).runOnce();
    }
  }
}

/** Everything that must hold after every gust. */
async function faults({ store }: World, brokerId: string, plansAtStart: Map<number, string>): Promise<string[]> {
  const found: string[] = [];
  const requests = (await store.read.requests.page(brokerId, {}, PAGE)).map((view) => view.request);
  const services = (await store.read.services.page(brokerId, {}, PAGE)).map((view) => view.service);

  for (const service of services) {
    const own = requests.filter((row) => row.serviceNumber === service.number);
    const open = own.filter((row) => !isFinal(row.status));
    const changes = (rows: RequestRow[]) =>
      rows.filter((row) => row.type === 'plan-upgrade' || row.type === 'plan-downgrade');
    if (changes(open).length > 1) found.push(`${service.number} has ${changes(open).length} open plan changes`);
    const cancellations = open.filter((row) => row.type === 'cancellation');
    if (cancellations.length > 1) found.push(`${service.number} has ${cancellations.length} open cancellations`);
    const suspensions = open.filter((row) => row.type === 'service-suspension' || row.type === 'service-unsuspension');
    if (suspensions.filter((row) => row.dueAt !== null).length > 1 || suspensions.length > 2)
      found.push(`${service.number} has ${suspensions.length} open suspensions`);
    if (suspensions.length > 0 && suspensions.every((row) => row.dueAt === null))
      found.push(`${service.number} has a suspension that waits for nothing`);
    if ((service.status === 'suspended') !== (service.suspendedAt !== null))
      found.push(`${service.number} is ${service.status} and suspended by ${service.suspendedBy}`);
    const asked = open.some((row) => row.type === 'service-suspension' && row.origin === 'operator');
    // A broker's suspension that overlapped with other work comes once more, as a request of the operator.
    if (asked && !CORRECTED.includes(service.number) && service.status !== 'suspended')
      found.push(`${service.number} is ${service.status} and its operator's suspension is under way`);
    if (open.filter((row) => row.type === 'service-action').length > 1)
      found.push(`${service.number} has several open actions`);
    const isLost = own.some((row) => row.type === 'service-creation' && row.failureReason === 'outcome_unknown');
    const cleanUps = own.filter((row) => row.cleansUp);
    if (isLost !== cleanUps.length > 0)
      found.push(
        `${service.number} has ${cleanUps.length} clean-ups after a creation that is ${isLost ? '' : 'not '}lost`,
      );
    if (isLost && service.status !== 'pending' && (service.status !== 'terminated' || service.cancelledAt !== null))
      found.push(`${service.number} was never delivered and is ${service.status}`);
    const scheduled = cancellations.find((row) => row.status === 'accepted');
    if (scheduled && service.cancellationRequestId !== scheduled.id)
      found.push(`${service.number} hides its cancellation`);
    if (service.status === 'pending' && open.length === 0 && cleanUps.every((row) => row.status !== 'failed'))
      found.push(`${service.number} is pending for good`);
    // Every completed change moved the plan on from where it was accepted, and nothing else did.
    const path = changes(own)
      .filter((row) => row.status === 'completed')
      .sort((a, b) => (a.processedAt as number) - (b.processedAt as number) || (a.id < b.id ? -1 : 1));
    const start = plansAtStart.get(service.number) ?? own.find((row) => row.type === 'service-creation')?.newPlanId;
    const walked = path.reduce((plan, row) => (row.currentPlanId === plan ? row.newPlanId : 'lost'), start ?? null);
    if (walked !== service.planId) found.push(`${service.number} is on a plan without a completed request`);
  }
  for (const row of requests) {
    const history = (await store.read.requests.listHistory(brokerId, row.id)).map(
      ({ status }) => status as RequestRow['status'],
    );
    for (const [index, status] of history.slice(1).entries()) {
      const from = history[index] as RequestRow['status'];
      if (!canMove(from, status)) found.push(`${row.id} moved from ${from} to ${status}`);
    }
    if (history.at(-1) !== row.status) found.push(`${row.id} is ${row.status} without a line in its history`);
    if (isFinal(row.status) !== (row.processedAt !== null)) found.push(`${row.id} has a wrong processed date`);
    const waits = row.dueAt === null && /suspension$/.test(row.type);
    if ((row.status === 'accepted') !== (row.dueAt !== null) && !waits) found.push(`${row.id} has a wrong due date`);
    if ((row.status === 'failed') !== (row.failureReason !== null)) found.push(`${row.id} has a wrong failure`);
  }
  for (const status of new Set(requests.map((row) => row.status))) {
    const counted = await store.read.counters.total(brokerId, 'requests', { status });
    const there = requests.filter((row) => row.status === status).length;
    if (counted !== there) found.push(`${there} requests are ${status}, counted as ${counted}`);
  }
  for (const { status, planId } of services) {
    const counted = await store.read.counters.total(brokerId, 'services', { status, kinds: [planId] });
    const there = services.filter((row) => row.status === status && row.planId === planId).length;
    if (counted !== there) found.push(`${there} services are ${status} on ${planId}, counted as ${counted}`);
  }
  return found;
}

t.test(
  'no storm of calls, workers and kills breaks what the records promise, and in its calm all work comes to an end',
  async (t) => {
    let decided = 0;
    await fc.assert(
      fc.asyncProperty(storm, async (gusts) => {
        const world = await createWorld();
        try {
          const { store, clock, context } = world;
          context.hasProvisioner = true;
          const broker = await world.addBroker();
          const plans: PlanRow[] = [];
          for (const [index, slug] of PLANS.entries()) {
            const requiresOperatorReview = slug === 'large';
            plans.push(await world.addPlan(broker, { slug, upgradeRank: index, requiresOperatorReview }));
          }
          const offer = { options: [], actions: [REBOOT], hasCredentials: false, provisioning: null };
          await store.tx((tx) => tx.plans.putOffers(broker.id, new Map(plans.map((plan) => [plan.id, offer]))));
          const plansAtStart = new Map<number, string>();
          for (const [index, number] of NUMBERS.entries()) {
            const plan = plans[index];
            if (!plan) throw new Error('there are too few plans');
            await world.addService(broker, plan, { number: Number(number), renewalAt: clock.now() + 5 * DAY_MS });
            plansAtStart.set(Number(number), plan.id);
          }
          const provisioner = moodyProvisioner();
          for (const gust of gusts) {
            const ends = await Promise.allSettled(gust.map((each) => play(world, broker.id, provisioner, each)));
            for (const end of ends) {
              const isRefused = end.status === 'fulfilled' || EXPECTED.some((error) => end.reason instanceof error);
              if (!isRefused) throw end.reason;
            }
            const found = await faults(world, broker.id, plansAtStart);
            if (found.length > 0) throw new Error(found.join('; '));
          }
          const patient = createWorker({ context, provisioner, keptDays: { emails: 90, calls: 14, audit: 730 } });
          for (let days = 0; days < 60; days += 1) {
            await patient.runOnce();
            clock.advance(DAY_MS);
          }
          t.equal((await store.read.requests.page(broker.id, { status: 'accepted' }, PAGE)).length, 0);
          t.same(await faults(world, broker.id, plansAtStart), []);
          decided += await store.read.counters.total(broker.id, 'requests', { status: 'completed' });
        } finally {
          await world.close();
        }
      }),
      { numRuns: (ON_POSTGRES ? 2 : 6) * (full ? 20 : 1), endOnFailure: true },
    );
    t.ok(decided > 0, `the storm was one: ${decided} requests were completed`);
  },
);
