import t from 'tap';
import {
  ConfigError,
  databaseName,
  describeVariables,
  exposedBy,
  ignoredVariables,
  loadConfig,
  loadServerConfig,
} from '../src/config.ts';
import { makeCertificate } from './support/tls.ts';

/** What it is refused with. */
function messageOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

t.test('an empty environment gives the defaults', async (t) => {
  const defaults = {
    production: false,
    host: '127.0.0.1',
    port: 3000,
    loopback: true,
    publicUrl: undefined,
    database: { kind: 'sqlite', file: './data/broker.db' },
    redisUrl: undefined,
    mail: { kind: 'outbox', directory: './data/outbox', timeoutMs: 10_000 },
    warningsPerService: 20,
    emailLogDays: 90,
    callLogDays: 14,
    auditDays: 730,
    trustedProxies: [],
    requireHttps: false,
    tls: undefined,
    rateLimit: { max: 120, windowSeconds: 60, authFailureMax: 100 },
    drainMs: 0,
    keepAliveMs: 72_000,
    inlineWorker: true,
    operatorApi: true,
    provisioner: undefined,
    metricsPort: undefined,
    console: {
      host: '127.0.0.1',
      port: 3001,
      loopback: true,
      isExplicit: false,
      url: 'http://127.0.0.1:3001',
      sender: undefined,
    },
    notices: { consoleUrl: 'http://127.0.0.1:3001', noticeSender: undefined },
    logLevel: 'info',
  };
  const config = loadConfig({});
  const { settings } = config;
  t.strictSame({ ...config }, { ...defaults, settings });
  t.ok(Object.isFrozen(config));
  const blank = {
    HOST: '',
    PORT: '',
    DATABASE_URL: '',
    REQUIRE_HTTPS: '',
    WORKER: '',
    LOG_LEVEL: '',
    NODE_ENV: '',
    PATH: 'x',
  };
  t.strictSame({ ...loadConfig(blank) }, { ...defaults, settings }, 'a variable that is set to nothing is not set');
  t.type(loadConfig().port, 'number', 'the environment of the process is what it reads by itself');
});

t.test('each variable is read into its place', async (t) => {
  const config = loadConfig({
    HOST: '0.0.0.0',
    PORT: '8080',
    PUBLIC_URL: 'https://api.example.com/',
    DATABASE_URL: 'postgres://db.example.com/broker',
    REDIS_URL: 'rediss://cache.example.com:6380/1',
    POSTMARK_SERVER_TOKEN: 'token',
    POSTMARK_API_URL: 'https://mail.example.com',
    MAIL_TIMEOUT_SECONDS: '60',
    MAIL_OUTBOX_DIR: '/outbox',
    WARNINGS_PER_SERVICE: '0',
    EMAIL_LOG_DAYS: '30',
    TRUST_PROXY: ' 10.0.0.0/8, 2001:db8::1 ,',
    REQUIRE_HTTPS: 'false',
    TLS_CERT_FILE: 'cert.pem',
    TLS_KEY_FILE: 'key.pem',
    RATE_LIMIT_MAX: '1000000',
    RATE_LIMIT_WINDOW_SECONDS: '1',
    AUTH_FAILURE_MAX: '0',
    KEEP_ALIVE_SECONDS: '620',
    CALL_LOG_DAYS: '7',
    AUDIT_DAYS: '365',
    WORKER: 'off',
    PROVISIONER_URL: 'https://work.example.com/hook',
    PROVISIONER_SECRET: 'secret',
    CONSOLE_PORT: '8081',
    CONSOLE_HOST: '::',
    CONSOLE_URL: 'https://console.example.com/',
    CONSOLE_SENDER: 'console@example.com',
    METRICS_PORT: '9100',
    LOG_LEVEL: 'silent',
    NODE_ENV: 'production',
  });
  const { settings, ...read } = config;
  t.strictSame(read, {
    production: true,
    host: '0.0.0.0',
    port: 8080,
    loopback: false,
    publicUrl: 'https://api.example.com',
    database: {
      kind: 'postgres',
      url: 'postgres://db.example.com/broker',
    },
    redisUrl: 'rediss://cache.example.com:6380/1',
    mail: {
      kind: 'postmark',
      serverToken: 'token',
      apiUrl: 'https://mail.example.com',
      timeoutMs: 60_000,
    },
    warningsPerService: 0,
    emailLogDays: 30,
    callLogDays: 7,
    auditDays: 365,
    trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
    requireHttps: false,
    tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
    rateLimit: { max: 1_000_000, windowSeconds: 1, authFailureMax: 0 },
    drainMs: 5000,
    keepAliveMs: 620_000,
    inlineWorker: false,
    operatorApi: true,
    provisioner: { url: 'https://work.example.com/hook', secret: 'secret' },
    metricsPort: 9100,
    console: {
      host: '::',
      port: 8081,
      loopback: false,
      isExplicit: true,
      url: 'https://console.example.com',
      sender: 'console@example.com',
    },
    notices: { consoleUrl: 'https://console.example.com', noticeSender: 'console@example.com' },
    logLevel: 'silent',
  });
  t.equal(loadConfig({ DATABASE_URL: 'postgresql://x/y' }).database.kind, 'postgres');
  t.strictSame(loadConfig({ POSTMARK_SERVER_TOKEN: 'x' }).mail, {
    kind: 'postmark',
    serverToken: 'x',
    timeoutMs: 10_000,
  });
  t.equal(loadConfig({ NODE_ENV: 'production' }).requireHttps, true, 'HTTPS is required in production');
  t.equal(loadConfig({ REQUIRE_HTTPS: 'true' }).requireHttps, true);
});

