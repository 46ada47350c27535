import { isDeepStrictEqual } from 'node:util';
import { breaches } from './rules.ts';
import { at, differences } from './shapes.ts';
import { type Answer, type Ask, get, post, type Wire } from './wire.ts';

/** One thing that is wrong, with the request and the answer that show it; the key is in neither. */
export interface Problem {
  message: string;
  request?: string;
  answer?: string;
}

/** Milliseconds that never run backwards. */
export interface Clock {
  monotonic(): number;
}

export interface KitOptions {
  wire: Wire;
  clock: Clock;
  wait(ms: number): Promise<void>;
  /** Says what the run waits for. */
  tell(line: string): void;
  /** Whether the key is a live one, so that nothing may be changed. */
  live?: boolean;
  /** The same API over plain HTTP, where the run was told of it. */
  plain?: Wire | undefined;
}

/**
 * Keys that a run may be given for the refusals which the key under test cannot provoke; `firewalled` is of a broker
 * whose firewall does not admit this machine, `otherBroker` of any other broker, in the mode of the key under test.
 */
export type OtherKeys = Partial<Record<'noScopes' | 'expired' | 'revoked' | 'firewalled' | 'otherBroker', string>>;

/** What of an answer is looked at beside what holds for all. */
export interface Expected {
  status: number;
  /** A part of the answer; lists in it have to be as long. */
  matches?: object;
}

export interface Refused {
  status: number;
  code: string;
  reason?: string | undefined;
  /** More of `details`. */
  details?: object;
  message?: string;
}

/** What is left of a window when a burst uses it up. */
export interface Burst {
  left: number;
  answers: Answer[];
}

/** A burst of more would be an attack. */
const MAX_BURST = 2_000;
/** What a window must last at least for a burst to end within it, and at most for its end to be waited for. */
const BURST_SECONDS = 10;
const MAX_WINDOW_SECONDS = 120;
/** How often a call that meets the limit because others use the key too is sent again. */
const MAX_WAITS = 5;
/** What is shown of a body. */
const SHOWN = 2000;

/** What all checks of a run share: the wire, the window of the key, and the other keys. */
export class Kit {
  readonly #options: KitOptions;
  readonly #seenIds = new Set<string>();
  #window: { remaining: number; reserve: number; endsAt: number } | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Calls that were sent. */
  calls = 0;
  /** Scopes of the key under test. */
  scopes: readonly string[] = [];
  readonly otherKeys: OtherKeys;

  constructor(options: KitOptions, otherKeys: OtherKeys = {}) {
    this.#options = options;
    this.otherKeys = otherKeys;
  }

  wait = (ms: number): Promise<void> => this.#options.wait(ms);
  get live(): boolean {
    return this.#options.live === true;
  }
  get secure(): boolean {
    return this.#options.wire.secure;
  }
  get seenIds(): Set<string> {
    return this.#seenIds;
  }

  /** Sends these at once, as soon as the key's window has room for all of them. */
  send(asks: readonly Ask[]): Promise<Answer[]> {
    const turn = this.#queue.then(async () => {
      await this.#roomFor(asks.length);
      return Promise.all(asks.map((ask) => this.#exchange(ask)));
    });
    // One that failed must not stop those behind it.
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Waits until the window has room for so many calls, so that no wait parts them: the sandbox's clock goes on. */
  room(calls: number): Promise<void> {
    return this.#roomFor(calls);
  }

  async #exchange(ask: Ask): Promise<Answer> {
    const simulated = ask.path.includes('900429');
    let answer = await this.atOnce(ask);
    for (let waits = 0; answer.status === 429 && !simulated && waits < MAX_WAITS; waits++) {
      await this.#pause(Number(answer.headers['retry-after'] ?? 1), 'the rate limit was met');
      answer = await this.atOnce(ask);
    }
    return answer;
  }

  /** Asks whether or not the window has room for it. */
  async atOnce(ask: Ask): Promise<Answer> {
    this.calls += 1;
    const answer = await this.#options.wire.send(ask);
    // Other keys have windows of their own.
    if (ask.key === undefined) this.#note(answer);
    return answer;
  }

