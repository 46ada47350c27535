import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import Fastify from 'fastify';
import t from 'tap';
import { holdReads, served } from './support/served.ts';
import { makeCertificate } from './support/tls.ts';
import { answersOf, dial, exchange, halfSent, isRefusal, listen } from './support/wire.ts';
import { requireExact } from './support/world.ts';

t.test('whatever a socket sends, the answer is the envelope with a request id of ours', async (t) => {
  const { app, key } = await served(t);
  const port = await listen(app);
  const auth = `Host: api.example.com\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: theirs\r\nConnection: close\r\n`;
  const plans = (length: number) => `/api/v1/plans?${'x'.repeat(length - '/api/v1/plans?'.length)}`;
  const malformed: [title: string, bytes: string][] = [
    ['no HTTP at all', 'GARBAGE\r\n\r\n'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version that does not exist', `GET /api/v1/plans HTTP/1.2\r\n${auth}\r\n`],
    ['no host', `GET /api/v1/plans HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`],
    ['bytes that a URL cannot hold', `GET /api/v1/plans?a=\xff HTTP/1.1\r\n${auth}\r\n`],
    ['headers beyond the limit', `GET /api/v1/plans HTTP/1.1\r\n${auth}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    [
      'two lengths',
      `POST /api/v1/auth-check HTTP/1.1\r\n${auth}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a broken chunk', `POST /api/v1/auth-check HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
    ['bad percent-encoding in the path', `GET /api/v1/services/%zz HTTP/1.1\r\n${auth}\r\n`],
    ['bad percent-encoding of an unknown path', `GET /%zz HTTP/1.1\r\n${auth}\r\n`],
    ['bad percent-encoding in the query', `GET /api/v1/plans?a=%zz HTTP/1.1\r\n${auth}\r\n`],
    ['percent-encoding that is no UTF-8', `GET /api/v1/plans?a=%ff HTTP/1.1\r\n${auth}\r\n`],
    ['a segment of 1001 characters', `GET /api/v1/services/${'9'.repeat(1001)} HTTP/1.1\r\n${auth}\r\n`],
    [
      'a segment of 1001 characters, no key',
      `GET /api/v1/requests/${'9'.repeat(1001)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ],
    ['a URL of 8193 characters', `GET ${plans(8193)} HTTP/1.1\r\n${auth}\r\n`],
    ['a segment of 1001 characters of an unknown path', `GET /api/${'x'.repeat(1001)} HTTP/1.1\r\n${auth}\r\n`],
    ...[
      'http://[::1',
      'http://',
      'http:///api/v1/plans',
      'http://x:99999/api/v1/plans',
      'http://[:::]/',
      'HTTPS://a@b/',
    ].map((target): [string, string] => [`the absolute URL ${target}`, `GET ${target} HTTP/1.1\r\n${auth}\r\n`]),
    ['a fragment', `GET /api/v1/plans#a HTTP/1.1\r\n${auth}\r\n`],
    ['a fragment behind the query', `GET /api/v1/plans?limit=1#a HTTP/1.1\r\n${auth}\r\n`],
    ['HTTP/0.9', 'GET /api/v1/plans\r\n\r\n'],
    ['HTTP/2.0 in the clothes of 1.1', `GET /api/v1/plans HTTP/2.0\r\n${auth}\r\n`],
    ['two hosts', `GET /api/v1/plans HTTP/1.1\r\n${auth}host: api.example.com\r\n\r\n`],
    ['two hosts in HTTP/1.0', 'GET /api/v1/plans HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
    ...['', 'a b', 'a/b', 'a@b', 'a:b', 'a:80:80', '[::1', '[x]', 'a, b', '"a"', 'a'.repeat(256)].map(
      (host): [string, string] => [
        `the host ${host.slice(0, 20)}`,
        `GET /api/v1/plans HTTP/1.1\r\n${auth.replace('api.example.com', host)}\r\n`,
      ],
    ),
    ...['gzip', 'gzip, chunked', 'chunked, chunked', 'identity', 'chunked\r\nTransfer-Encoding: chunked'].map(
      (coding): [string, string] => [
        `the transfer coding ${coding.replace('\r\n', ' and ')}`,
        `POST /api/v1/auth-check HTTP/1.1\r\n${auth}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
      ],
    ),
  ];
  for (const [title, bytes] of malformed) {
    isRefusal(t, await exchange(port, bytes), 400, 'invalid_request', 'malformed_request', title);
  }
  const unknown: [title: string, bytes: string][] = [
    ['an unknown method', `BREW /api/v1/plans HTTP/1.1\r\n${auth}\r\n`],
    ['an unknown method outside of v1', `BREW /api/docs HTTP/1.1\r\n${auth}\r\n`],
    ['an unknown method of an absolute URL', `BREW http://x/api/v1/plans HTTP/1.1\r\n${auth}\r\n`],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${auth}\r\n`],
    ['an absolute URL without a path', `GET http://api.example.com HTTP/1.1\r\n${auth}\r\n`],
    ['an absolute URL with a query alone', `GET http://api.example.com?a=1 HTTP/1.1\r\n${auth}\r\n`],
    ['an empty segment', `GET /api//v1/plans HTTP/1.1\r\n${auth}\r\n`],
    ['an empty segment of an absolute URL', `GET http://api.example.com/api//v1/plans HTTP/1.1\r\n${auth}\r\n`],
    ['an absolute URL that begins with one', `GET http://api.example.com//api/v1/plans HTTP/1.1\r\n${auth}\r\n`],
    ['an absolute URL of another scheme', `GET ftp://api.example.com/api/v1/plans HTTP/1.1\r\n${auth}\r\n`],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
    [
      'an expectation on an unknown path',
      `POST /api/v1/none HTTP/1.1\r\n${auth}Expect: miracles\r\nContent-Length: 0\r\n\r\n`,
    ],
  ];
  for (const [title, bytes] of unknown) {
    const answer = await exchange(port, bytes);
    isRefusal(t, answer, 404, 'not_found', undefined, title);
    const documentation = / (http:\/\/[^/ ]+)?\/api\/v1\//.test(bytes) ? undefined : '/api/docs';
    t.equal(JSON.parse(answer.body).error.details?.documentation, documentation, title);
  }

  const reached: [title: string, bytes: string, status: number][] = [
    ['an absolute URL', `GET http://api.example.com/api/v1/plans HTTP/1.1\r\n${auth}\r\n`, 200],
    ['an absolute URL of an IPv6 host', `GET http://[::1]:80/api/v1/plans HTTP/1.1\r\n${auth}\r\n`, 200],
    ['an expectation', `POST /api/v1/auth-check HTTP/1.1\r\n${auth}Expect: miracles\r\nContent-Length: 0\r\n\r\n`, 200],
    [
      'an empty body in chunks',
      `POST /api/v1/auth-check HTTP/1.1\r\n${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      200,
    ],
    ['an upgrade', `GET /api/v1/plans HTTP/1.1\r\n${auth.replace('close', 'Upgrade')}Upgrade: websocket\r\n\r\n`, 200],
    ['a URL of 8192 characters', `GET ${plans(8192)} HTTP/1.1\r\n${auth}\r\n`, 400],
    ['more headers than Node would keep', `GET /api/v1/plans HTTP/1.1\r\n${'a: 1\r\n'.repeat(1100)}${auth}\r\n`, 200],
    ['a host with a port', `GET /api/v1/plans HTTP/1.1\r\n${auth.replace('example.com', 'example.com:443')}\r\n`, 200],
    ['an IPv6 host', `GET /api/v1/plans HTTP/1.1\r\n${auth.replace('api.example.com', '[2001:db8::1]:80')}\r\n`, 200],
    [
      'a coding in other letters',
      `POST /api/v1/auth-check HTTP/1.1\r\n${auth}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`,
      200,
    ],
    ['a segment of 1000 encoded characters', `GET /api/v1/services/${'%39'.repeat(1000)} HTTP/1.1\r\n${auth}\r\n`, 400],
    ['a segment of 1000 characters', `GET /api/v1/services/${'9'.repeat(1000)} HTTP/1.1\r\n${auth}\r\n`, 400],
  ];
  for (const [title, bytes, status] of reached) {
    const socket = dial(port);
    socket.write(bytes);
    socket.once('data', () => socket.end());
    const [answer] = await answersOf(socket);
    t.equal(answer?.status, status, title);
    if (status === 400) isRefusal(t, answer as never, 400, 'invalid_parameter', undefined, title);
    t.ok(answer?.headers.ratelimit, `${title}: through the gates`);
  }
});

t.test('a request that does not arrive in time is refused, and its connection does not stay', async (t) => {
  const { app, key } = await served(t);
  const port = await listen(app);
  t.same([app.server.headersTimeout, app.server.requestTimeout], [20_000, 20_000]);
  app.server.headersTimeout = 50;
  app.server.requestTimeout = 100;
  const head = `POST /api/v1/auth-check HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  const slow = [head, `${head}Content-Length: 10\r\n\r\n{"a"`].map(async (bytes) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1');
    const accepted = await once(app.server, 'connection').then(([accepted]) => accepted);
    socket.write(bytes);
    const [[chunk]] = await Promise.all([once(socket, 'data'), once(accepted, 'close')]);
    socket.destroy();
    return String(chunk);
  });
  for (const text of await Promise.all(slow)) {
    t.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/);
    t.match(text, /"code":"invalid_request","message":"The request took too long to arrive"/);
  }
});

t.test('a caller that goes away while it sends is no failure of the server', async (t) => {
  const { app, key } = await served(t);
  const logged: unknown[] = [];
  app.log.error = (...line: unknown[]) => void logged.push(line);
  const port = await listen(app);
  const socket = dial(port);
  const head = `POST /api/v1/auth-check HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: 500\r\n\r\n{`);
  const [request] = (await once(app.server, 'request')) as [IncomingMessage];
  request.on('error', () => undefined);
  socket.destroy();
  await new Promise((resolve) => request.once('close', resolve));
  await app.close();
  t.strictSame(logged, []);
});

t.test('a connection that is gone gets no answer', async (t) => {
  const { app } = await served(t);
  const port = await listen(app);
  const socket = dial(port);
  const [accepted] = await once(app.server, 'connection');
  app.server.emit('clientError', Object.assign(new Error('reset'), { code: 'ECONNRESET' }), accepted);
  t.strictSame(await answersOf(socket), []);
});

const WITHIN_V1 = /^\/api\/v1(\/|$)/;

t.test(
  'unknown paths and methods are 404 in the envelope, with or without a key, whatever is sent to them',
  async (t) => {
    const { app, key } = await served(t, { config: { publicUrl: 'https://api.example.com' } });
    const addresses = [
      '/',
      '/?a=1',
      '/health/x',
      '/api/x',
      '/api/docs/x',
      '/api/v1x',
      '/api',
      '/api/v1',
      '/api/v1/',
      '/api/v1/plans/',
      '/api//v1/plans',
      '/api/v1//plans',
      '/API/v1/plans',
      '/api/v1/Plans',
      '/api/v1/plans;a=1',
      '/api/v2/plans',
      '/v1/plans',
      '/health',
      '/health/live/',
      '/api/docs/',
      '/api/docs/static/none.js',
      '/api/docs/reference/none',
      '/api/docs/reference/__proto__',
      '/api/docs/reference/checkaccess',
      '/api/openapi.json/',
      '/__proto__',
      '/api/v1/services/',
      '/api/v1/services//upgrade-options',
      '/api/v1/requests/?limit=1',
    ];
    for (const url of addresses) {
      for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
        const answer = await app.inject({ url, headers });
        isRefusal(t, { ...answer, status: answer.statusCode, body: answer.body }, 404, 'not_found', undefined, url);
        const details = {
          documentation: 'https://api.example.com/api/docs',
          correlation_id: answer.headers['x-request-id'],
        };
        const error = { code: 'not_found', message: 'Not found', ...(!WITHIN_V1.test(url) && { details }) };
        t.strictSame(answer.json(), { success: false, error }, url);
      }
    }
    const known = ['/api/v1/plans', '/api/v1/services/1/upgrade', '/health/live', '/api/openapi.json', '/api/docs'];
    for (const url of [...known, '/api/docs/static/docs.css', '/api/docs/reference/checkAccess']) {
      for (const method of [
        ...(url === '/health/live' ? [] : (['HEAD'] as const)),
        'OPTIONS',
        'TRACE',
        'PROPFIND',
        'PUT',
        'PATCH',
        'DELETE',
      ] as const) {
        const answer = await app.inject({
          url,
          method: method as 'GET',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(method.startsWith('P') && { payload: '{' }),
        });
        t.equal(answer.statusCode, 404, `${method} ${url}`);
        const documentation = WITHIN_V1.test(url) ? undefined : 'https://api.example.com/api/docs';
        if (method !== 'HEAD') t.equal(answer.json().error.details?.documentation, documentation, `${method} ${url}`);
        t.equal(answer.headers['access-control-allow-origin'], undefined);
      }
    }
    const posted = await app.inject({
      method: 'POST',
      url: '/api/v1/none',
      headers: { 'content-type': 'application/json' },
      payload: '{',
    });
    t.equal(posted.statusCode, 404);
  },
);

t.test('of two gates that would both refuse, the earlier one answers', async (t) => {
  await t.test('0 before 1: plain HTTP is refused before the key is read', async (t) => {
    const world = await served(t, { config: { requireHttps: true } });
    let lookUps = 0;
    const { listAccess } = world.store.read.keys;
    world.store.read.keys.listAccess = (publicIds) => {
      lookUps += 1;
      return listAccess(publicIds);
    };
    for (const key of [undefined, 'nonsense', world.key]) {
      const { status, headers, raw } = await world.call(key, 'GET', '/plans');
      isRefusal(t, { status, headers, body: raw }, 400, 'invalid_request', 'https_required');
      t.equal(headers.location, undefined);
    }
    t.equal(lookUps, 0);
    for (const url of ['/health/live', '/health/ready', '/api/openapi.json', '/api/docs']) {
      t.equal((await world.app.inject(url)).statusCode, 200, url);
    }
  });

  await t.test('1 before 2: a wrong key is not told about the firewall', async (t) => {
    const world = await served(t);
    const broker = await world.addBroker({ ipRestrictionEnabled: true });
    const { key } = await world.addKey(broker, ['admin:full'], { expiresAt: world.clock.now() });
    t.equal((await world.call(key, 'GET', '/plans')).json.error.details.reason, 'expired');
  });

  await t.test(
    '2 before 3: what the firewall refuses is not counted, and is refused when nothing is left',
    async (t) => {
      const world = await served(t);
      const broker = await world.addBroker({ ipRestrictionEnabled: true });
      await world.store.tx((tx) =>
        tx.firewall.insert({ id: 'fwr_1', brokerId: broker.id, rule: '192.0.2.0/24', note: null, createdAt: 0 }),
      );
      const { key } = await world.addKey(broker, ['admin:full'], { rateLimit: 1 });
      const refused = await world.call(key, 'GET', '/plans', { remoteAddress: '198.51.100.1' });
      t.equal(refused.status, 403);
      t.equal(refused.headers.ratelimit, undefined, 'no rate limit before the firewall');
      t.equal((await world.call(key, 'GET', '/plans', { remoteAddress: '192.0.2.1' })).status, 200);
      t.equal((await world.call(key, 'GET', '/plans', { remoteAddress: '192.0.2.1' })).status, 429);
      t.equal((await world.call(key, 'GET', '/plans', { remoteAddress: '198.51.100.1' })).status, 403);
    },
  );

  await t.test('3 before 4: a missing scope counts, and beyond the limit it is not looked at', async (t) => {
    const world = await served(t);
    const { key } = await world.addKey(world.broker, [], { rateLimit: 1 });
    const refused = await world.call(key, 'GET', '/plans');
    t.equal(refused.status, 403);
    t.equal(refused.headers['x-ratelimit-remaining'], '0');
    t.equal((await world.call(key, 'GET', '/plans')).status, 429);
  });

  await t.test('4 before 5: a missing scope is answered before the body is parsed', async (t) => {
    const world = await served(t);
    const { key } = await world.addKey(world.broker, ['services:read']);
    const headers = { 'content-type': 'application/json' };
    const refused = await world.call(key, 'POST', '/services/nonsense/cancel?x=1', { body: '{', headers });
    t.equal(refused.json.error.code, 'insufficient_permissions');
  });

  await t.test('5: the body must be JSON, then the service number stands alone, then the rest together', async (t) => {
    const { call, key, service } = await served(t);
    const headers = { 'content-type': 'application/json', 'x-idempotency-key': 'é' };
    const json = await call(key, 'POST', '/services/nonsense/upgrade?x=1', { body: '{', headers });
    t.equal(json.json.error.details.reason, 'malformed_json');
    const number = await call(key, 'POST', '/services/nonsense/upgrade?x=1', { body: { y: 1 }, headers });
    t.equal(number.json.error.message, 'Invalid service number');
    t.strictSame(
      number.json.error.details.fields.map((field: { path: string }) => field.path),
      ['path.service_number'],
    );
    const rest = await call(key, 'POST', `/services/${service.number}/upgrade?x=1`, { body: { y: 1 }, headers });
    t.equal(rest.json.error.code, 'missing_parameter');
    t.strictSame(
      rest.json.error.details.fields.map((field: { path: string; rule: string }) => [field.path, field.rule]).sort(),
      [
        ['body.new_plan', 'required'],
        ['body.y', 'unknown'],
        ['header.x-idempotency-key', 'format'],
        ['query.x', 'unknown'],
      ],
    );
  });

  await t.test('5 before 6, 6 before 7: a used key refuses other input, but only input that can be read', async (t) => {
    const { call, key, service } = await served(t);
    const headers = { 'x-idempotency-key': 'one' };
    const cancel = `/services/${service.number}/cancel`;
    t.equal((await call(key, 'POST', cancel, { body: { cancellation_type: 'immediate' }, headers })).status, 200);
    t.equal((await call(key, 'POST', cancel, { body: { cancellation_type: 5 }, headers })).status, 400);
    t.equal(
      (await call(key, 'POST', '/services/1/cancel', { headers })).json.error.details.reason,
      'idempotency_key_reused',
    );
    t.equal((await call(key, 'POST', '/services/1/cancel')).status, 404);
  });

  await t.test(
    "7 before 8 and 8 before 9: a stranger's service has no state, and a refused call does no work",
    async (t) => {
      const { call, key, addBroker, addKey, addService, plan, broker, mailer } = await served(t);
      const { number } = await addService(broker, plan, { status: 'cancelled' });
      const stranger = await addKey(await addBroker());
      const body = { warningReason: 'Late' };
      t.equal((await call(stranger.key, 'POST', `/services/${number}/cancellation-warning`, { body })).status, 404);
      const refused = await call(key, 'POST', `/services/${number}/cancellation-warning`, { body });
      t.equal(refused.json.error.code, 'invalid_state');
      t.equal(mailer.sent.length, 0);
    },
  );
});

t.test('a refused key is answered without waiting for the body, and the body is not parsed', async (t) => {
  const { app, call } = await served(t);
  const headers = { 'content-type': 'application/json' };
  for (const body of ['{', '{"__proto__":1}', 'x'.repeat(70_000)]) {
    t.equal((await call('sk_live_wrong', 'POST', '/auth-check', { body, headers })).status, 401);
  }
  const port = await listen(app);
  const socket = dial(port);
  socket.write(
    'POST /api/v1/auth-check HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{',
  );
  socket.once('data', () => socket.destroy());
  isRefusal(t, (await answersOf(socket))[0] as never, 401, 'authentication_failed', 'missing');
});

t.test('a second Authorization or X-Idempotency-Key header is refused over the wire as well', async (t) => {
  const { app, key, service } = await served(t);
  const port = await listen(app);
  const auth = `Host: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n`;
  isRefusal(
    t,
    await exchange(port, `GET /api/v1/plans HTTP/1.1\r\n${auth}authorization: Bearer ${key}\r\n\r\n`),
    401,
    'authentication_failed',
    'malformed',
  );
  for (const name of ['x-idempotency-key', 'idempotency-key']) {
    const keys = `${name}: a\r\n${name.toUpperCase()}: a\r\n`;
    const twice = await exchange(
      port,
      `POST /api/v1/services/${service.number}/cancel HTTP/1.1\r\n${auth}${keys}Content-Length: 0\r\n\r\n`,
    );
    isRefusal(t, twice, 400, 'invalid_parameter');
    t.match(JSON.parse(twice.body).error.details.fields, [{ path: `header.${name}`, rule: 'repeated' }]);
    const ignored = await exchange(port, `POST /api/v1/auth-check HTTP/1.1\r\n${auth}${keys}Content-Length: 0\r\n\r\n`);
    t.equal(ignored.status, 200);
  }
});

t.test(
  'an unreachable database is 500 with Retry-After, anything unforeseen 500 without a word about it',
  async (t) => {
    const { call, key, clock, store } = await served(t);
    const secret = new Error('a secret of the database');
    store.read.keys.listAccess = async () => {
      throw secret;
    };
    const failed = await call(key, 'GET', '/plans');
    isRefusal(t, { ...failed, body: failed.raw }, 500, 'server_error');
    t.strictSame(failed.json, { success: false, error: { code: 'server_error', message: 'Internal server error' } });
    for (const thrown of [null, undefined, 'text', { statusCode: 418 }]) {
      clock.advance(1000);
      store.read.keys.listAccess = async () => {
        throw thrown;
      };
      t.equal((await call(key, 'GET', '/plans')).json.error.code, 'server_error');
    }
  },
);

t.test('HSTS stands on answers over HTTPS alone', async (t) => {
  const proxied = await served(t, { config: { trustedProxies: ['127.0.0.0/8'], requireHttps: true } });
  const over = (proto: string, remoteAddress = '127.0.0.1') =>
    proxied.call(proxied.key, 'GET', '/plans', { headers: { 'x-forwarded-proto': proto }, remoteAddress });
  const secure = await over('https');
  t.match([secure.status, secure.headers['strict-transport-security']], [200, /^max-age=\d{8}/]);
  t.equal((await over('http, https')).status, 200, 'the nearest proxy has the say');
  for (const [proto, peer] of [['http'], ['https, http'], ['https', '192.0.2.1']] as [string, string?][]) {
    const plain = await over(proto, peer);
    t.strictSame([plain.status, plain.headers['strict-transport-security']], [400, undefined], `${proto} ${peer}`);
  }
  const unauthenticated = await proxied.call(undefined, 'GET', '/plans', { headers: { 'x-forwarded-proto': 'https' } });
  t.match(unauthenticated, { status: 401, headers: { 'strict-transport-security': /max-age/ } });
  for (const url of ['/api/v1/none', '/health/live', '/%zz', '/api/v1/services/%ff']) {
    const answer = await proxied.app.inject({ url, headers: { 'x-forwarded-proto': 'https' } });
    t.match(answer.headers, { 'strict-transport-security': /max-age/ }, url);
  }
});

t.test('with TLS files the server speaks HTTPS, and at its end lets a reply in flight finish', async (t) => {
  const { certFile, keyFile } = makeCertificate(t.testdir({}));
  const world = await served(t, { config: { tls: { certFile, keyFile }, requireHttps: true } });
  const { app, key } = world;
  const port = await listen(app);
  const get = `GET /api/v1/plans HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  const answer = await exchange(port, `${get}Connection: close\r\n\r\n`, true);
  t.match(answer, { status: 200, headers: { 'strict-transport-security': /^max-age=\d+/ } });
  const garbage = await exchange(port, 'GARBAGE\r\n\r\n', true);
  isRefusal(t, garbage, 400, 'invalid_request', 'malformed_request');
  t.match(garbage.headers, { 'strict-transport-security': /^max-age=\d+/ });

  const idle = dial(port, true);
  await once(idle, 'secureConnect');
  const busy = dial(port, true);
  world.clock.advance(1000); // beyond what is known of the key
  const held = holdReads(world.store);
  busy.write(`${get}\r\n`);
  await held.reached;
  const closed = app.close();
  await once(idle, 'close');
  held.release();
  t.match(await answersOf(busy), [{ status: 200 }]);
  await closed;
});

t.test('at the end, replies in flight finish, idle connections go, and what still arrives is sent away', async (t) => {
  const { app, key, store, clock } = await served(t);
  const port = await listen(app);
  const get = (url: string) => `GET ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

  const [silent, idle, busy] = [dial(port), dial(port), dial(port)];
  await once(silent, 'connect');
  idle.write(get('/health/ready'));
  await once(idle, 'data');
  const late = await halfSent(app, port, get('/api/v1/plans'));
  clock.advance(1000); // beyond what is known of the key
  const held = holdReads(store);
  busy.write(get('/api/v1/plans'));
  await held.reached;
  const answers = answersOf(busy);
  const closed = app.close();
  t.strictSame((await Promise.all([answersOf(silent), answersOf(idle)])).flat(), []);

  late.complete();
  const [first, second, ...rest] = await late.answers;
  t.equal(first?.status, 200);
  isRefusal(t, second as never, 500, 'server_error');
  t.match(second?.headers['retry-after'], /^[1-9]\d*$/);
  t.strictSame(rest, [], 'the connection ends with the last answer');
  held.release();
  t.match(await answers, [{ status: 200 }]);
  await closed;
});

t.test('a field that a response schema leaves out or changes fails in every test', async (t) => {
  const app = Fastify();
  requireExact(app);
  t.teardown(() => app.close());
  const shape = { type: 'object', properties: { named: { type: 'string' } } };
  const sent: Record<string, object> = {
    exact: { named: 'a' },
    forgotten: { named: 'a', more: 1 },
    changed: { named: 5 },
  };
  app.get(
    '/:data',
    { schema: { response: { 200: shape } } },
    async ({ params }) => sent[(params as { data: string }).data],
  );
  t.strictSame((await app.inject('/exact')).json(), { named: 'a' });
  for (const data of ['forgotten', 'changed']) {
    t.match((await app.inject(`/${data}`)).json(), { statusCode: 500, message: /differ/ });
  }
});
