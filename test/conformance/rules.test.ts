import t from 'tap';
import { SCHEMAS } from '../../conformance/src/generated/answers.ts';
import { breaches } from '../../conformance/src/rules.ts';
import { at, departures, departuresOf, differences, listAt } from '../../conformance/src/shapes.ts';
import { type Answer, get, post } from '../../conformance/src/wire.ts';

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'x-request-id': 'id-1',
  'ratelimit-policy': '"default";q=120;w=60',
  ratelimit: '"default";r=119;t=60',
  'x-ratelimit-limit': '120',
  'x-ratelimit-remaining': '119',
  'x-ratelimit-reset': '60',
};
const MARKS = { mode: 'test', simulated: true };
const LIMITS = Object.keys(HEADERS).filter((name) => name.includes('ratelimit'));
const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

interface Case {
  ask?: Answer['ask'];
  status?: number;
  headers?: object;
  json?: unknown;
  secure?: boolean;
  beforeGates?: boolean;
  live?: boolean;
}

function breachesOf({
  ask = get('/v1/elsewhere/1'),
  status = 200,
  headers,
  json,
  secure = false,
  beforeGates = false,
  live = false,
}: Case) {
  const body = json ?? { success: true, data: MARKS };
  const answer: Answer = { ask, status, headers: { ...HEADERS, ...headers }, raw: Buffer.from(''), json: body };
  const found = breaches(answer, { secure, beforeGates, live, seenIds: new Set(['id-0']) });
  // What records hold has a test of its own.
  return found.filter((each) => !/^data\S* is (missing|no field of the contract)$/.test(each));
}

const list = (data: unknown, pagination: unknown): Case => ({
  ask: get('/v1/services'),
  json: { success: true, data, pagination },
});
const pages = { page: 1, perPage: 25, total: 1, totalPages: 1 };
const error = (code: string, details?: object | null) => ({
  success: false,
  error: { code, message: 'No', ...(details !== undefined && { details }) },
});
const details = (more: object) => ({ ...more, correlation_id: 'id-1' });

t.test('an answer that keeps the rules has no breach', async (t) => {
  const kept: Case[] = [
    {},
    list([MARKS], pages),
    {
      ask: get('/v1/auth-check'),
      json: { success: true, data: { mode: 'test', at_date: '2030-01-01T00:00:00.000Z', gone_date: null } },
    },
    {
      ask: get('//health/live'),
      headers: without(...LIMITS, 'cache-control'),
      beforeGates: true,
      json: { success: true, data: { status: 'ok' } },
    },
    { status: 404, json: error('not_found') },
    {
      ask: get('//nothing'),
      status: 404,
      headers: without(...LIMITS),
      beforeGates: true,
      json: error('not_found', details({ documentation: '/api/docs' })),
    },
    {
      status: 401,
      headers: { ...without(...LIMITS), 'www-authenticate': 'Bearer' },
      json: error('authentication_failed', details({ reason: 'missing' })),
    },
    {
      status: 429,
      headers: { 'retry-after': '1' },
      json: error('rate_limit_exceeded', details({ retry_after_seconds: 1 })),
    },
    { secure: true, headers: { 'strict-transport-security': 'max-age=1' } },
    { ask: post('/v1/services/1/cancel'), headers: { 'idempotent-replayed': 'true' } },
    {
      ask: { method: 'HEAD', path: '/v1/services' },
      status: 404,
      headers: without(...LIMITS),
      beforeGates: true,
      json: {},
    },
  ];
  for (const each of kept) t.strictSame(breachesOf(each), [], JSON.stringify(each));
});

