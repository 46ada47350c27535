import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';
import type { OpenAPIV3_1 } from 'openapi-types';

/** An answer as its caller gets it. */
export interface Answered {
  method: string;
  /** With its query. */
  url: string;
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

type Judge = (answer: Answered) => string[];
type Json = Record<string, unknown>;

/** The document is the same whatever the configuration, save for the server's address. */
let judge: Judge | undefined;

/**
 * Holds every answer that the app gives below /api/v1 against the OpenAPI document: that its status, its body and its
 * headers are documented, and that nothing is in it which is not.
 * @returns the answers that were not, in words, once all of them are looked at
 */
export function holdToDocument(app: FastifyInstance): () => Promise<string[]> {
  const found: string[] = [];
  const look = (answer: Answered) => {
    judge ??= judgeOf(app.openapiDocument());
    found.push(...judge(answer));
  };

  const inject = app.inject.bind(app) as unknown as (options: unknown, ...more: unknown[]) => unknown;
  const watched = (options: unknown, ...more: unknown[]) => {
    const asked =
      typeof options === 'string' ? { url: options } : (options as { url?: unknown; method?: string } | null);
    const answer = inject(options, ...more);
    if (typeof asked?.url !== 'string' || more.length > 0) return answer;
    return Promise.resolve(answer as ReturnType<FastifyInstance['inject']>).then((response) => {
      const { statusCode: status, headers, body } = response;
      look({ method: asked.method ?? 'GET', url: asked.url as string, status, headers, body });
      return response;
    });
  };
  Object.assign(app, { inject: watched });
  // Before the app's own listener, which can answer at once.
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    onAnswer(request, response, look);
  });
  return async () => found;
}

/** Reads along what is written to a connection. */
function onAnswer(request: IncomingMessage, response: ServerResponse, look: (answer: Answered) => void): void {
  const { method = '', url = '' } = request;
  const chunks: Buffer[] = [];
  let written: Json = {};
  const { writeHead, end, write } = response;
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  Object.assign(response, {
    writeHead(...given: unknown[]) {
      written = given.findLast((part) => typeof part === 'object' && part !== null) as Json;
      return Reflect.apply(writeHead, response, given);
    },
    write(...given: unknown[]) {
      keep(given[0]);
      return Reflect.apply(write, response, given);
    },
    end(...given: unknown[]) {
      keep(given[0]);
      return Reflect.apply(end, response, given);
    },
  });
  response.once('finish', () => {
    const headers = { ...response.getHeaders(), ...written };
    look({ method, url, status: response.statusCode, headers, body: Buffer.concat(chunks).toString() });
  });
}

const PREFIX = '/api';

/** What is wrong with an answer, in words, by this document. */
export function judgeOf(document: OpenAPIV3_1.Document): Judge {
  const closed = closedForm(document as unknown as Json) as Json;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...closed });
  const faultsOf = (pointer: string, value: unknown): string[] => {
    const validate = ajv.getSchema(`document#${pointer}`);
    if (!validate) return [`there is no ${pointer}`];
    return validate(value) ? [] : [ajv.errorsText(validate.errors).slice(0, 500)];
  };
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => ({
    path,
    item: item as Json,
    // What cannot be decoded is no value of a parameter.
    shape: new RegExp(`^${PREFIX}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const headers = document.components?.headers as Record<string, Json>;
  const known = Object.keys(headers).filter((name) => !name.includes('.'));

  return ({ method, url, status, headers: sent, body }) => {
    if (method === 'HEAD') return [];
    const [address = ''] = url.replace(/^https?:\/\/[^/]+/, '').split('?');
    if (!address.startsWith(`${PREFIX}/v1/`)) return [];
    const said = (faults: string[]) =>
      faults.map((fault) => `${method} ${url} ${status}: ${fault}\n${body.slice(0, 500)}`);
    const { path, item } = paths.find(({ shape }) => shape.test(address)) ?? {};
    const operation = item?.[method.toLowerCase()] as
      | { responses: Json; 'x-reasons': Record<string, string[]> }
      | undefined;
    if (path === undefined || operation === undefined) return status < 400 ? [] : said(unroutedFaults(body, faultsOf));
    const response = operation.responses[status] as { headers: Record<string, { $ref: string }> } | undefined;
    if (response === undefined) {
      // What cannot be read as a request is refused before it is routed.
      return said(/%(?![0-9a-f]{2})/i.test(address) ? unroutedFaults(body, faultsOf) : ['no such status']);
    }
    const at = ['paths', path, method.toLowerCase(), 'responses', status].map(escaped).join('/');
    const faults = faultsOf(`/${at}/content/application~1json/schema`, JSON.parse(body));
    const { code, details } = JSON.parse(body).error ?? {};
    if (details?.reason !== undefined && !operation['x-reasons'][code]?.includes(details.reason))
      faults.push(`the reason ${details.reason} is not documented`);
    for (const name of known) {
      const value = sent[name.toLowerCase()] ?? sent[name];
      const reference = response.headers[name]?.$ref.replace('#/components/headers/', '');
      const header = headers[reference ?? ''];
      if (value === undefined && header?.required) faults.push(`the header ${name} is missing`);
      if (value === undefined) continue;
      if (header === undefined) faults.push(`the header ${name} is not documented`);
      else {
        const typed = (header.schema as Json).type === 'integer' ? Number(value) : String(value);
        faults.push(...faultsOf(`/components/headers/${escaped(reference as string)}/schema`, typed));
      }
    }
    return said(faults);
  };
}

/** A failure that belongs to no operation: as its code says, whatever the status. */
function unroutedFaults(body: string, faultsOf: (pointer: string, value: unknown) => string[]): string[] {
  const { success, error, ...beyond } = JSON.parse(body);
  if (success !== false || Object.keys(beyond).length > 0) return ['not in the envelope'];
  const name = String(error.code).replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return faultsOf(`/components/schemas/${name}`, error);
}

const escaped = (part: string | number): string =>
  encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));

/** The document with every schema closed where it is used: nothing may be in an answer that no schema tells of. */
function closedForm(node: unknown, isSchema = false, isPart = false): unknown {
  if (Array.isArray(node)) return node.map((one) => closedForm(one));
  if (typeof node !== 'object' || node === null) return node;
  const result: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties' || key === 'schemas') {
      // Named schemas are parts of others and are closed where those refer to them.
      const each = Object.entries(value as Json).map(([name, one]) => [name, closedForm(one, true, key === 'schemas')]);
      result[key] = Object.fromEntries(each);
    } else if (['oneOf', 'anyOf', 'allOf'].includes(key)) {
      result[key] = (value as unknown[]).map((one) => closedForm(one, true, true));
    } else if (['examples', 'example', 'mapping'].includes(key)) result[key] = value;
    else result[key] = closedForm(value, key === 'schema' || key === 'items');
  }
  return isSchema && !isPart ? { ...result, unevaluatedProperties: false } : result;
}
