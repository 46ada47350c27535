import t from 'tap';
import { lastChangeAt } from '../../src/rules/last-change.ts';

t.test('a change has the present as its date, and always a later one than the change before', async (t) => {
  t.equal(lastChangeAt(100, 200), 200);
  t.equal(lastChangeAt(200, 200), 201, 'within one millisecond');
  t.equal(lastChangeAt(300, 200), 301, 'while a clock is behind');
});
