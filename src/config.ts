import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { type Static, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { envSchema } from 'env-schema';
import { parseIpRule } from './rules/ip-rules.ts';
import { isMailbox, mailboxAdvice } from './rules/mailbox.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;

const Origin = (title: string) =>
  Type.String({
    title,
    default: '',
    pattern: '^(https?://[^/?#]+/?)?$',
    description: 'http(s)://HOST without a path',
    shown: placeOf,
    check: checkHttpUrl,
  });

interface VariableSchema {
  /** The meaning, in the server's `--help`. */
  title?: string;
  /** The values that it takes, where a range does not say them. */
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  inProduction?: unknown;
  /** The value as operators may read it, where it is not the value itself; '' where it is off. */
  shown?: (value: string) => string;
  /** What holds of a value beyond its schema. Throws a `ConfigError` without the variable's name. */
  check?: (value: string) => void;
  /** A value in place of a faulty one, whose absence would be a fault of its own. */
  standIn?: string;
}

/** Keywords of a variable that are not JSON Schema's. */
const KEYWORDS = ['inProduction', 'shown', 'check', 'standIn'] satisfies (keyof VariableSchema)[];

/** As env-schema makes its own for each call; one compiles the schema once. */
const ajv = new Ajv({
  allErrors: true,
  removeAdditional: true,
  useDefaults: true,
  coerceTypes: true,
  allowUnionTypes: true,
  addUsedSchema: false,
}).addVocabulary(KEYWORDS);

const secret = (): string => 'set';

/** Where a URL leads, without what may be a secret in it: user, password, path and query. */
function placeOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/**
 * The environment as the contract's section 10 names it, each variable once: the type, the checks, the defaults, `--help`
 * and what operators are shown follow from here. Every variable is optional.
 */
const Environment = Type.Object({
  HOST: Type.String({ title: 'where to listen', default: '127.0.0.1', minLength: 1 }),
  PORT: Type.Integer({ title: 'where to listen', default: 3000, minimum: 0, maximum: 65535 }),
  PUBLIC_URL: Origin('address of this server for callers: in the OpenAPI document and the samples'),
  DATABASE_URL: Type.String({
    title: 'a SQLite file, or PostgreSQL',
    default: 'file:./data/broker.db',
    shown: (url: string) => databaseName(readDatabaseUrl(url)),
    pattern: '^(file:.|postgres(ql)?://).*',
    description: 'file:PATH or postgres://...',
    check(url: string) {
      if (url.startsWith('postgres')) checkPostgresUrl(url);
    },
  }),
  REDIS_URL: Type.String({
    title: 'rate limits that all servers share: redis[s]://HOST:PORT; otherwise each process counts by itself',
    default: '',
    shown: placeOf,
    check: checkRedisUrl,
  }),
  POSTMARK_SERVER_TOKEN: Type.String({
    title: 'send email through Postmark',
    default: '',
    shown: secret,
    pattern: '^[!-~]*$',
    description: 'a token without spaces',
    standIn: 'faulty',
  }),
  POSTMARK_API_URL: Origin('another address of Postmark'),
  SMTP_URL: Type.String({
    title:
      'send email through this server; port 587, for smtps 465; TLS unless it is on this machine; @ and / in a password as %40 and %2F',
    default: '',
    shown: (url: string) => {
      const { secure, host, port } = readSmtpUrl(url);
      return `${secure ? 'smtps' : 'smtp'}://${host}:${port}`;
    },
    pattern: '^(smtps?://[^/?#]+/?)?$',
    description: 'smtp(s)://USER:PASSWORD@HOST:PORT without a path',
    check: readSmtpUrl,
    standIn: 'smtp://localhost',
  }),
  DRAIN_SECONDS: Type.Integer({
    title: 'how long calls are still taken after SIGTERM',
    default: 0,
    inProduction: 5,
    minimum: 0,
    maximum: 300,
  }),
  KEEP_ALIVE_SECONDS: Type.Integer({
    title: 'how long an idle connection stays open: longer than the proxy in front keeps its own',
    default: 72,
    minimum: 1,
    maximum: 3600,
  }),
  MAIL_TIMEOUT_SECONDS: Type.Integer({ title: 'time limit of one email', default: 10, minimum: 1, maximum: 60 }),
  MAIL_OUTBOX_DIR: Type.String({
    title: 'folder for emails where no provider is set; not in production',
    default: './data/outbox',
    minLength: 1,
  }),
  EMAIL_LOG_DAYS: Type.Integer({
    title: 'days until the bodies of emails are erased',
    default: 90,
    minimum: 1,
    maximum: 36500,
  }),
  WARNINGS_PER_SERVICE: Type.Integer({
    title: 'cancellation warnings of a service in 24 hours; 0: no limit',
    default: 20,
    minimum: 0,
    maximum: 1_000_000,
  }),
  CALL_LOG_DAYS: Type.Integer({ title: 'days that single calls are kept', default: 14, minimum: 1, maximum: 36500 }),
  AUDIT_DAYS: Type.Integer({ title: 'days that the audit trail is kept', default: 730, minimum: 365, maximum: 36500 }),
  TRUST_PROXY: Type.String({
    title: 'addresses or CIDRs, comma-separated, of the proxies whose X-Forwarded- headers count',
    default: '',
    check: checkProxies,
    standIn: '127.0.0.1',
  }),
  REQUIRE_HTTPS: Type.Boolean({
    title: 'refuse plain HTTP',
    default: false,
    inProduction: true,
    description: 'true or false',
  }),
  TLS_CERT_FILE: Type.String({ title: 'serve HTTPS: the certificate; SIGHUP reads it again', default: '' }),
  TLS_KEY_FILE: Type.String({ title: 'its key', default: '' }),
  RATE_LIMIT_MAX: Type.Integer({
    title: 'calls of a key in a window, unless it has a limit of its own',
    default: 120,
    minimum: 1,
    maximum: 1_000_000,
  }),
  RATE_LIMIT_WINDOW_SECONDS: Type.Integer({ title: 'length of the window', default: 60, minimum: 1, maximum: 86_400 }),
  AUTH_FAILURE_MAX: Type.Integer({
    title: 'failed authentications of an address in 60 seconds; 0: no limit',
    default: 100,
    minimum: 0,
    maximum: 1_000_000,
  }),
  WORKER: Type.Union([Type.Literal('inline'), Type.Literal('off')], {
    title: 'complete requests in the server; off beside `broker worker`',
    default: 'inline',
    description: 'inline or off',
  }),
  PROVISIONER_URL: Type.String({
    title: 'your endpoint for the work (docs/provisioner.yaml); without it only records change',
    default: '',
    shown: placeOf,
    pattern: '^(https?://.*)?$',
    description: 'http(s)://...',
    check: checkHttpUrl,
  }),
  PROVISIONER_SECRET: Type.String({ title: 'signs the calls to it; needed with the URL', default: '', shown: secret }),
  METRICS_PORT: Type.Integer({
    title: 'port of GET /metrics; 0: off',
    default: 0,
    minimum: 0,
    maximum: 65535,
    shown: (port: string) => (port === '0' ? '' : port),
  }),
  CONSOLE_PORT: Type.String({
    title: 'port of the console; where it is not set, only if it is free',
    default: '3001',
    inProduction: 'off',
    pattern: '^(off|\\d{1,5})$',
    description: 'a port, or off',
    check(port: string) {
      if (Number(port) > 65535) throw new ConfigError('must be a port, or off');
    },
    standIn: '0',
  }),
  CONSOLE_HOST: Type.String({ title: 'where the console listens', default: '127.0.0.1', minLength: 1 }),
  CONSOLE_URL: Origin('what links to the console begin with; its own address'),
  OPERATOR_API: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    title: 'the operator’s API on the console’s port',
    default: 'on',
    description: 'on or off',
  }),
  CONSOLE_SENDER: Type.String({
    title: 'sender of sign-in emails and notices; whom they go to',
    default: '',
    check(sender: string) {
      if (!isMailbox(sender)) throw new ConfigError(`must be one email address${mailboxAdvice(sender)}`);
    },
  }),
  LOG_LEVEL: Type.Union(
    LOG_LEVELS.map((level) => Type.Literal(level)),
    { title: 'least level of log lines', default: 'info', description: `one of ${LOG_LEVELS.join(', ')}` },
  ),
  NODE_ENV: Type.String({
    title: 'production demands a mail provider and HTTPS',
    default: 'development',
    pattern: '^(production|development|test)$',
    description: 'production, development or test',
  }),
});

