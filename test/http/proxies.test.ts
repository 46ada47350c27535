import { once } from 'node:events';
import t from 'tap';
import { served } from '../support/served.ts';
import { dial, listen } from '../support/wire.ts';

t.test('a trusted proxy is counted with no address, because it speaks for many', async (t) => {
  const { app } = await served(t, { config: { trustedProxies: ['127.0.0.0/8'] } });
  const socket = dial(await listen(app));
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  const [answer] = await once(socket, 'data');
  t.match(String(answer), /^HTTP\/1\.1 200 /);
});
