import { STATUSES as CLIENT_STATUSES } from '../../client/src/errors.ts';
import { at, departuresOf, TIMESTAMP } from './shapes.ts';
import type { Answer } from './wire.ts';

/** The status of each code (contract, section 3). */
const STATUSES: Readonly<Record<string, number>> = CLIENT_STATUSES;

/** Codes without details; `not_found` has them outside of v1. */
const WITHOUT_DETAILS = ['not_found', 'server_error'];
const WITHIN_V1 = /^\/v1(\/|\?|$)/;
const LISTS = /^\/v1\/(services|plans|requests|usage|sandbox\/scenarios)(\?|$)/;
const UNMARKED = /^\/v1\/(auth-check|usage|sandbox)/;
const LIMIT_HEADERS = [
  'ratelimit-policy',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

/** What an answer is expected to be beyond its own content. */
export interface Occasion {
  secure: boolean;
  /** Ids of earlier answers; the answer's own is added. */
  seenIds: Set<string>;
  /** Refused before the gates: unknown paths, what cannot be routed, and whatever stands outside of v1. */
  beforeGates: boolean;
  /** Asked with a live key: nothing is marked as simulated. */
  live: boolean;
}

/** What holds for every answer, whatever was asked (contract, sections 1, 3, 5, 7 and 8); a sentence for each breach. */
export function breaches(answer: Answer, occasion: Occasion): string[] {
  return [...ofHeaders(answer, occasion), ...(answer.ask.method === 'HEAD' ? [] : ofBody(answer, occasion))];
}

function ofHeaders({ ask, status, headers, json }: Answer, { secure, seenIds, beforeGates }: Occasion): string[] {
  const found: string[] = [];
  const wants = (name: string, value: string) => {
    if (headers[name] !== value) found.push(`the header ${name} is ${headers[name] ?? 'missing'}, not ${value}`);
  };
  wants('content-type', 'application/json; charset=utf-8');
  wants('x-content-type-options', 'nosniff');
  if (ask.path.startsWith('/v1')) wants('cache-control', 'no-store');
  if (status === 401) wants('www-authenticate', 'Bearer');
  if (secure && !headers['strict-transport-security']) found.push('the header strict-transport-security is missing');
  if (headers['access-control-allow-origin']) found.push('the answer opens the API to pages of other origins');

  const id = headers['x-request-id'];
  if (typeof id !== 'string' || id === '') found.push('the header x-request-id is missing');
  else if (seenIds.has(id)) found.push(`the x-request-id ${id} was given to an earlier answer as well`);
  else seenIds.add(id);

  const retryAfter = headers['retry-after'];
  if (status === 429 && retryAfter === undefined) found.push('the header retry-after is missing');
  if (retryAfter !== undefined && !/^[1-9]\d*$/.test(retryAfter))
    found.push(`retry-after is ${retryAfter}, no whole number from 1`);
  if (retryAfter !== undefined && status !== 429 && status !== 500) found.push(`a ${status} carries retry-after`);
  if (status === 429) {
    const said = String(at(json, 'error.details.retry_after_seconds'));
    if (said !== retryAfter) found.push(`details.retry_after_seconds is ${said} beside retry-after ${retryAfter}`);
  }
  const replayed = headers['idempotent-replayed'];
  if (replayed !== undefined && (replayed !== 'true' || status >= 300))
    found.push(`idempotent-replayed is ${replayed} on a ${status}`);

  const limits = LIMIT_HEADERS.filter((name) => headers[name] !== undefined);
  if (status === 401 || beforeGates) {
    if (limits.length > 0) found.push(`${limits.join(', ')} on an answer that no window was counted for`);
  } else found.push(...ofWindow(headers));
  return found;
}

/** That both generations of rate limit fields stand there and say the same. */
function ofWindow(headers: Answer['headers']): string[] {
  const missing = LIMIT_HEADERS.filter((name) => headers[name] === undefined);
  if (missing.length > 0) return missing.map((name) => `the header ${name} is missing`);
  const policy = /^"default";q=(\d+);w=(\d+)$/.exec(String(headers['ratelimit-policy']));
  const state = /^"default";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit));
  if (!policy || !state)
    return [`ratelimit-policy ${headers['ratelimit-policy']} or ratelimit ${headers.ratelimit} is malformed`];
  const old = LIMIT_HEADERS.slice(2).map((name) => String(headers[name]));
  const said = [policy[1], state[1], state[2]];
  if (said.join() !== old.join()) return [`ratelimit says ${said.join(', ')} and x-ratelimit ${old.join(', ')}`];
  return Number(state[1]) < Number(policy[1]) ? [] : ['the request itself was not counted'];
}