type Variables = Static<typeof Environment>;

export type LogLevel = Variables['LOG_LEVEL'];

export type Config = ReturnType<typeof configOf>;

export type ConsoleConfig = NonNullable<Config['console']>;

/** Faulty variables: the message has a line for each of them, which names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads and checks the environment. Throws a `ConfigError` with every fault. Contract, section 10. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const { variables, faults } = readEnvironment(env);
  refuseAny([...faults, ...allFaults(CHECKS, variables)]);
  return configOf(variables, env);
}

/** The same for a server, with what must hold beyond that before it may face callers. */
export function loadServerConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { variables, faults } = readEnvironment(env);
  const config = configOf(variables, env);
  refuseAny([...faults, ...allFaults(CHECKS, variables), ...allFaults(SERVER_CHECKS, config)]);
  return config;
}

const allFaults = <T>(checks: ReadonlyArray<(of: T) => void>, of: T): string[] =>
  checks.flatMap((check) => faultsOf(() => check(of)));

function refuseAny(faults: readonly string[]): void {
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
}

function faultsOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [error.message];
  }
}

/** What holds of variables that belong together. */
const CHECKS: ReadonlyArray<(e: Variables) => void> = [
  (e) => {
    if ((e.TLS_CERT_FILE === '') !== (e.TLS_KEY_FILE === '')) {
      throw new ConfigError('TLS_CERT_FILE and TLS_KEY_FILE: set both or neither');
    }
  },
  (e) => {
    if (e.SMTP_URL !== '' && e.POSTMARK_SERVER_TOKEN !== '') {
      throw new ConfigError('SMTP_URL and POSTMARK_SERVER_TOKEN: set one of them, not both');
    }
  },
  (e) => {
    if (e.PROVISIONER_URL !== '' && e.PROVISIONER_SECRET === '') {
      throw new ConfigError('PROVISIONER_SECRET: needed to sign the calls to PROVISIONER_URL');
    }
  },
];

