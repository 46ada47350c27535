import { readFileSync } from 'node:fs';
import Fastify, { type FastifyReply } from 'fastify';
import type { Extras } from './processes.ts';

/*
 * The other side of the ratios: Fastify with nothing but a route, in a process of its own. A GET serializes the answer
 * that lies ready with a schema, as ours does; /text sends it as text; a POST parses its body first. A query may make it
 * send more headers, and to pass hooks that do nothing.
 */
const text = readFileSync(process.argv[2] as string, 'utf8');
const answer = JSON.parse(text);
const { headers, hooks = {}, database }: Extras = JSON.parse(process.argv[3] as string);
const app = Fastify();

for (let n = 0; n < (hooks.onRequest ?? 0); n += 1) app.addHook('onRequest', (_request, _reply, done) => done());
for (let n = 0; n < (hooks.preValidation ?? 0); n += 1)
  app.addHook('preValidation', (_request, _reply, done) => done());
for (let n = 0; n < (hooks.preHandler ?? 0); n += 1) app.addHook('preHandler', (_request, _reply, done) => done());
for (let n = 0; n < (hooks.onSend ?? 0); n += 1) app.addHook('onSend', (_request, _reply, _payload, done) => done());

const schemaOf = (value: unknown): object => {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? schemaOf(value[0]) : {} };
  if (typeof value !== 'object') return { type: Number.isInteger(value) ? 'integer' : typeof value };
  const properties = Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
};

const send = async (_request: unknown, reply: FastifyReply) => {
  if (headers) reply.headers(headers);
  return answer;
};
app.get('/json', { schema: { response: { 200: schemaOf(answer) } } }, send);
app.get('/text', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
app.post('/json', { schema: { response: { 200: schemaOf(answer) } } }, async () => answer);
if (database) {
  // Loaded for this alone: the others stay bare.
  const { systemClock } = await import('../src/runtime/clock.ts');
  const { openSqlite } = await import('../src/store/drivers/sqlite.ts');
  const { timeStatements } = await import('./statements.ts');
  const { upgradesOn } = await import('./upgrades.ts');
  const spent = timeStatements();
  const store = await openSqlite({ file: database, monotonic: systemClock.monotonic });
  const upgrade = upgradesOn(store);
  app.post<{ Params: { number: string } }>('/upgrades/:number', async ({ params }) => {
    await upgrade(Number(params.number));
    return answer;
  });
  app.get('/statements', async () => spent());
  app.addHook('onClose', () => store.close());
}
console.log(`listening at ${await app.listen({ port: 0, host: '127.0.0.1' })}`);
process.once('SIGTERM', () => void app.close());
