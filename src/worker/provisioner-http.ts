import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type Exchange, singleExchange } from '../http/single-exchange.ts';
import type { Provisioner, Work, WorkOutcome } from '../ports.ts';

export interface HttpProvisionerOptions {
  url: string;
  secret: string;
  clock: Pick<Clock, 'now'>;
  /** From connecting to the answer's last byte; well below a lease's length. Milliseconds. */
  timeoutMs?: number;
}

type Answer = NonNullable<Exchange['answer']>;

const TIMEOUT_MS = 10_000;

/** The work has begun and is not done yet. */
const ACCEPTED = 202;
/** When to ask again where the answer does not say. Seconds. */
const CHECK_AFTER = 30;
/** Asked more rarely than this, a provisioner that is long done would not be noticed. */
const CHECK_AFTER_AT_MOST = 3600;
const LONGEST_TOKEN = 255;

/** Answers that say "not now" of a request that was not looked at. */
const NOT_NOW = [425, 429];
/** Refusals of the work itself. Any other 4xx speaks of the way to the endpoint, which an operator can mend. */
const REFUSALS = [400, 409, 422];
/** The endpoint (or a proxy in front of it) gave up waiting: for what, it does not say. */
const REQUEST_TIMEOUT = 408;

/**
 * The provisioner port over the operator's own endpoint (contract, section 10): one POST of the work as JSON, signed
 * as `X-Broker-Signature: t=<epoch seconds>,v1=<hex HMAC-SHA256 of "t.body">`. The request's id is the idempotency
 * key: after a lost answer the same call comes again, and the endpoint answers it without working twice.
 *
 * A 202, or `{"outcome": "in_progress"}`, says that the work goes on: `Retry-After` (seconds) tells when to ask again, and
 * a `token` in the body comes along with the question. Any other 2xx is done. `{"outcome": "failed", reason, message, service_usable, retryable}` in a 2xx or 4xx fails the request,
 * as a 400, 409 or 422 does without it. Everything else, whoever answered it, asks to try again later: no answer, a
 * redirect (which is not followed), any other 4xx, a 5xx, a page where JSON was due, an outcome that nobody knows.
 */
export function createHttpProvisioner({
  url,
  secret,
  clock,
  timeoutMs = TIMEOUT_MS,
}: HttpProvisionerOptions): Provisioner {
  return {
    async fulfil(work, signal) {
      const body = JSON.stringify(work);
      const seconds = Math.floor(clock.now() / 1000);
      const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
      const exchange: Exchange = { connected: false, answer: null };
      const deadline = AbortSignal.timeout(timeoutMs);
      await singleExchange(exchange, signal ? AbortSignal.any([signal, deadline]) : deadline)(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'broker-service-api',
          'Idempotency-Key': work.request_id,
          'X-Broker-Request-Id': work.request_id,
          'X-Broker-Signature': `t=${seconds},v1=${mac}`,
        },
        body,
        // How far it came stands in the exchange, which tells more than the error.
      }).catch(() => undefined);
      return exchange.answer ? judge(exchange.answer, work) : unanswered(exchange.connected);
    },
  };
}

const unanswered = (connected: boolean): WorkOutcome =>
  connected
    ? { outcome: 'retry', reason: 'outcome_unknown', message: 'The provisioner did not answer', mayBeDone: true }
    : {
        outcome: 'retry',
        reason: 'provisioner_unreachable',
        message: 'The provisioner could not be reached',
        mayBeDone: false,
      };

function judge({ status, headers, body }: Answer, work: Work): WorkOutcome {
  const told = `The provisioner answered ${status}`;
  if (NOT_NOW.includes(status)) {
    return { outcome: 'retry', reason: 'provisioner_busy', message: told, mayBeDone: false };
  }
  const unclear: WorkOutcome = { outcome: 'retry', reason: 'outcome_unknown', message: told, mayBeDone: true };
  const isSuccess = status >= 200 && status < 300;
  const isRefusal = status >= 400 && status < 500 && status !== REQUEST_TIMEOUT;
  if (!isSuccess && !isRefusal) return unclear;
  const answer = objectOf(body);
  if (answer.outcome === 'failed' || REFUSALS.includes(status)) {
    return failure(answer, isSuccess ? 'provisioner_failed' : 'provisioner_refused', told, work);
  }
  if (isRefusal) return { outcome: 'retry', reason: 'provisioner_refused', message: told, mayBeDone: false };
  // A proxy's page, with any status, says nothing of the work.
  if (/^text\/html/i.test(headers['content-type'] ?? '')) return unclear;
  if (answer.outcome === 'in_progress' || (status === ACCEPTED && answer.outcome !== 'done')) {
    return {
      outcome: 'in_progress',
      token: tokenOf(answer.token),
      checkAfterSeconds: secondsOf(headers['retry-after']),
    };
  }
  return answer.outcome === undefined || answer.outcome === 'done' ? { outcome: 'done' } : unclear;
}

function failure(answer: Record<string, unknown>, reason: string, told: string, work: Work): WorkOutcome {
  return {
    outcome: 'failed',
    reason: isWord(answer.reason) ? answer.reason : reason,
    message: textOf(answer.message) || told,
    serviceUsable:
      typeof answer.service_usable === 'boolean'
        ? answer.service_usable
        : // A refusal changed nothing, so the client can use what could be used before.
          work.service.service_status === 'active',
    retryable: answer.retryable === true,
  };
}

function objectOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[a-z0-9_]{1,64}$/.test(value);

/** A token comes back as it was given, or not at all. */
const tokenOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length <= LONGEST_TOKEN && /^[!-~]+$/.test(value) ? value : null;

const secondsOf = (retryAfter: string | undefined): number =>
  /^\d{1,9}$/.test(retryAfter ?? '') ? Math.min(Math.max(Number(retryAfter), 1), CHECK_AFTER_AT_MOST) : CHECK_AFTER;

const LONGEST_MESSAGE = 1000;

/** A text that every database stores and every terminal shows. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .slice(0, LONGEST_MESSAGE)
        .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
        .trim()
    : '';
