import fastifyRateLimit from '@fastify/rate-limit';
import fastifySensible from '@fastify/sensible';
import Fastify, { type FastifyPluginAsync } from 'fastify';
import { Registry } from 'prom-client';
import t from 'tap';
import auth from '../../plugins/auth.ts';
import authFailures from '../../plugins/auth-failures.ts';
import docsPage from '../../plugins/docs-page.ts';
import drain from '../../plugins/drain.ts';
import envelope from '../../plugins/envelope.ts';
import errors from '../../plugins/errors.ts';
import firewall from '../../plugins/firewall.ts';
import idempotency from '../../plugins/idempotency.ts';
import jsonBody from '../../plugins/json-body.ts';
import metrics from '../../plugins/metrics.ts';
import overload from '../../plugins/overload.ts';
import perform from '../../plugins/perform.ts';
import rateLimit from '../../plugins/rate-limit.ts';
import requestId from '../../plugins/request-id.ts';
import sandbox from '../../plugins/sandbox.ts';
import scopes from '../../plugins/scopes.ts';
import securityHeaders from '../../plugins/security-headers.ts';
import serviceNumber from '../../plugins/service-number.ts';
import transport from '../../plugins/transport.ts';
import validation from '../../plugins/validation.ts';
import { newCorrelationId } from '../../src/runtime/ids.ts';
import { isRefusal } from '../support/wire.ts';

t.test('a plugin that is registered too early dies at boot with a sentence that names what it needs', async (t) => {
  const needs: [name: string, plugin: unknown, dependency: string][] = [
    ['errors', errors, 'request-id'],
    ['drain', drain, 'errors'],
    ['docs-page', docsPage, '@fastify/sensible'],
    ['overload', overload, 'errors'],
    ['transport', transport, 'errors'],
    ['auth-failures', authFailures, '@fastify/rate-limit'],
    ['firewall', firewall, 'auth'],
    ['rate-limit', rateLimit, 'firewall'],
    ['scopes', scopes, 'rate-limit'],
    ['sandbox', sandbox, 'auth'],
    ['perform', perform, 'auth'],
    ['service-number', serviceNumber, 'json-body'],
    ['validation', validation, 'json-body'],
    ['idempotency', idempotency, 'validation'],
  ];
  for (const [name, plugin, dependency] of needs) {
    const app = Fastify();
    t.teardown(() => app.close());
    await t.rejects(
      async () => app.register(plugin as FastifyPluginAsync),
      { message: `The dependency '${dependency}' of plugin '${name}' is not registered` },
      name,
    );
  }
  const decorators: [name: string, plugin: unknown, decorator: string][] = [['auth', auth, 'countAuthFailure']];
  for (const [name, plugin, decorator] of decorators) {
    const app = Fastify();
    t.teardown(() => app.close());
    const message = `The decorator '${decorator}' required by '${name}' is not present in Fastify`;
    await t.rejects(async () => app.register(plugin as FastifyPluginAsync), { message }, name);
  }
});

t.test('a plugin that needs no other stands on a bare server', async (t) => {
  for (const plugin of [requestId, jsonBody]) {
    const app = Fastify();
    t.teardown(() => app.close());
    await t.resolves(async () => app.register(plugin));
  }
});

/** A gate that stands before the one under test, by name alone. */
const stub = (name: string) =>
  Object.assign(async () => undefined, {
    [Symbol.for('plugin-meta')]: { name },
    [Symbol.for('skip-override')]: true,
  });

t.test('a window that cannot be counted lets no call pass uncounted', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  let uncounted = 'key_1';
  class Windows {
    incr(name: string, hit: (error: Error | null, window?: { current: number; ttl: number }) => void) {
      if (name === uncounted) hit(new Error('not countable'));
      else hit(null, { current: 1, ttl: 1 });
    }
    child() {
      return this;
    }
  }
  await app.register(fastifyRateLimit, { global: false, store: Windows });
  await app.register(stub('firewall'));
  app.decorateRequest('keyHolder');
  app.addHook('onRequest', async (request) => {
    Object.assign(request, {
      keyHolder: { keyId: 'key_1', rateLimit: 1, sharedLimit: { name: 'broker brk_1', limit: 1 } },
    });
  });
  await app.register(rateLimit, { windowSeconds: 60 });
  app.get('/', async () => 'passed');
  t.match((await app.inject('/')).json(), { statusCode: 500, message: 'not countable' });
  uncounted = 'broker brk_1';
  t.match((await app.inject('/')).json(), { statusCode: 500, message: 'not countable' });
  uncounted = 'none';
  t.equal((await app.inject('/')).body, 'passed');
});

