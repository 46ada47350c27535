import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { isRefusal } from '../support/wire.ts';
import { createWorld } from '../support/world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

interface Fault {
  path: string;
  rule: string;
}

/** What was sent, as a title that the runner can print. */
const titled = (url: string, body: unknown) =>
  `${url} ${JSON.stringify(body)
    .slice(0, 60)
    .replace(/[^ -~]/g, '?')}`;

/** A broker with a service, and a way to send a body as bytes. */
async function setting(t: Test) {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plan = await world.addPlan(broker, { slug: 'starter' });
  await world.addTemplate(broker);
  const service = await world.addService(broker, plan);
  const send = async (url: string, body: string | Buffer | undefined, headers: Record<string, string> = JSON_TYPE) => {
    const answer = await world.call(key, 'POST', url, { ...(body !== undefined && { body }), headers });
    return { ...answer, body: answer.raw };
  };
  /** `path rule` of each fault that a body or query is refused with, sorted. */
  const faults = async (url: string, body: unknown = {}, headers: Record<string, string> = JSON_TYPE) => {
    const { json } = await send(url, typeof body === 'string' ? body : JSON.stringify(body), headers);
    return json.error === undefined
      ? []
      : [json.error.code, ...json.error.details.fields.map(({ path, rule }: Fault) => `${path} ${rule}`).sort()];
  };
  return {
    ...world,
    broker,
    key,
    plan,
    service,
    send,
    faults,
    warn: `/services/${service.number}/cancellation-warning`,
  };
}

t.test('a body is an object in JSON and UTF-8 of at most 64 KiB, or it is refused with its reason', async (t) => {
  const { send } = await setting(t);
  const exactly = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  const refused: [body: string | Buffer, reason: string, headers?: Record<string, string>][] = [
    ['{', 'malformed_json'],
    ['nonsense', 'malformed_json'],
    ['{"a":1}{"b":2}', 'malformed_json'],
    ["{'a':1}", 'malformed_json'],
    ['{"a":NaN}', 'malformed_json'],
    [' ', 'malformed_json'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'malformed_json'],
    [Buffer.from('{"a":"é"}', 'latin1'), 'malformed_json'],
    [Buffer.from('{"a":1}', 'utf16le'), 'malformed_json'],
    ['{"__proto__":{}}', 'malformed_json'],
    ['{"a":[{"b":{"__proto__":1}}]}', 'malformed_json'],
    ['{"\\u005f\\u005Fpr\\u006Fto__":1}', 'malformed_json'],
    ['{"__proto__" \n :null}', 'malformed_json'],
    ['[]', 'not_an_object'],
    ['[{"a":1}]', 'not_an_object'],
    ['null', 'not_an_object'],
    ['5', 'not_an_object'],
    ['"{}"', 'not_an_object'],
    ['true', 'not_an_object'],
    [exactly(65_537), 'body_too_large'],
    ['{}', 'content_type', {}],
    ['{}', 'content_type', { 'content-type': 'text/plain' }],
    ['a=1', 'content_type', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['{}', 'content_type', { 'content-type': 'application/jsonp' }],
    ['{}', 'content_type', { 'content-type': 'application/json, text/plain' }],
    ['{}', 'content_type', { 'content-type': 'application/json; charset=utf-16' }],
    ['{}', 'content_type', { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['{}', 'content_type', { 'content-type': 'nonsense' }],
    ['{}', 'content_type', { 'content-type': `application/json;${' '.repeat(15_000)}x` }],
    ['{}', 'content_type', { 'content-type': 'application/json; charset=utf-8; charset=latin1' }],
    ['{}', 'content_type', { 'content-type': 'application/json; charset="utf-8' }],
  ];
  for (const [body, reason, headers = JSON_TYPE] of refused) {
    isRefusal(
      t,
      await send('/auth-check', Buffer.from(body), headers),
      400,
      'invalid_request',
      reason,
      titled(JSON.stringify(headers), body.toString('latin1').slice(0, 40)),
    );
  }
  const accepted: [body: string | undefined, headers?: Record<string, string>][] = [
    [undefined, {}],
    [undefined],
    [undefined, { 'content-type': 'text/plain' }],
    [undefined, { 'content-type': 'nonsense' }],
    ['', { 'content-type': 'nonsense' }],
    ['{}'],
    [' {"a" : 1}\n'],
    ['\ufeff{}'],
    ['\ufeff{"a":1.5}'],
    ['{"a":1,"a":2}'],
    ['{"a":1.5,"a":2,"a":{}}'],
    ['{"constructor":{"prototype":1},"toString":null}'],
    ['{"a":"__proto__"}'],
    ['{"a":"\\u0000","b":"\\ud800","\\udfff":{}}'],
    [exactly(65_536)],
    [`{"a":${'['.repeat(32_000)}${']'.repeat(32_000)}}`],
    ['{}', { 'content-type': 'application/json; charset=utf-8' }],
    ['{}', { 'content-type': 'Application/JSON;Charset="UTF-8"' }],
    ['{}', { 'content-type': `application/json${' '.repeat(15_000)};` }],
  ];
  for (const [body, headers] of accepted) {
    t.equal((await send('/auth-check', body, headers)).status, 200, `${body?.slice(0, 40)} ${JSON.stringify(headers)}`);
  }
});

t.test('a body in another charset, or a compressed one, is refused in words that name the cause', async (t) => {
  const { send } = await setting(t);
  const latin = await send('/auth-check', Buffer.from('{"a":"é"}', 'latin1'), {
    'content-type': 'application/json; charset=iso-8859-1',
  });
  isRefusal(t, latin, 400, 'invalid_request', 'content_type');
  t.equal(latin.json.error.message, 'The body must be sent as application/json in UTF-8');
  for (const coding of ['gzip', 'deflate', 'br']) {
    const zipped = await send('/auth-check', gzipSync('{"a":1}'), { ...JSON_TYPE, 'content-encoding': coding });
    isRefusal(t, zipped, 400, 'invalid_request', 'malformed_json');
    t.match(zipped.json.error.message, /without Content-Encoding/, coding);
  }
  for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'content-encoding': 'identity' }]) {
    t.equal((await send('/auth-check', '{', headers)).json.error.message, 'The body is not valid JSON');
  }
});