const isSet = (value: string | undefined): boolean => Boolean(value?.trim());

function configOf(e: Variables, env: NodeJS.ProcessEnv) {
  const production = e.NODE_ENV === 'production';
  const trustedProxies = splitList(e.TRUST_PROXY);
  const mail = { ...readMail(e), timeoutMs: e.MAIL_TIMEOUT_SECONDS * 1000 };
  const console = readConsole(e, isSet(env.CONSOLE_PORT));
  return Object.freeze({
    production,
    host: e.HOST,
    port: e.PORT,
    /** Whether `host` is reachable from this machine alone. */
    loopback: isLoopback(e.HOST),
    /** Where callers reach this server, without a slash at the end; stated in the interface description. */
    publicUrl: e.PUBLIC_URL.replace(/\/$/, '') || undefined,
    database: readDatabaseUrl(e.DATABASE_URL),
    redisUrl: e.REDIS_URL || undefined,
    mail,
    warningsPerService: e.WARNINGS_PER_SERVICE,
    emailLogDays: e.EMAIL_LOG_DAYS,
    callLogDays: e.CALL_LOG_DAYS,
    auditDays: e.AUDIT_DAYS,
    trustedProxies,
    requireHttps: e.REQUIRE_HTTPS,
    tls: e.TLS_CERT_FILE === '' ? undefined : { certFile: e.TLS_CERT_FILE, keyFile: e.TLS_KEY_FILE },
    rateLimit: {
      max: e.RATE_LIMIT_MAX,
      windowSeconds: e.RATE_LIMIT_WINDOW_SECONDS,
      authFailureMax: e.AUTH_FAILURE_MAX,
    },
    drainMs: 1000 * e.DRAIN_SECONDS,
    keepAliveMs: 1000 * e.KEEP_ALIVE_SECONDS,
    inlineWorker: e.WORKER === 'inline',
    provisioner: e.PROVISIONER_URL === '' ? undefined : { url: e.PROVISIONER_URL, secret: e.PROVISIONER_SECRET },
    metricsPort: e.METRICS_PORT || undefined,
    console,
    notices: readNotices(e, console),
    operatorApi: e.OPERATOR_API === 'on',
    logLevel: e.LOG_LEVEL,
    settings: shownSettings({
      ...e,
      MAIL_OUTBOX_DIR: mail.kind === 'outbox' ? mail.directory : '',
      ...(console ? { CONSOLE_URL: console.url } : { CONSOLE_HOST: '', CONSOLE_PORT: '' }),
    }),
  });
}

