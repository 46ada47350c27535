import { createHmac } from 'node:crypto';
import { type Exchange, singleExchange } from '../http/single-exchange.ts';
import { RECORDS_ARE_OLD } from '../lifecycle/replaced.ts';
import type { OperationLog, Provisioner, Work, WorkOutcome, WorkResult } from '../ports.ts';
import { readAccess } from '../rules/access.ts';
import { NAME_PATTERN } from '../rules/offers.ts';
import type { Configuration } from '../rules/options.ts';
import type { Clock } from '../runtime/clock.ts';

/** Where the operator's endpoint is, and what signs the calls to it. */
export interface Endpoint {
  url: string;
  secret: string;
  clock: Pick<Clock, 'now'>;
}

export interface HttpProvisionerOptions extends Endpoint {
  log: Pick<OperationLog, 'warn'>;
  /** Milliseconds from connecting to the answer's last byte; must be well below the length of a lease. */
  timeoutMs?: number;
}

export type Answer = NonNullable<Exchange['answer']>;

export const CALL_TIMEOUT_MS = 10_000;

/** The status for work that has begun and is not done yet. */
const ACCEPTED = 202;
/** Seconds: seldom enough for any endpoint, and so that finished work is noticed within an hour. */
const CHECK_AFTER = { min: 0.1, max: 3600 };
const MAX_TOKEN = 255;
const MAX_REFERENCE = 255;
/** More than a plan and an action have options. */
const MAX_VALUES = 100;

/** Statuses for "not now": the endpoint did not process the request. */
const NOT_NOW = [425, 429];
/** Statuses that refuse the work itself. Any other 4xx means a wrong address or credential, which an operator can fix. */
const CONFLICT = 409;
const REFUSALS = [400, CONFLICT, 422];
/** The endpoint (or a proxy in front of it) stopped waiting; whether the work was done is unknown. */
const REQUEST_TIMEOUT = 408;

/**
 * The provisioner port over the operator's own endpoint (contract, section 10): one POST of the work as JSON, signed
 * as `X-Broker-Signature: t=<epoch seconds>,v1=<hex HMAC-SHA256 of "t.body">`. The request's id is the idempotency
 * key: after a lost answer the same call is repeated, and the endpoint answers it without doing the work twice.
 *
 * The outcome depends on the answer:
 * - in progress: a 202 without another outcome, or `{"outcome": "in_progress"}` in any 2xx. `Retry-After` (seconds, also
 *   tenths) says when to ask again, and the next call sends the `token` of the body.
 * - not done, and no more calls: a 409 with the reason `records_are_old` (section 15.3).
 * - failed: `{"outcome": "failed", reason, message, service_usable, retryable}` in a 2xx or 4xx; also a 400, 409 or 422
 *   without it.
 * - done: `{"outcome": "done"}` in a 2xx; also `{}` and an empty body in any but a 202.
 * - retry: everything else, also from a proxy: no answer, a redirect (which is not followed), any other 4xx, a 5xx, a
 *   2xx whose body is not a JSON object with a known outcome (contract, section 14.3).
 */
export function createHttpProvisioner({
  log,
  timeoutMs = CALL_TIMEOUT_MS,
  ...endpoint
}: HttpProvisionerOptions): Provisioner {
  return {
    async fulfil(work, signal) {
      const exchange = await post(endpoint, { id: work.request_id, content: work, timeoutMs, signal });
      if (!exchange.answer) return unanswered(exchange.connected);
      const judgement = judge(exchange.answer, work);
      if (!judgement) {
        logUnreadable(log, exchange.answer, { request_id: work.request_id });
        return unclear(`The provisioner answered ${exchange.answer.status} with a body that cannot be read`);
      }
      const { outcome, invalid } = judgement;
      if (invalid.length > 0) {
        // Names alone: a value may be a password in the wrong place.
        log.warn({ request_id: work.request_id, fields: invalid }, "parts of the provisioner's answer are not valid");
      }
      return outcome;
    },
  };
}

