import { createHash } from 'node:crypto';
import type { OpenAPIV3_1 } from 'openapi-types';
import { createDemo } from '../src/demo/demo.ts';
import { DEMO_KEYS } from '../src/demo/keys.ts';
import type { Example, Examples, OperationExamples } from '../src/document/document.ts';
import { ApiError, type ErrorCode, fail } from '../src/errors.ts';
import { MailFailure } from '../src/ports.ts';
import { composeKey } from '../src/rules/key-format.ts';
import { createWorld, type World, type WorldOptions } from '../test/support/world.ts';

/*
 * The examples of the document are answers: every call below is made to a server with the demo data, with the keys that
 * the README shows, and what comes back is written down. So each of them is true, and who repeats the call sees it.
 */

/** One call of an operation, as far as it differs from the one that succeeds. */
interface Call {
  /** What the reader should know of it; the message of the answer unless told. */
  summary?: string;
  /** What the example is called; the reason or code of the answer unless told. */
  name?: string;
  key?: keyof typeof DEMO_KEYS;
  path?: string | number;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  before?: (world: World) => void | Promise<void>;
}

interface Script {
  /** The value of the one parameter that the path has. */
  path?: string | number;
  succeeds: Array<Call & { name: string; summary: string }>;
  refused?: Call[];
}

type Answer = Awaited<ReturnType<World['call']>>;

const NOT_A_NUMBER: Call = { path: 'abc', summary: 'A service number that is none' };
const UNKNOWN_PARAMETER: Call = { query: '?verbose=1', summary: 'An unknown query parameter' };
const PAGE_TOO_LARGE: Call = { query: '?limit=500', summary: 'A page that is too large' };
const NOBODYS_SERVICE: Call = { path: 424242 };
const NOBODYS_REQUEST: Call = { path: 'req_unknown' };
const NOTHING: Call = { body: {}, name: 'missing_parameter', summary: 'A required field is missing' };

const REUSED = 'idempotency_key_reused';

/** The idempotency key of the usual call for another body. */
const reused = (body: object): Call => {
  const headers = { 'X-Idempotency-Key': 'order-4711' };
  return { body, headers, name: REUSED };
};

const ENDED: Call[] = [{ path: 900004 }, { path: 900005 }];

const planChange = (current: string): Call[] => [
  { body: { new_plan: 'platinum' } },
  { body: { new_plan: current } },
  { path: 900014 },
  { path: 900015 },
  { path: 900012 },
  { body: { new_plan: 'flex-hourly' } },
];

/** Of the demo data: active, with an address, warned on the day before. */
const LIVE_SERVICE = 1000001;

const mailFails = (reason: 'rejected' | 'unreachable', providerCode: string | null): Call => ({
  key: 'live',
  before: (world) => {
    world.mailer.failWith = new MailFailure(reason, 'not sent', { providerCode, retryable: reason === 'unreachable' });
  },
});

/** As many services as a sandbox can hold. */
async function fillSandbox(world: World): Promise<void> {
  const body = { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } };
  for (let created = 0, status = 201; status !== 400; created += 1) {
    // Below the limit of the key.
    if (created % 100 === 0) world.clock.advance(60_000);
    ({ status } = await world.call(DEMO_KEYS.test, 'POST', '/services', { body }));
  }
}

