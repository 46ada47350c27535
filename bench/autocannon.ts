import autocannon from 'autocannon';
import { type Call, NUMBER } from './load.ts';

/* One round of load where there is no wrk, in a process of its own; prints what came of it as JSON. */
const [call, seconds, connections] = process.argv.slice(2);
const { url, key, body, numbered }: Call = JSON.parse(call as string);
let n = numbered?.from ?? 0;
const next = (request: autocannon.Request): autocannon.Request => {
  n = (numbered?.upTo === undefined ? n : n % numbered.upTo) + 1;
  const { pathname, search } = new URL(url);
  const path = (pathname + search).replace(NUMBER, String(n));
  return { ...request, path, headers: { ...request.headers, 'x-idempotency-key': `bench-${n}` } };
};
const result = await autocannon({
  url: numbered ? new URL(url).origin : url,
  connections: Number(connections),
  duration: Number(seconds),
  headers: {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  },
  ...(body !== undefined && { method: 'POST', body }),
  ...(numbered && { requests: [{ setupRequest: next }] }),
});
const failed = result.non2xx + result.errors + result.timeouts;
if (failed > 0) throw new Error(`${url} failed ${failed} times`);
const { total } = result.requests;
console.log(JSON.stringify({ answers: total, perSecond: total / result.duration, p99Ms: result.latency.p99 }));
