import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { faultyProxy, type Passed } from '../support/faulty-proxy.ts';
import { type Language, languagesHere } from '../support/languages.ts';
import { createSandboxWorld } from '../support/sandbox.ts';
import { listen } from '../support/wire.ts';

const run = promisify(execFile);

/** The faults of one path, one for each call in turn; later calls pass. */
const inTurn = (...faults: Array<(answer: Passed) => Passed | undefined>) => {
  let met = 0;
  return (answer: Passed) => {
    const fault = faults[met];
    met += 1;
    return fault ? fault(answer) : answer;
  };
};

/** The work is done, and the answer gets lost. */
const lost = () => undefined;
const failed = (status: number, error: object) => () => ({
  status,
  headers: { 'retry-after': '1' },
  body: JSON.stringify({ success: false, error }),
});
const busy = failed(429, { code: 'rate_limit_exceeded', message: 'Rate limit exceeded' });
const down = failed(500, { code: 'server_error', message: 'The service is not available at the moment' });
const half = (answer: Passed) => ({ ...answer, body: answer.body.slice(0, 20) });

const SAMPLES: Array<{ lang: Language; program: string; file: string }> = [
  { lang: 'python', program: 'python3', file: 'docs/examples/broker.py' },
  { lang: 'php', program: 'php', file: 'docs/examples/broker.php' },
];

for (const { lang, program, file } of SAMPLES) {
  t.test(`${file} orders, follows and copies: nothing is done twice or lost over a bad connection`, async (t) => {
    if (!languagesHere(t).has(lang)) return;
    const { app, key, clock, get } = await createSandboxWorld(t);
    const proxy = await faultyProxy(t, await listen(app), [
      { when: /\/services$/, answer: inTurn(lost, down, busy) },
      { when: /\/upgrade$/, answer: inTurn(lost, busy) },
      { when: /\/requests\/req_/, answer: inTurn(down) },
      { when: /\/services\?/, answer: inTurn(half) },
      {
        when: /./,
        answer: (answer) => {
          // Simulated work ends with each call, and no test waits for the seconds of a real sandbox.
          clock.advance(10_000);
          return { ...answer, body: answer.body.replace(/"next_check_seconds":\d+/, '"next_check_seconds":1') };
        },
      },
    ]);
    const BROKER_URL = `http://127.0.0.1:${proxy}/api`;
    const { stdout } = await run(program, [file], {
      env: { PATH: process.env.PATH, BROKER_URL, BROKER_KEY: key, ORDER: 'order-1' },
    });
    t.strictSame(stdout.trim().split('\n'), [
      'created completed 950001',
      'upgrade completed',
      'refused invalid_parameter plan_is_current',
      'copied True next round True',
    ]);
    const { data } = (await get('/requests?service_number=950001')).json;
    t.strictSame(
      data.map(({ type }: { type: string }) => type),
      ['plan-upgrade', 'service-creation'],
    );
    t.equal((await get('/services?external_reference=order-1')).json.pagination.total, 1);

    const wrong = run(program, [file], { env: { PATH: process.env.PATH, BROKER_URL, BROKER_KEY: 'sk_test_none' } });
    await t.rejects(wrong, /401 authentication_failed: Invalid API key \(X-Request-Id \S+\)/);
  });
}
