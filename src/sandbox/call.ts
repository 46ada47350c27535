import type { Claim, MailingCaller, Operation, Outcome, StoredAnswer } from '../broker/operation.ts';
import type { Context } from '../ports.ts';
import { secondsUntil } from '../rules/timestamps.ts';
import type { Reads, Store } from '../store/store.ts';
import type { SandboxDatabase } from './database.ts';
import { type Behaviour, behaviourOf, FIRST_CREATED } from './services.ts';
import type { Settler } from './settle.ts';
import { refuse, type SimulatedCall, simulatedReads, simulatedTx, unrecordedTx } from './simulated-store.ts';

/**
 * What a route does for a sandbox key in place of working on the sandbox's records alone:
 * - `real`: the same as for a live key, since it describes the key and the network, not records
 * - `unrecorded`: it sends mail, of which nothing is recorded
 * - `unrefused`: the scenario of a service that was created in the sandbox does not refuse it, so that a reference which
 *   chose the scenario can be taken back
 */
export type SandboxMode = 'real' | 'unrecorded' | 'unrefused';

/** The sandbox was removed since the call began, or more is due than one transaction does. The call begins again. */
export class Outdated extends Error {}

const MARKS = { mode: 'test', simulated: true };

/** Answered when no step is planned: the request waits for a decision. */
const UNPLANNED_SECONDS = 60;

/** An operation of v1 with the caller's input. */
export interface SandboxCall<Input, Answer> {
  operation: Operation<Input, Answer>;
  caller: MailingCaller;
  input: Input;
  claim: Claim | undefined;
  mode: SandboxMode | undefined;
}

/** Runs an operation on the records of the caller's sandbox, once. Throws `Outdated`, and what the operation throws. */
export async function callSandbox<Input, Answer extends Outcome<unknown> | StoredAnswer>(
  database: SandboxDatabase,
  settler: Settler,
  { operation, caller, input, claim, mode }: SandboxCall<Input, Answer>,
): Promise<Answer> {
  const number = serviceNumberIn(input);
  const store = await database.open(caller.brokerId);
  const current = await settler.settled(caller);
  /** The behaviour of the service that the call names. */
  async function behaviour(read: Reads): Promise<Behaviour> {
    if (number === undefined) return {};
    if (number < FIRST_CREATED) return behaviourOf({ number, externalReference: null });
    const service = await read.services.find(caller.brokerId, number);
    return service ? behaviourOf(service) : {};
  }
  async function admit(read: Reads): Promise<void> {
    if (mode !== 'unrefused' || Number(number) < FIRST_CREATED) refuse(await behaviour(read));
  }
  if (!claim) await admit(store.read);
  const simulated = storeAt(current, { database, settler, caller, store, admit });
  const context =
    mode === 'unrecorded'
      ? unrecorded(settler, simulated, current, await behaviour(store.read))
      : settler.contextAt(current, simulated);
  const marking = claim && {
    ...claim,
    encode: (outcome: Outcome<unknown>) => claim.encode(marked(outcome, current)),
  };
  const result = await operation(context, caller, input, marking);
  return 'body' in result ? result : (marked(result, current) as Answer);
}

interface StoreParts {
  database: SandboxDatabase;
  settler: Settler;
  caller: MailingCaller;
  store: Store;
  /** Refuses the call where its service's behaviour does. */
  admit: (read: Reads) => Promise<void>;
}

/**
 * The store of one call. A change holds the sandbox's lock: it reads its date and does what is due behind it, in the same
 * transaction, since a call that waited for the lock again could find more due each time.
 */
function storeAt(current: SimulatedCall, { database, settler, caller, store, admit }: StoreParts): Store {
  const brokers = settler.brokersFor(caller);
  const simulated = (read: Reads) => simulatedReads(read, brokers, current);
  return {
    ...store,
    read: simulated(store.read),
    slow: (owner, work) => store.slow(owner, (read) => work(simulated(read))),
    async tx(work) {
      const done = await database.locked(caller, async (tx, state) => {
        const settled = await settler.settle(tx, caller, state);
        if (!settled) return null;
        Object.assign(current, { now: settled.now, offsetMs: settled.offsetMs });
        return { result: await work(simulatedTx(tx, { ...tx.brokers, ...brokers }, current, () => admit(tx))) };
      });
      // Thrown behind the transaction, which keeps the steps that it took.
      if (!done) throw new Outdated();
      return done.result;
    },
  };
}

/** What an operation that sends mail works with. */
function unrecorded(settler: Settler, store: Store, current: SimulatedCall, behaviour: Behaviour): Context {
  const { templates, services } = store.read;
  const read: Reads = {
    ...store.read,
    templates: behaviour.warning === 'no_template' ? { ...templates, findActive: async () => null } : templates,
    services:
      behaviour.warning === 'no_address' ? { ...services, findView: withoutAddress(services.findView) } : services,
  };
  const tx: Store['tx'] = (work) => store.tx((tx) => work(unrecordedTx(tx, read, behaviour)));
  return settler.contextAt(current, { ...store, read, tx }, behaviour);
}

const withoutAddress =
  (findView: Reads['services']['findView']): Reads['services']['findView'] =>
  async (...of) => {
    const view = await findView(...of);
    return view && { ...view, service: { ...view.service, clientEmail: null } };
  };

/** The service that a call names; undefined where it names none. */
const serviceNumberIn = (input: unknown): number | undefined =>
  typeof input === 'object' && input !== null && 'serviceNumber' in input && typeof input.serviceNumber === 'number'
    ? input.serviceNumber
    : undefined;

/** Marks the data itself, or each item of a list, and adds when the next step of a request is due. */
function marked<T>(outcome: Outcome<T>, { now, steps }: SimulatedCall): Outcome<T> {
  const mark = (item: {
    request_id?: string;
    next_check_seconds?: number | null;
    request_status?: string;
    effective_date?: string | null;
  }) => {
    const waits = typeof item.next_check_seconds === 'number';
    const date = item.request_status === 'accepted' && item.effective_date ? Date.parse(item.effective_date) : null;
    const step = steps.get(String(item.request_id)) ?? date;
    return {
      ...item,
      ...(waits && { next_check_seconds: step === null ? UNPLANNED_SECONDS : secondsUntil(step, now) }),
      ...MARKS,
    };
  };
  const data = Array.isArray(outcome.data) ? outcome.data.map(mark) : mark(outcome.data as object);
  return { ...outcome, data: data as T };
}