t.test('a route of v1 that does not state its scopes stops the start', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(stub('rate-limit'));
  await app.register(scopes);
  t.throws(() => app.get('/none', async () => ({})), { message: '/none does not state its scopes' });
});

t.test('an outcome is encoded as it would be sent, with the schema of its status or without one', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(fastifySensible);
  await app.register(envelope);
  const data = { shown: 1, hidden: 2 };
  const shape = { type: 'object', properties: { shown: { type: 'integer' } } };
  const schema = { response: { 200: { type: 'object', properties: { success: { type: 'boolean' }, data: shape } } } };
  app.get('/:status', { schema }, async (request, reply) => {
    const statusCode = Number((request.params as { status: string }).status) as 200 | 202;
    return reply.header('x-encoded', reply.encoder()({ statusCode, data })).answer({ statusCode, data });
  });
  for (const [status, body] of [
    [200, '{"success":true,"data":{"shown":1}}'],
    [202, '{"success":true,"data":{"shown":1,"hidden":2}}'],
  ]) {
    const answer = await app.inject(`/${status}`);
    t.strictSame([answer.statusCode, answer.body, answer.headers['x-encoded']], [status, body, body]);
  }
});

t.test('whatever is thrown becomes an answer of the catalogue', async (t) => {
  const app = Fastify({ genReqId: newCorrelationId });
  t.teardown(() => app.close());
  await app.register(requestId);
  await app.register(securityHeaders, { overHttps: false });
  await app.register(errors);
  const thrown = [null, undefined, 'text', { statusCode: 418 }, new Error('inside')];
  app.get('/framework', () => Promise.reject({ code: 'FST_ERR_OF_TOMORROW', statusCode: 422 }));
  app.get('/:index', (request) => Promise.reject(thrown[Number((request.params as { index: string }).index)]));
  for (const index of thrown.keys()) {
    const answer = await app.inject(`/${index}`);
    isRefusal(t, { ...answer, status: answer.statusCode, body: answer.body }, 500, 'server_error');
    t.equal(answer.json().error.message, 'Internal server error');
  }
  const answer = await app.inject('/framework');
  const title = 'what the framework refuses for a reason that we do not know yet';
  isRefusal(
    t,
    { ...answer, status: answer.statusCode, body: answer.body },
    400,
    'invalid_request',
    'malformed_request',
    title,
  );
});

t.test('answers are counted and timed by route, method and status, and not at all without a registry', async (t) => {
  const registry = new Registry();
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(metrics, { registry });
  app.get('/things/:id', async () => ({}));
  for (const url of ['/things/1', '/things/2', '/none']) await app.inject(url);
  const text = await registry.metrics();
  t.match(text, 'broker_http_answers_total{method="GET",route="/things/:id",status="200"} 2');
  t.match(text, 'broker_http_answers_total{method="GET",route="none",status="404"} 1');
  t.match(text, 'broker_http_answer_duration_seconds_count{method="GET",route="/things/:id",status="200"} 2');
  t.match(
    text,
    'broker_http_answer_duration_seconds_bucket{le="+Inf",method="GET",route="/things/:id",status="200"} 2',
  );
  t.match(text, /^# TYPE broker_http_answer_duration_seconds histogram$/m);

  const silent = Fastify();
  t.teardown(() => silent.close());
  await silent.register(metrics, { registry: undefined });
  t.equal((await silent.inject('/none')).statusCode, 404);
});

t.test('the count of failed keys needs the limiter to count with', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(fastifyRateLimit, { global: false });
  await app.register(authFailures, { max: 1 });
  t.type(app.countAuthFailure, 'function');
});
