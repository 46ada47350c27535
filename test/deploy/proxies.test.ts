import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { createTestOperatorApi } from '../support/operator-api.ts';
import { programHere, startProgram } from '../support/programs.ts';
import { freePort } from '../support/redis.ts';
import { served } from '../support/served.ts';
import { makeCertificate } from '../support/tls.ts';
import { until } from '../support/until.ts';
import { listen } from '../support/wire.ts';

/*
 * The configurations of deploy/ in the programs that they are for, and Apache as an integrator's server may be one, in front
 * of a server and a console.
 */

const TRUSTED = { trustedProxies: ['127.0.0.0/8'] };

async function machine(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'broker-proxy-'));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const { app, key, broker, addPlan } = await served(t, { config: TRUSTED });
  for (let n = 0; n < 10; n += 1) await addPlan(broker, { slug: `size-${n}` });
  const operator = await createTestOperatorApi({ config: TRUSTED });
  t.teardown(() => operator.close());
  const { cookies } = await operator.signedIn('viewer');
  return {
    folder,
    key,
    operator,
    cookie: [...cookies].map(([name, value]) => `__Host-${name}=${encodeURIComponent(value)}`).join('; '),
    apiPort: await listen(app),
    consolePort: await listen(operator.app),
    plain: await freePort(),
    secure: await freePort(),
  };
}

type Machine = Awaited<ReturnType<typeof machine>>;

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A call to a site of the proxy, over HTTPS. */
async function call(port: number, host: string, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const answer = await new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(
        { port, host: '127.0.0.1', servername: host, method, path, rejectUnauthorized: false, agent: false },
        async (response) => {
          const pieces: Buffer[] = [];
          for await (const piece of response) pieces.push(piece);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) });
        },
      );
      for (const [name, value] of Object.entries({ host, ...headers })) sent.setHeader(name, value);
      sent.on('error', reject).end(body);
    },
  );
  const zipped = answer.headers['content-encoding'] === 'gzip';
  return { ...answer, zipped, text: (zipped ? gunzipSync(answer.body) : answer.body).toString() };
}

const CONSOLE = 'console.example.com';
const API = 'api.example.com';

/** What both proxies have to do; `stop` ends the console behind them. */
async function checks(t: Test, { secure, key, operator, cookie }: Machine, largest: boolean) {
  const json = { 'content-type': 'application/json' };
  const asOperator = { authorization: `Bearer ${operator.keys.admin}`, ...json };
  const page = await call(secure, CONSOLE, '/plans', { headers: { cookie, 'accept-encoding': 'gzip' } });
  t.equal(page.status, 200);
  t.ok(page.zipped, 'pages are compressed');
  const elsewhere = { cookie, 'accept-encoding': 'gzip', 'sec-fetch-site': 'same-site' };
  t.notOk((await call(secure, CONSOLE, '/plans', { headers: elsewhere })).zipped, 'but not for another site');

  const plans = JSON.stringify(
    Array.from({ length: 100 }, (_, n) => ({ slug: `plan-${n}`, note: 'x'.repeat(40_000) })),
  );
  const imported = await call(secure, CONSOLE, '/operator/v1/brokers/acme/plans/import?format=json', {
    method: 'POST',
    headers: asOperator,
    body: plans,
  });
  t.match(imported.text, /"success":false/);
  t.notMatch(imported.text, 'body_too_large', 'four megabytes arrive');
  if (largest) {
    const over = await call(secure, CONSOLE, '/operator/v1/brokers/acme/plans/import', {
      method: 'POST',
      headers: asOperator,
      body: Buffer.alloc(68_000_000, ' '),
    });
    t.match([over.status, over.text], [400, /"reason":"body_too_large"/]);
  }
  const list = await call(secure, CONSOLE, '/operator/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
  t.ok(list.zipped);

  for (const length of [70_000, 300_000, 900_000, 5_000_000]) {
    for (let n = 0; n < 5; n += 1) {
      const answer = await call(secure, API, '/api/v1/auth-check', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...json },
        body: JSON.stringify({ a: 'x'.repeat(length) }),
      });
      t.match([answer.status, answer.text], [400, /"reason":"body_too_large"/], `${length} bytes`);
    }
  }
  const answer = await call(secure, API, '/api/v1/plans', {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' },
  });
  t.ok(answer.zipped, 'answers of the API are compressed');

  await operator.app.close();
  const away = await call(secure, CONSOLE, '/operator/v1/brokers', { headers: asOperator });
  t.match([away.status, away.headers['content-type'], away.text], [500, /json/, /"code":"server_error"/]);
}