/** What is played for each operation, the success first. */
const SCRIPTS: Record<string, Script> = {
  checkAccess: {
    succeeds: [
      { name: 'sandbox', summary: "The demo data's sandbox key" },
      { name: 'live', summary: 'Its live key', key: 'live' },
    ],
    refused: [UNKNOWN_PARAMETER],
  },
  checkAuthorization: {
    succeeds: [{ name: 'authorized', summary: 'The key may create services' }],
    refused: [UNKNOWN_PARAMETER],
  },
  listServices: {
    succeeds: [
      { name: 'page', summary: 'The first two', query: '?limit=2' },
      { name: 'changed', summary: 'What changed, oldest change first', query: '?updated_since=2026-01-01&limit=1' },
      { name: 'none', summary: 'Nothing fits', query: '?external_reference=CRM-0' },
    ],
    refused: [PAGE_TOO_LARGE],
  },
  getService: {
    path: 900001,
    succeeds: [
      { name: 'active', summary: 'An active service' },
      { name: 'leaving', summary: 'A cancellation is scheduled', path: 900015 },
    ],
    refused: [NOT_A_NUMBER, NOBODYS_SERVICE],
  },
  createService: {
    succeeds: [{ name: 'accepted', summary: 'Queued; the service is pending until the work is done' }],
    refused: [
      NOTHING,
      { body: { plan: 'starter', client: { name: 'Ada Example', email: 'ada at home' } }, summary: 'No email address' },
      { body: { plan: 'platinum', client: { name: 'Ada Example', email: 'ada@example.com' } } },
      { before: fillSandbox },
    ],
  },
  updateService: {
    path: 900001,
    succeeds: [{ name: 'updated', summary: 'The service as it is now' }],
    refused: [
      NOTHING,
      { body: { label: '' }, summary: 'A blank label' },
      ...ENDED,
      NOBODYS_SERVICE,
      reused({ label: 'Shop' }),
    ],
  },
  listUpgradeOptions: {
    path: 900001,
    succeeds: [{ name: 'options', summary: 'Two plans are in reach' }],
    refused: [NOT_A_NUMBER, NOBODYS_SERVICE],
  },
  upgradeService: {
    path: 900001,
    succeeds: [
      { name: 'accepted', summary: 'Accepted and queued' },
      { name: 'operator_review', summary: 'Under review by the operator', path: 900002 },
    ],
    refused: [
      NOTHING,
      { body: { new_plan: '' }, summary: 'A blank plan' },
      ...planChange('starter'),
      { path: 900013 },
      NOBODYS_SERVICE,
      reused({ new_plan: 'enterprise' }),
    ],
  },
  downgradeService: {
    path: 900013,
    succeeds: [
      { name: 'accepted', summary: 'Accepted; it takes effect when the term ends' },
      { name: 'operator_review', summary: 'Under review by the operator', path: 900018, body: { new_plan: 'starter' } },
    ],
    refused: [
      NOTHING,
      { body: { new_plan: '' }, summary: 'A blank plan' },
      ...planChange('enterprise'),
      { path: 900001 },
      NOBODYS_SERVICE,
      reused({ new_plan: 'starter' }),
    ],
  },
  cancelService: {
    path: 900001,
    succeeds: [
      { name: 'end_of_term', summary: 'At the end of the term' },
      { name: 'immediate', summary: 'At once', body: { cancellation_type: 'immediate' } },
    ],
    refused: [
      { body: { cancellation_type: 'tomorrow' }, summary: 'An unknown word' },
      ...ENDED,
      { path: 900015 },
      { path: 900010 },
      NOBODYS_SERVICE,
      reused({ cancellation_type: 'immediate' }),
    ],
  },
  suspendService: {
    path: 900001,
    succeeds: [{ name: 'accepted', summary: 'Accepted and queued' }],
    refused: [
      { body: { reason: '' }, summary: 'A blank reason' },
      ...ENDED,
      { path: 900014 },
      { path: 900016 },
      NOBODYS_SERVICE,
      reused({ reason: 'The client asked for it.' }),
    ],
  },
  unsuspendService: {
    path: 900014,
    succeeds: [{ name: 'accepted', summary: 'Accepted and queued' }],
    refused: [
      { body: { reason: 'Paid.' }, summary: 'An unknown field' },
      ...ENDED,
      { path: 900001 },
      // Of the demo data: suspended by the operator.
      { path: 1000009, key: 'live' },
      NOBODYS_SERVICE,
      { ...reused({}), path: 900001 },
    ],
  },
  warnCancellation: {
    path: 900001,
    succeeds: [
      { name: 'sent', summary: 'The email was sent' },
      { name: 'unrecorded', summary: 'It was sent, and its entry in the history could not be saved', path: 900009 },
    ],
    refused: [
      NOTHING,
      { body: { warningReason: ' ' }, summary: 'A blank reason' },
      ...ENDED,
      { path: 900006 },
      { path: 900007 },
      NOBODYS_SERVICE,
      { path: 900008, name: 'email_send_error' },
      { path: 900017 },
      {
        key: 'live',
        path: LIVE_SERVICE,
        summary: 'The service had as many warnings as it may get in 24 hours',
        before({ context }) {
          context.warningsPerService = 1;
        },
      },
    ],
  },
  listPlans: {
    succeeds: [{ name: 'page', summary: 'The first two by rank', query: '?limit=2' }],
    refused: [PAGE_TOO_LARGE],
  },
  listRequests: {
    succeeds: [
      { name: 'page', summary: 'The newest two', query: '?limit=2' },
      { name: 'pending', summary: 'What waits for your decision', query: '?request_status=pending' },
    ],
    refused: [PAGE_TOO_LARGE],
  },
  getRequest: {
    path: 'req_test_sample_pending',
    succeeds: [
      { name: 'pending', summary: 'It waits for your decision' },
      { name: 'failed', summary: 'It was accepted and failed', path: 'req_test_sample_failed' },
      { name: 'denied', summary: 'You denied it', path: 'req_test_sample_denied' },
      { name: 'completed', summary: 'It was carried out', path: 'req_test_sample_completed' },
      { name: 'approved', summary: 'A warning that was sent', path: 'req_test_sample_approved' },
    ],
    refused: [UNKNOWN_PARAMETER, NOBODYS_REQUEST],
  },
  approveRequest: {
    path: 'req_test_sample_pending',
    succeeds: [{ name: 'accepted', summary: 'Approved and queued' }],
    refused: [
      { body: { reason: '' }, summary: 'A blank reason' },
      { path: 'req_test_sample_operator_review' },
      NOBODYS_REQUEST,
      { path: 'req_test_sample_denied' },
      reused({ reason: 'Agreed by letter.' }),
    ],
  },
  denyRequest: {
    path: 'req_test_sample_pending',
    succeeds: [{ name: 'denied', summary: 'Denied' }],
    refused: [
      NOTHING,
      { body: { reason: '' }, summary: 'A blank reason' },
      { path: 'req_test_sample_operator_review' },
      NOBODYS_REQUEST,
      { path: 'req_test_sample_completed' },
    ],
  },
  withdrawRequest: {
    // What waits for a decision is decided, not withdrawn.
    path: 'req_test_sample_operator_review',
    succeeds: [
      { name: 'denied', summary: 'It was under review' },
      { name: 'failed', summary: 'It was accepted', path: 'req_test_sample_accepted' },
    ],
    refused: [
      { body: { reason: '' }, summary: 'A blank reason' },
      { path: 'req_test_sample_pending' },
      NOBODYS_REQUEST,
      { path: 'req_test_sample_completed' },
      reused({ reason: 'The client has paid after all.' }),
    ],
  },
  sendServicesReport: {
    succeeds: [{ name: 'sent', summary: 'The email was sent' }],
    refused: [
      { body: { period_from: '2026-04-01', period_to: '2026-01-01' }, summary: 'A period that ends before it begins' },
      { body: { recipient_email: 'somebody@example.com' } },
      mailFails('unreachable', null),
    ],
  },
  sendInvoicesReport: {
    succeeds: [{ name: 'sent', summary: 'The email was sent' }],
    refused: [
      { body: { period_from: '1 January' }, summary: 'A date that is none' },
      { body: { recipient_email: 'somebody@example.com' } },
      { ...mailFails('rejected', '406'), body: { recipient_email: 'accounts@demo-hosting.example.com' } },
    ],
  },
  getSandbox: {
    succeeds: [{ name: 'made', summary: 'As it is made' }],
    refused: [UNKNOWN_PARAMETER, { key: 'live', summary: 'A live key' }],
  },
  moveSandboxClock: {
    succeeds: [{ name: 'moved', summary: 'A day later' }],
    refused: [NOTHING, { body: { date: '2026-01-01' } }, { key: 'live', summary: 'A live key' }],
  },
  resetSandbox: {
    succeeds: [{ name: 'made', summary: 'As it is made' }],
    refused: [
      { body: { keep: true }, summary: 'An unknown field' },
      { key: 'live', summary: 'A live key' },
    ],
  },
  listUsage: {
    succeeds: [
      { name: 'days', summary: 'By day', key: 'live', query: '?limit=2' },
      {
        name: 'hours',
        summary: 'One operation by hour',
        key: 'live',
        query: '?span=hour&operation=listServices&limit=2',
      },
    ],
    refused: [PAGE_TOO_LARGE],
  },
  listScenarios: {
    succeeds: [{ name: 'page', summary: 'The first two', query: '?limit=2' }],
    refused: [PAGE_TOO_LARGE, { key: 'live', summary: 'A live key' }],
  },
};

