import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type Exchange, singleExchange } from '../http/single-exchange.ts';
import type { Provisioner, Work, WorkOutcome } from '../operations/ports.ts';

export interface HttpProvisionerOptions {
  url: string;
  secret: string;
  clock: Pick<Clock, 'now'>;
  /** From connecting to the answer's last byte; well below a lease's length. Milliseconds. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** Answers that say "not now" of a request that was not looked at. */
const TOO_EARLY = 425;
const TOO_MANY_REQUESTS = 429;
/** The endpoint (or a proxy in front of it) gave up waiting: for what, it does not say. */
const REQUEST_TIMEOUT = 408;

/**
 * The provisioner port over the operator's own endpoint (contract, section 10): one POST of the work as JSON, signed
 * as `X-Broker-Signature: t=<epoch seconds>,v1=<hex HMAC-SHA256 of "t.body">`. The request's id is the idempotency
 * key: after a lost answer the same call comes again, and the endpoint answers it without working twice.
 *
 * A 2xx is done, unless its body says `{"outcome": "failed", reason, message, service_usable, retryable}`, which any
 * other refusal may say too. Redirects are not followed. No answer, a 5xx, 408, 425 and 429 ask to try again later.
 */
export function createHttpProvisioner({
  url,
  secret,
  clock,
  timeoutMs = TIMEOUT_MS,
}: HttpProvisionerOptions): Provisioner {
  return {
    async fulfil(work) {
      const body = JSON.stringify(work);
      const seconds = Math.floor(clock.now() / 1000);
      const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
      const exchange: Exchange = { connected: false, answer: null };
      await singleExchange(exchange, AbortSignal.timeout(timeoutMs))(url, {
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

function judge({ status, body }: { status: number; body: string }, work: Work): WorkOutcome {
  const told = `The provisioner answered ${status}`;
  if (status === TOO_EARLY || status === TOO_MANY_REQUESTS) {
    return { outcome: 'retry', reason: 'provisioner_busy', message: told, mayBeDone: false };
  }
  if (status === REQUEST_TIMEOUT || status >= 500) {
    return { outcome: 'retry', reason: 'outcome_unknown', message: told, mayBeDone: true };
  }
  const answer = objectOf(body);
  const done = status >= 200 && status < 300;
  if (done && answer.outcome !== 'failed') return { outcome: 'done' };
  return {
    outcome: 'failed',
    reason: isWord(answer.reason) ? answer.reason : done ? 'provisioner_failed' : 'provisioner_refused',
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

const LONGEST_MESSAGE = 1000;

/** A text that every database stores and every terminal shows. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .slice(0, LONGEST_MESSAGE)
        .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
        .trim()
    : '';
