import { MAX_VALUE } from '../console/http/query.ts';
import * as tokens from '../console/http/token-lookups.ts';
import { MAX_EXPORTS } from '../console/plugins/exports.ts';
import { MAX_UPLOAD_BYTES } from '../console/plugins/files.ts';
import { MAX_FIELDS, MAX_FORM_BYTES } from '../console/plugins/forms.ts';
import { BODY_LIMIT_BYTES } from '../plugins/json-body.ts';
import { PUBLIC_LIMIT } from '../plugins/public-limit.ts';
import * as keys from '../src/access/authenticate.ts';
import { OPERATOR_RATE_LIMIT } from '../src/access/operator-keys.ts';
import { loadConfig } from '../src/config.ts';
import { MAX_FAULTS } from '../src/errors.ts';
import { MAX_CONNECTIONS } from '../src/http/connections.ts';
import { DROPPED } from '../src/http/one-at-a-time.ts';
import { MAX_URL_LENGTH } from '../src/http/request-shape.ts';
import { ARRIVAL, UNREAD_MS } from '../src/http/server.ts';
import { MAX_ANSWER_BYTES } from '../src/http/single-exchange.ts';
import { serviceAction } from '../src/kinds/service-action.ts';
import { MAX_ATTEMPTS, MAX_WORK_MS } from '../src/lifecycle/fulfil-request.ts';
import { MAX_WINDOWS } from '../src/limits/fixed-window.ts';
import * as redis from '../src/limits/redis-window.ts';
import { MAX_MESSAGE_BYTES } from '../src/mail/compose.ts';
import { MAX_REPLY_BYTES } from '../src/mail/smtp.ts';
import * as templates from '../src/mail/templates.ts';
import { MAX_RECIPIENTS } from '../src/operator/brokers/brokers.ts';
import { FAULTS_KEPT, MAX_FILE_BYTES } from '../src/operator/files/read-file.ts';
import { HEAP } from '../src/operator/imports/run.ts';
import { VERSIONS_KEPT } from '../src/operator/mail/templates.ts';
import { IDLE_MS, LINK_LIFE_MS, SESSION_LIFE_MS } from '../src/operator/people/console-access.ts';
import { MAX_KEY_ADDRESSES } from '../src/operator/people/operator-keys.ts';
import { MAX_OPERATORS } from '../src/operator/people/operators.ts';
import { ROWS_AT_ONCE } from '../src/operator/use-case/exports.ts';
import * as pages from '../src/operator/use-case/pages.ts';
import * as operator from '../src/operator-api/index.ts';
import { MAX_IMPORT_BYTES } from '../src/operator-api/routes.ts';
import { PAGE } from '../src/operator-api/schemas.ts';
import { CALLS, IMPORTS } from '../src/operator-api/slots.ts';
import { MAX_ADDRESSES, MAX_LOGIN_URL, MAX_NOTES, MAX_USERNAME } from '../src/rules/access.ts';
import { MAX_CREDENTIALS } from '../src/rules/credentials.ts';
import { MAX_ACTIONS, MAX_OFFER_BYTES, MAX_PROVISIONING_BYTES } from '../src/rules/offers.ts';
import { MAX_CHOICES, MAX_OPTIONS, MAX_TEXT_LENGTH } from '../src/rules/options.ts';
import { MAX_ACTIVE_PLANS } from '../src/rules/plan-names.ts';
import { MAX_REQUESTS, MAX_SERVICES } from '../src/sandbox/simulated-store.ts';
import * as commits from '../src/store/drivers/group-commit.ts';
import { CONNECT_TIMEOUT_MS, LOCK_TIMEOUT_MS, STATEMENT_TIMEOUT_MS } from '../src/store/drivers/postgres-client.ts';
import * as postgres from '../src/store/drivers/postgres-connections.ts';
import { HEAP as READER_HEAP } from '../src/store/drivers/readers.ts';
import * as slow from '../src/store/drivers/slow-queries.ts';
import { USAGE_KEPT_MS } from '../src/store/queries/usage.ts';
import { MAX_FIRST_ROWS, MAX_KEYS, ROW_LIMITS, USAGE_LIMITS } from '../src/traffic/recorder.ts';
import { CONCURRENCY_ALONE, CONCURRENCY_BESIDE } from '../src/worker/compose.ts';
import * as credentials from '../src/worker/credentials-http.ts';
import { TIMEOUT_MS } from '../src/worker/provisioner-http.ts';
import { CONCURRENCY, LEASE_MS, MAX_CALLS } from '../src/worker/worker.ts';

