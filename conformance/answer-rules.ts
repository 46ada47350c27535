import type { DocumentedAnswer } from './document.ts';
import type { Answer } from './http.ts';
import { at, type Item, listAt } from './json.ts';

export interface RuleContext {
  secure: boolean;
  /** Sent with a live key: nothing is marked as simulated. */
  live: boolean;
  /** Refused before the rate limit counted it, as unknown paths are. */
  uncounted: boolean;
  /** Ids of earlier answers; the answer's own is added. */
  seenIds: Set<string>;
  documentFaults(answer: DocumentedAnswer): string[];
}

const WITHIN_V1 = /^\/v1(\/|\?|$)/;
/** What is real in a sandbox too, and therefore not marked as simulated. */
const REAL_IN_SANDBOX = /^\/v1\/(auth-check|usage|sandbox)/;
const OLD_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const LIMIT_HEADERS = ['ratelimit-policy', 'ratelimit', ...OLD_LIMIT_HEADERS];

/** The rules for every answer (contract, sections 1, 3, 5, 7 and 8); returns a sentence for each that it breaks. */
export function brokenRules(answer: Answer, context: RuleContext): string[] {
  const { call, status, headers, json } = answer;
  const found = [...headerFaults(answer, context), ...limitFaults(answer, context)];
  if (call.method === 'HEAD') return found;
  if (call.path.startsWith('/v1/'))
    found.push(...context.documentFaults({ method: call.method, path: call.path, status, headers, json }));
  else found.push(...undocumentedFaults(answer));
  const details = at(json, 'error.details');
  if (details !== undefined && at(details, 'correlation_id') !== headers['x-request-id'])
    found.push(`details.correlation_id is ${at(details, 'correlation_id')}, not the x-request-id`);
  if (at(json, 'pagination') !== undefined) found.push(...paginationFaults(json));
  if (status < 300 && WITHIN_V1.test(call.path)) found.push(...markFaults(answer, context.live));
  return found;
}

function headerFaults({ call, status, headers, json }: Answer, { secure, seenIds }: RuleContext): string[] {
  const found: string[] = [];
  const expected = {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...(WITHIN_V1.test(call.path) && { 'cache-control': 'no-store' }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  };
  for (const [name, value] of Object.entries(expected))
    if (headers[name] !== value) found.push(`the header ${name} is ${headers[name] ?? 'missing'}, not ${value}`);
  if (secure && !headers['strict-transport-security']) found.push('the header strict-transport-security is missing');
  if (headers['access-control-allow-origin']) found.push('the answer has CORS headers');

  const id = headers['x-request-id'];
  if (typeof id !== 'string' || id === '') found.push('the header x-request-id is missing');
  else if (seenIds.has(id)) found.push(`the x-request-id ${id} was given to an earlier answer too`);
  else seenIds.add(id);

  const retryAfter = headers['retry-after'];
  if (status === 429 && retryAfter === undefined) found.push('the header retry-after is missing');
  if (retryAfter !== undefined && !/^[1-9]\d*$/.test(retryAfter))
    found.push(`the header retry-after is ${retryAfter}, not an integer of at least 1`);
  const inDetails = at(json, 'error.details.retry_after_seconds');
  if (status === 429 && String(inDetails) !== retryAfter)
    found.push(`details.retry_after_seconds is ${inDetails}, the header retry-after is ${retryAfter}`);
  return found;
}

/** The rate limit stands on each counted answer, in both generations of headers, and they agree. */
function limitFaults({ status, headers }: Answer, { uncounted }: RuleContext): string[] {
  const present = LIMIT_HEADERS.filter((name) => headers[name] !== undefined);
  if (status === 401 || uncounted)
    return present.length > 0 ? [`${present.join(', ')} on an answer that the rate limit does not count`] : [];
  const missing = LIMIT_HEADERS.filter((name) => headers[name] === undefined);
  if (missing.length > 0) return missing.map((name) => `the header ${name} is missing`);
  const { 'ratelimit-policy': policy, ratelimit } = headers;
  const [, limit] = /^"default";q=(\d+);w=\d+$/.exec(String(policy)) ?? [];
  const [, remaining, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(String(ratelimit)) ?? [];
  const old = OLD_LIMIT_HEADERS.map((name) => String(headers[name]));
  if ([limit, remaining, reset].join() !== old.join())
    return [`ratelimit-policy ${policy} and ratelimit ${ratelimit} differ from x-ratelimit ${old.join(', ')}`];
  return Number(remaining) < Number(limit) ? [] : ['the request itself was not counted'];
}

/** Outside of /api/v1 the envelope is the same, and errors lead to the documentation. */
function undocumentedFaults({ json, call, status }: Answer): string[] {
  if (typeof json !== 'object' || json === null) return ['the answer is outside the envelope: no JSON object'];
  if (status < 300 && at(json, 'success') === true) return [];
  const fields = Object.keys(json).sort().join();
  if (at(json, 'success') !== false || fields !== 'error,success' || typeof at(json, 'error.message') !== 'string')
    return ['the answer is outside the envelope: neither success nor an error'];
  const hasDocumentation = typeof at(json, 'error.details.documentation') === 'string';
  return status === 404 && !WITHIN_V1.test(call.path) && !hasDocumentation ? ['details.documentation is missing'] : [];
}

function paginationFaults(json: unknown): string[] {
  const { page, perPage, total, totalPages } = at(json, 'pagination') as Record<string, number>;
  const count = listAt(json, 'data').length;
  const found: string[] = [];
  if (totalPages !== Math.ceil(Number(total) / Number(perPage)))
    found.push(`totalPages is ${totalPages}, but total is ${total} and perPage ${perPage}`);
  const expected = Math.max(0, Math.min(Number(perPage), Number(total) - (Number(page) - 1) * Number(perPage)));
  // An offset may lie between two pages.
  if (count > Number(perPage) || (page === 1 && count > expected))
    found.push(`the page has ${count} items, but total is ${total} and perPage ${perPage}`);
  return found;
}

/** Simulated data is marked at the top of `data` or of each item, and nowhere deeper. */
function markFaults({ call, json }: Answer, live: boolean): string[] {
  const data = at(json, 'data');
  const items = Array.isArray(data) ? data : [data];
  const expected = !live && !REAL_IN_SANDBOX.test(call.path);
  return items.flatMap((item, index) => {
    const { mode, simulated, ...fields } = (item ?? {}) as Item;
    const path = Array.isArray(data) ? `data.${index}` : 'data';
    const found = JSON.stringify(fields).includes('"simulated":') ? [`a field inside of ${path} is simulated`] : [];
    if (expected && (mode !== 'test' || simulated !== true)) found.push(`${path} is not marked as simulated`);
    if (!expected && simulated !== undefined) found.push(`${path} is real, but marked as simulated`);
    return found;
  });
}