t.test('a plus sign that a query lost, and an internationalised address, are named', async (t) => {
  const { call, key, send, service } = await setting(t);
  const ofQuery = async (query: string) =>
    (await call(key, 'GET', `/services?${query}`)).json.error?.details.fields[0].message;
  const lost = /; in a query a plus sign is written as %2B$/;
  for (const query of [
    'client_email=ada+test@example.com',
    'updated_since=2026-03-01T09:30:00+02:00',
    'updated_since=2026-03-01t09:30:00+0200',
  ]) {
    t.match(await ofQuery(query), lost, query);
  }
  t.equal(await ofQuery('client_email=ada%2Btest@example.com'), undefined);
  t.equal(await ofQuery('updated_since=2026-03-01T09:30:00%2B02:00'), undefined);
  for (const query of ['updated_since=2026-03-01+09:30', 'updated_since=yesterday']) {
    t.match(await ofQuery(query), /date$/, query);
  }
  for (const query of ['client_email=ada', 'client_email=ada@ex+ample.com', 'search=ada+test@example.com']) {
    t.equal(await ofQuery(query), undefined, query);
  }
  const update = async (email: string) =>
    (await send(`/services/${service.number}/update`, JSON.stringify({ client: { email } }))).json.error.details
      .fields[0].message;
  t.match(await update('ada@exämple.com'), /^must be one email address: .*punycode/);
  t.equal(await update('ada test@example.com'), 'must be one email address', 'in a body a blank is a blank');
});

t.test('a body that is not as long as it says cannot be read', async (t) => {
  const { send } = await setting(t);
  const answer = await send('/auth-check', '{"a":1}', { ...JSON_TYPE, 'content-length': '5' });
  isRefusal(t, answer, 400, 'invalid_request', 'malformed_json');
});

t.test('a body of thousands of levels is refused like any other', async (t) => {
  const { faults, warn } = await setting(t);
  const deep = '['.repeat(30_000) + ']'.repeat(30_000);
  t.strictSame(await faults(warn, `{"x":${deep},"warningReason":"a"}`), ['invalid_parameter', 'body.x unknown']);
  t.strictSame(await faults(warn, `{"warningReason":${deep}}`), ['invalid_parameter', 'body.warningReason type']);
});