t.test('nginx with deploy/nginx.conf', async (t) => {
  const program = programHere(t, 'nginx');
  if (!program) return;
  const here = await machine(t);
  const at = (path: string) => join(here.folder, path);
  const { certFile, keyFile } = makeCertificate(here.folder);
  const own = (conf: string) =>
    conf
      .replaceAll(/^ *listen \[::\].*\n/gm, '')
      .replaceAll('listen 80', `listen 127.0.0.1:${here.plain}`)
      .replaceAll('listen 443', `listen 127.0.0.1:${here.secure}`)
      .replaceAll('/etc/ssl/broker/cert.pem', certFile)
      .replaceAll('/etc/ssl/broker/key.pem', keyFile)
      .replaceAll(/^.*server 127\.0\.0\.1:3002.*\n/gm, '')
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${here.apiPort}`)
      .replaceAll('127.0.0.1:3001', `127.0.0.1:${here.consolePort}`);
  const shipped = own(readFileSync('deploy/nginx.conf', 'utf8'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${at(name)};`,
  );
  const write = (conf: string) =>
    writeFileSync(
      at('nginx.conf'),
      `daemon off; pid ${at('pid')}; error_log ${at('log')}; user root;
       events {} http { access_log off; ${temporary.join(' ')} ${conf} }`,
    );
  write(shipped);
  const nginx = await startProgram(t, here.secure, [program, '-c', at('nginx.conf'), '-e', at('log')]);
  const closed = await call(here.secure, CONSOLE, '/operator/v1/brokers');
  t.match([closed.status, closed.headers['content-type'], closed.text], [403, /json/, /"reason":"ip_not_whitelisted"/]);
  await nginx.stop();
  write(shipped.replace('# allow 192.0.2.0/24;', 'allow 127.0.0.1;'));
  await startProgram(t, here.secure, [program, '-c', at('nginx.conf'), '-e', at('log')]);
  await checks(t, here, true);
});

t.test('Caddy with deploy/Caddyfile', async (t) => {
  const program = programHere(t, 'caddy');
  if (!program) return;
  const here = await machine(t);
  const at = (path: string) => join(here.folder, path);
  const own = readFileSync('deploy/Caddyfile', 'utf8').replace(
    'auto_https disable_redirects',
    [
      'auto_https disable_redirects',
      ...['admin off', 'local_certs', 'skip_install_trust', `http_port ${here.plain}`, `https_port ${here.secure}`],
    ].join('\n\t'),
  );
  writeFileSync(at('Caddyfile'), own);
  mkdirSync(at('data'));
  const environment = {
    SITE_ADDRESS: API,
    SERVERS: `127.0.0.1:${here.apiPort}`,
    CONSOLE_ADDRESS: CONSOLE,
    CONSOLE_ALLOW: '127.0.0.1/32',
    CONSOLE_SERVER: `127.0.0.1:${here.consolePort}`,
    XDG_DATA_HOME: at('data'),
    XDG_CONFIG_HOME: at('data'),
  };
  const command = [program, 'run', '--adapter', 'caddyfile', '--config', at('Caddyfile')];
  await startProgram(t, here.secure, command, { env: environment });
  for (const [host, path] of [
    [API, '/health/live'],
    [CONSOLE, '/sign-in'],
  ] as const) {
    await until('Caddy has made its certificate', () => call(here.secure, host, path).then(Boolean, () => false));
  }
  await checks(t, here, true);
});

t.test('Apache passes on the answer to a body that is too large, every time', async (t) => {
  const program = programHere(t, 'apache2');
  if (!program) return;
  const here = await machine(t);
  const at = (path: string) => join(here.folder, path);
  const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http'];
  writeFileSync(
    at('apache.conf'),
    [
      `ServerRoot ${here.folder}`,
      'ServerName localhost',
      `PidFile ${at('pid')}`,
      `ErrorLog ${at('log')}`,
      `Listen 127.0.0.1:${here.plain}`,
      ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
      `ProxyPass / http://127.0.0.1:${here.apiPort}/`,
      '',
    ].join('\n'),
  );
  await startProgram(t, here.plain, [program, '-f', at('apache.conf'), '-DFOREGROUND']);
  for (const length of [70_000, 300_000, 900_000, 5_000_000]) {
    for (let n = 0; n < 10; n += 1) {
      const answer = await new Promise<[number | undefined, string]>((resolve, reject) => {
        const headers = { authorization: `Bearer ${here.key}`, 'content-type': 'application/json' };
        httpRequest(
          { port: here.plain, host: '127.0.0.1', method: 'POST', path: '/api/v1/auth-check', headers, agent: false },
          async (response) => resolve([response.statusCode, await text(response)]),
        )
          .on('error', reject)
          .end(JSON.stringify({ a: 'x'.repeat(length) }));
      });
      t.match(answer, [400, /"reason":"body_too_large"/], `${length} bytes`);
    }
  }
});
