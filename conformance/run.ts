import type { OpenAPIV3_1 } from 'openapi-types';
import { Api, type Problem } from './api.ts';
import type { Check } from './check.ts';
import { SECTIONS } from './checks/index.ts';
import { type Client, createClient, get, post } from './http.ts';
import { at, listAt } from './json.ts';
import { type Clock, MAX_BURST, MAX_WINDOW_SECONDS, type OtherKeys, Session } from './session.ts';

export interface RunOptions {
  /** The API's base address, ending in `/api`. */
  baseUrl: string;
  /** A sandbox key, with `live` a live one; with `admin:full` everything can be checked. */
  apiKey: string;
  otherKeys?: OtherKeys;
  /** The same API over plain HTTP, which a deployment that requires HTTPS refuses. */
  plainUrl?: string | undefined;
  /** The OpenAPI document that every answer has to keep: that of this release. */
  document: OpenAPIV3_1.Document;
  /** Runs every check. */
  full?: boolean;
  /** The key is a live one: only what reads is checked. */
  live?: boolean;
  /** Resets a sandbox that is in use. */
  reset?: boolean;
  clock: Clock;
  wait(ms: number): Promise<void>;
  log(line: string): void;
}

export interface CheckResult {
  section: string;
  title: string;
  result: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  why?: string;
  calls: number;
  duration_ms: number;
  problems: Problem[];
}

export interface Report {
  base_url: string;
  passed: number;
  failed: number;
  skipped: number;
  calls: number;
  checks: CheckResult[];
}

interface Planned {
  section: string;
  check: Check;
  /** Why it does not run. */
  why: string | undefined;
}

/** Why a check is left out of the default run; the text report counts these. */
export const ONLY_FULL = 'runs with --full';

const KEY_OPTIONS = {
  noScopes: '--key-without-scopes',
  expired: '--expired-key',
  revoked: '--revoked-key',
  firewalled: '--firewalled-key',
  otherBroker: '--other-broker-key',
} as const satisfies Record<keyof OtherKeys, string>;

/** What a live key needs, so that everything that reads can be checked. */
const READ_SCOPES = ['plans:read', 'requests:read', 'services:read'];
/** The first number that a sandbox issues. */
const FIRST_ISSUED = 950_001;

/** Why a run could not begin. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/**
 * Runs the checks against a deployment. A sandbox key sends no email and changes no live record; its sandbox is reset
 * before and after. A live key only reads. Throws a `ConformanceError` where the server cannot be reached, the key does
 * not fit, or the sandbox is in use and `reset` is not set.
 */
export async function runConformance(options: RunOptions): Promise<Report> {
  const { baseUrl, apiKey, plainUrl, otherKeys = {}, live = false, reset = false, log } = options;
  const clients: Client[] = [baseUrl, plainUrl].flatMap((url) =>
    url === undefined ? [] : [createClient(addressOf(url), apiKey)],
  );
  const [client, plainClient] = clients as [Client, Client | undefined];
  const session = new Session({ ...options, client, plainClient, otherKeys, live });
  try {
    await checkKey(session, baseUrl);
    const plan = SECTIONS.flatMap(({ name, checks }) =>
      checks.map((check) => ({ section: name, check, why: reasonToSkip(session, check, options.full === true) })),
    );
    for (const line of announcement(session, plan)) log(line);
    const usesSandbox = !live && session.scopes.includes('admin:full');
    if (usesSandbox) await prepareSandbox(session, reset);
    const checks: CheckResult[] = [];
    for (const [index, planned] of plan.entries()) {
      if (planned.section !== plan[index - 1]?.section) log(`${index + 1} of ${plan.length}: ${planned.section}`);
      checks.push(await perform(session, planned));
    }
    // The report stands, also where the server has gone away.
    if (usesSandbox) await session.send(post('/v1/sandbox/reset')).catch(() => undefined);
    const count = (wanted: CheckResult['result']) => checks.filter(({ result }) => result === wanted).length;
    return {
      base_url: baseUrl,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      calls: session.calls,
      checks,
    };
  } finally {
    for (const each of clients) each.close();
  }
}

function addressOf(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw new ConformanceError(`${baseUrl} is no address`);
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol) || !/\/api\/?$/.test(url.pathname))
    throw new ConformanceError('The base address begins with http:// or https:// and ends in /api');
  return url;
}

async function checkKey(session: Session, baseUrl: string): Promise<void> {
  const { live } = session.options;
  const { status, json } = await session.send(get('/v1/auth-check')).catch((error: unknown) => {
    throw new ConformanceError(`${baseUrl} cannot be reached: ${messageOf(error)}`);
  });
  const mode = at(json, 'data.mode');
  if (status !== 200 || mode === undefined) {
    const found = [status, at(json, 'error.code'), at(json, 'error.details.reason')].filter(Boolean);
    throw new ConformanceError(`The key is not accepted there: ${found.join(', ')}`);
  }
  if (mode === 'live' && !live)
    throw new ConformanceError(
      'The key has to be a sandbox key: with a live one this would do real work (--live only reads)',
    );
  if (mode === 'test' && live) throw new ConformanceError('--live needs a live key');
  session.scopes = listAt(json, 'data.permissions.scopes').map(String);
}

