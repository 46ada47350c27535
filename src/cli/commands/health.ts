import http from 'node:http';
import https from 'node:https';
import { hostname } from 'node:os';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../../config.ts';
import { innermost } from '../../errors.ts';
import { listenAddress } from '../../http/server.ts';
import { AWAY_AFTER_MS, listWorkers } from '../../worker/registry.ts';
import { type CliContext, command } from '../context.ts';
import { CommandError, usageError } from '../errors.ts';
import { printRecord } from '../output.ts';

/** Less than the patience of those that start this command (image, units, deploy/kubernetes.yaml). */
const ANSWER_MS = 3_000;
const BETWEEN_MS = 1_000;
/** As long as a start waits for another one's migration. */
const MAX_WAIT_SECONDS = 3_600;

const EVERY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function register(program: Command, context: CliContext): void {
  command(program, 'health', 'Succeed where the server with these settings is ready', 'health')
    .option('--worker', 'succeed where a worker of this machine, or of this container, is alive')
    .option('--wait <seconds>', 'wait so long for it', secondsOf, 0)
    .action(async ({ worker, wait, json }: { worker?: true; wait: number; json?: true }) => {
      const check = worker ? () => checkWorker(context) : () => checkServer(context.config());
      let state = await check().catch(orLater(wait));
      for (let left = wait; state === undefined; left -= BETWEEN_MS / 1000) {
        await sleep(BETWEEN_MS);
        state = await check().catch(orLater(left - BETWEEN_MS / 1000));
      }
      context.io.out(`${json ? JSON.stringify(state, null, 2) : printRecord(state, context.style)}\n`);
    });
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new InvalidArgumentError(`must be 0 to ${MAX_WAIT_SECONDS}`);
}

/** Repeats the check while there is time; a wrong setting fails at once. */
const orLater = (secondsLeft: number) => (error: unknown) => {
  if (secondsLeft > 0 && error instanceof CommandError && error.exitCode === 1) return undefined;
  throw error;
};

/** Asks the server of this machine for its readiness, where its settings say that it listens. */
async function checkServer({ host, port, tls }: Config): Promise<object> {
  if (port === 0) throw usageError('PORT: 0 is known only once the server listens');
  const address = EVERY_ADDRESS[host] ?? listenAddress(host);
  const server = `${tls ? 'https' : 'http'}://${address.includes(':') ? `[${address}]` : address}:${port}`;
  const answer = await get(`${server}/health/ready`).catch((error: unknown) => {
    throw new CommandError(`${server} does not answer: ${innermost(error)}`);
  });
  if (answer.status === 200 && answer.body.data) return answer.body.data;
  throw new CommandError(`${server} is not ready: ${answer.body.error?.message ?? `status ${answer.status}`}`);
}

interface Readiness {
  data?: object;
  error?: { message?: string };
}

function get(url: string): Promise<{ status: number | undefined; body: Readiness }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    // The server's certificate has its public name, and this address is one of the machine itself.
    const options = { agent: false, signal, rejectUnauthorized: false };
    const request = (url.startsWith('https:') ? https : http).get(url, options, (response) => {
      json(response).then((body) => resolve({ status: response.statusCode, body: body as Readiness }), reject);
    });
    request.once('error', reject);
  });
}

/** Looks for the heartbeat of a worker with this host's name whose process is there. */
async function checkWorker({ withParts }: CliContext): Promise<object> {
  const [alive] = await withParts(async ({ store, clock }) => {
    const oldest = clock.now() - AWAY_AFTER_MS;
    const workers = await listWorkers(store.read);
    return workers.filter(({ host, pid, seenAt }) => host === hostname() && seenAt > oldest && isRunning(pid));
  });
  if (!alive) throw new CommandError(`No worker of ${hostname()} has been seen for ${AWAY_AFTER_MS / 1000} seconds`);
  return { status: 'ok', worker: alive.id, seen_at: new Date(alive.seenAt).toISOString() };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It belongs to another user.
    return (error as { code?: string }).code === 'EPERM';
  }
}
