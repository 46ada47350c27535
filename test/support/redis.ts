import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A Redis of the test's own, which can be killed and started again on the same port without harm to others. */
export async function createRedis() {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const redis = {
    url: `redis://127.0.0.1:${port}`,
    /** Resolves once it takes connections. */
    async start(): Promise<void> {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
      let said = '';
      for await (const chunk of server.stdout as NodeJS.ReadableStream) {
        said += chunk;
        if (said.includes('Ready to accept connections')) break;
      }
      server.stdout?.destroy();
    },
    async kill(): Promise<void> {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
    /** Stops answering while its connections stand, as a machine that hangs does; until `thaw`. */
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
  };
  await redis.start();
  return redis;
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