function checkProxies(text: string): void {
  const trustedProxies = splitList(text);
  const faulty = trustedProxies.find((cidr) => parseIpRule(cidr) === undefined);
  if (faulty !== undefined) throw new ConfigError(`"${faulty}" is not an IP address or CIDR`);
  const everyAddress = trustedProxies.find((cidr) => cidr.endsWith('/0'));
  if (everyAddress !== undefined) throw new ConfigError(`"${everyAddress}" would trust everybody's headers`);
}

const ESCAPES = 'characters such as @ and / in a password are written as %40 and %2F';

const BARE_PERCENT = 'has a % that begins no encoded character in its user or password';

/** Whether a client of the URL can decode these parts of it. */
function isDecodable(url: string, parts: ReadonlyArray<'username' | 'password' | 'pathname'>): boolean {
  const parsed = new URL(url);
  try {
    for (const part of parts) decodeURIComponent(parsed[part]);
    return true;
  } catch {
    return false;
  }
}

/** Whether it is a URL, and its host is not a list, which would be looked up as one name. */
const namesOneHost = (url: string): boolean => URL.canParse(url) && !new URL(url).hostname.includes(',');

/** None of these URLs is repeated in a fault: it could hold a password. */
function checkHttpUrl(url: string): void {
  if (!namesOneHost(url)) throw new ConfigError(`must be http(s)://HOST:PORT; ${ESCAPES}`);
  if (!isDecodable(url, ['username', 'password'])) throw new ConfigError(BARE_PERCENT);
}

