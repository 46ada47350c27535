import { Ajv } from 'ajv';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import type { FieldRule } from '../errors.ts';
import { isMailbox } from '../rules/mailbox.ts';
import { parseServiceNumber } from '../rules/service-number.ts';
import { oneLine } from '../rules/text.ts';
import { parseTimestamp } from '../rules/timestamps.ts';
import type { Values } from './values.ts';

/** Ajv in strict mode, with the keywords and formats of this contract (section 3). */
export const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, verbose: true })
  .addKeyword('document')
  .addKeyword('component')
  .addKeyword('must')
  .addKeyword({
    keyword: 'digits',
    type: 'string',
    errors: 'full',
    compile: ({ minimum, maximum }: { minimum: number; maximum: number }) =>
      reporting((text: string) => {
        if (!/^\d+$/.test(text)) return { rule: 'format', message: 'must be a whole number' };
        const value = BigInt(text);
        if (value >= BigInt(minimum) && value <= BigInt(maximum)) return undefined;
        return { rule: 'range', message: `must be between ${minimum} and ${maximum}` };
      }),
  })
  .addKeyword({
    // Pairs of fields that exclude one another.
    keyword: 'conflicts',
    type: 'object',
    errors: 'full',
    compile: (pairs: Array<[string, string]>) =>
      reporting((values: Values) => {
        const pair = pairs.find(([one, other]) => values[one] !== undefined && values[other] !== undefined);
        return pair && { rule: 'conflict', field: pair[1], message: `cannot be combined with ${pair[0]}` };
      }),
  })
  .addKeyword({
    // Pairs of names for one field: where both are present, their values must be equal.
    keyword: 'alike',
    type: 'object',
    errors: 'full',
    compile: (pairs: Array<[string, string]>) =>
      reporting((values: Values) => {
        const pair = pairs.find(
          ([one, other]) => values[one] !== undefined && values[other] !== undefined && values[one] !== values[other],
        );
        return pair && { rule: 'conflict', field: pair[1], message: `must be equal to ${pair[0]}` };
      }),
  })
  .addKeyword({
    // Pairs of fields of which the first requires the second.
    keyword: 'companions',
    type: 'object',
    errors: 'full',
    compile: (pairs: Array<[string, string]>) =>
      reporting((values: Values) => {
        const pair = pairs.find(([one, other]) => values[one] !== undefined && values[other] === undefined);
        return pair && { rule: 'conflict', field: pair[0], message: `needs ${pair[1]}` };
      }),
  })
  .addKeyword({
    // At least one of the object's properties must be present: of all, or of those that are named.
    keyword: 'atLeastOne',
    type: 'object',
    errors: 'full',
    compile: (given: true | readonly string[], schema) => {
      const names = given === true ? Object.keys((schema as { properties: object }).properties) : given;
      return reporting((values: Values) =>
        names.some((name) => values[name] !== undefined)
          ? undefined
          : { rule: 'required', message: `needs at least one of ${names.join(', ')}` },
      );
    },
  })
  .addKeyword({
    // Pairs of timestamps of which the first must not be later than the second.
    keyword: 'ordered',
    type: 'object',
    errors: 'full',
    compile: (pairs: Array<[string, string]>) =>
      reporting((values: Values) => {
        const pair = pairs.find(([from, to]) => Number(timestampOf(values[from])) > Number(timestampOf(values[to])));
        return pair && { rule: 'conflict', field: pair[1], message: `must not be before ${pair[0]}` };
      }),
  })
  .addKeyword({
    // A name or label: what makes several lines of it becomes a blank, before its length is checked (contract, section 3).
    keyword: 'oneLine',
    type: 'string',
    schemaType: 'boolean',
    before: 'maxLength',
    modifying: true,
    errors: false,
    validate(isOneLine: boolean, text: string, _schema?: object, place?: DataValidationCxt) {
      if (isOneLine && place?.parentData) place.parentData[place.parentDataProperty] = oneLine(text);
      return true;
    },
  })
  .addFormat('service-number', (text) => parseServiceNumber(text) !== undefined)
  .addFormat('timestamp', (text) => parseTimestamp(text) !== undefined)
  .addFormat('mailbox', isMailbox);

const timestampOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? parseTimestamp(value) : undefined;

interface Finding {
  rule: FieldRule;
  message: string;
  /** The name of a property of the object that has the keyword. */
  field?: string;
}

/** Makes a keyword's validator in Ajv's form from a function that returns what is wrong. */
function reporting<T>(find: (data: T) => Finding | undefined): DataValidateFunction {
  const validate: DataValidateFunction = (data: T) => {
    const finding = find(data);
    validate.errors = finding ? [{ keyword: 'reported', params: finding }] : [];
    return finding === undefined;
  };
  return validate;
}
