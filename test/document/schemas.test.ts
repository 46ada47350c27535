import t from 'tap';
import { Components } from '../../src/document/schemas.ts';

t.test('a name stands for one meaning: it may be described anew, and not be given to another schema', async (t) => {
  const components = new Components([]);
  const amount = { component: 'Amount', type: 'string', description: 'What is owed' };
  components.of(amount);
  t.strictSame(components.of({ ...amount, description: 'What was paid' }), {
    $ref: '#/components/schemas/Amount',
    description: 'What was paid',
  });
  t.throws(() => components.of({ ...amount, type: 'integer' }), { message: 'two schemas are called Amount' });
});
