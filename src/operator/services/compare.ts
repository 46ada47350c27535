import { type Static, Type } from '@sinclair/typebox';
import { MAX_INT32, Nullable, OneOf, ServiceNumber, Shown, Whole } from '../../../schemas/atoms.ts';
import { noteReplaced, REPLACED } from '../../lifecycle/replaced.ts';
import { compareMachines, type MachineComparison } from '../../machines/compare.ts';
import { DIFFERENCES, type Difference, type DifferenceKind } from '../../machines/differences.ts';
import { countDifferences, findLastComparison, storeComparison } from '../../machines/last-comparison.ts';
import { type ListedMachine, RecordsAreOld } from '../../ports.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { BROKER, type OperatorContext, recordChange, requireBroker } from '../use-case/dependencies.ts';
import { refused } from '../use-case/errors.ts';
import { flag } from '../use-case/fields.ts';
import { answerSchema } from '../use-case/record.ts';
import { useCase } from '../use-case/use-case.ts';

/** Differences of an answer, the worst ones. */
const MAX_SHOWN = 1_000;

/** What is asked for before a machine without a record is a service again; the rest the provisioner knows. */
const IMPORTED = Type.Object(
  {
    service_number: ServiceNumber,
    service_uid: Nullable(Shown(255, 'As the provisioner has it')),
    plan: Shown(255, 'As the provisioner has it; "" where it does not know'),
    client: Type.Object({
      name: Shown(200, 'Empty: to be filled in', { examples: [''] }),
      email: Shown(254, 'Empty: to be filled in', { examples: [''] }),
    }),
    service_status: OneOf(['active', 'suspended'], { description: 'As the machine is' }),
    configuration: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    access: Type.Object({ ip_addresses: Type.Array(Shown(64, 'An address of the machine')) }),
  },
  { description: 'A record for `services import`' },
);

const COMPARISON = answerSchema('Comparison', {
  outcome: OneOf(['compared', 'not_known', 'no_answer'], {
    description:
      '`not_known`: the provisioner cannot list machines. `no_answer`: it did not answer. Nothing was compared then',
  }),
  machines: Whole(0, MAX_INT32, 'How many machines were listed'),
  total: Whole(0, MAX_INT32, 'How many differences there are'),
  accepted: Type.Boolean({ description: 'Whether they are taken as they are' }),
  counts: Type.Array(
    Type.Object({ kind: OneOf(DIFFERENCES, { description: 'What differs' }), total: Whole(1, MAX_INT32, 'How often') }),
    { description: 'The worst first' },
  ),
  differences: Type.Array(
    Type.Object({
      kind: OneOf(DIFFERENCES, { description: 'What differs' }),
      service_number: ServiceNumber,
      broker: Nullable(Shown(255, 'The slug of its broker')),
      record: Nullable(Shown(100_000, 'What the record says')),
      machine: Nullable(Shown(100_000, 'What the machine says')),
      commands: Type.Array(Shown(20_000, 'A command of `broker`'), {
        description: 'What can be done about it, one of them; none: look at the machine',
      }),
    }),
    { maxItems: MAX_SHOWN, description: 'The worst first' },
  ),
  imports: Type.Array(
    Type.Object({
      broker: Nullable(Shown(255, 'The slug of a broker, where the provisioner knows it')),
      records: Type.Array(IMPORTED),
    }),
    { description: 'Machines without a record, as files for `services import`' },
  ),
});

export type ComparisonRecord = Static<typeof COMPARISON>;

type CompareServicesDeps = Pick<OperatorContext, 'store' | 'clock' | 'newId' | 'actor' | 'machines'>;

/** When the last comparison of all was made, and how many differences it found; null: none was made. */
export async function findComparison({ store }: Pick<OperatorContext, 'store'>) {
  const last = await findLastComparison(store.read);
  if (!last) return null;
  const { at, outcome, total, isAccepted } = last;
  return { compared_date: isoTimestamp(at), outcome, total, accepted: isAccepted };
}

/** One comparison of a process at a time: each asks for every machine twice. */
let isComparing = false;

