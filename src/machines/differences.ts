import type { ListedMachine } from '../ports.ts';
import { accessOf } from '../rules/access.ts';
import { configurationOf } from '../rules/options.ts';
import { foldPlanName } from '../rules/plan-names.ts';
import { isEnded } from '../rules/words.ts';
import type { ComparedService } from '../store/queries/all-services.ts';

/** What can differ, the worst first (contract, section 15.7). */
export const DIFFERENCES = [
  'another_uid',
  'no_record',
  'not_living',
  'no_machine',
  'machine_suspended',
  'machine_running',
  'plan',
  'configuration',
  'ip_addresses',
  'reference',
] as const;
export type DifferenceKind = (typeof DIFFERENCES)[number];

/** A difference: what the record says, and what the machine says; null: nothing. */
export interface Difference {
  kind: DifferenceKind;
  number: number;
  broker: string | null;
  record: string | null;
  machine: string | null;
}

/** What a machine has other than its record, and where neither fits the other. What it does not know is no difference. */
export function differencesOf(machine: ListedMachine, service: ComparedService | undefined): Difference[] {
  const number = machine.service_number;
  const broker = service?.broker ?? machine.broker;
  const one = (kind: DifferenceKind, record: string | null, other: string | null): Difference[] => [
    { kind, number, broker, record, machine: other },
  ];
  if (!service) return one('no_record', null, machine.service_uid);
  if (!isOf(machine, service)) return one('another_uid', service.uid, machine.service_uid ?? machine.broker);
  if (isEnded(service.status) || service.status === 'pending') return one('not_living', service.status, null);
  const isSuspended = service.status === 'suspended';
  const { plan, reference, suspended, ip_addresses: addresses } = machine;
  const known = accessOf(service.access)?.ip_addresses ?? [];
  const configuration = otherValues(machine, service);
  return [
    ...(suspended === true && !isSuspended ? one('machine_suspended', service.status, 'suspended') : []),
    ...(suspended === false && isSuspended ? one('machine_running', service.status, 'running') : []),
    ...(plan !== null && foldPlanName(plan) !== foldPlanName(service.plan) ? one('plan', service.plan, plan) : []),
    ...(configuration ? one('configuration', configuration.record, configuration.machine) : []),
    ...(addresses && addresses.length > 0 && !isSame(addresses, known)
      ? one('ip_addresses', known.join(' ') || null, addresses.join(' '))
      : []),
    ...(reference !== null && service.reference !== null && reference !== service.reference
      ? one('reference', service.reference, reference)
      : []),
  ];
}

/** A record that shall have a machine, and none was listed. */
export const withoutMachine = ({ number, broker, uid }: ComparedService): Difference => ({
  kind: 'no_machine',
  number,
  broker,
  record: uid,
  machine: null,
});

/** Without a uid, as under release 1.1, it is told by its broker where it knows that. */
const isOf = ({ service_uid: uid, broker }: ListedMachine, service: ComparedService): boolean =>
  uid !== null ? uid === service.uid : broker === null || broker === service.broker;

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));

/** The values that a machine knows and its record has otherwise; undefined where there are none. */
function otherValues({ configuration }: ListedMachine, service: ComparedService) {
  const stored = configurationOf(service.configuration);
  const names = Object.entries(configuration ?? {}).flatMap(([name, value]) =>
    Object.hasOwn(stored, name) && stored[name] !== value ? name : [],
  );
  if (names.length === 0) return undefined;
  const text = (values: object) => JSON.stringify(values, names);
  return { record: text(stored), machine: text(configuration ?? {}) };
}
