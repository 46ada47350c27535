import Fastify from 'fastify';
import fp from 'fastify-plugin';
import t from 'tap';
import perform from '../../plugins/perform.ts';
import sandbox from '../../plugins/sandbox.ts';
import type { Context } from '../../src/ports.ts';
import type { Sandboxes } from '../../src/sandbox/sandbox.ts';

/** A use case that names the records it was given. */
const nameRecords = async (context: Context) => ({ statusCode: 200 as const, data: String(context.store) });
const sandboxes = {
  perform: async (useCase: typeof nameRecords) => useCase({ store: 'sandbox' } as unknown as Context),
} as unknown as Sandboxes;

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
  for (const name of ['scopes', 'idempotency']) await app.register(fp(async () => undefined, { name }));
  await app.register(sandbox, { sandboxes });
  await app.register(perform, { context: { store: 'live' } as unknown as Context, sandboxes });
  return app;
}

t.test('the mode of the key decides which records a use case works on', async (t) => {
  const app = await bareApp();
  app.get('/', async (request) => ({
    records: (await request.perform(nameRecords, {})).data,
    caller: request.caller,
  }));
  for (const [mode, name] of [
    ['live', 'live'],
    ['test', 'sandbox'],
  ] as const) {
    const answer = await app.inject({ url: '/', headers: { mode } });
    t.match(answer.json(), {
      records: name,
      caller: { brokerId: 'brk_1', actor: { kind: 'api_key', name: 'key_1', clientIp: '192.0.2.1' } },
    });
  }
  t.equal(app.sandboxes, sandboxes);
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
