import { SECTIONS } from './checks/index.ts';
import { innermost } from './errors.ts';
import { type Check, type Clock, Kit, type OtherKeys, Probe, type Problem } from './kit.ts';
import { at, listAt } from './shapes.ts';
import { get, openWire } from './wire.ts';

export interface RunOptions {
  /** The API's base address, ending in `/api`. */
  baseUrl: string;
  /** A sandbox key; with `admin:full` everything can be checked. */
  apiKey: string;
  otherKeys?: OtherKeys;
  /** The same API over plain HTTP, which a deployment that requires HTTPS refuses. */
  plainUrl?: string | undefined;
  /** Leaves out what takes its time. */
  fast?: boolean;
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

/** Why a run could not begin. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/**
 * Holds a deployment against the contract through a sandbox key, so that nothing is changed and no email leaves: only
 * idempotency records of the sandbox stay behind. Throws a `ConformanceError` where the server cannot be reached or
 * the key is not fit.
 */
export async function runConformance({
  baseUrl,
  apiKey,
  otherKeys = {},
  plainUrl,
  fast = false,
  ...rest
}: RunOptions): Promise<Report> {
  const wire = openWire(addressOf(baseUrl), apiKey);
  const plain = plainUrl === undefined ? undefined : openWire(addressOf(plainUrl), apiKey);
  const kit = new Kit({ wire, plain, ...rest }, otherKeys);
  try {
    await prepare(kit, baseUrl);
    const results: CheckResult[] = [];
    const stories: Array<() => Promise<CheckResult>> = [];
    const alone: Array<() => Promise<CheckResult>> = [];
    for (const { name, checks } of SECTIONS) {
      for (const check of checks) {
        const why = whyNot(kit, check, fast);
        const result: CheckResult = {
          section: name,
          title: check.title,
          result: 'skipped',
          duration_ms: 0,
          problems: [],
        };
        results.push(result);
        if (why !== undefined) result.why = why;
        else if (check.slow)
          (check.slow === 'story' ? stories : alone).push(() => perform(kit, check, result, rest.clock));
        else await perform(kit, check, result, rest.clock);
      }
    }
    if (stories.length > 0) rest.tell(`Following ${stories.length} simulated requests to their ends`);
    await Promise.all(stories.map((story) => story()));
    for (const check of alone) await check();
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
  if (mode !== 'test') throw new ConformanceError('This takes a sandbox key: with a live one it would do real work');
  kit.scopes = listAt(access.json, 'data.permissions.scopes').map(String);
}

/** Why a check is left out; undefined where it is not. */
function whyNot(kit: Kit, { needsKey, needsPlain, slow }: Check, fast: boolean): string | undefined {
  if (!kit.scopes.includes('admin:full')) return 'the key does not have admin:full';
  if (slow && fast) return 'left out by --fast';
  if (needsPlain && !kit.hasPlain) return 'it takes the address over plain HTTP';
  return needsKey && kit.otherKeys[needsKey] === undefined ? 'it takes another key' : undefined;
}

async function perform(kit: Kit, check: Check, result: CheckResult, clock: Clock): Promise<CheckResult> {
  const probe = new Probe(kit);
  const begunAt = clock.monotonic();
  try {
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