function checkPostgresUrl(url: string): void {
  // The driver would look several hosts up as one name.
  if (/^[^/]+\/\/([^/?#]*@)?[^/?#@]*,/.test(url)) {
    throw new ConfigError('takes one host; name the address that leads to the primary (docs/parts.md)');
  }
  if (!URL.canParse(url) || hasSplitPassword(url)) {
    throw new ConfigError(`must be postgres://USER:PASSWORD@HOST:PORT/DATABASE; ${ESCAPES}`);
  }
  // The driver takes a bare % for itself, but not bytes that are no UTF-8.
  if (!isDecodable(url.replace(/%(?![\da-f]{2})/gi, '%25'), ['username', 'password', 'pathname'])) {
    throw new ConfigError(`has an encoded character that is not UTF-8; ${ESCAPES}`);
  }
}

/** Whether what follows the host has an `@`: then the host is a user, and its port the beginning of a password. */
function hasSplitPassword(url: string): boolean {
  const { pathname, search, hash } = new URL(url);
  return hash !== '' || `${pathname}${search}`.includes('@');
}

function checkRedisUrl(url: string): void {
  if (url.startsWith('redis+sentinel:')) {
    throw new ConfigError(
      'redis+sentinel:// is no longer supported; name one address that leads to the primary, such as that of a proxy (docs/parts.md)',
    );
  }
  if (!/^rediss?:\/\/./.test(url) || !namesOneHost(url) || hasSplitPassword(url)) {
    throw new ConfigError(`must be redis://HOST:PORT or rediss://HOST:PORT; ${ESCAPES}`);
  }
  if (!isDecodable(url, ['username', 'password'])) throw new ConfigError(BARE_PERCENT);
  if (!/^\/?\d*$/.test(new URL(url).pathname)) {
    throw new ConfigError('what follows the host must be the number of a database, such as redis://HOST:PORT/1');
  }
}

/** A database as operators may read it: with neither the password nor what else a URL may hide in its query. */
export function databaseName(database: Config['database']): string {
  if (database.kind === 'sqlite') return `file:${database.file}`;
  const { protocol, username, host, pathname } = new URL(database.url);
  return `${protocol}//${username && `${username}@`}${host}${pathname}`;
}

/** A setting as operators may read it. */
export interface ShownSetting {
  name: string;
  /** The meaning. */
  title: string;
  /** Whether it is what it would be if nothing were set. */
  isDefault: boolean;
  /** Null where it is off. */
  value: string | null;
}

/** The settings of the process by variable. Of a secret it only says that it is set. */
const shownSettings = (values: Variables): ShownSetting[] =>
  Object.entries(Environment.properties).map(([name, schema]) => {
    const { shown = String, title = '', default: absent, inProduction }: VariableSchema = schema;
    const value = String(values[name as keyof Variables]);
    const unset = values.NODE_ENV === 'production' ? (inProduction ?? absent) : absent;
    const isDefault = value === '' || value === String(unset);
    return { name, title, isDefault, value: value === '' ? null : shown(value) || null };
  });

function originOf({ host, port, isTls }: { host: string; port: number; isTls: boolean }): string {
  return `${isTls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** The base address of the API: the one for callers, or else where it listens. */
export const apiUrlOf = ({ publicUrl, host, port, tls }: Config): string =>
  `${publicUrl ?? originOf({ host, port, isTls: tls !== undefined })}/api`;

/** The operator's console; undefined: off. */
function readConsole(e: Variables, isExplicit: boolean) {
  if (e.CONSOLE_PORT === 'off') return undefined;
  const port = Number(e.CONSOLE_PORT);
  return {
    host: e.CONSOLE_HOST,
    port,
    loopback: isLoopback(e.CONSOLE_HOST),
    /** Whether the port was set; a default port that is in use is skipped. */
    isExplicit,
    /** What its links begin with, without a slash at the end. */
    url: e.CONSOLE_URL.replace(/\/$/, '') || originOf({ host: e.CONSOLE_HOST, port, isTls: e.TLS_CERT_FILE !== '' }),
    /** Where the mails with links come from; the operator's own address where undefined. */
    sender: e.CONSOLE_SENDER || undefined,
  };
}

/** What emails to the operator's people are sent with, in processes without a console too. */
const readNotices = (e: Variables, console: ReturnType<typeof readConsole>) => ({
  consoleUrl: e.CONSOLE_URL.replace(/\/$/, '') || console?.url,
  noticeSender: e.CONSOLE_SENDER || undefined,
});

/** What must hold beyond each variable alone before a server may face callers. */
const SERVER_CHECKS: ReadonlyArray<(config: Config) => void> = [
  ({ tls }) => {
    if (tls?.certFile && tls.keyFile) checkTlsFiles(tls);
  },
  checkMailConfig,
  ({ production, requireHttps, tls, trustedProxies }) => {
    if (production && requireHttps && tls === undefined && trustedProxies.length === 0) {
      throw new ConfigError(
        'REQUIRE_HTTPS: production needs TLS_CERT_FILE and TLS_KEY_FILE, TRUST_PROXY, or REQUIRE_HTTPS=false',
      );
    }
  },
  ({ production, console, tls, trustedProxies }) => {
    if (production && console && !console.loopback && tls === undefined && trustedProxies.length === 0) {
      throw new ConfigError(
        'CONSOLE_HOST: in production the console needs HTTPS (TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY) or a loopback address',
      );
    }
  },
];

/**
 * The variable by which strangers reach this server, or its mails reach real people; undefined where neither is so. Demo
 * keys, which everybody knows, are not allowed there (contract, section 10). A proxy alone may serve a demo, but not
 * together with a mail provider.
 */
export function exposedBy({ loopback, production, trustedProxies, mail }: Config): string | undefined {
  if (!loopback) return 'HOST';
  if (production) return 'NODE_ENV';
  return trustedProxies.length > 0 && mail.kind !== 'outbox' ? 'TRUST_PROXY' : undefined;
}

/** Postmark accepts every message that is sent with it, and delivers none. */
const POSTMARK_TEST_TOKEN = 'POSTMARK_API_TEST';

/** A process that sends mail in production needs a provider. Throws a `ConfigError`. */
export function checkMailConfig({ production, mail }: Config): void {
  if (production && mail.kind === 'outbox') {
    throw new ConfigError(
      'POSTMARK_SERVER_TOKEN or SMTP_URL: needed in production, where mail must not end in a folder',
    );
  }
  if (production && mail.kind === 'postmark' && mail.serverToken === POSTMARK_TEST_TOKEN) {
    throw new ConfigError(
      `POSTMARK_SERVER_TOKEN: ${POSTMARK_TEST_TOKEN} is Postmark's test token, with which no email is delivered; production needs the token of a server`,
    );
  }
}

