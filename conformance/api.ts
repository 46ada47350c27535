import { isDeepStrictEqual } from 'node:util';
import { brokenRules } from './answer-rules.ts';
import { type Answer, type Call, get, post } from './http.ts';
import { at, differences } from './json.ts';
import type { OtherKeys, Session } from './session.ts';

/** One fault, with the request and the answer that show it; neither has a key in it. */
export interface Problem {
  message: string;
  request?: string;
  answer?: string;
}

export interface Success {
  /** 200 by default. */
  status?: number;
  /** A part of the answer's data; lists in it have to be as long. */
  data?: unknown;
  pagination?: object;
}

export interface Failure {
  code: string;
  reason?: string | undefined;
  message?: string;
  /** A part of the details. */
  details?: object;
  /** The rate limit does not count it. */
  uncounted?: boolean;
}

/** How much of a body a problem shows. */
const MAX_SHOWN = 2000;

/** The API, as one check calls it: every answer has to keep the document and the rules, and faults are collected. */
export class Api {
  readonly session: Session;
  readonly problems: Problem[] = [];
  /** Why there was nothing to check. */
  skipped: string | undefined;

  constructor(session: Session) {
    this.session = session;
  }

  problem(message: string, answer?: Answer): void {
    this.problems.push({ message, ...(answer && { request: requestText(answer.call), answer: answerText(answer) }) });
  }

  skip(why: string): void {
    this.skipped = why;
  }

  key(name: keyof OtherKeys): string {
    return this.session.options.otherKeys[name] as string;
  }

  get live(): boolean {
    return this.session.options.live;
  }

  /** Sends a call; its answer has to keep the rules for every answer. */
  async call(call: Call, uncounted = !call.path.startsWith('/v1')): Promise<Answer> {
    const answer = await this.session.send(call);
    this.applyRules(answer, { uncounted });
    return answer;
  }

  applyRules(answer: Answer, { uncounted = false, secure = this.session.options.client.secure } = {}): void {
    const { seenIds, documentFaults } = this.session;
    const live = this.live && answer.call.key !== null;
    for (const message of brokenRules(answer, { secure, live, uncounted, seenIds, documentFaults }))
      this.problem(message, answer);
  }

  get = (path: string): Promise<Answer> => this.call(get(path));

  async expectSuccess(call: Call, expected: Success = {}): Promise<Answer> {
    const answer = await this.call(call);
    this.isSuccess(answer, expected);
    return answer;
  }

  isSuccess(answer: Answer, { status = 200, ...parts }: Success = {}): void {
    if (answer.status !== status) this.problem(`the status is ${answer.status}, not ${status}`, answer);
    else for (const message of differences(answer.json, parts, 'answer')) this.problem(message, answer);
  }

  async expectFailure(call: Call, expected: Failure): Promise<Answer> {
    const answer = await this.call(call, expected.uncounted);
    this.isFailure(answer, expected);
    return answer;
  }

  isFailure(answer: Answer, { code, reason, message, details }: Failure): void {
    const status = this.session.statusOf(code);
    const error = at(answer.json, 'error');
    const found = { code: at(error, 'code'), reason: at(error, 'details.reason') };
    const parts = { ...(details && { details }), ...(message !== undefined && { message }) };
    if (answer.status !== status) this.problem(`the status is ${answer.status}, not ${status} ${code}`, answer);
    else if (found.code !== code) this.problem(`the code is ${found.code}, not ${code}`, answer);
    else if (found.reason !== reason)
      this.problem(`the reason is ${found.reason ?? 'absent'}, not ${reason ?? 'absent'}`, answer);
    else for (const difference of differences(error, parts, 'error')) this.problem(difference, answer);
  }

  equal(found: unknown, expected: unknown, what: string, answer?: Answer): void {
    if (!isDeepStrictEqual(found, expected))
      this.problem(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`, answer);
  }

  ok(condition: boolean, otherwise: string, answer?: Answer): void {
    if (!condition) this.problem(otherwise, answer);
  }

  /**
   * Creates services that no other check uses, and moves the clock until they are active.
   * @param wanted one for each: its plan (starter by default), and the row of the sandbox that it behaves like
   */
  async createServices(...wanted: ReadonlyArray<{ plan?: string; like?: number }>): Promise<number[]> {
    const client = { name: 'Ada Example', email: 'ada@example.com' };
    const numbers: number[] = [];
    for (const { plan = 'starter', like } of wanted) {
      const reference = like === undefined ? {} : { external_reference: `like-${like}` };
      const { json } = await this.expectSuccess(post('/v1/services', { plan, client, ...reference }), { status: 201 });
      numbers.push(Number(at(json, 'data.service_number')));
    }
    await this.advanceClock(10);
    return numbers;
  }

  async advanceClock(seconds: number): Promise<void> {
    await this.expectSuccess(post('/v1/sandbox/clock', { advance_seconds: seconds }));
  }

  /** Withdraws the request of an answer. */
  withdraw({ json }: Answer): Promise<Answer> {
    return this.expectSuccess(post(`/v1/requests/${at(json, 'data.request_id')}/withdraw`));
  }
}

/** The request without its key. */
function requestText({ method, path, key, headers, body, bytes }: Call): string {
  const keyName = key === undefined ? '(the key)' : '(another key)';
  const lines = Object.entries(headers ?? {})
    .filter(([name]) => name !== 'authorization')
    .map(([name, value]) => `${name}: ${readable(value)}`);
  const sent = bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  return [
    `${method} ${readable(path)}`,
    ...(key === null ? [] : [`authorization: Bearer ${keyName}`]),
    ...lines,
    ...(sent === undefined ? [] : ['', readable(sent.toString())]),
  ].join('\n');
}

const SHOWN_HEADERS =
  /^(content-type|cache-control|x-|ratelimit|retry-after|idempotent-replayed|www-authenticate|strict-transport)/;

function answerText({ status, headers, raw }: Answer): string {
  const lines = Object.entries(headers)
    .filter(([name]) => SHOWN_HEADERS.test(name))
    .map(([name, value]) => `${name}: ${value}`);
  return [`HTTP ${status}`, ...lines, '', readable(raw.toString())].join('\n');
}

/** Cut, and without control characters that a terminal would obey. */
function readable(text: string): string {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}... (${text.length} characters)` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
  return cut.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}