/** What is bounded, by how much, and what happens beyond. */
type Row = readonly [what: string, bound: string, beyond: string];

const UNITS: ReadonlyArray<[ms: number, unit: string]> = [
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
  [1_000, 's'],
  [1, 'ms'],
];

function time(ms: number): string {
  const [size, unit] = UNITS.find(([each]) => ms >= 2 * each && ms % each === 0) ?? [1, 'ms'];
  return `${count(ms / size)} ${unit}`;
}

const count = (number: number): string => number.toLocaleString('en-US');
const bytes = (number: number): string => {
  if (number % 1_000_000 === 0) return `${count(number / 1_000_000)} MB`;
  return number % 1_048_576 === 0 ? `${count(number / 1_048_576)} MiB` : `${count(number / 1024)} KiB`;
};

interface Queue {
  waiting: number;
  waitingOfBroker: number;
  patienceMs: number;
}
const queue = ({ waiting, waitingOfBroker, patienceMs }: Queue): string =>
  `${count(waitingOfBroker)} of a broker, ${count(waiting)} in all, ${time(patienceMs)}`;

/** The places of a gate of the operator's API. */
const atOnce = ({ atOnceOfBroker, atOnce, waitingOfBroker, waiting, patienceMs }: typeof CALLS): string =>
  `${atOnceOfBroker}, ${atOnce} of all keys; then wait ${waitingOfBroker}, ${waiting} of all keys, ${time(patienceMs)}`;

const REFUSED = '500 with `Retry-After`';

