import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { DEMO_KEYS } from '../../src/demo/keys.ts';
import { startPostmarkServer } from '../support/postmark-server.ts';
import { freePort } from '../support/redis.ts';
import { until } from '../support/until.ts';

t.test('the build has what is loaded late: the figures, the provider, the docs', async (t) => {
  const provider = await startPostmarkServer();
  t.teardown(() => provider.close());
  const [port, metricsPort] = [await freePort(), await freePort()];
  const directory = t.testdir({});
  const server = spawn(process.execPath, ['dist/src/server.js'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      CONSOLE_PORT: 'off',
      DATABASE_URL: `file:${join(directory, 'broker.db')}`,
      POSTMARK_SERVER_TOKEN: 'token',
      POSTMARK_API_URL: provider.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => server.kill('SIGKILL'));
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = once(server, 'exit');
  await until('it listens', () => {
    if (server.exitCode !== null) throw new Error(said);
    return said.includes('Server listening');
  });

  const base = `http://127.0.0.1:${port}/api`;
  const headers = { authorization: `Bearer ${DEMO_KEYS.live}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ warningReason: 'An invoice is overdue.' });
  await until('it warns; a machine that is busy after the start sheds load first', async () => {
    const warned = await fetch(`${base}/v1/services/1000001/cancellation-warning`, { method: 'POST', headers, body });
    if (warned.status !== 500) t.equal(warned.status, 200, await warned.text());
    return warned.status !== 500;
  });
  t.equal(provider.received.length, 1);
  t.match(
    await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    /^broker_emails_total\{outcome="sent"\} 1$/m,
  );
  t.equal((await fetch(`${base}/docs`)).status, 200);
  t.equal((await fetch(`${base}/openapi.json`)).status, 200);
  server.kill('SIGTERM');
  t.strictSame(await ended, [0, null], said);
});