t.test('a host is loopback when no other machine can reach it', async (t) => {
  for (const HOST of ['127.0.0.1', '127.9.9.9', '::1', 'localhost']) t.equal(loadConfig({ HOST }).loopback, true, HOST);
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.example.com']) {
    t.equal(loadConfig({ HOST }).loopback, false, HOST);
  }
});

t.test('demo keys are allowed only where no stranger can reach them, or no mail leaves', async (t) => {
  const by = (env: NodeJS.ProcessEnv) => exposedBy(loadConfig(env));
  const smtp = { SMTP_URL: 'smtp://mail.example.com' };
  t.equal(by({}), undefined);
  t.equal(by(smtp), undefined, 'a provider on a machine of its own');
  t.equal(by({ TRUST_PROXY: '127.0.0.1' }), undefined, 'a public demo whose mails stay in a folder');
  t.equal(by({ HOST: '0.0.0.0' }), 'HOST');
  t.equal(by({ NODE_ENV: 'production' }), 'NODE_ENV');
  t.equal(by({ TRUST_PROXY: '127.0.0.1', ...smtp }), 'TRUST_PROXY');
  t.equal(by({ TRUST_PROXY: '127.0.0.1', POSTMARK_SERVER_TOKEN: 'x' }), 'TRUST_PROXY');
});

