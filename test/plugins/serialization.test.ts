import { Type } from '@sinclair/typebox';
import Fastify from 'fastify';
import t from 'tap';
import serialization from '../../plugins/serialization.ts';
import { requireExact } from '../support/world.ts';

t.test('a field that no schema names fails in every test, and is left out without a word elsewhere', async (t) => {
  const Record = Type.Object({ named: Type.String() });
  const answerOf = async (data: object, inspect?: typeof requireExact) => {
    const app = Fastify();
    t.teardown(() => app.close());
    await app.register(serialization, { inspect });
    app.get('/', { schema: { response: { 200: Record } } }, async () => data as { named: string });
    return (await app.inject('/')).json();
  };
  t.strictSame(await answerOf({ named: 'a' }, requireExact), { named: 'a' });
  t.strictSame(await answerOf({ named: 'a', forgotten: 1 }), { named: 'a' });
  t.match(await answerOf({ named: 'a', forgotten: 1 }, requireExact), { statusCode: 500, message: /forgotten/ });
  t.match(await answerOf({ named: 5 }, requireExact), { statusCode: 500, message: /differ/ });
  t.match(
    await answerOf({}, requireExact),
    { statusCode: 500, message: /named/ },
    'and what it names and is not there',
  );
});
