import t from 'tap';
import { Api } from '../../conformance/api.ts';
import { limits } from '../../conformance/checks/limits.ts';
import { createClient } from '../../conformance/http.ts';
import { runConformance } from '../../conformance/run.ts';
import { Session } from '../../conformance/session.ts';
import { preparedRun } from '../support/conformance.ts';
import { faultyProxy, type Passed, type Spoiled } from '../support/faulty-proxy.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape are changed
type Json = any;

/** Changes the JSON of answers to some paths. */
const changed = (when: RegExp, change: (json: Json) => void): Spoiled => ({
  when,
  answer: (answer) => {
    const json = JSON.parse(answer.body);
    change(json);
    return { ...answer, body: JSON.stringify(json) };
  },
});
/** Changes headers of answers to some paths; undefined removes one. */
const withHeaders = (when: RegExp, headers: Passed['headers']): Spoiled => ({
  when,
  answer: (answer) => ({
    ...answer,
    headers: Object.fromEntries(
      Object.entries({ ...answer.headers, ...headers }).filter(([, value]) => value !== undefined),
    ),
  }),
});
/** Changes the path of requests. */
const rerouted = (when: RegExp, path: (path: string) => string): Spoiled => ({ when, path });

/** Each fault, and how the default run names it. */
const FAULTS: Record<string, [fault: Spoiled, problem: RegExp]> = {
  'a wrong total': [
    changed(/\/v1\/services\?limit=100&search=/, ({ pagination }) => {
      pagination.total += 1;
    }),
    /^the total of search=.*: 2, not 1$/,
  ],
  'a lost last item': [changed(/\/v1\/services\?page=2&/, ({ data }) => data.pop()), /^the items by page=1/],
  'an ignored filter': [
    rerouted(/&client_email=/, (path) => path.replace(/&client_email=[^&]*/, '')),
    /^what client_email=\S+ finds: /,
  ],
  'a missing field': [
    changed(/\/v1\/plans$/, ({ data }) => {
      delete data[1].description;
    }),
    /^data\.1\.description is missing$/,
  ],
  'a foreign field': [
    changed(/\/v1\/services\/0+900001$/, ({ data }) => {
      data.client.password = 'x';
    }),
    /^data\.client\.password is no field of the document$/,
  ],
  "another broker's record": [
    changed(/\/v1\/requests\?limit=100$/, ({ data, pagination }) => {
      data.push({ ...data[0], request_id: 'req_of_another_broker' });
      pagination.total += 1;
    }),
    /^the records of \/v1\/requests: .*req_of_another_broker/,
  ],
  'a missing X-Request-Id': [
    withHeaders(/\/auth-check$/, { 'x-request-id': undefined }),
    /^the header x-request-id is missing$/,
  ],
  'a missing simulated': [
    changed(/\/v1\/services\/900009$/, ({ data }) => {
      delete data.simulated;
    }),
    /^data is not marked as simulated$/,
  ],
  'a replay with other bytes': [
    {
      when: /\/cancel$/,
      answer: (answer) =>
        answer.headers['idempotent-replayed'] ? { ...answer, body: answer.body.replace('{', '{ ') } : answer,
    },
    /^the replay has other bytes than the first answer$/,
  ],
  'a wrong reason': [
    changed(/\/900004\/cancel$/, ({ error }) => {
      error.details.reason = 'service_terminated';
    }),
    /^the reason is service_terminated, not service_cancelled$/,
  ],
  'a reason that the operation does not have': [
    changed(/\/900005\/cancel$/, ({ error }) => {
      error.details.reason = 'suspended_by_operator';
    }),
    /^the reason suspended_by_operator is not documented for this operation$/,
  ],
  'a limit that is not shown': [
    withHeaders(/&service_status=/, { 'ratelimit-policy': undefined }),
    /^the header ratelimit-policy is missing$/,
  ],
  'two limits that differ': [
    withHeaders(/&created_to=/, { 'x-ratelimit-limit': '7' }),
    /^ratelimit-policy \S+ and ratelimit \S+ differ from x-ratelimit 7,/,
  ],
  'a Retry-After of 0': [
    withHeaders(/\/900429$/, { 'retry-after': '0' }),
    /^the header retry-after is 0, not an integer of at least 1$/,
  ],
  'a rounded number': [
    rerouted(/\/services\/\d+\.\d+$/, (path) => path.replace(/[\d.]+$/, (text) => String(Math.round(Number(text))))),
    /^the status is 200, not 400 invalid_parameter$/,
  ],
  'a number that wraps': [
    rerouted(/\/services\/9223372036854775808$/, (path) => path.replace(/8$/, '7')),
    /^the status is 404, not 400 invalid_parameter$/,
  ],
  'a renewal that updated_since does not list': [
    // Services renew at midnight; the other reads of the check begin when the sandbox was made.
    changed(/\/services\?limit=100&updated_since=\S+T00%3A00%3A00\.000Z$/, (json) => {
      json.data = json.data.filter((service: Json) => service.service_number !== 900009);
    }),
    /^updated_since does not list the change of 900009$/,
  ],
  'an amount that is a number': [
    changed(/\/v1\/services\/900001$/, ({ data }) => {
      data.price.amount = 5;
    }),
    /^data\.price\.amount must be string, but is 5$/,
  ],
  'an id that two answers have': [
    withHeaders(/\/900010\/cancel$/, { 'x-request-id': 'one-1' }),
    /^details\.correlation_id is \S+, not the x-request-id$/,
  ],
  'pages that do not add up': [
    changed(/&submitted_to=/, ({ pagination }) => {
      pagination.totalPages = 7;
    }),
    /^totalPages is 7, but total is/,
  ],
  'an error page of a proxy': [
    {
      when: /\/900010\/unsuspend$/,
      answer: (answer) => ({ ...answer, status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>No</h1>' }),
    },
    /^the answer is outside the envelope: no JSON object$/,
  ],
  'a connection that is cut': [
    { when: /req_test_sample_denied\/approve$/, answer: () => undefined },
    /^the check could not go on: socket hang up$/,
  ],
};

t.test('the default run names each fault of a server, with the request and the answer that show it', async (t) => {
  const { key, port, options } = await preparedRun(t);
  const faults = Object.values(FAULTS).map(([fault]) => fault);
  const proxy = await faultyProxy(t, port, faults);
  const baseUrl = `http://127.0.0.1:${proxy}/api`;
  const report = await runConformance({ ...options, baseUrl, otherKeys: {}, plainUrl: undefined });
  const problems = report.checks.flatMap((check) => check.problems);
  for (const [name, [, wording]] of Object.entries(FAULTS)) {
    const found = problems.find(({ message }) => wording.test(message));
    t.ok(found, name, { found: problems.map(({ message }) => message) });
    // The items of several pages, and what had no answer, are of no one answer.
    if (!found?.answer) continue;
    t.match(found, { request: /^(GET|POST) \S+/, answer: /^HTTP \d{3}\n/ });
  }
  t.ok(
    report.checks.some(({ section, result }) => section === 'bodies' && result === 'passed'),
    'checks without a fault pass',
  );
  t.notOk(JSON.stringify(report).includes(key), 'the key is not shown');
});

t.test('a limit that lets one call too many pass fails the check of the burst', async (t) => {
  const { key, port, options } = await preparedRun(t, { rateLimit: 20 });
  let passed = 0;
  const lenient: Spoiled = {
    when: /\/plans\?limit=1$/,
    answer: (answer) => {
      const { 'retry-after': _, ...headers } = answer.headers;
      if (answer.status !== 429 || passed++ > 0) return answer;
      const pagination = { page: 1, perPage: 1, total: 0, totalPages: 0 };
      return { status: 200, headers, body: JSON.stringify({ success: true, data: [], pagination }) };
    },
  };
  const proxy = await faultyProxy(t, port, [lenient]);
  const client = createClient(new URL(`http://127.0.0.1:${proxy}/api`), key);
  t.teardown(() => client.close());
  const api = new Api(new Session({ ...options, client, otherKeys: {}, live: false, plainClient: undefined }));
  await limits.checks.find(({ burst }) => burst)?.run(api);
  t.match(
    api.problems.find(({ message }) => message.startsWith('what each call that passed has left')),
    { message: /: \[0,0,1,/ },
  );
});
