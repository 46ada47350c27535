import { BrokerError, type Failure, silence } from './errors.ts';

export interface Patience {
  /** For one try, its answer included. */
  timeoutMs: number;
  /** Further tries after the first. */
  maxRepeats: number;
  /** A longer wait than this is left to the caller. */
  maxWaitSeconds: number;
  /** Waits; rejects with the signal's reason when that is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The part of `fetch` that is used; any implementation of it will do. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Headers;
    body?: string;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<Response>;

/**
 * Sends a request until it succeeds or may not be sent again, each time the very same bytes. Throws a `BrokerError`,
 * or the reason of the caller's own signal.
 * @param repeatable false for what could be done twice
 */
export async function exchange(
  request: Request,
  repeatable: boolean,
  fetch: Fetch,
  patience: Patience,
): Promise<Response> {
  const body = request.method === 'GET' ? {} : { body: await request.text() };
  let attempts = 1;
  let outcome = await attemptOnce(request, body, fetch, patience.timeoutMs);
  while (!('response' in outcome)) {
    const { failure, cause } = outcome;
    const mayRepeat = repeatable && attempts <= patience.maxRepeats && passes(failure);
    const waitSeconds = failure.retryAfterSeconds ?? pause(attempts);
    if (!mayRepeat || waitSeconds > patience.maxWaitSeconds) {
      throw new BrokerError(failure, attempts, { cause });
    }
    await patience.wait(waitSeconds * 1000, request.signal);
    attempts += 1;
    outcome = await attemptOnce(request, body, fetch, patience.timeoutMs);
  }
  return outcome.response;
}

/** Unless the caller says otherwise. */
export const PATIENCE: Patience = {
  timeoutMs: 30_000,
  maxRepeats: 3,
  maxWaitSeconds: 60,
  wait: (ms, signal) => sleep(ms, signal),
};

/** Whether the same call can succeed later: after 429, a 5xx, and what is no answer of the API. */
const passes = ({ status }: Failure): boolean => status === null || status < 300 || status === 429 || status >= 500;

/** Half a second, doubled each time, and up to as much again by chance, so that callers do not come back together. */
export const pause = (attempt: number): number => 0.5 * 2 ** (attempt - 1) * (1 + Math.random());

type Outcome = { response: Response } | { failure: Failure; cause?: unknown };

async function attemptOnce(
  { url, method, headers, signal }: Request,
  body: { body?: string },
  fetch: Fetch,
  timeoutMs: number,
): Promise<Outcome> {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    // A redirect would be another address than the one that was given the key.
    const init = { method, headers, ...body, redirect: 'manual' as const };
    const response = await fetch(url, { ...init, signal: AbortSignal.any([signal, timeout]) });
    // The body belongs to the try: it can stall as well.
    return judge(response, await response.text());
  } catch (cause) {
    signal.throwIfAborted();
    const failure = timeout.aborted
      ? silence('timeout', `No answer within ${timeoutMs} ms`)
      : silence('network_failure', 'The connection failed before the answer was complete');
    return { failure, cause };
  }
}

/** What an answer is: a success, a refusal in the envelope, or the word of something between us and the API. */
function judge(response: Response, text: string): Outcome {
  const { status, headers } = response;
  const envelope = parse(text);
  if (response.ok && envelope?.success === true && 'data' in envelope) {
    return { response: new Response(text, { status, headers }) };
  }
  const requestId = headers.get('x-request-id');
  const retryAfterSeconds = retryAfter(headers);
  const known = { status, requestId, retryAfterSeconds };
  if (!response.ok && envelope?.success === false && isOurs(envelope.error)) {
    const { code, message, details = {} } = envelope.error;
    // The catalogue says which of them belong together; what a newer server adds passes through as it is.
    const failure = { ...known, code, message, reason: details.reason ?? null, details } as unknown as Failure;
    return { failure };
  }
  return { failure: silence('unexpected_answer', `HTTP ${status} is no answer of the Broker API`, known) };
}

interface Envelope {
  success?: unknown;
  error?: unknown;
}

interface ApiError {
  code: string;
  message: string;
  details?: { reason?: unknown };
}

/** Another system's error may have the same names for values of other types. */
function isOurs(error: unknown): error is ApiError {
  const { code, message, details = {} } = (error ?? {}) as Partial<Record<keyof ApiError, unknown>>;
  if (typeof code !== 'string' || typeof message !== 'string') return false;
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return false;
  return !('reason' in details) || typeof details.reason === 'string';
}

function parse(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // No JSON is no envelope.
    return undefined;
  }
}

/** Seconds, one at least. The header holds them or a date, which is compared with the date of the answer. */
function retryAfter(headers: Headers): number | null {
  const header = headers.get('retry-after') ?? '';
  const sent = Date.parse(headers.get('date') ?? '') || Date.now();
  const until = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((until - sent) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(1, seconds);
}

/** A timer with a longer time fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for the time, 24 days at most, or rejects with the signal's reason, at once where it is aborted already. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, Math.min(ms, MAX_TIMER_MS));
    function done() {
      signal.removeEventListener('abort', aborted);
      resolve();
    }
    function aborted() {
      clearTimeout(timer);
      reject(signal.reason);
    }
    signal.addEventListener('abort', aborted, { once: true });
  });
}
