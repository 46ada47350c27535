import type { Clock } from '../clock.ts';
import { idempotently } from '../context/context.ts';
import type { Claim, MailingCaller, Outcome, StoredAnswer } from '../context/outcome.ts';
import { fail } from '../errors.ts';
import type { NewId } from '../ids.ts';
import { createOperations, type OperationName, type Operations } from '../operations/operations.ts';
import type { TemplateRenderer } from '../ports.ts';
import type { RequestRecord } from '../requests/record.ts';
import { secondsUntil } from '../rules/moments.ts';
import { type MemoryStore, openMemoryStore } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import { nextStepAt, scenarioOf, tellStory } from './progress.ts';
import { type Scenario, STORIES, storiesOf } from './request-ids.ts';
import { createScenarioIds } from './scenario-ids.ts';
import { addCreatedService, FLEET_CALLER, fillFleet, nextRenewal, renewFleet, seedService } from './seed-data.ts';
import { type Circumstances, simulatedContext } from './simulated-context.ts';

export interface SandboxParts {
  /** The real store: for idempotency records, and for whom a broker's reports may go to. */
  store: Store;
  live: Operations;
  templates: TemplateRenderer;
  clock: Clock;
  newId: NewId;
}

const MARKS = { mode: 'test', simulated: true };

/** These are real in the sandbox too: they tell of the key and the network, not of records. */
const REAL: readonly OperationName[] = ['describeAccess', 'describeAuthorization', 'listUsage'];

/** What a simulated refusal says of the limit; its own number and window are the defaults. */
const SIMULATED_LIMIT = { requests: 120, windowSeconds: 60, retryAfterSeconds: 1 };

/**
 * The operations of sandbox keys (contract, section 8): the very operations that live keys get, on a store in memory
 * that holds the simulated fleet and forgets each call. No rule is written twice, nothing is changed, and no email
 * leaves. Only idempotency records are kept, in the real store, under mode test.
 */
export async function createSandbox({ store, live, templates, clock, newId }: SandboxParts) {
  const secret = await store.read.settings.find('sandbox_secret');
  if (secret === null) throw new Error('the database has no sandbox_secret: its migrations are incomplete');
  const ids = createScenarioIds(secret);
  let nextRenewalAt: number;
  // Set up by the first simulated call: a process that gets none needs no second database.
  let opened: Promise<MemoryStore> | undefined;
  const openOnce = () => {
    opened ??= openMemoryStore(async (fleet) => {
      const now = clock.now();
      nextRenewalAt = nextRenewal(now);
      await fillFleet(fleet, now);
    });
    return opened;
  };

  /** The one moment of a call, with the fleet in the terms of that moment. */
  async function begin(fleet: Store): Promise<number> {
    const now = clock.now();
    if (nextRenewal(now) !== nextRenewalAt) {
      await renewFleet(fleet, now);
      nextRenewalAt = nextRenewal(now);
    }
    return now;
  }

  async function simulate(name: OperationName, owner: MailingCaller, input: object): Promise<Outcome<object>> {
    const { serviceNumber, requestId } = input as { serviceNumber?: number; requestId?: string };
    const fault = serviceNumber === undefined ? undefined : seedService(serviceNumber)?.fault;
    if (fault === 'server_error') throw fail.internal();
    if (fault === 'rate_limited') {
      const { requests, windowSeconds, retryAfterSeconds } = SIMULATED_LIMIT;
      throw fail.rateLimited(requests, windowSeconds, retryAfterSeconds);
    }
    const circumstances: Circumstances = {
      ...(name === 'warnCancellation' && { fault }),
      ...(name.endsWith('Report') && { recipients: await store.read.brokers.listRecipients(owner.brokerId) }),
    };

    const scenario = requestId === undefined ? undefined : ids.decode(owner.brokerId, requestId);

    const simulation = await openOnce();
    return simulation.dryRun(begin, async (fleet, now) => {
      const contextOf = (ms: number, newIdOf: NewId) => {
        const at = { now: () => ms, monotonic: clock.monotonic };
        return simulatedContext(fleet, circumstances, { templates, clock: at, newId: newIdOf });
      };
      const stories = scenario ? [STORIES[scenario.type]] : storiesOf(name);
      if (!stories.some((story) => story.creates)) await addCreatedService(fleet, now);
      if (requestId !== undefined && scenario) {
        const contextAt = async (ms: number, given?: string) => {
          await renewFleet(fleet, ms, scenario.serviceNumber);
          return contextOf(ms, (prefix, atMs) => (prefix === 'req' && given) || newId(prefix, atMs));
        };
        await tellStory(contextAt, requestId, scenario, now);
      }
      const operations = createOperations(contextOf(now, newId));
      // Its own caller has given each operation what it takes; without a key it answers with an outcome.
      const operation = operations[name] as (caller: MailingCaller, input: object) => Promise<Outcome<object>>;
      const outcome = await operation({ ...FLEET_CALLER, broker: owner.broker }, input);
      const submitted = scenarioOf(name, outcome.data);
      return marked(outcome, {
        ...(submitted && { request_id: ids.encode(owner.brokerId, submitted) }),
        ...nextCheck(submitted ?? scenario, outcome.data, now),
      });
    });
  }

  const simulated = (name: OperationName) => (owner: MailingCaller, input: object, claim?: Claim) =>
    once(store, clock, claim, () => simulate(name, owner, input));
  return {
    // Each simulated operation takes and answers what the live one of its name does, which a list cannot tell.
    operations: Object.fromEntries(
      (Object.keys(live) as OperationName[]).map((name) => [name, REAL.includes(name) ? live[name] : simulated(name)]),
    ) as Operations,
    async close() {
      (await opened)?.close();
    },
  };
}

/** Does once what an idempotency key asks for; a simulation has no effects, so only its answer is kept. */
async function once(
  store: Store,
  clock: Clock,
  claim: Claim | undefined,
  simulate: () => Promise<Outcome<object>>,
): Promise<Outcome<object> | StoredAnswer> {
  if (!claim) return simulate();
  // Simulated outside of the transaction, which waits for nothing but the store; its refusal is thrown inside, behind
  // the check of the key.
  const [done] = await Promise.allSettled([simulate()]);
  return store.tx((tx) =>
    idempotently(tx, claim, clock.now(), async () => {
      if (done.status === 'rejected') throw done.reason;
      return done.value;
    }),
  );
}

/** When it is worth asking again for a request of a story: when it goes on. */
function nextCheck(scenario: Scenario | undefined, data: object, now: number): object | undefined {
  const { next_check_seconds: live, request_status: status, effective_date: date } = data as Partial<RequestRecord>;
  if (!scenario || status === undefined || typeof live !== 'number') return undefined;
  const nextAt = nextStepAt(scenario, status, date ? Date.parse(date) : null);
  return { next_check_seconds: secondsUntil(nextAt, now) };
}

/** Marks the data itself, or each item of a list; `more` is what else the answer says otherwise. */
const marked = (outcome: Outcome<object>, more?: object): Outcome<object> => ({
  ...outcome,
  data: Array.isArray(outcome.data)
    ? outcome.data.map((item: object) => ({ ...item, ...MARKS }))
    : { ...outcome.data, ...more, ...MARKS },
});