function readDatabaseUrl(url: string) {
  return url.startsWith('file:')
    ? // The driver trims the path: the file that gets its mode here must be the one that it opens.
      { kind: 'sqlite' as const, file: url.slice('file:'.length).trim() }
    : { kind: 'postgres' as const, url };
}

/** How mail is sent, with the settings of that provider. */
function readMail(e: Variables) {
  if (e.POSTMARK_SERVER_TOKEN !== '') {
    const apiUrl = e.POSTMARK_API_URL;
    return { kind: 'postmark' as const, serverToken: e.POSTMARK_SERVER_TOKEN, ...(apiUrl && { apiUrl }) };
  }
  // No provider: emails become files in a folder.
  return e.SMTP_URL === '' ? { kind: 'outbox' as const, directory: e.MAIL_OUTBOX_DIR } : readSmtpUrl(e.SMTP_URL);
}

/** The URL's parts; it is never repeated in a fault, for it holds a password. */
function readSmtpUrl(text: string) {
  if (!namesOneHost(text)) throw new ConfigError(`must be smtp(s)://HOST:PORT; ${ESCAPES}`);
  const { protocol, hostname, port, username, password } = new URL(text);
  if ((username === '') !== (password === '')) throw new ConfigError('needs both a user and a password, or neither');
  if (!isDecodable(text, ['username', 'password'])) throw new ConfigError(BARE_PERCENT);
  const secure = protocol === 'smtps:';
  // Only a URL puts an IPv6 address in brackets.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    kind: 'smtp' as const,
    host,
    port: port === '' ? (secure ? SMTPS_PORT : SUBMISSION_PORT) : Number(port),
    /** TLS from the first byte (`smtps:`), rather than by STARTTLS. */
    secure,
    /** Nothing is sent without TLS, but to this machine itself. */
    requireTls: !isLoopback(host),
    ...(username !== '' && { auth: { user: decodeURIComponent(username), password: decodeURIComponent(password) } }),
  };
}

function checkTlsFiles({ certFile, keyFile }: { certFile: string; keyFile: string }): void {
  try {
    createSecureContext({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
  } catch (error) {
    throw new ConfigError(`TLS_CERT_FILE, TLS_KEY_FILE: ${(error as Error).message}`);
  }
}

/** The variables, and what is wrong with them one by one; a faulty one does not count in what follows. */
function readEnvironment(env: NodeJS.ProcessEnv): { variables: Variables; faults: string[] } {
  // Files with Windows line ends leave a carriage return at the end of a value. A variable that is set to nothing counts
  // as not set: compose files and shells produce such.
  const set = Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => name in Environment.properties)
      .map(([name, value = '']) => [name, value.trim()])
      .filter(([, value]) => value !== ''),
  );
  const inProduction = Object.entries<VariableSchema>(Environment.properties).flatMap(([name, schema]) =>
    schema.inProduction === undefined ? [] : [[name, schema.inProduction]],
  );
  const data = { ...(set.NODE_ENV === 'production' && Object.fromEntries(inProduction)), ...set };
  const read = (values: object) =>
    envSchema<Variables>({ schema: Environment, data: { ...values }, ajv, env: false, dotenv: false });
  const faults = new Map<string, string>();
  let variables: Variables;
  try {
    variables = read(data);
  } catch (error) {
    const { errors } = error as { errors: Array<{ instancePath: string; message: string }> };
    // Of each the first one: a choice has a fault for each of its values.
    for (const { instancePath, message } of errors) {
      const name = instancePath.slice(1) as keyof typeof Environment.properties;
      const { description } = Environment.properties[name] as { description?: string };
      if (!faults.has(name)) faults.set(name, `${name}: ${description ? `must be ${description}` : message}`);
    }
    variables = read(without(data, faults));
  }
  for (const [name, { check }] of Object.entries<VariableSchema>(Environment.properties)) {
    const value = String(variables[name as keyof Variables]);
    if (!check) continue;
    const found = faults.has(name) || value === '' ? [] : faultsOf(() => check(value));
    for (const fault of found) faults.set(name, `${name}: ${fault}`);
  }
  const sound = faults.size === 0 ? variables : read(without(data, faults));
  return { variables: sound, faults: [...faults.values()] };
}

