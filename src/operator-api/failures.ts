import { ApiError, type FieldFault, fail } from '../errors.ts';
import { type Fault, ImportError, OperatorError } from '../operator/use-case/errors.ts';

/** The part of the call in which its fields stand. */
type Place = 'body' | 'query';

/** Where a field stood in the call. */
type PlaceOf = (field: string) => Place | 'path';

/**
 * What the operator's API answers where a use case refused (contract, section 13.1). Whatever is no `OperatorError` stays
 * as it is.
 * @param params the fields that stand in the path
 */
export function toApiError(error: unknown, place: Place, params: object = {}): unknown {
  const placeOf: PlaceOf = (field) => (Object.hasOwn(params, field) ? 'path' : place);
  if (!(error instanceof OperatorError)) return error;
  const { kind, message, faults, rule } = error;
  if (rule) return rule;
  if (error instanceof ImportError) return ofRecords(error);
  switch (kind) {
    case 'unknown':
      return new ApiError('not_found', message, { gate: 'ownership' });
    case 'nothing_to_change':
      return fail.invalidFields([{ path: place, rule: 'required', message: `needs at least one of ${named(faults)}` }]);
    case 'invalid':
      return fail.invalidFields(faults.map((fault) => faultOf(fault, placeOf)));
    case 'changed':
      return new ApiError('already_processed', message, {
        gate: 'rules',
        details: { reason: 'changed_meanwhile', fields: faults.map((fault) => staleOf(fault, placeOf)) },
      });
    case 'refused':
      return fail.invalidState('refused', message);
  }
}

const named = (faults: readonly Fault[]): string => faults.map(({ field }) => field).join(', ');

const faultOf = ({ field, message, rule = 'format' }: Fault, placeOf: PlaceOf): FieldFault => ({
  path: `${placeOf(field)}.${field}`,
  rule,
  message,
});

const staleOf = ({ field, message, current = null }: Fault, placeOf: PlaceOf) => ({
  path: `${placeOf(field)}.${field}`,
  rule: 'changed_meanwhile' as const,
  message,
  current,
});

/** The faulty records of an import: the path names the record by its place in the array. */
function ofRecords({ records, more }: ImportError): ApiError {
  const faults = records.flatMap(({ at, faults }) => {
    const path = `body.records.${at - 1}`;
    return faults.map(
      ({ field, message, rule = 'format' }): FieldFault => ({
        path: field === null ? path : `${path}.${field}`,
        rule,
        message,
      }),
    );
  });
  const failure = fail.invalidFields(faults);
  if (more === 0) return failure;
  const { fields, omitted = 0 } = failure.details as { fields: FieldFault[]; omitted?: number };
  return new ApiError(failure.code, failure.message, {
    gate: 'input',
    details: { fields, omitted: omitted + more },
  });
}
