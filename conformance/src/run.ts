import { SECTIONS } from './checks/index.ts';
import { innermost } from './errors.ts';
import { type Check, type Clock, Kit, type OtherKeys, Probe, type Problem } from './kit.ts';
import { at, listAt } from './shapes.ts';
import { get, openWire, post } from './wire.ts';

export interface RunOptions {
  /** The API's base address, ending in `/api`. */
  baseUrl: string;
  /** A sandbox key, with `live` a live one; with `admin:full` everything can be checked. */
  apiKey: string;
  otherKeys?: OtherKeys;
  /** The same API over plain HTTP, which a deployment that requires HTTPS refuses. */
  plainUrl?: string | undefined;
  /** Leaves out what does not fit into one window of the key. */
  fast?: boolean;
  /** The key is a live one: only what reads is checked. */
  live?: boolean;
  /** Makes a sandbox anew that is in use. */
  reset?: boolean;
  clock: Clock;
  wait(ms: number): Promise<void>;
  tell(line: string): void;
}

export interface CheckResult {
  section: string;
  title: string;
  result: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  why?: string;
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

/** What a live key may do at least. */
const READING = ['plans:read', 'requests:read', 'services:read'];
/** What a check takes at most unless it says so. */
const USUAL_CALLS = 12;
/** The first number that a sandbox gives. */
const FIRST_CREATED = 950_001;

/** Why a run could not begin. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/**
 * Holds a deployment against the contract through a sandbox key, so that no email leaves and no live record changes; the
 * broker's sandbox is made anew before and after. A live key only reads. Throws a `ConformanceError` where the server
 * cannot be reached, the key is not fit, or the sandbox holds what others made in it and `reset` is not set.
 */
export async function runConformance({
  baseUrl,
  apiKey,
  otherKeys = {},
  plainUrl,
  fast = false,
  live = false,
  reset = false,
  ...rest
}: RunOptions): Promise<Report> {
  const wire = openWire(addressOf(baseUrl), apiKey);
  const plain = plainUrl === undefined ? undefined : openWire(addressOf(plainUrl), apiKey);
  const kit = new Kit({ wire, plain, live, ...rest }, otherKeys);
  try {
    await prepare(kit, baseUrl);
    const sandboxed = !live && kit.scopes.includes('admin:full');
    if (sandboxed) await takeSandbox(kit, reset);
    const results: CheckResult[] = [];
    const all = SECTIONS.flatMap(({ name, fast, checks }) =>
      checks.map((check) => ({ section: name, check: { ...(fast && { fast }), ...check } })),
    );
    const inOrder = [...all.filter(({ check }) => !check.slow), ...all.filter(({ check }) => check.slow)];
    let section: string | undefined;
    for (const [index, { section: name, check }] of inOrder.entries()) {
      if (name !== section) rest.tell(`${index + 1} of ${inOrder.length}: ${name}`);
      section = name;
      const why = whyNot(kit, check, fast);
      const result: CheckResult = {
        section: name,
        title: check.title,
        result: 'skipped',
        duration_ms: 0,
        problems: [],
      };
      results.push(result);
      if (why === undefined) await perform(kit, check, result, rest.clock);
      else result.why = why;
    }
    // The report counts, also where the server has gone away.
    if (sandboxed) await kit.send([post('/v1/sandbox/reset')]).catch(() => undefined);
    const count = (wanted: CheckResult['result']) => results.filter(({ result }) => result === wanted).length;
    return {
      base_url: baseUrl,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      calls: kit.calls,
      checks: results,
    };
  } finally {
    wire.close();
    plain?.close();
  }
}

function addressOf(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw new ConformanceError(`${baseUrl} is no address`);
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol) || !/\/api\/?$/.test(url.pathname)) {
    throw new ConformanceError('The base address begins with http:// or https:// and ends in /api');
  }
  return url;
}

async function prepare(kit: Kit, baseUrl: string): Promise<void> {
  const [access] = await kit.send([get('/v1/auth-check')]).catch((error: unknown) => {
    throw new ConformanceError(`${baseUrl} cannot be reached: ${innermost(error)}`);
  });
  const mode = at(access?.json, 'data.mode');
  if (access?.status !== 200 || mode === undefined) {
    const reason = [at(access?.json, 'error.code'), at(access?.json, 'error.details.reason')]
      .filter(Boolean)
      .join(', ');
    throw new ConformanceError(`The key is not accepted there: ${access?.status} ${reason}`);
  }
  if (mode === 'live' && !kit.live)
    throw new ConformanceError('This takes a sandbox key: with a live one it would do real work (--live only reads)');
  if (mode === 'test' && kit.live) throw new ConformanceError('--live takes a live key');
  kit.scopes = listAt(access.json, 'data.permissions.scopes').map(String);
}

/** Makes the sandbox anew, where no caller would lose records made in it, or where that is wanted. */
async function takeSandbox(kit: Kit, reset: boolean): Promise<void> {
  const [sandbox, latest] = await kit.send([get('/v1/sandbox'), get('/v1/services?limit=100')]);
  const created = listAt(latest?.json, 'data').some(
    (service) => Number(at(service, 'service_number')) >= FIRST_CREATED,
  );
  if (!reset && (created || at(sandbox?.json, 'data.offset_seconds') !== 0)) {
    throw new ConformanceError('The sandbox is in use: --reset makes it anew, and what was created in it is lost');
  }
  const [made] = await kit.send([post('/v1/sandbox/reset')]);
  if (made?.status !== 200) throw new ConformanceError(`The sandbox cannot be made anew: ${made?.status}`);
}

/** Why a check is left out; undefined where it is not. */
function whyNot(kit: Kit, { needsKey, needsPlain, live, ...check }: Check, fast: boolean): string | undefined {
  if (kit.live && !live) return 'it takes a sandbox key';
  const enough = kit.live && READING.every((scope) => kit.scopes.includes(scope));
  if (!enough && !kit.scopes.includes('admin:full')) return 'the key does not have admin:full';
  if (fast && (check.slow || !check.fast)) return 'it is part of --full';
  if (needsPlain && !kit.hasPlain) return 'it takes the address over plain HTTP';
  return needsKey && kit.otherKeys[needsKey] === undefined ? 'it takes another key' : undefined;
}

async function perform(kit: Kit, check: Check, result: CheckResult, clock: Clock): Promise<CheckResult> {
  const probe = new Probe(kit);
  const begunAt = clock.monotonic();
  try {
    await kit.room(check.calls ?? USUAL_CALLS);
    await check.run(probe);
  } catch (error) {
    probe.fault(`the check could not go on: ${innermost(error)}`);
  }
  const { problems, leftOut } = probe;
  if (leftOut !== undefined) result.why = leftOut;
  return Object.assign(result, {
    result: problems.length > 0 ? 'failed' : leftOut === undefined ? 'passed' : 'skipped',
    duration_ms: Math.round(clock.monotonic() - begunAt),
    problems,
  });
}
