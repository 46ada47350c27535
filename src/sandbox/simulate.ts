import type { Clock } from '../clock.ts';
import { fail } from '../errors.ts';
import type { NewId } from '../ids.ts';
import { idempotently } from '../operations/idempotently.ts';
import {
  createOperations,
  type InputOf,
  OPERATION_NAMES,
  type OperationName,
  type Operations,
} from '../operations/operations.ts';
import type { Caller, Claim, Outcome, StoredAnswer } from '../operations/outcome.ts';
import type { TemplateRenderer } from '../operations/ports.ts';
import { openStage } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { FLEET_CALLER, fleetService, setCreatedService, setFleet } from './fleet.ts';
import { createScenarioIds } from './scenario-ids.ts';
import { createStageContext, type Scene } from './stage-context.ts';
import { playStory, scenarioOf } from './story.ts';

export interface SandboxParts {
  /** The real store: for idempotency records, and for whom a broker's reports may go to. */
  store: Store;
  live: Operations;
  templates: TemplateRenderer;
  clock: Clock;
  newId: NewId;
}

const MARKS = { mode: 'test', simulated: true };

/** Both are real in the sandbox too: they tell of the key and the network, not of records. */
const REAL: readonly OperationName[] = ['describeAccess', 'describeAuthorization'];

/** What a simulated refusal says of the limit; its own number and window are the defaults. */
const SIMULATED_LIMIT = { requests: 120, windowSeconds: 60, retryAfterSeconds: 1 };

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

  async function simulate<Name extends OperationName>(
    name: Name,
    owner: Caller,
    input: InputOf<Name>,
  ): Promise<Outcome<unknown>> {
    const { serviceNumber, requestId } = input as { serviceNumber?: bigint | number; requestId?: string };
    const fault = serviceNumber === undefined ? undefined : fleetService(serviceNumber)?.fault;
    if (fault === 'server_error') throw fail.internal();
    if (fault === 'rate_limited') {
      const { requests, windowSeconds, retryAfterSeconds } = SIMULATED_LIMIT;
      throw fail.rateLimited(requests, windowSeconds, retryAfterSeconds);
    }
    const scene: Scene = {
      ...(name === 'warnCancellation' && { fault }),
      ...(name.endsWith('Report') && (await addressesOf(store, owner))),
    };

    const outcome = await stage.rehearse(async (staged) => {
      const scenario = requestId === undefined ? undefined : ids.decode(owner.brokerId, requestId);
      if (name !== 'createService' && scenario?.type !== 'service-creation') await setCreatedService(staged);
      if (requestId !== undefined && scenario) {
        const contextAt = (ms: number, given?: string) =>
          createStageContext(staged, scene, {
            templates,
            clock: { now: () => ms, monotonic: clock.monotonic },
            newId: (prefix, atMs) => (prefix === 'req' && given) || newId(prefix, atMs),
          });
        await playStory(contextAt, requestId, scenario, clock.now());
      }
      const operations = createOperations(createStageContext(staged, scene, { templates, clock, newId }));
      return (await operations[name](FLEET_CALLER, input as never)) as Outcome<unknown>;
    });

    const submitted = scenarioOf(name, outcome.data);
    return marked(outcome, submitted && { request_id: ids.encode(owner.brokerId, submitted) });
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

async function addressesOf({ read }: Store, { brokerId }: Caller): Promise<Scene> {
  const [broker, recipients] = await Promise.all([read.brokers.find(brokerId), read.brokers.listRecipients(brokerId)]);
  return { broker, recipients };
}

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

/** Marks the data itself, or each item of a list; `more` is what else the answer says otherwise. */
const marked = (outcome: Outcome<unknown>, more?: object): Outcome<unknown> => ({
  ...outcome,
  data: Array.isArray(outcome.data)
    ? outcome.data.map((item: object) => ({ ...item, ...MARKS }))
    : { ...(outcome.data as object), ...more, ...MARKS },
});
