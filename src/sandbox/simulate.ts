import type { Clock } from '../clock.ts';
import { fail } from '../errors.ts';
import type { NewId } from '../ids.ts';
import { type Context, createContext } from '../operations/context.ts';
import { fulfilRequest } from '../operations/fulfil-request.ts';
import { idempotently } from '../operations/idempotently.ts';
import {
  createOperations,
  type InputOf,
  OPERATION_NAMES,
  type OperationName,
  type Operations,
} from '../operations/operations.ts';
import { reviewRequest } from '../operations/operator-requests.ts';
import type { Caller, Claim, Outcome, StoredAnswer } from '../operations/outcome.ts';
import { MailFailure, type Provisioner, type TemplateRenderer } from '../operations/ports.ts';
import type { BrokerRow, RecipientRow } from '../store/brokers.ts';
import { openStage } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import {
  CREATED_NUMBER,
  FLEET_BROKER_ID,
  type FleetService,
  fleetService,
  fleetServiceRow,
  planId,
  setFleet,
} from './fleet.ts';
import { createScenarioIds, type Scenario } from './scenario-ids.ts';

export interface SandboxParts {
  /** The real store: for idempotency records, and for whom a broker's reports may go to. */
  store: Store;
  live: Operations;
  templates: TemplateRenderer;
  clock: Clock;
  newId: NewId;
}

/** How long simulated work and simulated reviews take. */
const WORK_MS = 10_000;
const REVIEW_MS = 20_000;

const MARKS = { mode: 'test', simulated: true };

/** Both are real in the sandbox too: they tell of the key and the network, not of records. */
const REAL: readonly OperationName[] = ['describeAccess', 'describeAuthorization'];

/**
 * The operations of sandbox keys (contract, section 8): the very operations that live keys get, rehearsed on a
 * stage that holds the simulated fleet, and undone after each call. No rule is written twice, nothing is
 * changed, and no email leaves. Only idempotency records are kept, in the real store, under mode test.
 */
export async function createSandbox({ store, live, templates, clock, newId }: SandboxParts) {
  const secret = await store.read.settings.find('sandbox_secret');
  if (secret === null) throw new Error('the database has no sandbox_secret: its migrations are incomplete');
  const ids = createScenarioIds(secret);
  const stage = await openStage(setFleet);
  const acting: { now: number | undefined; requestId: string | undefined; scene: Scene } = {
    now: undefined,
    requestId: undefined,
    scene: {},
  };

  /** The clock of the stage shows another time while an earlier event is played again. */
  const stageClock: Clock = { now: () => acting.now ?? clock.now(), monotonic: clock.monotonic };
  const contextOn = (staged: Store): Context =>
    createContext({
      store: withFaults(staged, acting),
      mailer: {
        async send() {
          if (acting.scene.service?.fault === 'mail_fails') {
            throw new MailFailure('rejected', 'the simulated provider refuses', { providerCode: 406 });
          }
          return { messageId: 'simulated' };
        },
      },
      templates,
      clock: stageClock,
      newId: (prefix, atMs) => (prefix === 'req' && acting.requestId) || newId(prefix, atMs),
      log: { error() {}, warn() {} },
    });

  const caller: Caller = { brokerId: FLEET_BROKER_ID };

  async function simulate<Name extends OperationName>(
    name: Name,
    owner: Caller,
    input: InputOf<Name>,
  ): Promise<Outcome<unknown>> {
    const scene = await sceneOf(store, name, owner, input as object);
    const outcome = await stage.rehearse(async (staged) => {
      acting.scene = scene;
      acting.now = undefined;
      acting.requestId = undefined;
      const context = contextOn(staged);
      const operations = createOperations(context);
      const { requestId } = input as { requestId?: string };
      const scenario = requestId === undefined ? undefined : ids.decode(owner.brokerId, requestId);
      const creates = name === 'createService' || scenario?.type === 'service-creation';
      if (!creates) await addCreatedService(staged);
      if (requestId !== undefined && scenario) await play(context, operations, requestId, scenario);
      return (await operations[name](caller, input as never)) as Outcome<unknown>;
    });
    return marked(named(owner, outcome));
  }

  /** Plays a request's story again, from its submission up to now, under the id that tells it. */
  async function play(context: Context, operations: Operations, requestId: string, scenario: Scenario): Promise<void> {
    const now = clock.now();
    const { submittedAt, type } = scenario;
    acting.requestId = requestId;
    acting.now = submittedAt;
    acting.scene = { service: fleetService(scenario.serviceNumber) };
    await submit(operations, scenario);
    acting.requestId = undefined;

    const course = type === 'plan-upgrade' || type === 'plan-downgrade' ? acting.scene.service?.course : undefined;
    let acceptedAt = submittedAt;
    if (course === 'review_accepted' || course === 'review_denied') {
      acceptedAt = submittedAt + REVIEW_MS;
      acting.now = acceptedAt;
      if (acceptedAt <= now) {
        await reviewRequest(context, { requestId, accept: course === 'review_accepted', reason: null });
      }
    }
    acting.now = acceptedAt + WORK_MS;
    if (acting.now <= now) await work(context, course === 'fails' ? failing : succeeding);
    acting.now = undefined;
  }

  function named(owner: Caller, outcome: Outcome<unknown>): Outcome<unknown> {
    const scenario = scenarioOf(outcome.data, newId('req', clock.now()).slice(-6));
    if (!scenario) return outcome;
    return { ...outcome, data: { ...(outcome.data as object), request_id: ids.encode(owner.brokerId, scenario) } };
  }

  return {
    operations: Object.fromEntries(
      OPERATION_NAMES.map((name) => [
        name,
        REAL.includes(name)
          ? live[name]
          : (owner: Caller, input: InputOf<typeof name>, claim?: Claim) =>
              once(store, clock, claim, () => simulate(name, owner, input)),
      ]),
    ) as unknown as Operations,
    close: () => stage.close(),
  };
}

