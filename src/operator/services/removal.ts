import { Type } from '@sinclair/typebox';
import { ListOf, MAX_INT32, ServiceNumber, Shown, Whole } from '../../../schemas/atoms.ts';
import type { Audited } from '../../audit/audit.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { Use } from '../../store/queries/service-removal.ts';
import type { ServiceRow } from '../../store/queries/services.ts';
import type { Reads, Tx } from '../../store/store.ts';
import { BROKER, type ChangeDeps, type ReadDeps, recordChange, requireBroker } from '../use-case/dependencies.ts';
import { invalid, refused, unknown } from '../use-case/errors.ts';
import { flag, type Given, named, numbersOf, read, serviceNumber } from '../use-case/fields.ts';
import type { OnProgress } from '../use-case/import-task.ts';
import { answerSchema } from '../use-case/record.ts';
import { FIRST_STEP, nextStep } from '../use-case/removal-steps.ts';
import { useCase } from '../use-case/use-case.ts';

/** Services by their numbers, or those that one import created. */
export interface RemovalInput {
  broker: string;
  numbers?: ReadonlyArray<Given<number>>;
  importId?: string | undefined;
  onProgress?: OnProgress | undefined;
}

/** Services that one call may name. */
const MAX_NAMED = 500;
/** Used services that an answer names. */
const MAX_SHOWN = 100;
const PAGE = 500;

const WHY: Record<Use, string> = { request: 'has a request', invoice: 'has an invoice', email: 'has an email' };

interface UsedService {
  service_number: number;
  why: string;
}

/**
 * What would be removed: how many services, and those that cannot be, since something happened on them. Services that the
 * import changed and did not create stay as they are: `updated_services` of them.
 */
export async function previewServiceRemoval({ store }: ReadDeps, input: RemovalInput) {
  const broker = await requireBroker(store.read, input.broker);
  const used: UsedService[] = [];
  let services = 0;
  let used_services = 0;
  for await (const rows of pagesOf(store.read, broker, input)) {
    services += rows.length;
    for (const one of await usedAmong(store.read, broker, rows)) {
      used_services += 1;
      if (used.length < MAX_SHOWN) used.push(one);
    }
  }
  if (services === 0) throw unknown(`"${broker.slug}" has no services of the import "${input.importId}"`);
  const row = input.importId === undefined ? null : await store.read.audit.find(broker.id, input.importId);
  const updated_services = row?.after ? (JSON.parse(row.after).updated as number) : 0;
  return { broker: broker.slug, services, updated_services, used_services, used };
}

export type RemovalPreview = Awaited<ReturnType<typeof previewServiceRemoval>>;

/**
 * Removes services on which nothing has happened since an import created them: no change, renewal, request, invoice or
 * email. Where something has happened on one, nothing is removed. One on which something happens meanwhile stays and is
 * named. One row of the audit trail, in the first transaction that removes something, has how many there are to remove; a
 * removal that was cut off is completed by another one, which finds that row. Contract, section 9. Throws an
 * `OperatorError`.
 */
export async function removeServices(parts: ChangeDeps, input: RemovalInput) {
  const { store, clock } = parts;
  const preview = await previewServiceRemoval(parts, input);
  if (preview.used_services > 0) throw refused(describeUsed(preview));
  const broker = await requireBroker(store.read, input.broker);
  const stayed: UsedService[] = [];
  let removed = 0;
  let isNoted = false;
  let step = FIRST_STEP;
  for await (const page of pagesOf(store.read, broker, input)) {
    for (let from = 0; from < page.length; ) {
      const numbers = page.slice(from, from + step).map(({ number }) => number);
      from += numbers.length;
      const began = clock.monotonic();
      const row = isNoted ? undefined : auditRowOf(broker, input, preview.services - stayed.length, page);
      const { used, free } = await removeSome(parts, broker, numbers, row);
      stayed.push(...used);
      removed += free.length;
      isNoted ||= free.length > 0;
      step = nextStep(step, clock.monotonic() - began);
      input.onProgress?.(removed + stayed.length, preview.services);
    }
  }
  return { broker: broker.slug, removed, stayed };
}

/** What is removed by number is named; of an import the number of services. */
const auditRowOf = (broker: BrokerRow, { importId }: RemovalInput, services: number, page: ServiceRow[]): Audited => ({
  action: 'service.remove',
  brokerId: broker.id,
  ...(importId === undefined
    ? { subject: `broker/${broker.slug}`, before: { services, service_numbers: page.map(({ number }) => number) } }
    : { subject: `import/${importId}`, before: { services } }),
});

/**
 * Removes services in a transaction of their own; resolves with those that stay and those that are gone.
 * @param audited the row of the whole removal, for the first transaction that removes something
 */
async function removeSome(parts: ChangeDeps, broker: BrokerRow, numbers: number[], audited: Audited | undefined) {
  return parts.store.tx(async (tx) => {
    const rows = await tx.services.lockMany(broker.id, numbers);
    const used = await usedAmong(tx, broker, rows);
    const free = rows.filter(({ number }) => !used.some(({ service_number }) => service_number === number));
    if (free.length === 0) return { used, free };
    await tx.removals.remove(broker.id, free);
    if (audited) await recordOnce(parts, tx, audited);
    return { used, free };
  });
}