/** Where the calls are made: always then, so that the answers are always the same. */
const AT = Date.UTC(2026, 2, 2, 9, 30);

async function demoWorld(options: WorldOptions = {}): Promise<World> {
  const world = await createWorld({ onFile: true, startMs: AT, ...options });
  await createDemo(world.context);
  return world;
}

interface Known {
  id: string;
  method: 'GET' | 'POST';
  path: string;
  body: unknown;
}

/** Makes every call and returns what was answered. Throws where an answer is not one that the document knows. */
export async function recordExamples(document: OpenAPIV3_1.Document): Promise<Examples> {
  const shared = await recordShared();
  const operations: Examples['operations'] = {};
  for (const operation of operationsOf(document)) {
    operations[operation.id] = await record(operation, SCRIPTS[operation.id], shared);
  }
  return { shared, operations };
}

function operationsOf({ paths = {}, components }: OpenAPIV3_1.Document): Known[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item?.[method];
      if (!operation) return [];
      const media = (operation.requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json'];
      const name = String((media?.schema as { $ref?: string } | undefined)?.$ref).replace(/.*\//, '');
      return [
        {
          id: String(operation.operationId),
          method: method.toUpperCase() as Known['method'],
          path,
          body: media && (components?.schemas?.[name]?.examples?.[0] ?? {}),
        },
      ];
    }),
  );
}

