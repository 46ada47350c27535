import { ANSWERS, SCHEMAS } from './generated/answers.ts';

/** The part of JSON Schema that the interface description uses for answers. */
export interface Schema {
  $ref?: string;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
}

const PATHS = Object.entries(ANSWERS).map(([operation, schema]) => ({
  matches: new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`),
  schema,
}));

/** Where the `data` of a success departs from what the operation answers, a sentence each. */
export function departuresOf(method: string, path: string, status: number, data: unknown): string[] {
  const operation = `${method} ${path.replace(/\?.*/, '')} ${status}`;
  const known = PATHS.find(({ matches }) => matches.test(operation));
  return known ? departures(data, known.schema) : [];
}

/** Where a value departs from a schema; empty where it does not. A field that the schema does not have is named. */
export function departures(value: unknown, schema: Schema, path = 'data'): string[] {
  const { anyOf, oneOf, type, items, pattern, properties, required = [], ...rest } = resolved(schema);
  const options = oneOf ?? anyOf;
  if (options) return departures(value, optionFor(value, options), path);
  const types = typeof type === 'string' ? [type] : type;
  if (types && !types.some((each) => isOf(each, value)))
    return [`${path} is ${shown(value)}, not ${types.join(' or ')}`];
  const allowed = 'const' in rest ? [rest.const] : rest.enum;
  if (allowed && !allowed.includes(value))
    return [`${path} is ${shown(value)}, not ${allowed.map(shown).join(' or ')}`];
  if (pattern !== undefined && typeof value === 'string' && !new RegExp(pattern, 'u').test(value))
    return [`${path} is ${shown(value)}, which does not match ${pattern}`];
  if (Array.isArray(value)) return value.flatMap((item, index) => departures(item, items ?? {}, `${path}.${index}`));
  if (typeof value !== 'object' || value === null || !properties) return [];
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const known = properties[name];
      return known ? departures(inner, known, `${path}.${name}`) : [`${path}.${name} is no field of the contract`];
    }),
  ];
}

/** Without references, and with all parts of an `allOf` in one. */
function resolved({ $ref, allOf = [], ...schema }: Schema): Schema {
  const named = $ref === undefined ? undefined : SCHEMAS[$ref.split('/').at(-1) as string];
  const parts = [...(named ? [named] : []), ...allOf].map(resolved);
  const properties = Object.assign({}, ...parts.map((part) => part.properties), schema.properties);
  return {
    ...Object.assign({}, ...parts),
    ...schema,
    ...(Object.keys(properties).length > 0 && { properties }),
    required: [schema, ...parts].flatMap(({ required = [] }) => required),
  };
}

/** The option that a value is meant to be: null, the record of its `type`, or the first that it fits. */
function optionFor(value: unknown, options: readonly Schema[]): Schema {
  const fits = options.find((option) => departures(value, option).length === 0);
  const ofType = options.find((option) => {
    const words = resolved(option).properties?.type;
    return words !== undefined && departures(at(value, 'type'), words).length === 0;
  });
  return fits ?? ofType ?? (options[0] as Schema);
}

const isOf = (type: string, value: unknown): boolean => {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
};

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Where a value departs from a part of it that is expected; an array has to be as long as the expected one. */
export function differences(value: unknown, expected: unknown, path = 'answer'): string[] {
  if (typeof expected !== 'object' || expected === null) {
    return Object.is(value, expected) ? [] : [`${path} is ${shown(value)}, not ${shown(expected)}`];
  }
  if (typeof value !== 'object' || value === null) return [`${path} is ${shown(value)}, not ${shown(expected)}`];
  if (Array.isArray(expected) && (!Array.isArray(value) || value.length !== expected.length)) {
    return [`${path} is ${shown(value)}, not ${shown(expected)}`];
  }
  return Object.entries(expected).flatMap(([name, inner]) =>
    differences((value as Record<string, unknown>)[name], inner, `${path}.${name}`),
  );
}

/** The value at a path such as `data.0.plan.slug`; undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** The list at a path; an empty one where there is none, which the rules have complained about. */
export const listAt = (value: unknown, path: string): unknown[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};

const shown = (value: unknown): string => {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}...` : text;
};
