import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { SlotQueue } from '../limits/slot-queue.ts';
import { programFile } from '../paths.ts';
import type { TemplateRenderer } from '../ports.ts';
import type { Checked, Rendered, RenderTask } from './render-process.ts';

export interface RendererOptions {
  /** How long one rendering may take before its process is ended. Milliseconds. */
  timeLimitMs?: number;
  /** How long a process may take from its start to its first message before it is ended. Milliseconds. */
  startLimitMs?: number;
  /** How long a process waits for its next template before it is ended. Milliseconds. */
  idleMs?: number;
  /** The program of a rendering process; another one only where a test needs one that misbehaves. */
  program?: string;
}

const PROGRAM = programFile('mail/render-process');

/**
 * A rendering takes well below a millisecond, and several seconds where the machine has no CPU for it; liquidjs checks
 * its own limit of a second only between two nodes.
 */
export const TIME_LIMIT_MS = 5_000;

/** A start takes a quarter of a second; a busy machine needs several times as much. */
export const START_LIMIT_MS = 10_000;

/** Of a process's heap, in megabytes. A worker thread that exceeds such a limit can end the whole program. */
const HEAP_LIMIT_MB = 64;

/** One process for each, and one of a broker, so that a template that uses up its time does not stop other brokers. */
const SLOTS = {
  atOnce: 2,
  atOnceOfBroker: 1,
  // A waiting rendering holds a template and its values, some 10 KB.
  waiting: 500,
  waitingOfBroker: 200,
  patienceMs: 10_000,
  retryAfterSeconds: 1,
};

/** A process takes some 45 MB; one that is not used for this long ends. */
const IDLE_MS = 60_000;

/** Templates are checked for the operator, who sets them. */
const OPERATOR = 'operator';

const UNFINISHED = 'The template takes too much time or memory to render';

/**
 * Renders brokers' templates in processes of their own: a template that exceeds its time or memory ends its process, and
 * nothing else. The first rendering starts one.
 */
export function createTemplateRenderer({
  timeLimitMs = TIME_LIMIT_MS,
  startLimitMs = START_LIMIT_MS,
  idleMs = IDLE_MS,
  program = PROGRAM,
}: RendererOptions = {}): TemplateRenderer & { close(): Promise<void> } {
  const slots = new SlotQueue(SLOTS);
  const idle = new Map<ChildProcess, NodeJS.Timeout>();

  async function start(): Promise<ChildProcess> {
    const child = fork(program, {
      execArgv: [...process.execArgv, `--max-old-space-size=${HEAP_LIMIT_MB}`],
      env: {},
      stdio: 'ignore',
    });
    // What it cannot be sent or told any more shows in its end.
    child.on('error', () => undefined);
    const timer = setTimeout(() => child.kill('SIGKILL'), startLimitMs);
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(UNFINISHED)));
    await Promise.race([once(child, 'message'), ended]).finally(() => clearTimeout(timer));
    return child;
  }

  async function take(): Promise<ChildProcess> {
    for (const [child, timeout] of idle) {
      clearTimeout(timeout);
      idle.delete(child);
      if (!child.connected) continue;
      child.ref();
      child.channel?.ref();
      return child;
    }
    return start();
  }

  /** Keeps a process for the next task, without keeping the program alive for it. */
  function giveBack(child: ChildProcess): void {
    const end = () => {
      idle.delete(child);
      child.kill();
    };
    idle.set(child, setTimeout(end, idleMs).unref());
    child.unref();
    child.channel?.unref();
  }

  const run = <Answer extends Rendered | Checked>(brokerId: string, task: RenderTask): Promise<Answer> =>
    slots.take({ brokerId }, async () => {
      const child = await take();
      const answer = await ask<Answer>(child, task);
      giveBack(child);
      return answer;
    });

  const ask = <Answer>(child: ChildProcess, task: RenderTask): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const fail = () => {
        clearTimeout(timer);
        child.kill('SIGKILL');
        reject(new Error(UNFINISHED));
      };
      const timer = setTimeout(fail, timeLimitMs);
      child.once('exit', fail);
      child.once('message', (answer: Answer) => {
        clearTimeout(timer);
        child.off('exit', fail);
        resolve(answer);
      });
      child.send(task);
    });

  return {
    async render(template, values, brokerId) {
      const answer = await run<Rendered>(brokerId, { template, values });
      if ('error' in answer) throw new Error(answer.error);
      return answer.rendered;
    },
    async check(template) {
      const { faults } = await run<Checked>(OPERATOR, { template, values: null }).catch(() => ({
        faults: [{ field: 'html' as const, message: UNFINISHED }],
      }));
      return faults;
    },
    async close() {
      slots.close();
      for (const [child, timeout] of idle) {
        clearTimeout(timeout);
        child.kill();
      }
      idle.clear();
    },
  };
}