/** One signed call of the operator's endpoint; `answer` stays null where none came in time. */
export async function post(
  { url, secret, clock }: Endpoint,
  {
    id,
    content,
    timeoutMs,
    signal,
  }: { id: string; content: object; timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Exchange> {
  const body = JSON.stringify(content);
  const seconds = Math.floor(clock.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const exchange: Exchange = { connected: false, answer: null };
  const deadline = AbortSignal.timeout(timeoutMs);
  await singleExchange(exchange, signal ? AbortSignal.any([signal, deadline]) : deadline)(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Accept-Encoding': 'identity',
      'User-Agent': 'broker-service-api',
      'Idempotency-Key': id,
      'X-Broker-Request-Id': id,
      'X-Broker-Signature': `t=${seconds},v1=${mac}`,
    },
    body,
    // The exchange records how far the call came; the error says less.
  }).catch(() => undefined);
  return exchange;
}

const unclear = (message: string): WorkOutcome => ({
  outcome: 'retry',
  reason: 'outcome_unknown',
  message,
  mayBeDone: true,
});

const unanswered = (connected: boolean): WorkOutcome =>
  connected
    ? unclear('The provisioner did not answer')
    : {
        outcome: 'retry',
        reason: 'provisioner_unreachable',
        message: 'The provisioner could not be reached',
        mayBeDone: false,
      };

/** The outcome, and the names of what in it is not valid. */
interface Judgement {
  outcome: WorkOutcome;
  invalid: string[];
}

/** Undefined where the answer cannot be read. */
function judge(answer: Answer, work: Work): Judgement | undefined {
  const content = contentOf(answer.body);
  const outcome = outcomeOf(answer, content, work.service);
  if (outcome?.outcome !== 'done') return outcome && { outcome, invalid: [] };
  const { result, invalid } = resultOf(content ?? {});
  return { outcome: { ...outcome, ...result, ...(invalid.length > 0 && { isPartlyInvalid: true }) }, invalid };
}

/**
 * What an answer says.
 * @param content what is in its body, null where that cannot be read
 * Returns undefined for a 2xx that says nothing of the work: its body cannot be read, or has no known outcome.
 */
export function outcomeOf(
  { status, headers }: Answer,
  content: Content | null,
  service?: Work['service'],
): WorkOutcome | undefined {
  const message = `The provisioner answered ${status}`;
  if (NOT_NOW.includes(status)) {
    return { outcome: 'retry', reason: 'provisioner_busy', message, mayBeDone: false };
  }
  if (status === CONFLICT && content?.reason === RECORDS_ARE_OLD) {
    return { outcome: 'retry', reason: RECORDS_ARE_OLD, message, mayBeDone: false };
  }
  const isSuccess = status >= 200 && status < 300;
  const isRefusal = status >= 400 && status < 500 && status !== REQUEST_TIMEOUT;
  if (!isSuccess && !isRefusal) return unclear(message);
  if (content?.outcome === 'failed' || REFUSALS.includes(status)) {
    return failure(content ?? {}, isSuccess ? 'provisioner_failed' : 'provisioner_refused', message, service);
  }
  if (isRefusal) return { outcome: 'retry', reason: 'provisioner_refused', message, mayBeDone: false };
  if (!content) return undefined;
  const outcome = content.outcome === undefined ? impliedBy(status, content) : content.outcome;
  if (outcome === 'done') return { outcome };
  if (outcome !== 'in_progress') return undefined;
  return { outcome, token: tokenOf(content.token), checkAfterSeconds: readSeconds(headers['retry-after']) };
}

/** The outcome of a success that names none. */
function impliedBy(status: number, content: Content): string | undefined {
  if (status === ACCEPTED) return 'in_progress';
  return Object.keys(content).length === 0 ? 'done' : undefined;
}

/** What finished work says of its service, without what is not valid (contract, section 12.7). */
function resultOf(content: Content): { result: WorkResult; invalid: string[] } {
  const result: WorkResult = {};
  const invalid: string[] = [];
  if (content.access !== undefined) {
    const read = readAccess(content.access);
    const isWhole = typeof content.access !== 'object' || Array.isArray(content.access);
    invalid.push(...read.invalid.map((name) => (isWhole ? name : `access.${named(name)}`)));
    // Where nothing of it is valid, it does not say that nothing is known.
    if (read.access !== null || read.invalid.length === 0) result.access = read.access;
  }
  if (isSome(content.configuration)) {
    const { values, names } = valuesOf(content.configuration);
    result.configuration = values;
    invalid.push(...names);
  }
  if (isSome(content.reference)) {
    if (isReference(content.reference)) result.reference = content.reference;
    else invalid.push('reference');
  }
  return { result, invalid };
}

const isSome = (value: unknown): boolean => value !== undefined && value !== null;

/** The values that an option could have; which of them the plan has is checked with its record. */
function valuesOf(given: unknown): { values: Configuration; names: string[] } {
  if (typeof given !== 'object' || Array.isArray(given)) return { values: {}, names: ['configuration'] };
  const entries = Object.entries(given as object);
  if (entries.length > MAX_VALUES) return { values: {}, names: ['configuration'] };
  const isValid = ([name, value]: [string, unknown]) => OPTION_NAME.test(name) && isValue(value);
  return {
    values: Object.fromEntries(entries.filter(isValid)),
    names: entries
      .filter((entry) => !isValid(entry) && isSome(entry[1]))
      .map(([name]) => `configuration.${named(name)}`),
  };
}

const isValue = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.isWellFormed() && !value.includes('\0')
    : typeof value === 'number' || typeof value === 'boolean';

const OPTION_NAME = new RegExp(NAME_PATTERN);

/** A name that an answer made up, as it may stand in a log. */
const named = (name: string): string => (/^\w{1,50}$/.test(name) ? name : '?');

const isReference = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_REFERENCE && /^[ -~]+$/.test(value);

function failure(answer: Content, reason: string, message: string, service?: Work['service']): WorkOutcome {
  return {
    outcome: 'failed',
    reason: isWord(answer.reason) ? answer.reason : reason,
    message: textOf(answer.message) || message,
    serviceUsable:
      typeof answer.service_usable === 'boolean'
        ? answer.service_usable
        : // A refusal changed nothing, so an active service is still usable.
          service?.service_status === 'active',
    retryable: answer.retryable === true,
  };
}

/** What an answer says in its body. */
export type Content = Record<string, unknown>;

/** The JSON object of a body, without a byte order mark; `{}` of an empty one, null where it is anything else. */
export function contentOf(body: Buffer): Content | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Content) : null;
  } catch {
    return null;
  }
}

/** Logs that a success says nothing; not what it holds, which may be a password. */
export function logUnreadable(
  log: Pick<OperationLog, 'warn'>,
  { status, headers, body }: Answer,
  concerned: { request_id: string } | { service_number: number },
): void {
  const form = { content_type: headers['content-type'], content_encoding: headers['content-encoding'] };
  log.warn(
    { ...concerned, status, bytes: body.length, ...form },
    "the provisioner's answer counts as none: it is not a JSON object in UTF-8 with a known outcome",
  );
}

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[a-z0-9_]{1,64}$/.test(value);

/** A token that cannot be sent back unchanged is ignored. */
const tokenOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= MAX_TOKEN && /^[!-~]+$/.test(value) ? value : null;

const readSeconds = (retryAfter = ''): number | null =>
  /^\d{1,9}(\.\d{1,3})?$/.test(retryAfter)
    ? Math.min(Math.max(Number(retryAfter), CHECK_AFTER.min), CHECK_AFTER.max)
    : null;

const MAX_MESSAGE = 1000;

/** A text that both databases can store and that is safe to print on a terminal. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .slice(0, MAX_MESSAGE)
        .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
        .trim()
    : '';