function ofBody({ ask, status, headers, json }: Answer, { live }: Occasion): string[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return ['the answer is outside the envelope: no JSON object'];
  const { success, data, message, pagination, error, ...rest } = json as Record<string, unknown>;
  const strange = Object.keys(rest).map((name) => `the answer is outside the envelope: it has ${name}`);
  const dates = wrongTimestamps(json, '');
  if (success === true) {
    if (status < 200 || status > 299) strange.push(`success stands on a ${status}`);
    if (error !== undefined) strange.push('the answer is outside the envelope: success beside an error');
    if (typeof data !== 'object' || data === null) strange.push('the answer is outside the envelope: it has no data');
    if (message !== undefined && typeof message !== 'string') strange.push('message is no text');
    const list = ask.method === 'GET' && LISTS.test(ask.path);
    if (list !== (pagination !== undefined))
      strange.push(list ? 'a list without pagination' : 'pagination beside what is no list');
    return [
      ...strange,
      ...dates,
      ...(list ? ofPages(data, pagination) : []),
      ...ofMarks(ask.path, data, live),
      ...departuresOf(ask.method, ask.path, status, data),
    ];
  }
  if (success !== false || typeof error !== 'object' || error === null)
    return [...strange, 'the answer is outside the envelope: neither success nor an error'];
  if (data !== undefined || message !== undefined || pagination !== undefined)
    strange.push('the answer is outside the envelope: an error beside data');
  return [...strange, ...dates, ...ofError(error as Record<string, unknown>, status, headers, ask.path)];
}

function ofError(
  { code, message, details, ...rest }: Record<string, unknown>,
  status: number,
  headers: Answer['headers'],
  path: string,
): string[] {
  const found = Object.keys(rest).map((name) => `the error has ${name}`);
  if (STATUSES[String(code)] === undefined) found.push(`the code ${code} is none of the catalogue`);
  else if (STATUSES[String(code)] !== status)
    found.push(`${code} stands on a ${status}, not on a ${STATUSES[String(code)]}`);
  if (typeof message !== 'string' || message === '') found.push('the error has no message');
  const leadsToDocumentation = code === 'not_found' && !WITHIN_V1.test(path);
  if (leadsToDocumentation && typeof at(details, 'documentation') !== 'string')
    found.push('details.documentation is missing');
  if (details === undefined) return found;
  if (typeof details !== 'object' || details === null) return [...found, 'the details are no object'];
  if (WITHOUT_DETAILS.includes(String(code)) && !leadsToDocumentation) found.push(`${code} has details`);
  const correlation = at(details, 'correlation_id');
  if (correlation !== headers['x-request-id']) found.push(`correlation_id is ${correlation}, not the x-request-id`);
  if (Object.keys(details).length < 2) found.push('the details hold nothing but the correlation id');
  return found;
}

function ofPages(data: unknown, pagination: unknown): string[] {
  const [page, perPage, total, totalPages] = ['page', 'perPage', 'total', 'totalPages'].map((name) =>
    at(pagination, name),
  ) as number[];
  if (![page, perPage, total, totalPages].every((each) => Number.isSafeInteger(each) && (each as number) >= 0))
    return ['pagination is no set of four whole numbers'];
  const found: string[] = [];
  if ((page as number) < 1 || (perPage as number) < 1 || (perPage as number) > 100)
    found.push('page or perPage is out of its bounds');
  if (totalPages !== Math.ceil((total as number) / (perPage as number)))
    found.push(`totalPages is ${totalPages} for ${total} by ${perPage}`);
  if (!Array.isArray(data) || data.length > (perPage as number))
    found.push('the page is no list or longer than perPage');
  return found;
}

/** Simulated data says so, itself and nowhere further inside; what is real in the sandbox too does not. */
function ofMarks(path: string, data: unknown, live: boolean): string[] {
  if (!path.startsWith('/v1')) return [];
  const marked = !live && !UNMARKED.test(path);
  const items = Array.isArray(data) ? data : [data];
  return items.flatMap((item, index) => {
    const { mode, simulated, ...fields } = (item ?? {}) as Record<string, unknown>;
    const where = Array.isArray(data) ? `data.${index}` : 'data';
    const inner = JSON.stringify(fields).includes('"simulated":')
      ? [`something inside of ${where} is marked as simulated`]
      : [];
    if (marked && (mode !== 'test' || simulated !== true)) return [...inner, `${where} is not marked as simulated`];
    if (!marked && simulated !== undefined) return [...inner, `${where} is real and marked as simulated`];
    return inner;
  });
}

/** Every field that ends in `_date` holds a UTC timestamp with milliseconds, or null. */
function wrongTimestamps(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = path === '' ? name : `${path}.${name}`;
    if (name.endsWith('_date') && inner !== null && !(typeof inner === 'string' && TIMESTAMP.test(inner)))
      return [`${here} is ${JSON.stringify(inner)}, no UTC timestamp with milliseconds`];
    return wrongTimestamps(inner, here);
  });
}