/** Who plays along in a call: the service it names, and for reports the broker's real addresses. */
interface Scene {
  service?: FleetService | undefined;
  broker?: BrokerRow | undefined;
  recipients?: RecipientRow[] | undefined;
}

async function sceneOf(store: Store, name: OperationName, owner: Caller, input: object): Promise<Scene> {
  const { serviceNumber } = input as { serviceNumber?: bigint | number };
  const service = serviceNumber === undefined ? undefined : fleetService(serviceNumber);
  if (!name.endsWith('Report')) return { service };
  const [broker, recipients] = await Promise.all([
    store.read.brokers.find(owner.brokerId),
    store.read.brokers.listRecipients(owner.brokerId),
  ]);
  return { broker: broker ?? undefined, recipients };
}

/** The stage's store, with what goes wrong on purpose: looking a service up, a template, the history. */
function withFaults(staged: Store, acting: { scene: Scene }): Store {
  const { read } = staged;
  const stumble = (number: number): void => {
    const fault = fleetService(number)?.fault;
    if (fault === 'rate_limited') throw fail.rateLimited(SIMULATED_LIMIT.requests, SIMULATED_LIMIT.seconds, 1);
    if (fault === 'server_error') throw fail.internal(new Error('the sandbox was asked for this'));
  };
  return {
    ...staged,
    read: {
      ...read,
      services: {
        ...read.services,
        async find(brokerId, number) {
          stumble(number);
          return read.services.find(brokerId, number);
        },
        async findView(brokerId, number) {
          stumble(number);
          return read.services.findView(brokerId, number);
        },
      },
      templates: {
        ...read.templates,
        findActive: async (brokerId, kind) =>
          acting.scene.service?.fault === 'no_template' ? null : read.templates.findActive(brokerId, kind),
      },
      brokers: {
        ...read.brokers,
        find: async (brokerId) => acting.scene.broker ?? read.brokers.find(brokerId),
        listRecipients: async (brokerId) => acting.scene.recipients ?? read.brokers.listRecipients(brokerId),
      },
    },
    tx: (work) =>
      staged.tx((tx) =>
        work({
          ...tx,
          services: {
            ...tx.services,
            async lock(brokerId, number) {
              stumble(number);
              return tx.services.lock(brokerId, number);
            },
          },
          requests: {
            ...tx.requests,
            async insert(row) {
              if (acting.scene.service?.fault === 'history_fails' && row.type === 'cancellation-warning') {
                throw new Error('the sandbox was asked for this');
              }
              await tx.requests.insert(row);
            },
          },
          sequences: { ...tx.sequences, nextServiceNumber: async () => CREATED_NUMBER },
        }),
      ),
  };
}

