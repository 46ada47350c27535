import { Ajv, type AnySchema, type ErrorObject } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types/index.js';
import type { FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { type FieldFault, type FieldRule, fail } from '../src/errors.ts';
import { hooksOf } from '../src/hooks.ts';
import { isMailbox } from '../src/rules/mailbox.ts';
import { parseMoment } from '../src/rules/moments.ts';
import { parseServiceNumber } from '../src/rules/service-number.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body before its strings were trimmed: what an idempotency key's fingerprint covers. */
    bodyAsSent: unknown;
  }
}

type Part = 'path' | 'query' | 'header' | 'body';
type Values = Record<string, unknown>;

/**
 * Gate 5, second half (contract, section 3): the path first, because a service number that does not parse is
 * answered by itself, then query, headers and body together, so that one answer lists every faulty field.
 *
 * Fastify's own validation stops at the first faulty part and coerces, so it is switched off here and the
 * routes' schemas are compiled once, strictly, with the rules that only this contract has.
 */
export default fp(
  async (app) => {
    app.decorateRequest('bodyAsSent', undefined);
    app.setValidatorCompiler(() => () => true);

    app.addHook('onRoute', (route) => {
      const check = checkOf(route);
      const hook: preValidationHookHandler = (request, _reply, done) => {
        const faults = check(request);
        done(faults.length > 0 ? fail.invalidFields(faults) : undefined);
      };
      route.preValidation = [...hooksOf(route.preValidation), hook];
    });
  },
  { name: 'validation', dependencies: ['json-body'], fastify: '5.x' },
);

function checkOf(route: RouteOptions): (request: FastifyRequest) => FieldFault[] {
  const { params, querystring, headers, body } = route.schema as Record<string, AnySchema | undefined>;
  const path = checkPart('path', params);
  const query = checkPart('query', querystring);
  const header = checkPart('header', headers);
  const content = checkPart('body', body);
  const headerNames = Object.keys((headers as { properties?: object } | undefined)?.properties ?? {});

  return (request) => {
    const inPath = path(request.params as Values);
    if (inPath.length > 0) return inPath;

    const faults: FieldFault[] = [];
    if (request.url.includes('?')) {
      const { single, repeated } = withoutRepeats(request.query as Values);
      faults.push(...unreadable('query', single), ...blank(single), ...repeated, ...query(single));
    }
    if (headerNames.length > 0) faults.push(...repeatedHeaders(request, headerNames), ...header(request.headers));
    if (body !== undefined && !takesAnything(body)) {
      request.bodyAsSent = request.body;
      request.body = trimmed(request.body);
      faults.push(...unreadable('body', request.body), ...content(request.body as Values));
    }
    return onePerField(faults);
  };
}

/** Where every object is accepted and ignored there is nothing to find fault with. */
const takesAnything = (body: AnySchema): boolean =>
  (body as { additionalProperties?: unknown }).additionalProperties === true;

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, verbose: true })
  .addKeyword('document')
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
        return pair && { rule: 'conflict', field: pair[1], message: `must not stand beside ${pair[0]}` };
      }),
  })
  .addKeyword({
    // Pairs of moments of which the first must not be later than the second.
    keyword: 'ordered',
    type: 'object',
    errors: 'full',
    compile: (pairs: Array<[string, string]>) =>
      reporting((values: Values) => {
        const pair = pairs.find(([from, to]) => Number(momentOf(values[from])) > Number(momentOf(values[to])));
        return pair && { rule: 'conflict', field: pair[1], message: `must not be before ${pair[0]}` };
      }),
  })
  .addFormat('service-number', (text) => parseServiceNumber(text) !== undefined)
  .addFormat('moment', (text) => parseMoment(text) !== undefined)
  .addFormat('mailbox', isMailbox);

const momentOf = (value: unknown): number | undefined => (typeof value === 'string' ? parseMoment(value) : undefined);

interface Finding {
  rule: FieldRule;
  message: string;
  /** The field below the one that carries the keyword. */
  field?: string;
}

/** A keyword's validator in Ajv's form, from a function that says what is wrong. */
function reporting<T>(find: (data: T) => Finding | undefined): DataValidateFunction {
  const validate: DataValidateFunction = (data: T) => {
    const finding = find(data);
    validate.errors = finding ? [{ keyword: 'reported', params: finding }] : [];
    return finding === undefined;
  };
  return validate;
}