/** What one operation answers. Throws where it has no script, and where a call does not end as its script says. */
export async function record(
  operation: Known,
  script: Script | undefined,
  shared: Examples['shared'],
): Promise<OperationExamples> {
  if (!script) throw new Error(`tools/examples.ts plays nothing for ${operation.id}`);
  const world = await demoWorld();
  try {
    const tidy = tidying(operation.id);
    const responses: OperationExamples['responses'] = {};
    const keep = (status: number, name: string, example: Example | string) => {
      const examples = responses[status] ?? {};
      responses[status] = examples;
      let free = name;
      for (let count = 2; free in examples; count += 1) free = `${name}_${count}`;
      examples[free] = example;
    };
    const make = async ({ key = 'test', path = script.path, query = '', body = operation.body, ...call }: Call) => {
      // Each call finds the sandbox as it is made.
      await world.call(DEMO_KEYS.test, 'POST', '/sandbox/reset');
      await call.before?.(world);
      const urlOf = (named: Call['path']) =>
        `${operation.path.replace('/v1', '').replace(/\{\w+\}/, encodeURIComponent(String(named)))}${query}`;
      const headers = call.headers ?? {};
      const sent = operation.method === 'POST' ? { body, headers } : { headers };
      if (call.name === REUSED) {
        await world.call(DEMO_KEYS[key], operation.method, urlOf(script.path), { ...sent, body: operation.body });
      }
      return world.call(DEMO_KEYS[key], operation.method, urlOf(path), sent);
    };

    for (const call of script.succeeds) {
      const answer = await make(call);
      if (answer.status >= 300) throw new Error(`${operation.id} ${call.name}: ${answer.raw}`);
      keep(answer.status, call.name, { summary: call.summary, value: tidy(answer.json) });
    }
    for (const call of script.refused ?? []) {
      const answer = await make(call);
      if (answer.status < 400) throw new Error(`${operation.id} is not refused: ${JSON.stringify(call)}`);
      keep(answer.status, call.name ?? nameOf(answer), exampleOf(answer, tidy, call.summary));
    }
    const lacking = await make({ key: 'testNoScopes' });
    if (lacking.status === 403) keep(403, nameOf(lacking), exampleOf(lacking, tidy));

    for (const name of Object.keys(shared)) {
      const ofBodies = BODY_REASONS.some((reason) => name.endsWith(reason));
      if (operation.method === 'POST' || !ofBodies) keep(statusOf(name), name.replace('.', '_'), name);
    }
    const parameter = /\{(\w+)\}/.exec(operation.path)?.[1];
    return {
      path: parameter === undefined || script.path === undefined ? {} : { [parameter]: script.path },
      ...(operation.body !== undefined && { body: operation.body }),
      responses,
    };
  } finally {
    await world.close();
  }
}

const BODY_REASONS = ['malformed_json', 'not_an_object', 'content_type', 'body_too_large'];

/** Shared examples are called after their code. */
const statusOf = (name: string): number => new ApiError(name.split('.')[0] as ErrorCode, '').statusCode;

