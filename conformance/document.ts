import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { OpenAPIV3_1 } from 'openapi-types';
import { at, type Item, shown } from './json.ts';

/** An answer below /api/v1. */
export interface DocumentedAnswer {
  method: string;
  /** Below `/api`, with its query. */
  path: string;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  /** The parsed body. */
  json: unknown;
}

interface Operation {
  responses: Record<string, { headers: Record<string, { $ref: string }> }>;
  'x-reasons': Record<string, readonly string[]>;
}

/**
 * Compares answers with an OpenAPI document: status, body, headers and reason have to be documented for the operation,
 * and a field that no schema has is a fault.
 * @returns a function that returns what is wrong with an answer, a sentence each
 */
export function documentChecker(document: OpenAPIV3_1.Document): (answer: DocumentedAnswer) => string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, verbose: true });
  ajv.addSchema({ $id: 'document', ...(closed(document) as object) });
  const faultsOf = (pointer: string, value: unknown, place: string): string[] => {
    const validate = ajv.getSchema(`document#${pointer}`);
    if (!validate) return [`there is no ${pointer} in the document`];
    return validate(value) ? [] : sentences(validate.errors ?? [], place);
  };
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => ({
    path,
    operations: item as unknown as Record<string, Operation>,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const headers = document.components?.headers as Record<string, { required?: boolean; schema: { type?: string } }>;
  // The others are variants of these, named NAME.optional.
  const headerNames = Object.keys(headers).filter((name) => !name.includes('.'));

  const headerFaults = (sent: DocumentedAnswer['headers'], documented: Record<string, { $ref: string }>) =>
    headerNames.flatMap((name) => {
      const component = documented[name]?.$ref.replace('#/components/headers/', '') ?? '';
      const header = headers[component];
      const value = sent[name.toLowerCase()] ?? sent[name];
      if (value === undefined) return header?.required ? [`the header ${name.toLowerCase()} is missing`] : [];
      if (!header) return [`the header ${name.toLowerCase()} is not documented for this answer`];
      const typed = header.schema.type === 'integer' ? Number(value) : String(value);
      return faultsOf(`/components/headers/${escaped(component)}/schema`, typed, `the header ${name.toLowerCase()}`);
    });

  return ({ method, path: url, status, headers: sent, json }) => {
    if (typeof json !== 'object' || json === null) return ['the answer is outside the envelope: no JSON object'];
    const [address = ''] = url.split('?');
    const matching = paths.filter(({ pattern }) => pattern.test(address));
    // A word of a path comes before a parameter in its place.
    const isOf = ({ operations }: (typeof paths)[number]) => method.toLowerCase() in operations;
    const { path = '', operations } = matching.find(isOf) ?? matching[0] ?? {};
    const operation = operations?.[method.toLowerCase()];
    const response = operation?.responses[status];
    // Requests without an operation, and those that cannot be read, are refused before they are routed.
    if (!operation || (!response && /%(?![0-9a-f]{2})/i.test(address))) {
      if (status < 400) return ['the document has no such operation'];
      const name = String(at(json, 'error.code')).replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
      const beyond = Object.keys(json).filter((field) => !['success', 'error'].includes(field));
      if (at(json, 'success') !== false || beyond.length > 0) return ['the answer is outside the envelope'];
      return faultsOf(`/components/schemas/${name}`, at(json, 'error'), 'error');
    }
    if (!response) return [`the document has no answer ${status} of this operation`];
    const pointer = ['paths', path, method.toLowerCase(), 'responses', status].map(escaped).join('/');
    const faults = faultsOf(`/${pointer}/content/application~1json/schema`, json, '');
    const { code, details } = (at(json, 'error') ?? {}) as { code?: string; details?: { reason?: string } };
    if (details?.reason !== undefined && !operation['x-reasons'][String(code)]?.includes(details.reason))
      faults.push(`the reason ${details.reason} is not documented for this operation`);
    return [...faults, ...headerFaults(sent, response.headers)];
  };
}

/** What is wrong, without what follows from it: that no branch of a union fits, or that a value is not null. */
function sentences(errors: ErrorObject[], place: string): string[] {
  const causes = errors.filter(
    ({ keyword, params }) => !['oneOf', 'anyOf', 'if'].includes(keyword) && params.type !== 'null',
  );
  const found = (causes.length > 0 ? causes : errors).map(({ instancePath, keyword, params, message, data }) => {
    const path = [place, ...instancePath.split('/').slice(1)].filter(Boolean).join('.');
    const inner = (name: unknown) => [path, name].filter(Boolean).join('.');
    if (keyword === 'required') return `${inner(params.missingProperty)} is missing`;
    const foreign = params.unevaluatedProperty ?? params.additionalProperty;
    if (foreign !== undefined) return `${inner(foreign)} is no field of the document`;
    const allowed = params.allowedValue ?? params.allowedValues;
    return `${path || 'the answer'} ${message}${allowed === undefined ? '' : `: ${shown(allowed)}`}, but is ${shown(data)}`;
  });
  return [...new Set(found)];
}

/** One step of a JSON pointer in a URI. */
const escaped = (part: string | number): string =>
  encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));

interface Discriminator {
  propertyName: string;
  mapping: Record<string, string>;
}

/** The same union as a condition for each branch, so that a fault is named by the branch that is meant. */
const branches = ({ propertyName, mapping }: Discriminator) => ({
  type: 'object',
  required: [propertyName],
  properties: { [propertyName]: { enum: Object.keys(mapping) } },
  allOf: Object.entries(mapping).map(([value, $ref]) => ({
    if: { properties: { [propertyName]: { const: value } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { $ref },
  })),
});

/** The document with every schema closed where it is used, so that a field without a schema is a fault. */
function closed(node: unknown, isSchema = false, isPart = false): unknown {
  if (Array.isArray(node)) return node.map((one) => closed(one));
  if (typeof node !== 'object' || node === null) return node;
  const { discriminator, ...rest } = node as { discriminator?: Discriminator; oneOf?: unknown };
  if (discriminator) {
    const { oneOf: _, ...schema } = rest;
    return closed({ ...schema, ...branches(discriminator) }, isSchema, isPart);
  }
  const result: Item = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties' || key === 'schemas') {
      // Named schemas are parts of others and are closed where those refer to them.
      const each = Object.entries(value).map(([name, one]) => [name, closed(one, true, key === 'schemas')]);
      result[key] = Object.fromEntries(each);
    } else if (['oneOf', 'anyOf', 'allOf'].includes(key))
      result[key] = (value as unknown[]).map((one) => closed(one, true, true));
    else if (['examples', 'example'].includes(key)) result[key] = value;
    else result[key] = closed(value, key === 'schema' || key === 'items');
  }
  return isSchema && !isPart ? { ...result, unevaluatedProperties: false } : result;
}
