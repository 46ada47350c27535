import Fastify from 'fastify';
import fp from 'fastify-plugin';
import t from 'tap';
import operations from '../../plugins/operations.ts';
import sandbox from '../../plugins/sandbox.ts';
import type { Operations } from '../../src/operations/operations.ts';
import type { Sandboxes } from '../../src/sandbox/sandbox.ts';

const operationsOf = (name: string) => ({ listPlans: async () => name }) as unknown as Operations;

/** The plugin on a bare Fastify, where a header stands for the gates before it. */
async function bareApp() {
  const app = Fastify();
  await app.register(
    fp(
      async (gates) => {
        gates.decorateRequest('access');
        gates.decorateRequest('clientIp', '192.0.2.1');
        gates.addHook('onRequest', async (request) => {
          const mode = request.headers.mode;
          request.access = { broker: { id: 'brk_1' }, key: { id: 'key_1' }, mode } as typeof request.access;
        });
      },
      { name: 'auth' },
    ),
  );
  await app.register(operations, { live: operationsOf('live') });
  await app.register(fp(async () => undefined, { name: 'scopes' }));
  await app.register(sandbox, { sandboxes: { operations: operationsOf('sandbox') } as Sandboxes });
  return app;
}

t.test('the mode of the key decides which operations a request gets', async (t) => {
  const app = await bareApp();
  app.get('/', async (request) => ({
    operations: await request.operations.listPlans(request.caller, { limit: 1, offset: 0 }),
    caller: request.caller,
  }));
  for (const [mode, name] of [
    ['live', 'live'],
    ['test', 'sandbox'],
  ] as const) {
    const answer = await app.inject({ url: '/', headers: { mode } });
    t.match(answer.json(), {
      operations: name,
      caller: { brokerId: 'brk_1', actor: { kind: 'api_key', name: 'key_1', clientIp: '192.0.2.1' } },
    });
  }
  t.same(Object.keys(app.sandboxes), ['operations']);
});

t.test('a route of the sandbox is not there for live keys, whatever hooks it has of its own', async (t) => {
  const app = await bareApp();
  const own: string[] = [];
  const onRequest = async () => void own.push('ran');
  app.get('/bare', { config: { sandboxOnly: true } }, async () => 'seen');
  app.get('/hooked', { config: { sandboxOnly: true }, onRequest }, async () => 'seen');
  for (const url of ['/bare', '/hooked']) {
    const hidden = await app.inject({ url, headers: { mode: 'live' } });
    t.strictSame([hidden.statusCode, hidden.json().message], [404, 'Not found']);
    t.strictSame(own, [], 'nothing of the route ran');
    t.equal((await app.inject({ url, headers: { mode: 'test' } })).body, 'seen');
  }
  t.strictSame(own, ['ran']);
});

t.test('it does not start without the gates that know the key and what live keys get', async (t) => {
  const app = Fastify();
  await t.rejects(async () => app.register(operations, { live: operationsOf('live') }), { message: /auth/ });
  const options = { sandboxes: { operations: operationsOf('sandbox') } as Sandboxes };
  await t.rejects(async () => app.register(sandbox, options), { message: /operations/ });
});