function checkPart(part: Part, schema: AnySchema | undefined): (values: Values) => FieldFault[] {
  if (schema === undefined) return () => [];
  const validate = ajv.compile(schema);
  return (values) => (validate(values) ? [] : (validate.errors as ErrorObject[]).map((error) => faultOf(part, error)));
}

function faultOf(part: Part, { instancePath, keyword, params, message, data }: ErrorObject): FieldFault {
  const at = (field?: string) =>
    [part, ...instancePath.split('/').slice(1), ...(field === undefined ? [] : [field])].join('.');
  const text = message ?? 'is not valid';
  switch (keyword) {
    case 'required':
      return { path: at(params.missingProperty), rule: 'required', message: 'is required' };
    case 'additionalProperties':
      return { path: at(params.additionalProperty), rule: 'unknown', message: 'is not known here' };
    case 'reported':
      return { path: at(params.field), rule: params.rule, message: params.message };
    case 'minLength':
      return data === ''
        ? { path: at(), rule: 'blank', message: 'must not be blank' }
        : { path: at(), rule: 'range', message: text };
    default:
      return { path: at(), rule: RULES[keyword] ?? 'format', message: wordsFor(keyword, params) ?? text };
  }
}

const RULES: Record<string, FieldRule> = {
  type: 'type',
  enum: 'enum',
  maxLength: 'too_long',
  minimum: 'range',
  maximum: 'range',
};

/** What would have been right, where Ajv's own words do not say it. */
function wordsFor(keyword: string, params: ErrorObject['params']): string | undefined {
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`;
  if (keyword === 'format') return FORMATS[params.format];
  return keyword === 'pattern' ? 'holds characters that are not allowed' : undefined;
}

const FORMATS: Record<string, string> = {
  'service-number': 'must be a 64-bit integer in base 10',
  moment: 'must be an RFC 3339 date-time with an offset, or a date',
  mailbox: 'must be one email address',
};

/** No body of ours nests as deep: what lies below is of no known field, and thousands of levels end the stack. */
const MAX_DEPTH = 8;

/** Strings that neither engine can store and no client can mean: U+0000 and halves of surrogate pairs. */
function unreadable(part: Part, value: unknown, path: string = part, depth = 0): FieldFault[] {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed()
      ? [{ path, rule: 'format', message: 'holds a character that cannot be stored' }]
      : [];
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, inner]) => unreadable(part, inner, `${path}.${name}`, depth + 1));
}

/** Query parameters are not trimmed, but one of white space alone says as little as in a body. */
const blank = (query: Values): FieldFault[] =>
  Object.entries(query)
    .filter(([, value]) => typeof value === 'string' && value.trim() === '')
    .map(([name]) => ({ path: `query.${name}`, rule: 'blank', message: 'must not be blank' }));

/** A parameter given more than once arrives as a list; only its first value is looked at further. */
function withoutRepeats(query: Values): { single: Values; repeated: FieldFault[] } {
  const repeated: FieldFault[] = [];
  // Without a prototype, or a parameter named __proto__ would vanish into it instead of being unknown.
  const single: Values = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    single[name] = Array.isArray(value) ? value[0] : value;
    if (Array.isArray(value)) repeated.push({ path: `query.${name}`, rule: 'repeated', message: 'stands there twice' });
  }
  return { single, repeated };
}

/** Node joins repeated headers with a comma; the raw list still knows. */
function repeatedHeaders(request: FastifyRequest, names: readonly string[]): FieldFault[] {
  const sent = request.raw.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return names
    .filter((name) => sent.indexOf(name) !== sent.lastIndexOf(name))
    .map((name) => ({ path: `header.${name}`, rule: 'repeated', message: 'stands there twice' }));
}

function trimmed(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((inner) => trimmed(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, trimmed(inner, depth + 1)]));
}

/** Rules that outdo others on the same field, the strongest last. */
const PRECEDENCE: readonly FieldRule[] = ['type', 'unknown'];

/** One fault a field: a value of the wrong type says nothing about the other rules, and what is unknown nothing at all. */
function onePerField(faults: FieldFault[]): FieldFault[] {
  const first = new Map<string, FieldFault>();
  for (const fault of faults) {
    const standing = first.get(fault.path);
    if (!standing || PRECEDENCE.indexOf(fault.rule) > PRECEDENCE.indexOf(standing.rule)) {
      first.set(fault.path, fault);
    }
  }
  return [...first.values()];
}