t.test('every faulty field is listed with the rule that it broke, and a missing one decides the code', async (t) => {
  const { faults, warn, service } = await setting(t);
  const client = { name: 'Ada', email: 'ada@example.com' };
  const cancel = `/services/${service.number}/cancel`;
  const upgrade = `/services/${service.number}/upgrade`;
  const long = (length: number) => 'é'.repeat(length);
  const invalid: [url: string, body: unknown, ...faults: string[]][] = [
    [warn, { warningReason: null }, 'body.warningReason type'],
    [warn, { warningReason: 5 }, 'body.warningReason type'],
    [warn, { warningReason: ['a'] }, 'body.warningReason type'],
    [warn, { warningReason: true }, 'body.warningReason type'],
    [warn, { warningReason: '' }, 'body.warningReason blank'],
    [warn, { warningReason: ' \t\r\n\u00a0\ufeff\u2028\u3000' }, 'body.warningReason blank'],
    [warn, { warningReason: '\u200b\u2060' }, 'body.warningReason blank'],
    ['/services', { plan: 'starter', client: { ...client, name: '\u3164' } }, 'body.client.name blank'],
    ['/services', { plan: 'starter', client, label: '\u2800\u200b' }, 'body.label blank'],
    ['/services', { plan: 'starter', client, external_reference: '\uffa0' }, 'body.external_reference blank'],
    [warn, { warningReason: 'x'.repeat(1001) }, 'body.warningReason too_long'],
    [warn, { warningReason: '😀'.repeat(1001) }, 'body.warningReason too_long'],
    [warn, { warningReason: 'a\0b' }, 'body.warningReason format'],
    [warn, '{"warningReason":"a\\ud83d"}', 'body.warningReason format'],
    [warn, '{"warningReason":"\\ude00b"}', 'body.warningReason format'],
    [warn, { warningReason: 'a', extra: 1 }, 'body.extra unknown'],
    [warn, { warningReason: 'a', 'a.b/c~d': 1 }, 'body.a.b/c~d unknown'],
    [warn, { warningReason: 'a', constructor: 1, toString: 1 }, 'body.constructor unknown', 'body.toString unknown'],
    [warn, { warningReason: '', extra: '\0' }, 'body.extra unknown', 'body.warningReason blank'],
    [upgrade, { new_plan: long(129) }, 'body.new_plan too_long'],
    [upgrade, { new_plan: {} }, 'body.new_plan type'],
    [cancel, { cancellation_type: 'later' }, 'body.cancellation_type enum'],
    [cancel, { cancellation_type: null, reason: null }, 'body.cancellation_type type', 'body.reason type'],
    [cancel, { reason: long(1001) }, 'body.reason too_long'],
    ['/services', { plan: 'starter', client: [] }, 'body.client type'],
    ['/services', { plan: 'starter', client: 'Ada' }, 'body.client type'],
    ['/services', { plan: ' ', client: { ...client, phone: '1' } }, 'body.client.phone unknown', 'body.plan blank'],
    [
      '/services',
      { plan: 'starter', client: { name: '', email: 'ada' } },
      'body.client.email format',
      'body.client.name blank',
    ],
    [
      '/services',
      { plan: 'starter', client: { name: long(201), email: `${'a'.repeat(250)}@b.co` } },
      'body.client.email too_long',
      'body.client.name too_long',
    ],
    [
      '/services',
      { plan: 'starter', client, label: long(256), external_reference: long(256) },
      'body.external_reference too_long',
      'body.label too_long',
    ],
    ['/services', { plan: 'starter', client, label: null }, 'body.label type'],
    ['/requests/none/deny', { reason: 1 }, 'body.reason type'],
    ['/requests/none/approve', { reason: ' ' }, 'body.reason blank'],
    ['/reports/services', { search: '' }, 'body.search blank'],
    ['/reports/services', { search: ' ab ' }, 'body.search range'],
    ['/reports/services', { search: long(101) }, 'body.search too_long'],
    ['/reports/services', { recipient_email: 'a@example.com, b@example.com' }, 'body.recipient_email format'],
    ['/reports/services', { period_from: '2026-01-02', period_to: '2026-01-01' }, 'body.period_to conflict'],
    [
      '/reports/services',
      { period_from: 'yesterday', period_to: 20260101 },
      'body.period_from format',
      'body.period_to type',
    ],
    ['/reports/invoices', { service_number: '5' }, 'body.service_number type'],
    ['/reports/invoices', '{"service_number":9007199254740993}', 'body.service_number range'],
    [
      '/reports/invoices',
      { service_number: 0, invoice_status: 'late' },
      'body.invoice_status enum',
      'body.service_number range',
    ],
    ['/auth-check?x=1', {}, 'query.x unknown'],
    ...['1000001.00000000001', '1e3', '1.0', '1E+3', '10e-1', '1.5', '1e400', '-1.0'].map(
      (number): [string, string, string] => [
        '/reports/invoices',
        `{"service_number":${number}}`,
        'body.service_number type',
      ],
    ),
    ...['-0', '-1', '9007199254740992', '9'.repeat(400), `-${'9'.repeat(400)}`].map(
      (number): [string, string, string] => [
        '/reports/invoices',
        `{"service_number":${number}}`,
        'body.service_number range',
      ],
    ),
    [
      '/reports/invoices',
      '{"recipient_email":"1.5\\"e","service_number":1.0}',
      'body.recipient_email format',
      'body.service_number type',
    ],
  ];
  for (const [url, body, ...expected] of invalid) {
    t.strictSame(await faults(url, body), ['invalid_parameter', ...expected], titled(url, body));
  }
  const missing: [url: string, body: unknown, ...faults: string[]][] = [
    [warn, {}, 'body.warningReason required'],
    [warn, '', 'body.warningReason required'],
    [warn, { extra: 1 }, 'body.extra unknown', 'body.warningReason required'],
    [upgrade, {}, 'body.new_plan required'],
    ['/requests/none/deny', {}, 'body.reason required'],
    ['/services', {}, 'body.client required', 'body.plan required'],
    [
      '/services?a=1',
      { plan: 5, client: { name: ' ' }, x: 1 },
      'body.client.email required',
      'body.client.name blank',
      'body.plan type',
      'body.x unknown',
      'query.a unknown',
    ],
  ];
  for (const [url, body, ...expected] of missing) {
    t.strictSame(await faults(url, body), ['missing_parameter', ...expected], `${url} ${JSON.stringify(body)}`);
  }
});

