import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import type { Test } from 'tap';
import { layOut } from '../connector.ts';
import { freePort } from '../redis.ts';
import { until } from '../until.ts';

/** The product as an operator runs it, with the connector for LXD: processes of their own on real time. */

const SECRET = 'secret-of-the-test-of-lxd';
/** The demo's, which are public. */
const LIVE_KEY = 'sk_live_DemoLive_TheDemoKeySecretIsKnownToAll00004UiPTG';

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test looks at.
export type Answer = { status: number; data: any; error: any };

export interface Call {
  method: string;
  path: string;
  /** The idempotency key. */
  key: string;
  body: string;
  answer: string;
}

type Target = { port: number } | { socketPath: string };

/** Passes calls on, and answers as far as `isLost` lets them. @param at a port or a path, where it listens */
async function passOn(t: Test, at: number | string, to: Target, isLost: (call: Call) => boolean | Promise<boolean>) {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    try {
      const call = send({ ...to, method, path, headers, agent: false }).end(body);
      const [answer] = await once(call, 'response');
      const content = await buffer(answer);
      const key = String(headers['idempotency-key']);
      if (await isLost({ method, path, key, body: String(body), answer: String(content) }))
        return request.socket.destroy();
      response.writeHead(answer.statusCode, answer.headers).end(content);
    } catch {
      request.socket.destroy();
    }
  });
  server.listen(typeof at === 'string' ? { path: at } : { port: at, host: 'localhost' });
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
}

/** What befalls calls of one day. */
export interface Faults {
  /** Of the product to the connector. */
  isAnswerLost?: (call: Call) => boolean;
  /** Of the connector to LXD. */
  isLxdAnswerLost?: (call: Call) => boolean | Promise<boolean>;
}

/** @param environment of the connector, given the folder where it lies */
export async function openShop(
  t: Test,
  socket: string,
  plans: object[],
  environment: (folder: string) => Record<string, string> = () => ({}),
) {
  const connectorFolder = layOut(t, 'lxd');
  // Paths of sockets are short.
  const folder = mkdtempSync(join(tmpdir(), 'broker-shop-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [port, consolePort, connectorPort, proxyPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const faults: Faults = {};
  const proxied = join(folder, 'lxd.socket');
  await passOn(t, proxied, { socketPath: socket }, (call) => faults.isLxdAnswerLost?.(call) ?? false);
  await passOn(t, proxyPort, { port: connectorPort }, (call) => faults.isAnswerLost?.(call) ?? false);

  let log = '';
  const keep = (child: ChildProcess) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk) => {
        log += chunk;
      });
    }
    return child;
  };
  let connector: ChildProcess | undefined;
  async function startConnector() {
    connector = keep(
      spawn(process.execPath, [join(connectorFolder, 'connector.mjs')], {
        env: {
          PROVISIONER_SECRET: SECRET,
          PORT: String(connectorPort),
          LXD_SOCKET: proxied,
          PASSWORD_KEY: 'key-of-the-test',
          ...environment(folder),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    await once(connector.stdout as NodeJS.ReadableStream, 'data');
  }
  async function killConnector() {
    const ending = connector;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    ending.kill('SIGKILL');
    await once(ending, 'exit');
  }
  t.teardown(killConnector);
  await startConnector();

  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: String(port),
    CONSOLE_PORT: String(consolePort),
    PROVISIONER_URL: `http://localhost:${proxyPort}/`,
    PROVISIONER_SECRET: SECRET,
    RATE_LIMIT_MAX: '100000',
  };
  const server = keep(
    spawn(process.execPath, [resolve('dist/src/server.js')], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  t.teardown(async () => {
    if (server.exitCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  const url = `http://127.0.0.1:${port}/api/v1`;
  await until('the server listens', () => {
    if (server.exitCode !== null) throw new Error(log);
    return fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  /** A command of the operator's. */
  async function operate(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [resolve('bin/broker.mjs'), ...words], {
      cwd: folder,
      env,
    });
    return stdout;
  }
  const file = join(folder, 'plans.json');
  writeFileSync(file, JSON.stringify(plans));
  await operate('plans', 'import', file, '--broker', 'demo');

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${LIVE_KEY}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data, error } = (await response.json()) as Answer;
    return { status: response.status, data, error };
  }
  /** Repeats a call to the connector, as a worker may do it late. @returns its last answer */
  async function repeat({ key, body }: Pick<Call, 'key' | 'body'>) {
    for (;;) {
      const seconds = Math.floor(Date.now() / 1000);
      const mac = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
      const headers = { 'X-Broker-Signature': `t=${seconds},v1=${mac}`, 'Idempotency-Key': key };
      const response = await fetch(`http://localhost:${connectorPort}/`, { method: 'POST', headers, body });
      // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test looks at.
      const answer = (await response.json()) as any;
      if (answer.outcome !== 'in_progress') return answer;
    }
  }
  /** Waits for the end of a request. */
  async function ended(answer: Answer) {
    const id = answer.data?.request_id ?? answer.data?.request?.request_id;
    if (!id) throw new Error(JSON.stringify(answer));
    let request = answer.data;
    await until(`${id} has ended`, async () => {
      request = (await call('GET', `/requests/${id}`)).data;
      return ['completed', 'failed', 'denied', 'withdrawn'].includes(request.request_status);
    });
    return request;
  }
  const service = async (number: number) => (await call('GET', `/services/${number}`)).data;
  return {
    folder,
    connectorFolder,
    faults,
    call,
    ended,
    repeat,
    service,
    operate,
    startConnector,
    killConnector,
    consolePort,
    connectorPort,
    log: () => log,
    /** Leaves one attempt to a request whose calls are not answered. */
    exhaust(id: string) {
      const database = new Database(join(folder, 'data/broker.db'));
      database.prepare('update requests set attempts = 19 where id = ? and attempts < 19').run(id);
      database.close();
    },
    order: (plan: string, configuration: object = {}) =>
      call('POST', '/services', { plan, client: { name: 'Ada Example', email: 'ada@example.com' }, configuration }),
    act: async (number: number, action: string, configuration = {}) =>
      ended(await call('POST', `/services/${number}/actions`, { action, configuration })),
  };
}
