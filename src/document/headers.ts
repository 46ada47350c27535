import { constant, type DocumentSchema } from './schemas.ts';

interface Header {
  description: string;
  schema: DocumentSchema;
  required?: true;
}

/** Headers by the names of their components. */
type Headers = Record<string, Header>;

const whole = (minimum: number, maximum: number) => ({ type: 'integer', format: 'int32', minimum, maximum });
const text = (pattern: string, maxLength: number, example: string) => ({
  type: 'string',
  pattern,
  maxLength,
  examples: [example],
});

/** The headers of every request that was counted by the rate limit (contract, section 5). */
const OF_THE_WINDOW: Headers = {
  RateLimit: {
    description: 'What is left of the window (r) and its end in seconds (t)',
    schema: text('^"default";r=\\d+;t=\\d+$', 64, '"default";r=119;t=60'),
  },
  'RateLimit-Policy': {
    description: 'The quota (q) and its window in seconds (w)',
    schema: text('^"default";q=\\d+;w=\\d+$', 64, '"default";q=120;w=60'),
  },
  'X-RateLimit-Limit': { description: 'Requests that the key may make in a window', schema: whole(1, 1_000_000) },
  'X-RateLimit-Remaining': { description: 'Requests that are left of them', schema: whole(0, 1_000_000) },
  'X-RateLimit-Reset': { description: 'Seconds until the window ends', schema: whole(0, 86_400) },
};

const ALWAYS: Headers = {
  'X-Request-Id': {
    description: 'The id of this answer; quote it when you ask for help',
    schema: text('^[\\w-]{1,50}-[0-9a-z]{1,12}$', 64, 'Yk3vQ0c1TzAB-1k'),
  },
  'X-Content-Type-Options': {
    description: 'The content type is as stated; it is not to be guessed',
    schema: constant('nosniff'),
  },
  'Cache-Control': { description: 'No copy of an answer may be kept', schema: constant('no-store') },
  'WWW-Authenticate': { description: 'How to authenticate', schema: constant('Bearer') },
};

const SOMETIMES: Headers = {
  'Strict-Transport-Security': {
    description: 'Use HTTPS only; there where the call came over HTTPS',
    schema: text('^max-age=\\d{1,10}; includeSubDomains$', 64, 'max-age=31536000; includeSubDomains'),
  },
  'Idempotent-Replayed': {
    description: 'An earlier call under the same idempotency key did the work, and this is its answer',
    schema: constant('true'),
  },
};

const IN_STEP: Headers = {
  'X-Server-Date': {
    description: 'Beside updated_since: the next round may begin at it, less a minute',
    schema: text('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$', 24, '2026-03-01T09:30:00.000Z'),
  },
};

const RETRY_AFTER = { description: 'Whole seconds to wait before the next try', schema: whole(1, 86_400) };
const UNCOUNTED = 'absent where the request was refused before it was counted';
const OVERLOADED = 'there where the same may succeed soon';

const required = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, { ...header, required: true }]));

/** The same headers under another component name, for the statuses that do not always carry them. */
const optional = (headers: Headers, when: string): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      `${name}.optional`,
      { ...header, description: `${header.description}; ${when}` },
    ]),
  );

/** The header components of the document. */
export const HEADERS: Headers = {
  ...required({ ...ALWAYS, ...OF_THE_WINDOW, 'Retry-After': RETRY_AFTER }),
  ...SOMETIMES,
  ...IN_STEP,
  ...optional(OF_THE_WINDOW, UNCOUNTED),
  ...optional({ 'Retry-After': RETRY_AFTER }, OVERLOADED),
};

/** What no status or operation changes. */
const ON_EVERY_ANSWER = ['X-Request-Id', 'X-Content-Type-Options', 'Cache-Control', 'Strict-Transport-Security'];

/** Whether a status is sent only to requests that the rate limit counted. */
const isCounted = (status: number): boolean => status < 300 || status === 404 || status === 409;

/**
 * The headers of an answer.
 * @param operation `replays`: whether it takes an idempotency key; `inStep`: whether it lists changes since a date
 */
export function headersOf(
  status: number,
  { replays, inStep }: { replays: boolean; inStep: boolean },
): Record<string, { $ref: string }> {
  const window = Object.keys(OF_THE_WINDOW);
  const suffix = isCounted(status) ? '' : '.optional';
  const components = [
    ...ON_EVERY_ANSWER,
    ...(status === 401 ? ['WWW-Authenticate'] : window.map((name) => `${name}${suffix}`)),
    ...(status === 429 ? ['Retry-After'] : []),
    ...(status === 500 ? ['Retry-After.optional'] : []),
    ...(status < 300 && inStep ? ['X-Server-Date'] : []),
    ...(status < 300 && replays ? ['Idempotent-Replayed'] : []),
  ];
  return Object.fromEntries(
    components.map((component) => [component.replace('.optional', ''), { $ref: `#/components/headers/${component}` }]),
  );
}
