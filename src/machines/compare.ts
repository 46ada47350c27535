import { operatorOwner } from '../limits/operator-slot.ts';
import type { Context, ListedMachine, MachineSource } from '../ports.ts';
import type { ComparedService } from '../store/queries/all-services.ts';
import type { Reads } from '../store/store.ts';
import { DIFFERENCES, type Difference, type DifferenceKind, differencesOf, withoutMachine } from './differences.ts';
import { NumberSet } from './number-set.ts';

/** Records that are read at once. */
const RECORDS_AT_ONCE = 1_000;

/** Differences of a kind that are kept; all are counted. */
export const MAX_KEPT = 1_000;

/** More pages than any installation has: a provisioner that never ends is no list. */
const MAX_PAGES = 100_000;

export type ComparisonOutcome = 'compared' | 'not_known' | 'no_answer';

/** What a comparison found. */
export interface MachineComparison {
  outcome: ComparisonOutcome;
  /** Machines that were listed; 0 where nothing was compared. */
  machines: number;
  counts: Record<DifferenceKind, number>;
  /** The worst first, of each kind the first thousand. */
  differences: Difference[];
  /** The machines without a record among them, as they were listed. */
  unrecorded: ListedMachine[];
}

export type CompareDeps = Pick<Context, 'store' | 'clock'> & {
  machines: MachineSource;
  /** Ends it with `no_answer`. */
  signal?: AbortSignal;
};

/** Whether a difference is a candidate, and what becomes of it. */
type Report = (difference: Difference, machine?: ListedMachine) => void;

/**
 * Compares all machines with their records, of one broker or of all (contract, section 15.7). All pages are read twice: what
 * changes meanwhile is no difference, so one counts only where both times found it. Services with work that is due or under
 * way are left out. Holds one page and a few bits for each service, whatever there is. Throws `RecordsAreOld`.
 */
export async function compareMachines(
  deps: CompareDeps,
  broker?: { id: string; slug: string },
): Promise<MachineComparison> {
  const first = new Map<DifferenceKind, NumberSet>(DIFFERENCES.map((kind) => [kind, new NumberSet()]));
  const { outcome, machines } = await pass(deps, broker, ({ kind, number }) => first.get(kind)?.add(number));
  const counts = Object.fromEntries(DIFFERENCES.map((kind) => [kind, 0])) as MachineComparison['counts'];
  const nothing: MachineComparison = { outcome, machines, counts, differences: [], unrecorded: [] };
  if (outcome !== 'compared' || [...first.values()].every(({ isEmpty }) => isEmpty)) return nothing;
  const kept: Difference[] = [];
  const unrecorded: ListedMachine[] = [];
  const second = await pass(deps, broker, (difference, machine) => {
    if (!first.get(difference.kind)?.has(difference.number)) return;
    counts[difference.kind] += 1;
    if (counts[difference.kind] > MAX_KEPT) return;
    kept.push(difference);
    if (difference.kind === 'no_record' && machine) unrecorded.push(machine);
  });
  if (second.outcome !== 'compared') return { ...nothing, outcome: second.outcome };
  const rank = ({ kind }: Difference) => DIFFERENCES.indexOf(kind);
  kept.sort((one, other) => rank(one) - rank(other) || one.number - other.number);
  return { ...second, counts, differences: kept, unrecorded };
}

async function pass(
  deps: CompareDeps,
  broker: { id: string; slug: string } | undefined,
  report: Report,
): Promise<Pick<MachineComparison, 'outcome' | 'machines'>> {
  const { store, machines: source, signal } = deps;
  const listed = new NumberSet();
  let machines = 0;
  let after: string | null = null;
  for (let pages = 0; pages === 0 || after !== null; pages += 1) {
    const history: number = (await store.read.history.findLatest())?.history ?? 0;
    const page = await source.list({ after, broker: broker?.slug ?? null, history }, signal);
    if (signal?.aborted) return { outcome: 'no_answer', machines: 0 };
    if (page === 'not_known' || page === 'no_answer') return { outcome: page, machines: 0 };
    if ((page.after !== null && page.after === after) || pages > MAX_PAGES)
      return { outcome: 'no_answer', machines: 0 };
    after = page.after;
    machines += page.machines.length;
    for (const { service_number: number } of page.machines) listed.add(number);
    await comparePage(deps, broker, page.machines, report);
  }
  await findUnlisted(deps, broker, listed, report);
  return { outcome: 'compared', machines };
}

/** What machines of a page have other than their records. */
async function comparePage(
  { store, clock }: CompareDeps,
  broker: { id: string; slug: string } | undefined,
  machines: readonly ListedMachine[],
  report: Report,
): Promise<void> {
  const numbers = [...new Set(machines.map(({ service_number: number }) => number))];
  if (numbers.length === 0) return;
  const { services, atWork } = await store.slow(operatorOwner(), async (read) => ({
    services: new Map((await read.allServices.findCompared(numbers)).map((one) => [one.number, one])),
    atWork: await read.allRequests.listAtWork(numbers, clock.now()),
  }));
  for (const machine of machines) {
    const service = services.get(machine.service_number);
    if (atWork.has(machine.service_number) || !isOfBroker(machine, service, broker)) continue;
    for (const difference of differencesOf(machine, service)) report(difference, machine);
  }
}

const isOfBroker = (
  machine: ListedMachine,
  service: ComparedService | undefined,
  broker: { id: string; slug: string } | undefined,
): boolean => broker === undefined || (service ? service.brokerId === broker.id : machine.broker === broker.slug);

/** Records that shall have a machine, and whose number no machine has. */
async function findUnlisted(
  { store, clock }: CompareDeps,
  broker: { id: string } | undefined,
  listed: NumberSet,
  report: Report,
): Promise<void> {
  const page = (read: Reads, after: number) => read.allServices.pageCompared(broker?.id, after, RECORDS_AT_ONCE);
  for (let after = 0; ; ) {
    const services = await store.slow(operatorOwner(), (read) => page(read, after));
    const missing = services.filter(({ number }) => !listed.has(number));
    if (missing.length > 0) {
      const numbers = missing.map(({ number }) => number);
      const atWork = await store.slow(operatorOwner(), (read) => read.allRequests.listAtWork(numbers, clock.now()));
      for (const service of missing) if (!atWork.has(service.number)) report(withoutMachine(service));
    }
    if (services.length < RECORDS_AT_ONCE) return;
    after = services.at(-1)?.number ?? after;
  }
}
