import t from 'tap';
import { innermost } from '../../conformance/src/errors.ts';

t.test('the innermost cause of an error is told in one line, by its message, its code or its name', async (t) => {
  const cause = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  t.equal(innermost(new Error('outer', { cause: new Error('inner\n  text') })), 'inner text');
  t.equal(innermost(new Error('outer', { cause })), 'ECONNREFUSED');
  t.equal(innermost(new Error('')), 'Error');
});
