import type { AnySchema, ErrorObject, ValidateFunction } from 'ajv';
import type { FieldFault, FieldRule } from '../errors.ts';
import { mailboxAdvice } from '../rules/mailbox.ts';
import { ajv } from './keywords.ts';
import { below, type Part } from './names.ts';
import type { Values } from './values.ts';

/** Makes the check of one part of a request: it returns every fault by the schema, in the contract's form (section 3). */
export function checkPart(part: Part, schema: AnySchema | undefined): (values: Values) => FieldFault[] {
  if (schema === undefined) return () => [];
  // Compiled on the first call: compiling all schemas at once would take a tenth of the start-up time.
  let validate: ValidateFunction | undefined;
  return (values) => {
    validate ??= ajv.compile(schema);
    return validate(values) ? [] : (validate.errors as ErrorObject[]).map((error) => faultOf(part, error));
  };
}

function faultOf(part: Part, { instancePath, keyword, params, message, data, parentSchema }: ErrorObject): FieldFault {
  const at = (field?: string) =>
    [part, ...instancePath.split('/').slice(1), ...(field === undefined ? [] : [field])].join('.');
  const text = message ?? 'is not valid';
  switch (keyword) {
    case 'required':
      return { path: at(params.missingProperty), rule: 'required', message: 'is required' };
    case 'additionalProperties':
      return { path: below(at(), params.additionalProperty), rule: 'unknown', message: 'is not known here' };
    case 'reported':
      return { path: at(params.field), rule: params.rule, message: params.message };
    case 'minLength':
      return data === ''
        ? { path: at(), rule: 'blank', message: 'must not be blank' }
        : { path: at(), rule: 'range', message: text };
    case 'type':
      // Only a very long number parses as Infinity: it is a number, but out of every range.
      return data === Infinity || data === -Infinity
        ? { path: at(), rule: 'range', message: 'is out of range' }
        : { path: at(), rule: 'type', message: `must be ${[params.type].flat().join(' or ')}` };
    default: {
      const rule = RULES[keyword] ?? 'format';
      const hint = part === 'query' && rule === 'format' && LOST_PLUS.test(String(data)) ? PLUS_IN_QUERY : '';
      return { path: at(), rule, message: `${wordsFor(keyword, params, data, parentSchema) ?? text}${hint}` };
    }
  }
}

const RULES: Record<string, FieldRule> = {
  enum: 'enum',
  maxLength: 'too_long',
  minimum: 'range',
  maximum: 'range',
};

/** A blank before the `@` of an address or the offset of a date-time: an unescaped plus sign, as a query is decoded. */
const LOST_PLUS = /^[^@]* [^@]*@|T.* \d\d:?\d\d$/i;
const PLUS_IN_QUERY = '; in a query a plus sign is written as %2B';

/** A message that says what is valid, where Ajv's own message does not. */
function wordsFor(
  keyword: string,
  params: ErrorObject['params'],
  value: unknown,
  schema: ErrorObject['parentSchema'],
): string | undefined {
  if (keyword === 'enum') return `must be one of ${params.allowedValues.map(String).join(', ')}`;
  // The rule of a field that the operator gives stands in its schema.
  if (schema?.must) return `must be ${schema.must}`;
  if (keyword === 'format') {
    return `${FORMATS[params.format]}${params.format === 'mailbox' ? mailboxAdvice(String(value)) : ''}`;
  }
  return keyword === 'pattern' ? 'holds characters that are not allowed' : undefined;
}

const FORMATS: Record<string, string> = {
  'service-number': 'must be a 64-bit integer in base 10',
  timestamp: 'must be an RFC 3339 date-time with an offset, or a date',
  mailbox: 'must be one email address',
};

/** Rules that take precedence over others on the same field, the highest last. */
const PRECEDENCE: readonly FieldRule[] = ['type', 'unknown'];

/** Keeps one fault per field: the other faults of a value of the wrong type, or of an unknown field, mean nothing. */
export function onePerField(faults: FieldFault[]): FieldFault[] {
  const kept = new Map<string, FieldFault>();
  for (const fault of faults) {
    const previous = kept.get(fault.path);
    if (!previous || PRECEDENCE.indexOf(fault.rule) > PRECEDENCE.indexOf(previous.rule)) {
      kept.set(fault.path, fault);
    }
  }
  return [...kept.values()];
}