t.test(
  'of many faults fifty are listed and the rest counted, and of a name no more is repeated than helps',
  async (t) => {
    const { send, warn, faults } = await setting(t);
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 8000 }, (_, i) => [i.toString(36), 1])));
    const answer = await send(warn, many);
    isRefusal(t, answer, 400, 'missing_parameter');
    const { fields, omitted } = answer.json.error.details;
    t.strictSame([fields.length, omitted], [50, 7951]);
    t.strictSame(
      [fields[0].path, fields[0].rule],
      ['body.warningReason', 'required'],
      'what decides the code is shown',
    );
    t.ok(answer.raw.length < 10_000);
    const fifty = JSON.stringify(Object.fromEntries(Array.from({ length: 49 }, (_, i) => [i.toString(36), 1])));
    t.equal((await send(warn, fifty)).json.error.details.omitted, undefined);

    const name = '😀'.repeat(101);
    const kept = '😀'.repeat(100);
    const sent = JSON.stringify({ warningReason: 'a', [name]: 1, [`${name}2`]: '\0', ['x'.repeat(100)]: 1 });
    t.strictSame(await faults(warn, sent), [
      'invalid_parameter',
      `body.${'x'.repeat(100)} unknown`,
      `body.${kept} unknown`,
    ]);
    t.strictSame(
      await faults(`${warn}?${'y'.repeat(3000)}=+&${'z'.repeat(200)}=1&${'z'.repeat(200)}=2`, { warningReason: 'a' }),
      ['invalid_parameter', `query.${'y'.repeat(100)} unknown`, `query.${'z'.repeat(100)} unknown`],
    );
    const unreadable = await send(warn, '{"warningReason":"a","\\ud800":1,"b\\u0000":{"\\udfff":"\\ud800"}}');
    t.strictSame(
      unreadable.json.error.details.fields.map(({ path, rule }: Fault) => [path, rule]),
      [['body', 'unknown']],
    );
  },
);