const SIMULATED_LIMIT = { requests: 120, seconds: 60 };

/** Does once what an idempotency key asks for; a simulation has no effects, so only its answer is kept. */
async function once(
  store: Store,
  clock: Clock,
  claim: Claim | undefined,
  simulate: () => Promise<Outcome<unknown>>,
): Promise<Outcome<unknown> | StoredAnswer> {
  if (!claim) return simulate();
  // Played outside of the transaction, which waits for nothing but the store; its refusal is thrown inside, behind
  // the check of the key.
  const [played] = await Promise.allSettled([simulate()]);
  return store.tx((tx) =>
    idempotently(tx, claim, clock.now(), async () => {
      if (played.status === 'rejected') throw played.reason;
      return played.value;
    }),
  );
}

const addCreatedService = (staged: Store) =>
  staged.tx(async (tx) => {
    const created = fleetService(CREATED_NUMBER);
    if (created) await tx.services.insert([fleetServiceRow(created)]);
  });

async function submit(operations: Operations, scenario: Scenario): Promise<void> {
  const caller: Caller = { brokerId: FLEET_BROKER_ID };
  const serviceNumber = BigInt(scenario.serviceNumber);
  const plan = planId(scenario.variant.replaceAll('_', '-'));
  switch (scenario.type) {
    case 'plan-upgrade':
    case 'plan-downgrade': {
      const direction = scenario.type === 'plan-upgrade' ? 'upgrade' : 'downgrade';
      await operations.changePlan(caller, { serviceNumber, direction, newPlan: plan });
      return;
    }
    case 'cancellation': {
      const cancellationType = scenario.variant === 'immediate' ? 'immediate' : 'end_of_term';
      await operations.cancelService(caller, { serviceNumber, cancellationType, reason: null });
      return;
    }
    case 'service-creation': {
      const client = { name: 'Sam Sandbox', email: 'client@example.com' };
      await operations.createService(caller, { plan, client, label: null, externalReference: null });
      return;
    }
    case 'cancellation-warning':
      await operations.warnCancellation(caller, { serviceNumber, warningReason: 'A simulated reason.' });
  }
}

const succeeding: Provisioner = { fulfil: async () => ({ outcome: 'done' }) };
const failing: Provisioner = {
  fulfil: async () => ({
    outcome: 'failed',
    reason: 'provisioning_failed',
    message: 'The plan could not be changed; the service works as before',
    serviceUsable: true,
    retryable: true,
  }),
};

/** The worker's part: whatever is due on the stage at its present time. */
async function work(context: Context, provisioner: Provisioner): Promise<void> {
  const now = context.clock.now();
  const leased = await context.store.tx((tx) =>
    tx.requests.claimDue({ now, leaseUntil: now + WORK_MS, leaseOwner: 'stage', limit: 10 }),
  );
  for (const lease of leased) await fulfilRequest(context, provisioner, lease);
}

/** What an answer is about, where it is a request that this call has submitted. */
function scenarioOf(data: unknown, nonce: string): Scenario | undefined {
  const { request_id, type, service_number, submitted_date, new_plan, cancellation_type } = data as {
    request_id?: string | null;
    type?: Scenario['type'];
    service_number?: number;
    submitted_date?: string;
    new_plan?: { slug: string };
    cancellation_type?: string;
  };
  if (!request_id || request_id.startsWith('req_test_') || !type || !service_number || !submitted_date)
    return undefined;
  return {
    type,
    serviceNumber: service_number,
    variant: new_plan?.slug ?? cancellation_type ?? '',
    submittedAt: Date.parse(submitted_date),
    nonce,
  };
}

/** Marks the data itself, or each item of a list. */
const marked = (outcome: Outcome<unknown>): Outcome<unknown> => ({
  ...outcome,
  data: Array.isArray(outcome.data)
    ? outcome.data.map((item: object) => ({ ...item, ...MARKS }))
    : { ...(outcome.data as object), ...MARKS },
});