t.test('a faulty variable is one line that names it', async (t) => {
  const faulty: [name: string, ...values: string[]][] = [
    ['PORT', '-1', '65536', '80.5', 'http', '3000x'],
    [
      'DATABASE_URL',
      'mysql://x',
      'file:',
      'broker.db',
      'postgres://a,b/x',
      'postgres://u:p@a:1,b:2/x',
      'postgres://a:port/x',
      'postgres://a:99999/x',
      'postgres://u:se/cret@a/x',
      'postgres://u:12/34@a/x',
      'postgres://u:12?34@a/x',
      'postgres://u:12#34@a/x',
    ],
    ['DATABASE_URL', 'postgres://u:%ff@x/y', 'postgres://u:p@x/%ff'],
    ['REDIS_URL', 'redis://:se%cret@x', 'redis://us%er:p@x', 'rediss://:%ff@x:6380'],
    [
      'REDIS_URL',
      'redis://x:99999',
      'redis://a,b',
      'redis://:se/cret@x',
      'redis://:12/34@x',
      'redis://x/main',
      'redis://x/0/1',
    ],
    ['REDIS_URL', 'http://x', 'localhost', 'redis://', 'redis+sentinel://a:1,b/main'],
    ['POSTMARK_SERVER_TOKEN', 'two words', 'line\nbreak'],
    ['POSTMARK_API_URL', 'mail.example.com', 'ftp://x', 'http://a b', 'http://us%er@x', 'http://x:99999', 'http://a,b'],
    [
      'SMTP_URL',
      'mail.example.com',
      'http://x',
      'smtp://',
      'smtp://x/path',
      'smtp://x?a',
      'smtp://a b',
      'smtp://x:99999',
      'smtp://a,b',
    ],
    ['SMTP_URL', 'smtp://user@x', 'smtp://:secret@x', 'smtp://user:%zz@x', 'smtp://user:sec/ret@x'],
    ['KEEP_ALIVE_SECONDS', '0', '3601', '1.5', 'off'],
    ['MAIL_TIMEOUT_SECONDS', '0', '61', 'ten'],
    ['EMAIL_LOG_DAYS', '0', 'x'],
    ['CALL_LOG_DAYS', '0', 'x'],
    ['AUDIT_DAYS', '364', '0', 'x'],
    ['TRUST_PROXY', 'true', '1', 'proxy.example.com', '10.0.0.0/33', '10.0.0.1,x', '0.0.0.0/0', '::/0'],
    ['REQUIRE_HTTPS', 'yes', '1', 'TRUE'],
    ['TLS_CERT_FILE', 'cert.pem'],
    ['TLS_KEY_FILE', 'key.pem'],
    ['RATE_LIMIT_MAX', '0', '1000001', 'many'],
    ['RATE_LIMIT_WINDOW_SECONDS', '0', '86401'],
    ['AUTH_FAILURE_MAX', '-1', 'off'],
    ['WORKER', 'on'],
    ['CONSOLE_PORT', '65536', '-1', 'on'],
    ['PUBLIC_URL', 'api.example.com', 'http://a b', 'https://x/api', 'https://us%er@x', 'https://x:99999'],
    ['CONSOLE_URL', 'console.example.com', 'http://a b', 'http://x/path', 'http://us%er@x', 'http://x:99999'],
    ['CONSOLE_SENDER', 'nobody', 'me@exämple.com'],
    ['PROVISIONER_URL', 'work.example.com', 'https://u:se%cret@x/hook', 'https://u:se/cret@x/hook', 'https://x:99999'],
    ['METRICS_PORT', '70000', 'on'],
    ['LOG_LEVEL', 'loud'],
  ];
  for (const [name, ...values] of faulty) {
    for (const value of values) {
      for (const load of [loadConfig, loadServerConfig]) {
        t.throws(
          () => load({ PROVISIONER_SECRET: 's', [name]: value }),
          { name: 'ConfigError', message: new RegExp(`^[^\\n]*${name}(?![^]*cret)[^\\n]*$`) },
          `${name}=${JSON.stringify(value)}`,
        );
      }
    }
  }
  t.throws(() => loadConfig({ PROVISIONER_URL: 'https://x' }), { message: /^PROVISIONER_SECRET: / });
});

t.test('every fault of a server’s configuration is named in one answer, each on a line', async (t) => {
  const env = { NODE_ENV: 'production', PORT: 'high', WORKER: 'on', TRUST_PROXY: 'proxy', TLS_KEY_FILE: 'key.pem' };
  const faults = messageOf(() => loadServerConfig(env));
  t.strictSame(
    faults
      .split('\n')
      .map((line) => line.replace(/:.*/, ''))
      .toSorted(),
    ['PORT', 'POSTMARK_SERVER_TOKEN or SMTP_URL', 'TLS_CERT_FILE and TLS_KEY_FILE', 'TRUST_PROXY', 'WORKER'],
  );
  const missing = messageOf(() => loadServerConfig({ NODE_ENV: 'production', RATE_LIMIT_MAX: '0' }));
  t.match(missing.split('\n'), [/^RATE_LIMIT_MAX: /, /^POSTMARK_SERVER_TOKEN or SMTP_URL: /, /^REQUIRE_HTTPS: /]);
  const unreadable = {
    NODE_ENV: 'production',
    SMTP_URL: 'smtp://user@x',
    CONSOLE_PORT: '70000',
    CONSOLE_HOST: '0.0.0.0',
  };
  t.match(
    messageOf(() => loadServerConfig(unreadable)).split('\n'),
    [/^SMTP_URL: /, /^CONSOLE_PORT: /, /^REQUIRE_HTTPS: /, /^CONSOLE_HOST: /],
    'one that cannot be read hides no other',
  );
});

t.test('no address hides the fault of another, and none is repeated', async (t) => {
  const addresses = {
    DATABASE_URL: 'postgres://u:se/cret@x/y',
    REDIS_URL: 'redis://:se/cret@x',
    PUBLIC_URL: 'https://x:99999',
    CONSOLE_URL: 'https://x:99999',
    POSTMARK_API_URL: 'https://x:99999',
    PROVISIONER_URL: 'https://u:se/cret@x',
    SMTP_URL: 'smtp://u:secret@x:99999',
    TRUST_PROXY: 'x',
  };
  for (const more of [{}, { NODE_ENV: 'production' }]) {
    const faults = messageOf(() => loadServerConfig({ ...addresses, ...more }));
    t.strictSame(
      faults
        .split('\n')
        .map((line) => line.replace(/:.*/, ''))
        .toSorted(),
      Object.keys(addresses).toSorted(),
    );
    t.notMatch(faults, /cret|99999/);
  }
});

