import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { boundConnections } from '../../src/http/connections.ts';

/** A server that greets the connections that it admits, and a way to connect to it: resolves with what was heard until either end. */
async function greeter(t: Test, trustedProxies: string[]) {
  const server = createServer();
  boundConnections(server, trustedProxies, { overAll: 4, ofOneAddress: 2 });
  server.on('connection', (socket) => socket.destroyed || socket.write('hello'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const open: Socket[] = [];
  t.teardown(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const come = async (): Promise<{ socket: Socket; isIn: boolean }> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    open.push(socket);
    // Refused ones are reset or ended, whichever their side notices.
    socket.on('error', () => undefined);
    const heard = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return { socket, isIn: String(heard[0]) === 'hello' };
  };
  return { come, server };
}

t.test('an address has its number of connections, and a closed one makes room again', async (t) => {
  const { come, server } = await greeter(t, []);
  const first = await come();
  t.equal(first.isIn, true);
  t.equal((await come()).isIn, true);
  t.equal((await come()).isIn, false, 'the third of one address');
  const connections = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  first.socket.destroy();
  while ((await connections()) > 1) await new Promise((resolve) => setImmediate(resolve));
  t.equal((await come()).isIn, true);
});

t.test('an address that speaks for many is bounded with all others alone', async (t) => {
  const { come } = await greeter(t, ['127.0.0.0/8']);
  for (let n = 0; n < 4; n += 1) t.equal((await come()).isIn, true);
  t.equal((await come()).isIn, false, 'one more than there may be over all');
});
