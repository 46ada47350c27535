import t, { type Test } from 'tap';
import { SECTIONS } from '../../conformance/checks/index.ts';
import { type CheckResult, type RunOptions, runConformance } from '../../conformance/run.ts';
import { preparedRun } from '../support/conformance.ts';

/* Every check that `broker conformance` runs against a deployment, run against the app: on SQLite and on PostgreSQL. */

function nothingFailed(t: Test, checks: readonly CheckResult[]): void {
  for (const { section, title, result, problems } of checks)
    t.not(result, 'failed', `${section}: ${title}`, { problems });
}

const skipped = (checks: readonly CheckResult[]) =>
  checks.filter(({ result }) => result === 'skipped').map(({ title, why }) => [title, why]);

t.test(
  'a run with --reset in a used sandbox passes every check at the pace of its limit; no live record changes',
  async (t) => {
    const { world, key, otherKeys, log, options } = await preparedRun(t, { rateLimit: 120 });
    const records = async () => [
      (await world.call(world.key, 'GET', '/services')).raw,
      (await world.call(world.key, 'GET', '/requests')).raw,
    ];
    await world.call(key, 'POST', '/sandbox/clock', { body: { advance_seconds: 60 } });
    const before = await records();
    const begun = world.clock.monotonic();
    const report = await runConformance({ ...options, full: true, reset: true });
    nothingFailed(t, report.checks);
    t.strictSame(await records(), before);

    const all = SECTIONS.flatMap(({ checks }) => checks);
    for (const [index, { title, result, calls }] of report.checks.entries()) {
      const { calls: counted, uncounted = 0, burst } = all[index] as (typeof all)[number];
      if (result === 'passed' && !burst)
        t.equal(calls, counted + uncounted, `the calls that are declared of: ${title}`);
    }
    const [, announced] = /with about (\d+) calls/.exec(log[0] ?? '') ?? [];
    const [, wait] = /\b120 calls in 60 s, .*waits for new windows take about (\d+) s/.exec(log[1] ?? '') ?? [];
    t.ok(Math.abs(Number(announced) - report.calls) < 30, `${announced} calls were announced, ${report.calls} made`);
    const seconds = (world.clock.monotonic() - begun) / 1000;
    t.ok(Math.abs(Number(wait) - seconds) <= 60, `${wait} s were announced, ${seconds} s waited`);

    t.strictSame(skipped(report.checks), [
      ['services and requests of two brokers are not found with the other key, and no list has both', LIVE],
      ['what a live list shows is found by its id, and its total is not smaller than its page', LIVE],
      ['the sandbox is an unknown path to a live key', LIVE],
      ['report_too_large: a report over 10 MB is not sent', 'no simulated report is that large'],
      ['an address that guesses keys is answered 429 in place of 401', 'it would refuse other callers of this address'],
      ['an outage is server_error with Retry-After', 'no part of the deployment is stopped for a check'],
    ]);
    const text = JSON.stringify(report);
    for (const secret of [key, ...Object.values(otherKeys)]) t.notOk(text.includes(secret), 'no key is shown');
  },
);

const LIVE = 'needs a live key (--live)';

t.test('a live key only reads, leaves half of its limit to others, and two brokers are apart', async (t) => {
  const { world, log, options } = await preparedRun(t);
  const other = await world.addBroker();
  await world.addService(other, await world.addPlan(other));
  const scopes = ['plans:read', 'requests:read', 'services:read'] as const;
  const { key: apiKey } = await world.addKey(world.broker, [...scopes], { rateLimit: 60 });
  const { key: otherBroker } = await world.addKey(other);
  const live: RunOptions = { ...options, apiKey, live: true, full: true, otherKeys: { otherBroker } };
  const report = await runConformance(live);
  nothingFailed(t, report.checks);
  t.ok(report.passed > 20, `${report.passed} passed`);
  t.match(log[1], /60 calls in 60 s, half of them are left to others/);
  const ofIsolation = report.checks.filter(({ section }) => section === 'isolation').map(({ result }) => result);
  t.strictSame(ofIsolation, ['skipped', 'passed', 'passed', 'passed']);

  const { key: same } = await world.addKey(world.broker);
  const alike = await runConformance({ ...live, otherKeys: { otherBroker: same } });
  t.ok(skipped(alike.checks).some(([, why]) => why === 'both keys are of one broker'));
});