t.test('blanks and carriage returns around a value are no part of it, in every setting', async (t) => {
  const asWritten = {
    DATABASE_URL: 'file:./data/broker.db',
    REDIS_URL: 'redis://cache.example.com',
    SMTP_URL: 'smtp://mail.example.com',
    TLS_CERT_FILE: 'cert.pem',
    TLS_KEY_FILE: 'key.pem',
    PROVISIONER_URL: 'https://work.example.com/hook',
    PROVISIONER_SECRET: 'secret',
    NODE_ENV: 'production',
    PORT: '8080',
  };
  const padded = Object.fromEntries(Object.entries(asWritten).map(([name, value]) => [name, ` ${value} \r`]));
  t.strictSame({ ...loadConfig(padded) }, { ...loadConfig(asWritten) });
  t.strictSame(loadConfig({ DATABASE_URL: 'file: ./a.db' }).database, { kind: 'sqlite', file: './a.db' });
  t.strictSame({ ...loadConfig({ PORT: ' \r', PUBLIC_URL: '\t' }) }, { ...loadConfig({}) }, 'blanks alone: not set');
});

t.test('what the PostgreSQL driver takes for a bare % starts as before', async (t) => {
  t.match(loadConfig({ DATABASE_URL: 'postgres://u:a%b%zz@x/y' }).database, { kind: 'postgres' });
});

t.test('an SMTP server is read from its URL, and TLS is demanded of any but this machine', async (t) => {
  const smtp = (SMTP_URL: string) => loadConfig({ SMTP_URL }).mail;
  t.strictSame(smtp('smtp://mail.example.com'), {
    kind: 'smtp',
    host: 'mail.example.com',
    port: 587,
    secure: false,
    requireTls: true,
    timeoutMs: 10_000,
  });
  t.strictSame(smtp('smtps://broker%40example.com:p%3A%2F%25w@mail.example.com/'), {
    kind: 'smtp',
    timeoutMs: 10_000,
    host: 'mail.example.com',
    port: 465,
    secure: true,
    requireTls: true,
    auth: { user: 'broker@example.com', password: 'p:/%w' },
  });
  for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) {
    const at = host.includes(':') ? `[${host}]` : host;
    t.match(smtp(`smtp://${at}:2525`), { host, port: 2525, secure: false, requireTls: false });
  }
  for (const host of ['10.0.0.1', 'localhost.example.com', '127.0.0.1.example.com', '[2001:db8::1]']) {
    t.match(smtp(`smtp://${host}`), { requireTls: true }, host);
  }
});

t.test(
  'two mail providers stop the start with one line that names both, and no fault repeats a password',
  async (t) => {
    t.throws(() => loadConfig({ SMTP_URL: 'smtp://x', POSTMARK_SERVER_TOKEN: 'token' }), {
      name: 'ConfigError',
      message: 'SMTP_URL and POSTMARK_SERVER_TOKEN: set one of them, not both',
    });
    for (const SMTP_URL of [
      'smtp://user:se/cret@x',
      'smtp://user:%zzsecret@x',
      'smtp://:secret@x',
      'smtp://u:secret@a b',
      'http://u:secret@x',
    ]) {
      const { message } = (() => {
        try {
          return loadConfig({ SMTP_URL }) as never;
        } catch (error) {
          return error as ConfigError;
        }
      })();
      t.match(message, /^SMTP_URL: [^\n]+$/);
      t.notMatch(message, /cret/);
    }
  },
);

t.test('whatever is trusted as a proxy can be compiled by the server', async (t) => {
  const { default: Fastify } = await import('fastify');
  for (const TRUST_PROXY of [
    '10.0.0.1',
    '10.0.0.1/8',
    '10.0.0.0/1',
    '2001:db8::/1',
    '::1',
    '::ffff:10.0.0.0/104',
    '192.0.2.1/32',
  ]) {
    t.doesNotThrow(() => Fastify({ trustProxy: [...loadConfig({ TRUST_PROXY }).trustedProxies] }), TRUST_PROXY);
  }
});