  /**
   * Uses up what is left of a window with calls that are all on their way at once, and makes `beyond` more of them; or
   * says why it does not. To be called when nothing else calls.
   */
  async burst(ask: Ask, beyond: number): Promise<Burst | string> {
    for (let waits = 0; waits < MAX_WAITS; waits++) {
      const { status, headers } = await this.atOnce(ask);
      const [left, seconds] = [Number(headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-reset'])];
      if (left > MAX_BURST) return 'the key may make too many calls to use them up';
      if (seconds > MAX_WINDOW_SECONDS) return 'the window is too long to wait for its end';
      if (status !== 429 && (seconds >= BURST_SECONDS || waits > 0))
        return { left, answers: await Promise.all(Array.from({ length: left + beyond }, () => this.atOnce(ask))) };
      await this.#pause(seconds || 1, 'a burst takes a window of its own');
    }
    return 'others use the key';
  }

  /** Asks over plain HTTP; only where `hasPlain`. */
  plainly(ask: Ask): Promise<Answer> {
    this.calls += 1;
    return (this.#options.plain as Wire).send(ask);
  }

  get hasPlain(): boolean {
    return this.#options.plain !== undefined;
  }

  #note({ headers }: Answer): void {
    const [remaining, reset] = [Number(headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-reset'])];
    // Unknown paths are not counted, and a server without these fields has to be asked without knowing.
    if (Number.isNaN(remaining) || Number.isNaN(reset)) return;
    const reserve = Math.floor(Number(headers['x-ratelimit-limit']) / 2) || 0;
    this.#window = { remaining, reserve, endsAt: this.#options.clock.monotonic() + reset * 1000 };
  }

  async #roomFor(calls: number): Promise<void> {
    // A live key has other work to do: half of its window is left to that.
    const reserve = this.live ? this.#window?.reserve : 0;
    if (!this.#window || this.#window.remaining >= calls + (reserve ?? 0)) return;
    const seconds = Math.ceil((this.#window.endsAt - this.#options.clock.monotonic()) / 1000);
    // Zero or less: it has ended meanwhile.
    if (seconds > 0) await this.#pause(seconds, `${this.calls} calls were made and the key's window is used up`);
    this.#window = undefined;
  }

  async #pause(seconds: number, why: string): Promise<void> {
    this.#options.tell(`Waiting ${seconds} s: ${why}`);
    await this.#options.wait(seconds * 1000);
  }
}

/** What one check works with: it asks, and every departure becomes a problem instead of an end. */
export class Probe {
  readonly problems: Problem[] = [];
  readonly kit: Kit;
  /** Why there was nothing to check after all. */
  leftOut: string | undefined;

  constructor(kit: Kit) {
    this.kit = kit;
  }

  fault(message: string, answer?: Answer): void {
    this.problems.push({ message, ...(answer && { request: requestText(answer.ask), answer: answerText(answer) }) });
  }

  leavesOut(why: string): void {
    this.leftOut = why;
  }

  async ask(ask: Ask, beforeGates = isBeforeGates(ask)): Promise<Answer> {
    const [answer] = (await this.asks([ask], beforeGates)) as [Answer];
    return answer;
  }

  /** Sends all of them at the same time. */
  async asks(asks: readonly Ask[], beforeGates = false): Promise<Answer[]> {
    const answers = await this.kit.send(asks);
    for (const answer of answers) this.looksAt(answer, beforeGates);
    return answers;
  }

  /** What holds for every answer. */
  looksAt(answer: Answer, beforeGates = false, secure = this.kit.secure): void {
    const occasion = { secure, seenIds: this.kit.seenIds, beforeGates, live: this.kit.live && answer.ask.key !== null };
    for (const breach of breaches(answer, occasion)) this.fault(breach, answer);
  }

  get = (path: string): Promise<Answer> => this.ask(get(path));

  /**
   * Active services of this check's own: what it does to them meets no other check.
   * @param wanted one for each: the plan (starter unless told), and the row of the sandbox that it behaves like
   */
  async services(...wanted: ReadonlyArray<{ plan?: string; like?: number }>): Promise<number[]> {
    const client = { name: 'Ada Example', email: 'ada@example.com' };
    const asks = wanted.map(({ plan = 'starter', like }) =>
      post('/v1/services', { plan, client, ...(like !== undefined && { external_reference: `like-${like}` }) }),
    );
    const answers = await this.asks(asks);
    for (const answer of answers) this.isSuccess(answer, { status: 201 });
    await this.pass(10);
    return answers.map(({ json }) => Number(at(json, 'data.service_number')));
  }

  /** Moves the sandbox's clock. */
  async pass(seconds: number): Promise<void> {
    await this.succeeds(post('/v1/sandbox/clock', { advance_seconds: seconds }), { status: 200 });
  }

  /** Takes back the request of an answer. */
  withdraw({ json }: Answer): Promise<Answer> {
    return this.succeeds(post(`/v1/requests/${at(json, 'data.request_id')}/withdraw`), { status: 200 });
  }

  /** Asks, and looks at the success. */
  async succeeds(ask: Ask, expected: Expected): Promise<Answer> {
    const answer = await this.ask(ask);
    this.isSuccess(answer, expected);
    return answer;
  }

  isSuccess(answer: Answer, { status, matches }: Expected): void {
    if (answer.status !== status) {
      this.fault(`the status is ${answer.status}, not ${status}`, answer);
      return;
    }
    for (const message of differences(answer.json, matches ?? {})) this.fault(message, answer);
  }

  /** Asks, and looks at the refusal. */
  async refuses(ask: Ask, refused: Refused, beforeGates?: boolean): Promise<Answer> {
    const answer = await this.ask(ask, beforeGates);
    this.isRefusal(answer, refused);
    return answer;
  }

  isRefusal(answer: Answer, { status, code, reason, details, message }: Refused): void {
    if (answer.status !== status) {
      this.fault(`the status is ${answer.status}, not ${status} ${code}`, answer);
      return;
    }
    const found = at(answer.json, 'error.code');
    if (found !== code) {
      this.fault(`the code is ${found}, not ${code}`, answer);
      return;
    }
    const said = at(answer.json, 'error.details.reason');
    if (said !== reason) this.fault(`the reason is ${said ?? 'absent'}, not ${reason ?? 'absent'}`, answer);
    const expected = { ...(details && { details }), ...(message !== undefined && { message }) };
    for (const difference of differences(at(answer.json, 'error'), expected, 'error')) this.fault(difference, answer);
  }

  equal(found: unknown, wanted: unknown, what: string, answer?: Answer): void {
    if (isDeepStrictEqual(found, wanted)) return;
    this.fault(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`, answer);
  }

  holds(condition: boolean, message: string, answer?: Answer): void {
    if (!condition) this.fault(message, answer);
  }
}

/** One guarantee of the contract, as a sentence. */
export interface Check {
  title: string;
  run(probe: Probe): Promise<void>;
  /** A key without which there is nothing to check. */
  needsKey?: keyof OtherKeys;
  /** Calls at most, where that is more than usual. */
  calls?: number;
  /** Checked without `--full` too: these calls fit into one window of the key. */
  fast?: true;
  /** Safe with a live key: it reads, and holds whatever the records are. */
  live?: true;
  /** Takes the API's address over plain HTTP. */
  needsPlain?: true;
  /** Uses up the key's window, so it comes last. */
  slow?: true;
}

/** What the contract says and a sandbox key cannot provoke: it stands in the table with its reason. */
export const unprovokable = (title: string, why: string): Check => ({
  title,
  run: async (probe) => probe.leavesOut(why),
});

export interface Section {
  name: string;
  /** All its checks are. */
  fast?: true;
  checks: readonly Check[];
}

const isBeforeGates = ({ path }: Ask): boolean => !path.startsWith('/v1');

/** The request as a person could repeat it, without the key. */
function requestText({ method, path, key, headers, body, bytes }: Ask): string {
  const authorization =
    key === null ? [] : [`authorization: Bearer ${key === undefined ? '(the key)' : '(another key)'}`];
  const lines = [
    `${method} ${cut(path)}`,
    ...authorization,
    ...Object.entries(headers ?? {})
      .filter(([name]) => name !== 'authorization')
      .map(([name, value]) => `${name}: ${cut(value)}`),
  ];
  const sent = bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  return [...lines, ...(sent === undefined ? [] : ['', cut(sent.toString())])].join('\n');
}

const HEADERS_SHOWN =
  /^(content-type|cache-control|x-|ratelimit|retry-after|idempotent-replayed|www-authenticate|strict-transport)/;

function answerText({ status, headers, raw }: Answer): string {
  const lines = Object.entries(headers)
    .filter(([name]) => HEADERS_SHOWN.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  return [`HTTP ${status}`, ...lines, '', cut(raw.toString())].join('\n');
}

const cut = (text: string): string => {
  const begun = text.length > SHOWN ? `${text.slice(0, SHOWN)}... (${text.length} characters)` : text;
  // A terminal would act on these.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
  return begun.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
};