/** Compares the records with the machines, of all brokers or of one (contract, section 15.7). */
export const compareServices = useCase({
  name: 'services compare',
  role: 'support',
  audits: ['services.compare'],
  title: 'Compare',
  summary: 'Compare records with machines',
  description: 'Compare the records with the machines that the provisioner lists; nothing is changed',
  example: 'services compare --broker acme',
  input: Type.Object({
    broker: Type.Optional(BROKER.broker),
    accept: Type.Optional(
      flag({ title: 'Differences', description: 'Take what differs as it is: the status no longer counts it' }),
    ),
  }),
  path: 'POST /services/compare',
  answer: COMPARISON,
  async run(deps: CompareServicesDeps, { broker: slug, accept = false }): Promise<ComparisonRecord> {
    const { store, machines } = deps;
    if (!machines) throw refused('No provisioner is configured: there are no machines to compare');
    if (accept && slug !== undefined) throw refused('What differs is accepted for all brokers together');
    if ((await store.read.history.findHolding()) === 'copy') {
      throw refused('This is a copy for trying: the provisioner is asked nothing');
    }
    if (isComparing) throw refused('A comparison is under way already');
    const broker = slug === undefined ? undefined : await requireBroker(store.read, slug);
    isComparing = true;
    try {
      const found = await compareMachines({ ...deps, machines }, broker);
      await record(deps, found, { slug, brokerId: broker?.id ?? null, accept });
      return recordOf(found, accept);
    } catch (error) {
      if (!(error instanceof RecordsAreOld)) throw error;
      const history = (await store.read.history.findLatest())?.history ?? 0;
      await store.tx((tx) => noteReplaced(tx, { history, at: deps.clock.now() }));
      throw refused(REPLACED);
    } finally {
      isComparing = false;
    }
  },
});

/** The row of the audit trail; and of all brokers the count that the status shows. */
const record = (
  deps: CompareServicesDeps,
  found: MachineComparison,
  { slug, brokerId, accept }: { slug: string | undefined; brokerId: string | null; accept: boolean },
) =>
  deps.store.tx(async (tx) => {
    if (slug === undefined) await storeComparison(tx, found, { at: deps.clock.now(), isAccepted: accept });
    await recordChange(deps, tx, {
      action: 'services.compare',
      brokerId,
      subject: slug === undefined ? 'services' : `broker/${slug}`,
      after: { outcome: found.outcome, differences: countDifferences(found), accepted: accept },
    });
  });

function recordOf(found: MachineComparison, accepted: boolean): ComparisonRecord {
  const { outcome, machines, counts, differences, unrecorded } = found;
  return {
    outcome,
    machines,
    total: countDifferences(found),
    accepted,
    counts: DIFFERENCES.filter((kind) => counts[kind] > 0).map((kind) => ({ kind, total: counts[kind] })),
    differences: differences.slice(0, MAX_SHOWN).map((difference) => ({
      kind: difference.kind,
      service_number: difference.number,
      broker: difference.broker,
      record: difference.record,
      machine: difference.machine,
      commands: COMMANDS[difference.kind](difference),
    })),
    imports: [...Map.groupBy(unrecorded, ({ broker }) => broker)].map(([broker, some]) => ({
      broker,
      records: some.map(importOf),
    })),
  };
}

/** What exists for each kind: the first makes the record like the machine, where there are two. */
const COMMANDS: Record<DifferenceKind, (difference: Difference) => string[]> = {
  another_uid: () => [],
  no_record: ({ broker }) => [`services import FILE --broker ${broker ?? 'SLUG'}`],
  not_living: ({ number, record: status }) =>
    status === 'cancelled' ? [] : [`services cancel ${number} --type immediate`],
  no_machine: ({ number }) => [`services cancel ${number} --type immediate`],
  machine_suspended: ({ number }) => [
    `services suspend ${number}`,
    `services suspend ${number} --records-only && broker services resume ${number}`,
  ],
  machine_running: ({ number }) => [`services resume ${number}`, `services suspend ${number}`],
  plan: () => [],
  configuration: () => [],
  ip_addresses: ({ number, machine }) => [`services set ${number} --ip-addresses "${machine}"`],
  reference: () => [],
};

const importOf = (machine: ListedMachine) => ({
  service_number: machine.service_number,
  service_uid: machine.service_uid,
  plan: machine.plan ?? '',
  client: { name: '', email: '' },
  service_status: machine.suspended ? ('suspended' as const) : ('active' as const),
  configuration: machine.configuration ?? {},
  access: { ip_addresses: [...(machine.ip_addresses ?? [])] },
});
