import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

/** One request of a check. */
export interface Call {
  method: string;
  /** Below the base address, such as `/v1/plans`; outside of `/api` where it begins with `//`. */
  path: string;
  /** What follows `Bearer`; by default the key under test, no header at all with null. */
  key?: string | null;
  /** In place of `Bearer`. */
  scheme?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, in place of `body`. */
  bytes?: string | Buffer;
}

export interface Answer {
  call: Call;
  status: number;
  headers: http.IncomingHttpHeaders;
  raw: Buffer;
  /** The parsed body; undefined where it is no JSON. */
  json: unknown;
}

/** A page of 100 records takes some 100 KB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Longer than the server may take for a report. */
const TIMEOUT_MS = 45_000;
/** As many as a race needs. */
const MAX_CONNECTIONS = 8;

/** Sends requests unchanged: it follows no redirect, normalizes no path and sends nothing twice. */
export function createClient(baseUrl: URL, apiKey: string) {
  const { Agent, request: open } = baseUrl.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const prefix = baseUrl.pathname.replace(/\/$/, '');

  return {
    secure: baseUrl.protocol === 'https:',
    send(call: Call): Promise<Answer> {
      const { method, key = apiKey, scheme = 'Bearer', headers = {} } = call;
      const bytes = call.bytes ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
      const path = call.path.startsWith('//')
        ? prefix.slice(0, -'/api'.length) + call.path.slice(1)
        : prefix + call.path;
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
          signal: AbortSignal.timeout(TIMEOUT_MS),
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
            resolve({ call, status: response.statusCode as number, headers: response.headers, raw, json: parsed(raw) });
          });
        });
        request.end(bytes);
      });
    },
    close: () => agent.destroy(),
  };
}

export type Client = ReturnType<typeof createClient>;

export const get = (path: string, more: Partial<Call> = {}): Call => ({ method: 'GET', path, ...more });
export const post = (path: string, body?: unknown, more: Partial<Call> = {}): Call => ({
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
    // The rules for answers report that it is no JSON.
    return undefined;
  }
}