/** The values with stand-ins for those that are faulty, so that a fault of one hides none of others. */
const without = (data: object, faults: ReadonlyMap<string, string>): object =>
  Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const { standIn }: VariableSchema = Environment.properties[name as keyof Variables];
      const used = faults.has(name) ? standIn : value;
      return used === undefined ? [] : [[name, used]];
    }),
  );

/** Every variable with its meaning, the values that it takes and its default, a line each: the server's `--help`. */
export function describeVariables(): string {
  const lines = Object.entries<VariableSchema>(Environment.properties).map(([name, schema]) => {
    const { title, description, minimum, maximum, inProduction } = schema;
    const values = description ?? (minimum !== undefined && `${minimum} to ${maximum}`);
    const other = inProduction === undefined ? '' : `; in production ${inProduction}`;
    return [
      `  ${name.padEnd(26)}${title}`,
      values && ` (${values})`,
      schema.default !== '' && ` [${schema.default}${other}]`,
    ];
  });
  return lines.map((parts) => `${parts.filter(Boolean).join('')}\n`).join('');
}

/** Shorter names resemble too many others: HOME is no misspelt HOST. */
const SHORTEST_COMPARED = 6;

/** A line for each variable that is set, unknown and close to one of ours (contract, section 10). */
export function ignoredVariables(env: NodeJS.ProcessEnv = process.env): string[] {
  const known = Object.keys(Environment.properties);
  return Object.keys(env).flatMap((name) => {
    if (!env[name]?.trim() || known.includes(name)) return [];
    const meant = known.find((each) => each.length >= SHORTEST_COMPARED && isNearMiss(name, each));
    return meant === undefined ? [] : [`${name} is not a setting and is ignored: did you mean ${meant}?`];
  });
}

/** Whether two names differ by about one letter, or their words in their endings alone: TRUSTED_PROXIES is TRUST_PROXY. */
function isNearMiss(name: string, known: string): boolean {
  const forms = spellingsOf(name);
  return spellingsOf(known).some((form) => forms.includes(form)) || haveSameBeginnings(wordsOf(name), wordsOf(known));
}

const wordsOf = (name: string): string[] =>
  name
    .toUpperCase()
    .split('_')
    .map((word) => word.replace(/IES$/, 'Y'));

/** Shorter words begin too many others. */
const SHORTEST_WORD = 3;

function haveSameBeginnings(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  return one.every((word, index) => {
    const [short = '', long = ''] = [word, other[index] ?? ''].toSorted((a, b) => a.length - b.length);
    return long === short || (short.length >= SHORTEST_WORD && long.startsWith(short));
  });
}

/** The letters of a name, and all but one of them: two names that share a spelling differ by about one letter. */
function spellingsOf(name: string): string[] {
  const letters = name.toUpperCase().replaceAll('_', '');
  return [letters, ...Array.from(letters, (_, at) => letters.slice(0, at) + letters.slice(at + 1))];
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Whether what is sent to a host stays on this machine. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