/** What the gates answer to every operation, once. */
async function recordShared(): Promise<Examples['shared']> {
  const shared: Examples['shared'] = {};
  const tidy = tidying('shared');
  const keep = (answer: Answer, summary?: string, name = fullNameOf(answer)) => {
    shared[name] = exampleOf(answer, tidy, summary);
  };
  const world = await demoWorld({ config: { rateLimit: { max: 120, windowSeconds: 60, authFailureMax: 8 } } });
  try {
    const check = (key: string | undefined, more = {}) => world.call(key, 'GET', '/auth-check', more);
    const post = (payload: string, type = 'application/json') =>
      world.call(DEMO_KEYS.test, 'POST', '/services', { body: payload, headers: { 'content-type': type } });
    keep(await check(undefined), 'No key');
    keep(await check('sk_test_Typo'), 'No key of ours: a typing error, or only a part of one');
    keep(await check(UNKNOWN_KEY), 'A key that was never given out');
    keep(await check(DEMO_KEYS.testRevoked), 'A key that was revoked, or whose broker is suspended');
    keep(await check(DEMO_KEYS.testExpired), 'A key that has ended');
    keep(await post('{'), 'No JSON');
    keep(await post('[]'), 'JSON, but no object');
    keep(await post('plan=starter', 'application/x-www-form-urlencoded'), 'Another content type');
    keep(await post(JSON.stringify({ label: 'x'.repeat(70_000) })), 'More than 64 KiB');
    keep(await world.call(DEMO_KEYS.test, 'GET', '/services/%zz'), 'What cannot be read as a request');
    keep(await world.call(DEMO_KEYS.test, 'GET', '/services/900429'), "The key's window is used up");
    for (let count = 0; count < 8; count += 1) await check(undefined);
    keep(
      await check(undefined),
      'Too many failed authentications from this address',
      'rate_limit_exceeded.authentication',
    );
    await world.store.tx(async (tx) => {
      const access = await tx.keys.findAccess('DemoLive');
      if (access) await tx.brokers.update(access.broker.id, { ipRestrictionEnabled: true });
    });
    keep(await check(DEMO_KEYS.live), 'The address is not on the IP firewall');
    keep(await world.call(DEMO_KEYS.test, 'GET', '/services/900500'), 'Anything unforeseen');
    world.store.read.keys.findAccess = () => Promise.reject(fail.unavailable(2));
    keep(
      await check(OTHER_UNKNOWN_KEY),
      'Overload, a restart, the database away: see Retry-After',
      'server_error.busy',
    );
  } finally {
    await world.close();
  }
  const secure = await demoWorld({ config: { requireHttps: true } });
  try {
    keep(await secure.call(DEMO_KEYS.test, 'GET', '/auth-check'), 'Plain HTTP where HTTPS is required');
  } finally {
    await secure.close();
  }
  return shared;
}

function errorOf(answer: Answer): { code: string; message: string; details?: { reason?: string } } {
  return answer.json.error;
}

const nameOf = (answer: Answer): string => errorOf(answer).details?.reason ?? errorOf(answer).code;

function fullNameOf(answer: Answer): string {
  const { code, details } = errorOf(answer);
  return details?.reason === undefined ? code : `${code}.${details.reason}`;
}

const exampleOf = (answer: Answer, tidy: (value: unknown) => unknown, summary = errorOf(answer).message): Example => ({
  summary,
  value: tidy(answer.json),
});

/**
 * Puts fixed texts in the place of what is chance in an answer: the random halves of ids, and the ids of answers. They
 * are the same in each run, and differ where they differed. The demo's own key stays as it is.
 */
function tidying(seed: string): (value: unknown) => unknown {
  const known = new Map<string, string>();
  const fixed = (chance: string, alphabet: string) => {
    const there = known.get(chance);
    if (there !== undefined) return there;
    const bytes = createHash('sha256').update(`${seed} ${known.size}`).digest();
    const text = [...chance].map((_, index) => alphabet[(bytes[index] as number) % alphabet.length]).join('');
    known.set(chance, text);
    return text;
  };
  const tidyText = (text: string) =>
    text
      .replace(/\bsk_(live|test)_Demo\w{4}\b/g, 'sk_$1_4fTq81Zx')
      .replace(/\b([a-z]{3}_[0-9A-Z]{10})([0-9A-Z]{16})\b/g, (_, head, tail) => head + fixed(tail, BASE32))
      .replace(
        /\b(req_test_[a-z]-\d+-[a-z_-]*-[0-9a-z]+-)([0-9A-Z]{1,26})-([0-9a-f]{24})\b/g,
        (_, head, nonce, mac) => `${head}${fixed(nonce, BASE32)}-${fixed(mac, '0123456789abcdef')}`,
      );
  const tidy = (value: unknown): unknown => {
    if (typeof value === 'string') return tidyText(value);
    if (Array.isArray(value)) return value.map(tidy);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, name === 'correlation_id' ? CORRELATION : tidy(inner)]),
    );
  };
  return tidy;
}

const SECRET = 'NobodyWasEverGivenThisSecret0000';
const UNKNOWN_KEY = composeKey({ mode: 'test', publicId: 'Unknown1', secret: SECRET });
const OTHER_UNKNOWN_KEY = composeKey({ mode: 'test', publicId: 'Unknown2', secret: SECRET });

const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CORRELATION = 'Yk3vQ0c1TzAB-1k';

/** The examples as the file that src/document/examples.ts reads. */
export const examplesFile = (examples: Examples): string => `${JSON.stringify(examples, null, 1)}\n`;
