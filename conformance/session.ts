import type { OpenAPIV3_1 } from 'openapi-types';
import { documentChecker } from './document.ts';
import type { Answer, Call, Client } from './http.ts';
import { listAt } from './json.ts';

/** Milliseconds that never go back. */
export interface Clock {
  monotonic(): number;
}

/**
 * Keys for what the key under test cannot provoke; `firewalled` belongs to a broker whose firewall does not admit this
 * machine, `otherBroker` to any other broker, in the mode of the key under test.
 */
export type OtherKeys = Partial<Record<'noScopes' | 'expired' | 'revoked' | 'firewalled' | 'otherBroker', string>>;

export interface SessionOptions {
  client: Client;
  /** The same API over plain HTTP. */
  plainClient?: Client | undefined;
  otherKeys: OtherKeys;
  /** The key is a live one: nothing may be changed. */
  live: boolean;
  document: OpenAPIV3_1.Document;
  clock: Clock;
  wait(ms: number): Promise<void>;
  /** Writes one line of progress. */
  log(line: string): void;
}

/** The rate limit of the key, as the latest answer has it. */
export interface RateWindow {
  limit: number;
  remaining: number;
  /** Until the window ends. */
  seconds: number;
  /** How long a whole window is. */
  windowSeconds: number;
}

/** A larger burst would be an attack. */
export const MAX_BURST = 2_000;
/** How long a window may last, so that a burst waits for its end. */
export const MAX_WINDOW_SECONDS = 120;
/** What has to be left of a window, so that a burst ends within it. */
const BURST_SECONDS = 10;
/** How often a call that meets the limit, because others use the key too, is sent again. */
const MAX_RETRIES = 5;

/** What all checks of a run share: the connection, the keys and the pace that the key's rate limit allows. */
export class Session {
  readonly options: SessionOptions;
  readonly documentFaults: ReturnType<typeof documentChecker>;
  readonly seenIds = new Set<string>();
  readonly #statuses: Map<unknown, unknown>;
  #window: (RateWindow & { endsAt: number }) | undefined;
  /** How many calls were sent. */
  calls = 0;
  /** Of the key under test. */
  scopes: readonly string[] = [];

  constructor(options: SessionOptions) {
    this.options = options;
    this.documentFaults = documentChecker(options.document);
    this.#statuses = new Map(listAt(options.document, 'x-errors').map(({ code, status }) => [code, status]));
  }

  /** The status on which an error's code stands. */
  statusOf(code: string): unknown {
    return this.#statuses.get(code);
  }

  /** Undefined where no answer had the limit's headers. */
  get window(): RateWindow | undefined {
    if (!this.#window) return undefined;
    const seconds = Math.ceil((this.#window.endsAt - this.options.clock.monotonic()) / 1000);
    return { ...this.#window, seconds: Math.max(0, seconds) };
  }

  /** How many calls of a window are left to others: half of them for a live key, which has other work to do. */
  reserveOf({ limit }: RateWindow): number {
    return this.options.live ? Math.floor(limit / 2) : 0;
  }

  /** Waits until the window has this many calls left. */
  async waitForCalls(calls: number): Promise<void> {
    const { window } = this;
    if (!window || window.remaining - this.reserveOf(window) >= calls) return;
    this.#window = undefined;
    if (window.seconds > 0) await this.#pause(window.seconds, `the key's ${window.limit} calls per window are used up`);
  }

  /** Sends a call, and again after a wait where the key's limit refuses it. */
  async send(call: Call): Promise<Answer> {
    for (let retries = 0; ; retries++) {
      const answer = await this.sendOnce(call);
      // A simulated 429 has calls left.
      const limited = answer.status === 429 && !(Number(answer.headers['x-ratelimit-remaining']) > 0);
      if (!limited || retries === MAX_RETRIES) return answer;
      await this.#pause(Number(answer.headers['retry-after']) || 1, 'the rate limit refused a call');
    }
  }

  async sendOnce(call: Call): Promise<Answer> {
    this.calls += 1;
    const answer = await this.options.client.send(call);
    // Other keys have windows of their own.
    if (call.key === undefined) this.#readWindow(answer);
    return answer;
  }

  sendPlain(call: Call): Promise<Answer> {
    this.calls += 1;
    return (this.options.plainClient as Client).send(call);
  }

  /**
   * Sends at once as many calls as the window has left, and `beyond` more.
   * @returns how many were left, and the answers; or why there is no burst
   */
  async burst(call: Call, beyond: number): Promise<{ left: number; answers: Answer[] } | string> {
    for (let retries = 0; retries < MAX_RETRIES; retries++) {
      const { status } = await this.sendOnce(call);
      const { remaining = Number.NaN, seconds = 0, windowSeconds = 0 } = this.window ?? {};
      if (!(remaining <= MAX_BURST)) return 'the key may make too many calls to use them up';
      if (windowSeconds > MAX_WINDOW_SECONDS) return 'the window is too long to wait for its end';
      if (status !== 429 && (seconds >= Math.min(BURST_SECONDS, windowSeconds) || retries > 0)) {
        const calls = Array.from({ length: remaining + beyond }, () => this.sendOnce(call));
        return { left: remaining, answers: await Promise.all(calls) };
      }
      await this.#pause(seconds || 1, 'a burst needs a whole window');
    }
    return 'others use the key';
  }

  #readWindow({ headers }: Answer): void {
    const [remaining, seconds] = [Number(headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-reset'])];
    // Uncounted answers do not have them.
    if (Number.isNaN(remaining) || Number.isNaN(seconds)) return;
    const windowSeconds = Number(/w=(\d+)$/.exec(String(headers['ratelimit-policy']))?.[1] ?? seconds);
    const endsAt = this.options.clock.monotonic() + seconds * 1000;
    this.#window = { limit: Number(headers['x-ratelimit-limit']), remaining, seconds, windowSeconds, endsAt };
  }

  async #pause(seconds: number, why: string): Promise<void> {
    this.options.log(`Waiting ${seconds} s: ${why}`);
    await this.options.wait(seconds * 1000);
  }
}
