import { once } from 'node:events';
import { Registry } from 'prom-client';
import t from 'tap';
import { DROPPED } from '../../src/http/one-at-a-time.ts';
import { serveMetrics } from '../../src/process/metrics.ts';
import { createTestOperatorApi } from '../support/operator-api.ts';
import { served } from '../support/served.ts';
import { makeCertificate } from '../support/tls.ts';
import { answersOf, dial, listen } from '../support/wire.ts';

/** More than the buffers of both ends of a connection hold. */
const LENGTH = 16_000_000;

const BLOCK = 'x'.repeat(100_000);

const FRAMINGS = {
  'of a given length': { head: `Content-Length: ${LENGTH}`, block: BLOCK, end: '' },
  'in chunks': {
    head: 'Transfer-Encoding: chunked',
    block: `${BLOCK.length.toString(16)}\r\n${BLOCK}\r\n`,
    end: '0\r\n\r\n',
  },
};

/** The answer as a client or proxy sees it that sends its whole request before it reads. */
async function answerOf(port: number, path: string, key: string, framing: keyof typeof FRAMINGS, secure = false) {
  const { head, block, end } = FRAMINGS[framing];
  const socket = dial(port, secure);
  const lost = new Promise<Error>((resolve) => socket.once('error', resolve));
  if (secure) await once(socket, 'secureConnect');
  const type = path.startsWith('/sign-in') ? 'application/x-www-form-urlencoded' : 'application/json';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\n${head}\r\n\r\n`,
  );
  for (let sent = 0; sent < LENGTH; sent += BLOCK.length) {
    if (socket.write(block)) continue;
    const error = await Promise.race([once(socket, 'drain'), lost]);
    if (error instanceof Error) throw error;
  }
  socket.write(end);
  // The answers that leave the connection open end with it when it is idle.
  socket.end();
  const [answer] = await answersOf(socket);
  return answer;
}

for (const framing of Object.keys(FRAMINGS) as (keyof typeof FRAMINGS)[]) {
  t.test(`a request with a body ${framing} that nobody reads gets its answer on every port`, async (t) => {
    const { app, key } = await served(t);
    const encrypted = await served(t, { config: { tls: makeCertificate(t.testdir({})) } });
    const operator = await createTestOperatorApi();
    t.teardown(() => operator.close());
    const metrics = await serveMetrics({
      registry: new Registry(),
      clock: operator.clock,
      host: '127.0.0.1',
      port: 0,
      trustedProxies: [],
      keepAliveMs: 1000,
    });
    t.teardown(() => metrics.close());
    const [port, tlsPort, consolePort] = [await listen(app), await listen(encrypted.app), await listen(operator.app)];
    const cases: [port: number, path: string, key: string, status: number, secure?: boolean][] = [
      [port, '/api/v1/auth-check', key, 400],
      [tlsPort, '/api/v1/auth-check', encrypted.key, 400, true],
      [port, '/api/v1/auth-check', 'unknown', 401],
      [port, '/nowhere', key, 404],
      [consolePort, '/operator/v1/brokers', operator.keys.admin, 400],
      [consolePort, '/sign-in', '', 413],
      [metrics.port, '/metrics', '', 404],
    ];
    for (const [at, path, bearer, status, secure] of cases) {
      const answer = await answerOf(at, path, bearer, framing, secure);
      t.equal(answer?.status, status, `${path} ${secure ? 'over TLS' : ''}`);
      if (status === 400) t.match(answer?.body, /body_too_large/);
    }
  });
}

t.test('a caller that never stops sending is left in the end', async (t) => {
  const { app, key } = await served(t);
  const socket = dial(await listen(app));
  const left = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST /api/v1/auth-check HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const { block } = FRAMINGS['in chunks'];
  const send = () => {
    while (socket.writable && socket.write(block)) {}
  };
  socket.on('drain', send);
  send();
  await left;
  t.ok(socket.bytesWritten > DROPPED.bytes && socket.bytesWritten < 2 * DROPPED.bytes, `${socket.bytesWritten}`);
});
