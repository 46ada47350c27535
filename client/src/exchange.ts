import { BrokerError, type Failure, silence } from './errors.ts';

/** When the same call may be sent again: see `waitBeforeRepeat`. */
export type Repeatability = 'harmless' | 'if_refused' | 'never';

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
 */
export async function exchange(
  request: Request,
  repeatability: Repeatability,
  fetch: Fetch,
  patience: Patience,
): Promise<Response> {
  const body = request.method === 'GET' ? {} : { body: await request.text() };
  let attempts = 1;
  let outcome = await attemptOnce(request, body, fetch, patience.timeoutMs);
  while (!('response' in outcome)) {
    const { failure, cause } = outcome;
    const waitSeconds = attempts > patience.maxRepeats ? null : waitBeforeRepeat(failure, repeatability, attempts);
    if (waitSeconds === null || waitSeconds > patience.maxWaitSeconds) {
      throw new BrokerError(failure, attempts, { cause });
    }
    await patience.wait(waitSeconds * 1000, request.signal);
    attempts += 1;
    outcome = await attemptOnce(request, body, fetch, patience.timeoutMs);
  }
  return outcome.response;
}

/**
 * Seconds until the call may be sent again; null where it may not.
 * - 429: whatever was refused at that gate has done nothing, so `Retry-After` decides alone; the warnings of a service
 *   are limited for hours, which is no time to wait for
 * - an email that failed: what the answer says of trying again
 * - any other 500, a timeout, a failure of the network: it is unknown what was done, so only what is harmless to repeat
 * - everything else would fail again
 * @param attempt how often it has been sent
 */
export function waitBeforeRepeat(failure: Failure, repeatability: Repeatability, attempt: number): number | null {
  if (repeatability === 'never' || failure.reason === 'warning_limit') return null;
  const wait = failure.retryAfterSeconds ?? pause(attempt);
  if (failure.status === 429) return wait;
  if (failure.code === 'email_send_error') return failure.details.retryable ? wait : null;
  const refused = failure.status !== null && failure.status >= 300 && failure.status < 500;
  return repeatability === 'harmless' && !refused ? wait : null;
}

/** Half a second, doubled each time, and up to as much again by chance, so that callers do not come back together. */
const pause = (attempt: number): number => 0.5 * 2 ** (attempt - 1) * (1 + Math.random());

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
  const retryAfterSeconds = wholeSeconds(headers.get('retry-after'));
  const known = { status, requestId, retryAfterSeconds };
  if (!response.ok && envelope?.success === false && typeof envelope.error?.code === 'string') {
    const { code, message, details = {} } = envelope.error;
    // The catalogue says which of them belong together; what a newer server adds passes through as it is.
    const failure = { ...known, code, message, reason: details.reason ?? null, details } as unknown as Failure;
    return { failure };
  }
  return { failure: silence('unexpected_answer', `HTTP ${status} is no answer of the Broker API`, known) };
}

interface Envelope {
  success?: unknown;
  error?: { code: unknown; message: unknown; details?: { reason?: unknown } };
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

const wholeSeconds = (header: string | null): number | null =>
  header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;

/** A timer that is told of a longer time fires at once. */
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