t.test('strings are trimmed first, and lengths count code points', async (t) => {
  const { send, warn, mailer, service, broker, addPlan } = await setting(t);
  const longest = '😀'.repeat(1000);
  const sent = await send(warn, JSON.stringify({ warningReason: `\u00a0\ufeff\n ${longest}\u2003` }));
  t.equal(sent.status, 200);
  t.equal(sent.json.data.warning_reason, longest);
  t.match(mailer.sent[0]?.text, longest);
  await addPlan(broker, { slug: 'more', upgradeRank: 10_000 });
  t.equal((await send(`/services/${service.number}/upgrade`, '{"new_plan":"\\t more \\u00a0"}')).status, 200);
  const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.co`;
  t.equal(email.length, 254);
  const created = await send(
    '/services',
    JSON.stringify({
      plan: 'starter',
      client: { name: '😀'.repeat(200), email: ` ${email} ` },
      label: 'é'.repeat(255),
      external_reference: '𝔘'.repeat(255),
    }),
  );
  t.equal(created.status, 201);
});

t.test('a query takes each known parameter once, and no name of the prototype slips through', async (t) => {
  const { call, key } = await setting(t);
  const refused: [url: string, ...faults: string[]][] = [
    ['/plans?__proto__=1', 'query.__proto__ unknown'],
    ['/plans?__proto__=1&__proto__=2', 'query.__proto__ unknown'],
    ['/plans?%5F%5Fproto__[a]=1', 'query.__proto__[a] unknown'],
    [
      '/plans?constructor=1&toString=1&hasOwnProperty=',
      'query.constructor unknown',
      'query.hasOwnProperty unknown',
      'query.toString unknown',
    ],
    ['/plans?Limit=1', 'query.Limit unknown'],
    ['/plans?limit=1&limit=2', 'query.limit repeated'],
    ['/plans?limit=1&limit=1', 'query.limit repeated'],
    ['/plans?limit[]=1', 'query.limit[] unknown'],
    ['/plans?limit=', 'query.limit blank'],
    ['/plans?limit=%20', 'query.limit blank'],
    ['/plans?limit=0&offset=2147483648', 'query.limit range', 'query.offset range'],
    ['/plans?limit=101', 'query.limit range'],
    ['/plans?limit=99999999999999999999999', 'query.limit range'],
    ...['1.0', '1e1', '0x1', '+1', '-1', '%201', 'Infinity', '%EF%BC%91'].map((value): [string, string] => [
      `/plans?limit=${value}`,
      'query.limit format',
    ]),
    ['/plans?page=0&perPage=101', 'query.page range', 'query.perPage range'],
    ['/plans?page=1&limit=1', 'query.page conflict'],
    ['/plans?offset=1&perPage=1', 'query.perPage conflict'],
    ['/plans?billing_type=weekly', 'query.billing_type enum'],
    ['/plans?billing_type=', 'query.billing_type blank'],
    ['/services?plan=%20', 'query.plan blank'],
    ['/services?search=%20%20%20', 'query.search blank'],
    ['/services?search=%E3%85%A4%E3%85%A4%E3%85%A4', 'query.search blank'],
    ['/services?search=ab', 'query.search range'],
    ['/services?search=a%00bc', 'query.search format'],
    ['/services?created_from=2026-02-30', 'query.created_from format'],
    ['/services?created_from=2026-01-02&created_to=2026-01-01', 'query.created_to conflict'],
    ['/services?created_from=2026-01-01&created_from=2026-01-02', 'query.created_from repeated'],
    ['/requests?operator_review=1', 'query.operator_review enum'],
    ['/requests?service_number=1.5', 'query.service_number format'],
  ];
  for (const [url, ...expected] of refused) {
    const { json } = await call(key, 'GET', url);
    t.strictSame(
      [
        json.error?.code,
        ...(json.error?.details.fields ?? []).map(({ path, rule }: Fault) => `${path} ${rule}`).sort(),
      ],
      ['invalid_parameter', ...expected],
      url,
    );
  }
  for (const url of ['/plans?limit=007', '/plans?', '/services?plan=%20starter', '/requests?service_number=-0']) {
    t.equal((await call(key, 'GET', url)).status, 200, url);
  }
  t.equal((await call(key, 'GET', '/requests?service_number=x')).json.error.message, 'Invalid service number');
});

t.test('a service number is a base-10 integer of the int64 range, and never rounded to another one', async (t) => {
  const { call, key, broker, plan, addService } = await setting(t);
  await addService(broker, plan, { number: 9007199254740991 });
  await addService(broker, plan, { number: 7 });
  const invalid = [
    '+7',
    '7.0',
    '1e3',
    '0x10',
    '１２',
    '٣',
    '%20',
    '7%20',
    '%207',
    '7_0',
    '--7',
    '-',
    '7%00',
    'NaN',
    '9223372036854775808',
    '-9223372036854775809',
    '9'.repeat(1000),
  ];
  for (const text of invalid) {
    for (const path of ['', '/upgrade-options']) {
      const answer = await call(key, 'GET', `/services/${encodeURI(decodeURIComponent(text))}${path}`);
      isRefusal(t, { ...answer, body: answer.raw }, 400, 'invalid_parameter', undefined, text.slice(0, 30));
      t.equal(answer.json.error.message, 'Invalid service number', text.slice(0, 30));
    }
  }
  const strangers = [
    '9007199254740992',
    '9007199254740993',
    '-5',
    '-7',
    '0',
    '-0',
    '9223372036854775807',
    '-9223372036854775808',
    '8',
  ];
  for (const text of strangers) {
    const { status, json } = await call(key, 'GET', `/services/${text}`);
    t.strictSame(
      [status, json.error],
      [404, { code: 'not_found', message: 'Service not found or access denied' }],
      text,
    );
  }
  for (const [text, number] of [
    ['7', 7],
    ['007', 7],
    [`${'0'.repeat(999)}7`, 7],
    ['%37', 7],
    ['9007199254740991', 9007199254740991],
  ] as const) {
    t.equal((await call(key, 'GET', `/services/${text}`)).json.data?.service_number, number, text.slice(0, 20));
  }
});
