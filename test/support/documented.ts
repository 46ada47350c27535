import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { OpenAPIV3_1 } from 'openapi-types';
import { documentChecker } from '../../conformance/document.ts';

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
  const check = documentChecker(document);
  return ({ method, url, status, headers, body }) => {
    const path = url.replace(/^https?:\/\/[^/]+/, '');
    if (method === 'HEAD' || !path.startsWith(`${PREFIX}/v1/`)) return [];
    return check({ method, path: path.slice(PREFIX.length), status, headers, json: JSON.parse(body) }).map(
      (fault) => `${method} ${url} ${status}: ${fault}\n${body.slice(0, 500)}`,
    );
  };
}
