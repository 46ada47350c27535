import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

/** One request of a check. */
export interface Ask {
  method: string;
  /** Below the base address, so `/v1/...`; beside `/api` where it begins with `//`. */
  path: string;
  /** What follows `Bearer`; the key under test unless told, none at all with null. */
  key?: string | null;
  /** In place of `Bearer`. */
  scheme?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  bytes?: string | Buffer;
}

export interface Answer {
  ask: Ask;
  status: number;
  headers: http.IncomingHttpHeaders;
  raw: Buffer;
  /** What the body says; undefined where it is no JSON. */
  json: unknown;
}

/** Larger answers are no answers of this API: a page of 100 records takes some 100 KB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Longer than the server may think about a report. */
const PATIENCE_MS = 45_000;
/** What a race needs at once. */
const CONNECTIONS = 8;

/** Sends requests as they are: no redirect is followed, no path is tidied up, nothing is sent twice. */
export function openWire(baseUrl: URL, apiKey: string) {
  const { Agent, request: open } = baseUrl.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const prefix = baseUrl.pathname.replace(/\/$/, '');

  return {
    secure: baseUrl.protocol === 'https:',
    async send(ask: Ask): Promise<Answer> {
      const { method, key = apiKey, scheme = 'Bearer', headers = {} } = ask;
      const bytes = ask.bytes ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
      const path = ask.path.startsWith('//') ? prefix.slice(0, -'/api'.length) + ask.path.slice(1) : prefix + ask.path;
      return new Promise((resolve, reject) => {
        const request = open({
          agent,
          protocol: baseUrl.protocol,
          hostname: baseUrl.hostname.replace(/^\[|\]$/g, ''),
          port: baseUrl.port,
          method,
          path,
          headers: {
            accept: 'application/json',
            ...(key !== null && { authorization: `${scheme} ${key}` }),
            ...(bytes !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(bytes),
            }),
            ...headers,
          },
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        request.once('error', reject);
        request.once('response', (response) => {
          const chunks: Buffer[] = [];
          let size = 0;
          response.on('data', (chunk: Buffer) => {
            size += chunk.length;
            if (size > MAX_ANSWER_BYTES)
              response.destroy(new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`));
            else chunks.push(chunk);
          });
          response.once('error', reject);
          response.once('end', () => {
            const raw = Buffer.concat(chunks);
            resolve({ ask, status: response.statusCode as number, headers: response.headers, raw, json: parsed(raw) });
          });
        });
        request.end(bytes);
      });
    },
    close: () => agent.destroy(),
  };
}

export type Wire = ReturnType<typeof openWire>;

export const get = (path: string, more: Partial<Ask> = {}): Ask => ({ method: 'GET', path, ...more });
export const post = (path: string, body?: unknown, more: Partial<Ask> = {}): Ask => ({
  method: 'POST',
  path,
  ...(body !== undefined && { body }),
  ...more,
});

/** An idempotency key or a reference that no call has used. */
export const freshKey = (): string => `conformance-${randomBytes(12).toString('hex')}`;

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString());
  } catch {
    // That it is no JSON is for the rules to say.
    return undefined;
  }
}