t.test('each breach of a rule is named', async (t) => {
  const broken: Array<[Case, RegExp]> = [
    [{ headers: { 'content-type': 'text/html' } }, /content-type is text\/html, not application/],
    [{ headers: without('x-content-type-options') }, /x-content-type-options is missing/],
    [{ headers: { 'cache-control': 'public' } }, /cache-control is public/],
    [
      {
        status: 401,
        headers: without(...LIMITS),
        json: error('authentication_failed', details({ reason: 'missing' })),
      },
      /www-authenticate is missing/,
    ],
    [{ secure: true }, /strict-transport-security is missing/],
    [{ headers: { 'access-control-allow-origin': '*' } }, /other origins/],
    [{ headers: without('x-request-id') }, /x-request-id is missing/],
    [{ headers: { 'x-request-id': 'id-0' } }, /id-0 was given to an earlier answer/],
    [
      { status: 429, json: error('rate_limit_exceeded', details({ retry_after_seconds: 1 })) },
      /retry-after is missing/,
    ],
    [{ status: 500, headers: { 'retry-after': '0.5' }, json: error('server_error') }, /0\.5, no whole number/],
    [{ headers: { 'retry-after': '1' } }, /a 200 carries retry-after/],
    [
      {
        status: 429,
        headers: { 'retry-after': '2' },
        json: error('rate_limit_exceeded', details({ retry_after_seconds: 1 })),
      },
      /is 1 beside retry-after 2/,
    ],
    [{ headers: { 'idempotent-replayed': 'yes' } }, /idempotent-replayed is yes on a 200/],
    [{ beforeGates: true, status: 404, json: error('not_found') }, /no window was counted/],
    [{ headers: without('ratelimit') }, /ratelimit is missing/],
    [{ headers: { ratelimit: '119' } }, /malformed/],
    [{ headers: { 'x-ratelimit-remaining': '118' } }, /ratelimit says 120, 119, 60 and x-ratelimit 120, 118, 60/],
    [{ headers: { ratelimit: '"default";r=120;t=60', 'x-ratelimit-remaining': '120' } }, /was not counted/],
    [{ json: [] }, /outside the envelope: no JSON object/],
    [{ json: { success: true, data: MARKS, extra: 1 } }, /it has extra/],
    [{ status: 404, json: { success: true, data: MARKS } }, /success stands on a 404/],
    [{ json: { success: true, data: MARKS, error: {} } }, /success beside an error/],
    [{ json: { success: true } }, /it has no data/],
    [{ json: { success: true, data: MARKS, message: 5 } }, /message is no text/],
    [list([], undefined), /a list without pagination/],
    [{ json: { success: true, data: MARKS, pagination: pages } }, /beside what is no list/],
    [{ json: { data: MARKS } }, /neither success nor an error/],
    [{ status: 404, json: { ...error('not_found'), data: MARKS } }, /an error beside data/],
    [
      { status: 404, json: { success: false, error: { code: 'not_found', message: 'No', status: 404 } } },
      /the error has status/,
    ],
    [{ status: 400, json: error('bad') }, /the code bad is none/],
    [{ status: 400, json: error('not_found') }, /not_found stands on a 400, not on a 404/],
    [{ status: 404, json: { success: false, error: { code: 'not_found', message: '' } } }, /no message/],
    [{ status: 400, json: error('invalid_state', null) }, /the details are no object/],
    [{ status: 404, json: error('not_found', details({ reason: 'x' })) }, /not_found has details/],
    [{ ask: get('//nothing'), status: 404, json: error('not_found') }, /details.documentation is missing/],
    [
      { status: 400, json: error('invalid_state', { reason: 'x', correlation_id: 'other' }) },
      /correlation_id is other/,
    ],
    [{ status: 400, json: error('invalid_state', details({})) }, /nothing but the correlation id/],
    [list([], { ...pages, total: '1' }), /no set of four whole numbers/],
    [list([], { ...pages, perPage: 101 }), /out of its bounds/],
    [list([], { ...pages, totalPages: 2 }), /totalPages is 2 for 1 by 25/],
    [list({}, pages), /no list or longer/],
    [list([{}], pages), /data\.0 is not marked/],
    [list([null], pages), /data\.0 is not marked/],
    [{ json: { success: true, data: { ...MARKS, plan: MARKS } } }, /inside of data is marked/],
    [{ ask: get('/v1/auth-check'), json: { success: true, data: MARKS } }, /real and marked/],
    [
      { json: { success: true, data: { ...MARKS, inner: { created_date: '2030-01-01' } } } },
      /data\.inner\.created_date is "2030-01-01"/,
    ],
  ];
  for (const [each, says] of broken) t.match(breachesOf(each).join('\n'), says, String(says));
});

t.test('a record is held against its schema, field by field, and a field that it does not have is named', async (t) => {
  const { Price = {}, Specifications = {}, Plan = {}, Request = {}, UpgradeOptions = {} } = SCHEMAS;
  t.strictSame(departures({ amount: '5.00', currency: 'EUR' }, Price), []);
  t.strictSame(departures({ amount: 5, secret: 1 }, Price), [
    'data.currency is missing',
    'data.amount is 5, not string',
    'data.secret is no field of the contract',
  ]);
  t.match(departures({ amount: 'x', currency: 'EUR' }, Price), [/^data\.amount is "x", which does not match/]);
  t.match(departures([], Price), ['data is [], not object']);
  t.match(departures({ vcpu: 1.5, memory_mb: null, disk_gb: 1, transfer_gb: 1 }, Specifications), [
    /vcpu is 1.5, not integer or null/,
  ]);
  const price = { properties: { price: Plan.properties?.price ?? {} } };
  t.strictSame([departures({ price: null }, price), departures({ price: 'x' }, price)].flat().length, 1);
  t.match(departures({ type: 'cancellation', request_id: 5 }, Request).join('\n'), /cancellation_type is missing/);
  t.match(departures({ type: 'no such type' }, Request).join('\n'), /data\.type is "no such type"/);
  const lists = departures({ current_plan: {}, available: {}, unavailable: [1] }, UpgradeOptions).join('\n');
  t.match(lists, /data\.available is \{\}, not array\n/);
  t.match(lists, /data\.unavailable\.0 is 1, not object/);
  t.match(departures(2, { enum: [1] }), ['data is 2, not 1']);
  t.strictSame(departures([1], { type: 'array' }), []);
  t.strictSame(departures({ any: 1 }, { $ref: '#/unknown' }), []);
  t.strictSame(departuresOf('GET', '/v1/unknown', 200, {}), []);
  t.match(departuresOf('POST', '/v1/auth-check', 200, {}), [/authenticated is missing/]);
});

t.test('a part that is expected is looked for, and what differs is named by its path', async (t) => {
  t.strictSame(differences({ a: { b: [1], c: 2 } }, { a: { b: [1] } }), []);
  t.match(differences({ a: 1 }, { a: { b: 1 } }), ['answer.a is 1, not {"b":1}']);
  t.match(differences({ a: [1, 2] }, { a: [1] }), ['answer.a is [1,2], not [1]']);
  t.match(differences({ a: {} }, { a: [1] }), ['answer.a is {}, not [1]']);
  t.match(differences({}, { a: null }), ['answer.a is absent, not null']);
  t.match(differences({ a: 'x'.repeat(200) }, { a: '' })[0], /x{100}\.\.\., not ""$/);
  t.strictSame([at({ a: [{ b: 1 }] }, 'a.0.b'), at({ a: 1 }, 'a.b.c'), listAt({}, 'a')], [1, undefined, []]);
});