/** Writes the row, unless a removal of the same import wrote it and was cut off. */
async function recordOnce(parts: ChangeDeps, tx: Tx, audited: Audited): Promise<void> {
  const { brokerId, action, subject } = audited;
  if (subject.startsWith('import/')) {
    await tx.removals.lock(subject);
    const earlier = await tx.audit.list({ brokerId: brokerId as string, action, subjects: [subject] }, 1);
    if (earlier.length > 0) return;
  }
  await recordChange(parts, tx, audited);
}

export function describeUsed({ services, used_services, used }: RemovalPreview): string {
  const named = used.slice(0, 5).map(({ service_number, why }) => `${service_number} ${why}`);
  const more = used_services > named.length ? ` and ${used_services - named.length} more` : '';
  return `Nothing was removed: ${used_services} of ${services} services cannot be: ${named.join(', ')}${more}`;
}

async function* pagesOf(reads: Reads, broker: BrokerRow, { numbers = [], importId }: RemovalInput) {
  if (importId === undefined) {
    yield namedServices(reads, broker, numbers);
    return;
  }
  for (let after = 0; ; ) {
    const rows = await reads.removals.listOfImport(broker.id, importId, after, PAGE);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.number as number;
  }
}

async function namedServices(reads: Reads, broker: BrokerRow, given: ReadonlyArray<Given<number>>) {
  if (given.length === 0 || given.length > MAX_NAMED) {
    throw invalid({ field: 'service_number', message: `must name 1 to ${MAX_NAMED} services, or give an import` });
  }
  const numbers = [...new Set(given.map((each) => read('service_number', serviceNumber(), each)))];
  const rows = await reads.services.listMany(broker.id, numbers);
  const missing = numbers.find((number) => !rows.some((row) => row.number === number));
  if (missing !== undefined) throw unknown(`"${broker.slug}" has no service ${missing}`);
  return rows;
}

/** Those of these services on which something has happened, or of which that is not known. */
async function usedAmong(
  reads: Pick<Reads, 'removals' | 'audit'>,
  broker: BrokerRow,
  rows: ServiceRow[],
): Promise<UsedService[]> {
  const uses = await reads.removals.listUses(
    broker.id,
    rows.map(({ number }) => number),
  );
  const completed = new Map<string, number>();
  for (const id of new Set(rows.flatMap(({ importId }) => importId ?? []))) {
    const after = (await reads.audit.find(broker.id, id))?.after;
    if (after) completed.set(id, Date.parse(JSON.parse(after).completed_date));
  }
  return rows.flatMap(({ number, importId, updatedAt }) => {
    const completedAt = completed.get(importId ?? '');
    const use = uses.get(number);
    const why = use
      ? WHY[use]
      : completedAt === undefined
        ? 'came with no import that is in the audit trail'
        : updatedAt > completedAt && 'has changed since';
    return why ? [{ service_number: number, why }] : [];
  });
}

const USED = ListOf(
  Type.Object(
    { service_number: ServiceNumber, why: Shown(200, 'What has happened on it') },
    { component: 'UsedService' },
  ),
);

const inputOf = ({ broker, service_numbers: numbers = [], import_id: importId }: Removed): RemovalInput => {
  if (numbers.length > 0 === (importId !== undefined)) {
    throw invalid({ field: 'service_numbers', message: 'give either numbers or an import' });
  }
  return { broker, numbers, importId };
};

interface Removed {
  broker: string;
  service_numbers?: number[];
  import_id?: string;
}

/** The same, by the name of its command. */
export const removeNamedServices = useCase({
  name: 'services remove',
  role: 'admin',
  audits: ['service.remove'],
  title: 'Remove services',
  summary: 'Remove imported services',
  description:
    'Remove services on which nothing has happened since an import created them: by number, or all of one import',
  example: 'services remove --import aud_01HQ3Z4X9YQ2T8K6R5W7V1N0MB --broker acme --dry-run',
  input: Type.Object({
    ...BROKER,
    service_numbers: Type.Optional(numbersOf(MAX_NAMED, { description: 'These services' })),
    import_id: Type.Optional(
      Type.Unsafe<string>({
        ...named('import', 'All that this import created; imports list has the id'),
        inJson: 'All that this import created, by its id',
      }),
    ),
    dry_run: Type.Optional(
      flag({ description: 'Remove nothing; say what would be removed and what stands in the way' }),
    ),
  }),
  on: ['broker'],
  path: 'POST /brokers/:broker/services/remove',
  answer: answerSchema('ServiceRemoval', {
    broker: Shown(64, 'The broker’s slug'),
    removed: Type.Optional(Whole(0, MAX_INT32, 'Services that are gone')),
    stayed: Type.Optional(USED),
    dry_run: Type.Optional(Type.Literal(true, { description: 'Nothing was removed' })),
    services: Type.Optional(Whole(0, MAX_INT32, 'Services that these are')),
    updated_services: Type.Optional(Whole(0, MAX_INT32, 'Services that the import changed and did not create')),
    used_services: Type.Optional(Whole(0, MAX_INT32, 'Services that cannot be removed')),
    used: Type.Optional(USED),
  }),
  show: (deps: ReadDeps, input) => previewServiceRemoval(deps, inputOf(input)),
  confirm: ({ services, broker }, { dry_run }) =>
    dry_run ? null : `${services} services of ${broker} are removed for good.`,
  async run(deps: ChangeDeps, { dry_run: dryRun, ...input }) {
    if (!dryRun) return removeServices(deps, inputOf(input));
    return { dry_run: true as const, ...(await previewServiceRemoval(deps, inputOf(input))) };
  },
});