t.test('in production a server needs a mail provider, and HTTPS from somewhere or not at all', async (t) => {
  const { certFile, keyFile } = makeCertificate(t.testdir({}));
  const check = (env: NodeJS.ProcessEnv) => loadServerConfig({ NODE_ENV: 'production', ...env });
  t.throws(
    () => check({ REQUIRE_HTTPS: 'false' }),
    new ConfigError('POSTMARK_SERVER_TOKEN or SMTP_URL: needed in production, where mail must not end in a folder'),
  );
  const POSTMARK_SERVER_TOKEN = 'token';
  t.throws(() => check({ POSTMARK_SERVER_TOKEN }), { name: 'ConfigError', message: /^REQUIRE_HTTPS: [^\n]+$/ });
  t.throws(() => check({ POSTMARK_SERVER_TOKEN, REQUIRE_HTTPS: 'true' }), { message: /^REQUIRE_HTTPS: / });
  for (const enough of [
    { REQUIRE_HTTPS: 'false' },
    { TRUST_PROXY: '10.0.0.1' },
    { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile },
  ]) {
    t.doesNotThrow(() => check({ POSTMARK_SERVER_TOKEN, ...enough }));
  }
  t.doesNotThrow(() => check({ SMTP_URL: 'smtp://mail.example.com', REQUIRE_HTTPS: 'false' }));
  const ofTests = { POSTMARK_SERVER_TOKEN: 'POSTMARK_API_TEST' };
  t.throws(() => check({ ...ofTests, REQUIRE_HTTPS: 'false' }), {
    name: 'ConfigError',
    message: /^POSTMARK_SERVER_TOKEN: [^\n]*no email is delivered[^\n]*$/,
  });
  t.doesNotThrow(() => loadServerConfig(ofTests), 'for development');
  t.doesNotThrow(() => loadServerConfig({}));
  for (const [cert, key] of [
    ['none.pem', keyFile],
    [keyFile, certFile],
  ]) {
    t.throws(() => loadServerConfig({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }), {
      name: 'ConfigError',
      message: /^TLS_CERT_FILE, TLS_KEY_FILE: [^\n]+$/,
    });
  }
});

