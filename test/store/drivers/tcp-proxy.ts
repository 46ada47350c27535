import { connect, createServer, type Socket } from 'node:net';

/** A line to a server that a test can cut and mend, and that counts how often an answer was waited for. */
export async function openProxy(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let waits = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(target);
    keep(near);
    keep(far);
    let asking = false;
    near.on('data', () => {
      asking = true;
    });
    far.on('data', () => {
      if (asking) waits += 1;
      asking = false;
    });
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  const port = await listen(0);
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port, cut, mend: () => listen(port), waits: () => waits };
}