/** Every bound that a caller or an operator can meet, from the code where it is declared. */
export const BOUNDS: Readonly<Record<string, readonly Row[]>> = {
  'Connections and requests, on every port': [
    [
      'connections of an address (IPv6: /64)',
      count(MAX_CONNECTIONS.ofOneAddress),
      'closed; trusted proxies have no share',
    ],
    ['connections', count(MAX_CONNECTIONS.overAll), 'closed'],
    ['requests of a connection in progress', '1', 'closed after its answer'],
    ['arrival of a request', time(ARRIVAL.requestTimeout), '400'],
    [
      'rest of a request behind its last answer',
      `${bytes(DROPPED.bytes)}, ${time(DROPPED.milliseconds)}`,
      'read and dropped up to there, then closed',
    ],
    ['reading an answer', time(UNREAD_MS), 'closed'],
    ['idle connection', `${time(loadConfig({}).keepAliveMs)} (\`KEEP_ALIVE_SECONDS\`)`, 'closed'],
    ['URL', bytes(MAX_URL_LENGTH), '400'],
    [
      'documentation and unknown paths outside of v1, of an address (IPv6: /64)',
      `${count(PUBLIC_LIMIT.max)} in ${PUBLIC_LIMIT.windowSeconds} s`,
      '429 `rate_limit_exceeded`',
    ],
    ['body', bytes(BODY_LIMIT_BYTES), '400 `body_too_large`'],
    ['faults in an answer', count(MAX_FAULTS), '`details.omitted`'],
  ],
  Keys: [
    ['rate-limit windows', count(MAX_WINDOWS), 'the least recently used goes'],
    ['wait for Redis', time(redis.PATIENCE_MS), `each process counts by itself for ${time(redis.PAUSE_MS)}`],
    [
      'cached keys',
      `${count(keys.MAX_CACHED_KEYS_OF_OWNER)} of a broker, ${count(keys.MAX_CACHED_KEYS)} and ${bytes(keys.MAX_CACHED_BYTES)} in all, ${time(keys.FRESH_FOR_MS)}`,
      'read again',
    ],
    [
      'look-ups of unknown keys',
      `${keys.UNKNOWN_KEYS.atOnceOfBroker} of an address, ${keys.UNKNOWN_KEYS.atOnce} in all, ${time(keys.UNKNOWN_KEYS.patienceMs)}`,
      `429, or ${REFUSED}`,
    ],
    ['last uses that wait to be written', count(MAX_KEYS), 'not written'],
  ],
  Database: [
    [
      'PostgreSQL connections of a process',
      `${postgres.MAX_CONNECTIONS}; calls ${postgres.CALLS}, key look-ups ${postgres.SHARES.keys}, console ${postgres.SHARES.console}, background ${postgres.SHARES.background}`,
      'wait',
    ],
    ['statements that wait for a connection', queue(postgres.LIMITS), REFUSED],
    ['connecting to PostgreSQL', time(CONNECT_TIMEOUT_MS), REFUSED],
    ['a statement; its wait for a lock', `${time(STATEMENT_TIMEOUT_MS)}; ${time(LOCK_TIMEOUT_MS)}`, REFUSED],
    [
      'changes that wait on SQLite',
      `${count(commits.WAITING_JOBS.waitingOfBroker)} of a broker, ${count(commits.WAITING_JOBS.waiting)} in all`,
      REFUSED,
    ],
    ["wait for another process's lock on SQLite", time(commits.LOCK_PATIENCE_MS), REFUSED],
    [
      'slow queries',
      `${slow.SLOW_LIMITS.atOnceOfBroker} of a broker, ${slow.SLOW_LIMITS.atOnce} in all; operators ${slow.OPERATOR_LIMITS.atOnce}`,
      'wait',
    ],
    ['slow queries that wait', queue(slow.SLOW_LIMITS), REFUSED],
    ['reports', `${slow.REPORT_LIMITS.atOnceOfBroker} of a broker, ${slow.REPORT_LIMITS.atOnce} in all`, 'wait'],
    ['reports that wait', queue(slow.REPORT_LIMITS), REFUSED],
    ['memory of a reader thread', `${READER_HEAP.maxOldGenerationSizeMb} MB`, REFUSED],
    ['active plans of a broker', count(MAX_ACTIVE_PLANS), 'refused'],
    ['report recipients of a broker', count(MAX_RECIPIENTS), 'refused'],
    ['services; requests of a sandbox', `${count(MAX_SERVICES)}; ${count(MAX_REQUESTS)}`, '400 `sandbox_full`'],
  ],
  'Plans and services': [
    [
      'options; actions of a plan',
      `${MAX_OPTIONS}, each with ${MAX_CHOICES} choices; ${MAX_ACTIONS}; together ${bytes(MAX_OFFER_BYTES)}`,
      'refused',
    ],
    ['text of an option', `${count(MAX_TEXT_LENGTH)} characters`, '400 `invalid_parameter`'],
    ['provisioning of a plan', bytes(MAX_PROVISIONING_BYTES), 'refused'],
    [
      'access of a service',
      `${MAX_ADDRESSES} addresses; user ${MAX_USERNAME}, login ${count(MAX_LOGIN_URL)}, notes ${count(MAX_NOTES)} characters`,
      'the field is refused; of a provisioner it is dropped',
    ],
    ['logins in an answer of a provisioner', count(MAX_CREDENTIALS), '`credentials_not_available`'],
    ['consumption of a service', '1 row', 'replaced'],
  ],
  'Mail and worker': [
    ['message', bytes(MAX_MESSAGE_BYTES), '400 `report_too_large`'],
    [
      'part of a template',
      `${count(templates.MAX_SOURCE)} characters, ${count(templates.MAX_TAGS)} tags and values, ${templates.MAX_LEVELS} levels, ${count(templates.MAX_FORMATS)} characters of date formats`,
      'refused',
    ],
    ['what a part writes', `${count(templates.MAX_WRITTEN)} characters`, '500, nothing is sent'],
    ['reply of an SMTP server', bytes(MAX_REPLY_BYTES), 'given up'],
    ['answer of Postmark or a provisioner', bytes(MAX_ANSWER_BYTES), 'unknown outcome'],
    ['call to the provisioner', time(TIMEOUT_MS), 'tried again'],
    [
      'open questions for credentials',
      `${credentials.SLOTS.atOnceOfBroker} of a broker, ${credentials.SLOTS.atOnce} in all, ${time(credentials.TIMEOUT_MS)}`,
      REFUSED,
    ],
    [
      'attempts; attempts of an action; work in progress',
      `${MAX_ATTEMPTS}; for ${time(serviceAction.tried.forMs)}; ${time(MAX_WORK_MS)}`,
      'the request fails',
    ],
    ['places of one broker, or of the operator, while others wait', `${CONCURRENCY / 2} of ${CONCURRENCY}`, 'wait'],
    [
      'requests at a time',
      `${CONCURRENCY}; ${CONCURRENCY_BESIDE} without a provisioner, ${CONCURRENCY_ALONE} in a worker of its own`,
      'wait',
    ],
    ['lease of a request', time(LEASE_MS), 'another worker continues'],
  ],
  Records: [
    [
      'kinds of calls in ten seconds',
      `${USAGE_LIMITS.key} of a key, ${count(USAGE_LIMITS.all)} in all`,
      'counted as `other`',
    ],
    ['usage that waits for the database', count(USAGE_LIMITS.waiting), 'counted as dropped'],
    ['rows of the call log in a second', `${ROW_LIMITS.key} of a key, ${ROW_LIMITS.all} in all`, 'counted as dropped'],
    ['first rows of a key, operation and reason', `${count(MAX_FIRST_ROWS)} a minute`, 'bound as the others'],
    ['rows that wait for the database', count(ROW_LIMITS.waiting), 'counted as dropped'],
    [
      'rows of the call log',
      `${count(MAX_CALLS.ofBroker)} of a broker, ${count(MAX_CALLS.overAll)} in all`,
      'the oldest go',
    ],
    ['usage by minute; hour; day', Object.values(USAGE_KEPT_MS).map(time).join('; '), 'removed'],
  ],
  "Operator's API": [
    ['calls of a key', `${OPERATOR_RATE_LIMIT} in ${operator.WINDOW_SECONDS} s`, '429 `rate_limit_exceeded`'],
    ['calls of a key at once', atOnce(CALLS), '429 `too_many_at_once`'],
    ['imports of a key at once', atOnce(IMPORTS), '429 `too_many_at_once`'],
    ['body; of an import', `${bytes(operator.BODY_LIMIT_BYTES)}; ${bytes(MAX_IMPORT_BYTES)}`, '400 `body_too_large`'],
    ['addresses of a key', count(MAX_KEY_ADDRESSES), 'refused'],
    ['records of a page; `offset` and `total`', `${PAGE.most}; ${count(pages.COUNTED_MOST)}`, '400; counted to there'],
  ],
  Console: [
    ['operators', count(MAX_OPERATORS), 'refused'],
    [
      'sign-in link; idle session; session',
      [LINK_LIFE_MS, IDLE_MS, SESSION_LIFE_MS].map(time).join('; '),
      'sign in again',
    ],
    [
      'look-ups of unknown sessions and links',
      `${tokens.UNKNOWN.atOnceOfBroker} of an address, ${tokens.UNKNOWN.atOnce} in all; ${queue(tokens.UNKNOWN)}`,
      '503',
    ],
    ['known sessions in memory', count(tokens.MAX_KNOWN), 'read again'],
    ['form', `${bytes(MAX_FORM_BYTES)}, ${MAX_FIELDS} fields`, '413'],
    ['rows of a page; page number', `${pages.PER_PAGE}; ${count(pages.MAX_PAGE)}`, 'refused'],
    ['value of a filter', `${MAX_VALUE} characters`, 'cut'],
    ['exact count of a list', count(pages.COUNTED_MOST), 'shown as more'],
    ['import file', `${bytes(MAX_FILE_BYTES)}, in the console ${bytes(MAX_UPLOAD_BYTES)}`, 'refused'],
    ['imports and removals at a time', '1', 'refused'],
    ['memory of an import', `${HEAP.maxOldGenerationSizeMb} MB`, 'the import is refused'],
    ['faulty records that are named', count(FAULTS_KEPT), 'counted'],
    ['versions of a template', count(VERSIONS_KEPT), 'the oldest goes'],
    ['rows of an export in memory', count(ROWS_AT_ONCE), 'the rest is read behind them'],
    ['exports at the same time', `${count(MAX_EXPORTS)}, one of an operator`, 'refused'],
  ],
};

/** The bounds as Markdown: `npm run -s bounds`. */
export const boundsPage = (): string =>
  Object.entries(BOUNDS)
    .map(([title, rows]) =>
      [
        `## ${title}\n`,
        '| what | bound | beyond |',
        '|---|---|---|',
        ...rows.map((row) => `| ${row.join(' | ')} |`),
      ].join('\n'),
    )
    .join('\n\n');

if (process.argv[1]?.endsWith('bounds.ts')) console.log(boundsPage());