t.test('a database is named without what must not be read by everybody', async (t) => {
  const named = (url: string) => databaseName(loadConfig({ DATABASE_URL: url }).database);
  t.equal(named('file:./data/broker.db'), 'file:./data/broker.db');
  t.equal(
    named('postgres://broker:secret@db.example.com:5433/b?password=secret'),
    'postgres://broker@db.example.com:5433/b',
  );
  t.equal(named('postgres:///b?host=/run/postgresql'), 'postgres:///b');
  t.throws(() => named('postgres://broker:secret@[/b'), {
    message: /^DATABASE_URL: must be postgres:\/\/USER(?!.*secret)/,
  });
});
t.test(
  'the console is on in development, off in production until its port is set, and then never in the clear',
  async (t) => {
    t.equal(loadConfig({ CONSOLE_PORT: 'off' }).console, undefined);
    t.equal(loadConfig({ NODE_ENV: 'production' }).console, undefined);
    t.equal(loadConfig({ CONSOLE_HOST: '::1' }).console?.url, 'http://[::1]:3001');
    t.equal(loadConfig({ TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' }).console?.url, 'https://127.0.0.1:3001');
    const production = {
      NODE_ENV: 'production',
      POSTMARK_SERVER_TOKEN: 'x',
      REQUIRE_HTTPS: 'false',
      CONSOLE_PORT: '3001',
    };
    loadServerConfig(production);
    const outside = { ...production, CONSOLE_HOST: '0.0.0.0' };
    t.throws(() => loadServerConfig(outside), { name: 'ConfigError', message: /^CONSOLE_HOST: / });
    loadServerConfig({ ...outside, TRUST_PROXY: '10.0.0.1' });
  },
);

t.test('settings are shown without a secret in them, whatever is set', async (t) => {
  const secret = (name: string) => `secret-${name}-7Qx`;
  const { settings: shown } = loadConfig({
    DATABASE_URL: `postgres://user:${secret('database')}@db.example.com/broker?password=${secret('query')}`,
    REDIS_URL: `rediss://user:${secret('redis')}@redis.example.com:6380/0`,
    SMTP_URL: `smtps://user:${secret('smtp')}@mail.example.com`,
    PROVISIONER_URL: `https://user:${secret('provisioner')}@work.example.com/hook?token=${secret('token')}`,
    PROVISIONER_SECRET: secret('signature'),
    TRUST_PROXY: '10.0.0.0/8, 192.0.2.0/24',
    METRICS_PORT: '9100',
    CONSOLE_PORT: 'off',
  });
  const text = JSON.stringify(shown);
  t.notMatch(text, /secret-/);
  const values = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
  t.match(values, {
    DATABASE_URL: 'postgres://user@db.example.com/broker',
    REDIS_URL: 'rediss://redis.example.com:6380',
    SMTP_URL: 'smtps://mail.example.com:465',
    PROVISIONER_URL: 'https://work.example.com',
    PROVISIONER_SECRET: 'set',
    POSTMARK_SERVER_TOKEN: null,
    TRUST_PROXY: '10.0.0.0/8, 192.0.2.0/24',
    METRICS_PORT: '9100',
    CONSOLE_PORT: null,
    MAIL_OUTBOX_DIR: null,
  });
  const { settings: other } = loadConfig({
    POSTMARK_SERVER_TOKEN: secret('postmark'),
    POSTMARK_API_URL: `https://user:${secret('api')}@api.example.com`,
    NODE_ENV: 'production',
    WORKER: 'off',
    SMTP_URL: '',
  });
  t.notMatch(JSON.stringify(other), /secret-/);
  t.match(Object.fromEntries(other.map(({ name, value }) => [name, value])), {
    NODE_ENV: 'production',
    POSTMARK_SERVER_TOKEN: 'set',
    POSTMARK_API_URL: 'https://api.example.com',
    WORKER: 'off',
  });
  const { settings: plain } = loadConfig({
    SMTP_URL: 'smtp://mail.example.com',
    TLS_CERT_FILE: 'a',
    TLS_KEY_FILE: 'b',
  });
  t.ok(plain.some(({ name, value }) => name === 'SMTP_URL' && value === 'smtp://mail.example.com:587'));
  t.ok(loadConfig({}).settings.some(({ name, value }) => name === 'MAIL_OUTBOX_DIR' && value !== null));
});

t.test('the help of the server has every variable, with its meaning, values and default', async (t) => {
  const lines = describeVariables().trim().split('\n');
  const named = lines.map((line) => /^ *([A-Z_]+) +\w+/.exec(line)?.[1]);
  t.strictSame(
    named.sort(),
    loadConfig({})
      .settings.map(({ name }) => name)
      .sort(),
  );
  t.ok(lines.some((line) => /^ *AUDIT_DAYS .*\(365 to 36500\) \[730\]$/.test(line)));
  t.notMatch(lines.join('\n'), 'undefined');
});

t.test('a variable that is close to one of ours or was one is named, and no other', async (t) => {
  const env = {
    DATABSE_URL: 'file:a.db',
    database_url: 'x',
    REDIS_URI: 'redis://x',
    RATELIMITMAX: '5',
    TRUST_PROXYS: '::1',
    TRUSTED_PROXY: '::1',
    TRUSTED_PROXIES: '::1',
    CONSOLE_HOSTNAME: 'x',
    REDIS_HOST: 'x',
    NODE_OPTIONS: 'x',
    LOG_FORMAT: 'x',
    HTTP_PROXY: 'x',
    WORKERS_MAX: '2',
    HOME: '/',
    POST: '1',
    PATH: '/bin',
    SMTP_URL_: '',
  };
  t.strictSame(ignoredVariables(env), [
    'DATABSE_URL is not a setting and is ignored: did you mean DATABASE_URL?',
    'database_url is not a setting and is ignored: did you mean DATABASE_URL?',
    'REDIS_URI is not a setting and is ignored: did you mean REDIS_URL?',
    'RATELIMITMAX is not a setting and is ignored: did you mean RATE_LIMIT_MAX?',
    'TRUST_PROXYS is not a setting and is ignored: did you mean TRUST_PROXY?',
    'TRUSTED_PROXY is not a setting and is ignored: did you mean TRUST_PROXY?',
    'TRUSTED_PROXIES is not a setting and is ignored: did you mean TRUST_PROXY?',
    'CONSOLE_HOSTNAME is not a setting and is ignored: did you mean CONSOLE_HOST?',
  ]);
  const unset = {
    HOME: '/',
    POST: '1',
    PATH: '/bin',
    SMTP_URL_: '',
    DATABASE_URL: 'file:a.db',
  };
  t.strictSame(ignoredVariables(unset), []);
});
