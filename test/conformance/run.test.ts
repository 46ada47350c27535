import t from 'tap';
import { type RunOptions, runConformance } from '../../conformance/run.ts';
import { preparedRun } from '../support/conformance.ts';

t.test('a sandbox that is in use is reset only with --reset', async (t) => {
  const { world, key, options } = await preparedRun(t);
  const sandbox = async () => (await world.call(key, 'GET', '/sandbox')).json.data;
  const unused = await sandbox();
  await world.call(key, 'POST', '/sandbox/clock', { body: { advance_seconds: 60 } });
  const used = await sandbox();
  t.notSame(used, unused);
  await t.rejects(runConformance(options), { name: 'ConformanceError', message: /^The sandbox is in use: --reset/ });
  t.strictSame(await sandbox(), used);
  const begun = new Error('the first check begins');
  const log = (line: string) => {
    if (line.startsWith('1 of ')) throw begun;
  };
  await t.rejects(runConformance({ ...options, reset: true, log }), begun);
  t.strictSame(await sandbox(), unused);
});

t.test('a run does not begin without a server, with a live key or with one that is refused', async (t) => {
  const { world, options } = await preparedRun(t);
  const { key: live } = await world.addKey(world.broker);
  const cases: ReadonlyArray<[Partial<RunOptions>, string | RegExp]> = [
    [{ baseUrl: 'nowhere' }, 'nowhere is no address'],
    [{ baseUrl: 'http://127.0.0.1/v1' }, /ends in \/api$/],
    [{ baseUrl: 'ftp://127.0.0.1/api' }, /begins with http/],
    [{ baseUrl: 'http://127.0.0.1:1/api' }, /cannot be reached: .*ECONNREFUSED/],
    [{ apiKey: live }, /has to be a sandbox key/],
    [{ live: true }, '--live needs a live key'],
    [{ apiKey: 'wrong' }, 'The key is not accepted there: 401, authentication_failed, malformed'],
  ];
  for (const [changed, message] of cases)
    await t.rejects(runConformance({ ...options, ...changed }), { name: 'ConformanceError', message });
});

t.test('a key without admin:full checks nothing, and the report says why', async (t) => {
  const { otherKeys, options } = await preparedRun(t);
  const report = await runConformance({ ...options, apiKey: otherKeys.noScopes as string, otherKeys: {} });
  t.strictSame([report.passed, report.failed], [0, 0]);
  t.equal(report.checks[0]?.why, 'the key does not have admin:full');
});
