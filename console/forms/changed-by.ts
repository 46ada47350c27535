import { isDeepStrictEqual } from 'node:util';
import { type AuditPage, pageAudit } from '../../src/operator/audit/audit.ts';
import type { ReadDeps } from '../../src/operator/use-case/dependencies.ts';
import type { Fault } from '../../src/operator/use-case/errors.ts';
import { valueAt } from '../../src/operator/use-case/stale.ts';
import type { AnyUseCase } from '../../src/operator/use-case/use-case.ts';
import { toTheMinute } from '../components/timestamp.tsx';

/** Rows of the audit trail that are searched for a change: the latest of the record. */
const MAX_ROWS = 50;

/**
 * Who changed the fields that made a form stale: "Changed by ada@example.com (2030-01-15 10:12 UTC)." Empty where the audit
 * trail does not say it: a worker or an import changed them.
 * @param names the input that names the record
 * @param record as it is now
 */
export async function changedBy(
  context: ReadDeps,
  useCase: AnyUseCase,
  names: Record<string, unknown>,
  faults: readonly Fault[],
  record: object,
): Promise<string> {
  const broker = names.broker as string | undefined;
  const { items } = await pageAudit(context, { subject: subjectOf(useCase, names), broker, perPage: MAX_ROWS });
  const rows = faults.flatMap(({ field }) => {
    const latest = items.find((row) => isIn(row, field));
    return latest && explains(latest, field, record) ? [latest] : [];
  });
  const authors = [...new Set(rows)].map(
    ({ actor, key_prefix, date }) => `${key_prefix ?? actor} (${toTheMinute(date)})`,
  );
  return authors.length === 0 ? '' : `Changed by ${authors.join(' and ')}.`;
}

/** What the audit trail calls the record: `service/1000001` for `services set`. */
const subjectOf = ({ name, on = [] }: AnyUseCase, names: Record<string, unknown>): string =>
  `${name.replace(/s .*/, '')}/${names[on.at(-1) as string]}`;

type Row = AuditPage['items'][number];

/** Private values, which the trail leaves out, have names such as `client_email` in it. */
const privateName = (field: string): string => field.replace('.', '_');

/** Whether a row has a new value of the field. */
const isIn = ({ after }: Row, field: string): boolean =>
  after !== null && ((field.split('.')[0] as string) in after || privateName(field) in after);

/** Whether the record still has the value of this row. */
function explains({ after, date }: Row, field: string, record: object): boolean {
  const values = after as object;
  // Of a private value the row says that it changed, not to what.
  if (field !== privateName(field) && privateName(field) in values)
    return date >= String(valueAt(record, 'updated_date'));
  return isDeepStrictEqual(valueAt(values, field), valueAt(record, field));
}