function reasonToSkip(session: Session, check: Check, full: boolean): string | undefined {
  const { live, plainClient, otherKeys } = session.options;
  if (check.notCheckable !== undefined) return check.notCheckable;
  if (live && !check.live && !check.liveOnly) return 'needs a sandbox key';
  if (!live && check.liveOnly) return 'needs a live key (--live)';
  const reads = live && READ_SCOPES.every((scope) => session.scopes.includes(scope));
  if (!reads && !session.scopes.includes('admin:full')) return 'the key does not have admin:full';
  if (check.full && !full) return ONLY_FULL;
  if (check.needsPlainUrl && !plainClient) return 'needs --plain-url';
  const { needsKey } = check;
  return needsKey && otherKeys[needsKey] === undefined ? `needs ${KEY_OPTIONS[needsKey]}` : undefined;
}

/** How many calls the run makes, how long it waits and for which limit. */
function announcement(session: Session, plan: readonly Planned[]): string[] {
  const checks = plan.flatMap(({ check, why }) => (why === undefined ? [check] : []));
  const { window } = session;
  const sandboxCalls = session.options.live ? 0 : 4;
  let calls = sandboxCalls;
  let left = window ? window.remaining - session.reserveOf(window) - sandboxCalls : Number.POSITIVE_INFINITY;
  let seconds = 0;
  for (const check of checks) {
    const canBurst = check.burst && window && window.limit <= MAX_BURST && window.windowSeconds <= MAX_WINDOW_SECONDS;
    if (window && left < check.calls) {
      seconds += seconds === 0 ? window.seconds : window.windowSeconds;
      left = window.limit - session.reserveOf(window);
    }
    // A burst uses up what is left, and waits for the end of the window.
    if (canBurst) {
      calls += left;
      seconds += window.windowSeconds;
      left = window.limit;
    }
    calls += check.calls + (check.uncounted ?? 0);
    left -= check.calls;
  }
  const begin = `${checks.length} of ${plan.length} checks run, with about ${calls} calls.`;
  if (!window) return [`${begin} The deployment does not show a rate limit.`];
  const { limit, remaining, windowSeconds } = window;
  const share = session.options.live ? 'half of them are left to others' : `${remaining} are left in this window`;
  const wait = seconds === 0 ? 'no wait is expected' : `the waits for new windows take about ${seconds} s in all`;
  return [begin, `The rate limit of the key is ${limit} calls in ${windowSeconds} s, ${share}: ${wait}.`];
}

/** Resets the sandbox, unless that would remove records that others created there. */
async function prepareSandbox(session: Session, reset: boolean): Promise<void> {
  const sandbox = await session.send(get('/v1/sandbox'));
  const latest = await session.send(get('/v1/services?limit=100'));
  const issued = listAt(latest.json, 'data').some((service) => Number(service.service_number) >= FIRST_ISSUED);
  if (!reset && (issued || at(sandbox.json, 'data.offset_seconds') !== 0))
    throw new ConformanceError('The sandbox is in use: --reset resets it, and what was created in it is lost');
  const { status } = await session.send(post('/v1/sandbox/reset'));
  if (status !== 200) throw new ConformanceError(`The sandbox cannot be reset: ${status}`);
}

async function perform(session: Session, { section, check, why }: Planned): Promise<CheckResult> {
  const { title } = check;
  if (why !== undefined) return { section, title, result: 'skipped', why, calls: 0, duration_ms: 0, problems: [] };
  const { clock } = session.options;
  const api = new Api(session);
  await session.waitForCalls(check.calls);
  const [begun, callsBefore] = [clock.monotonic(), session.calls];
  try {
    await check.run(api);
  } catch (error) {
    api.problem(`the check could not go on: ${messageOf(error)}`);
  }
  const { problems, skipped } = api;
  return {
    section,
    title,
    result: problems.length > 0 ? 'failed' : skipped === undefined ? 'passed' : 'skipped',
    ...(skipped !== undefined && { why: skipped }),
    calls: session.calls - callsBefore,
    duration_ms: Math.round(clock.monotonic() - begun),
    problems,
  };
}

/** The innermost cause of an error, in one line. */
function messageOf(error: unknown): string {
  let cause = error as Error & { code?: string };
  while (cause.cause instanceof Error) cause = cause.cause;
  return (cause.message || cause.code || cause.name).replace(/\s+/g, ' ').trim();
}
