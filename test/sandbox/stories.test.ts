import t from 'tap';
import { REQUEST_TYPES } from '../../src/requests/kinds/index.ts';
import { STORIES } from '../../src/sandbox/request-ids.ts';
import { createScenarioIds } from '../../src/sandbox/scenario-ids.ts';

t.test('every kind of request has a letter of its own, by which its ids name it again', async (t) => {
  const letters = REQUEST_TYPES.map((type) => STORIES[type].letter);
  t.equal(new Set(letters).size, REQUEST_TYPES.length);
  const ids = createScenarioIds('a secret');
  for (const type of REQUEST_TYPES) {
    const scenario = { type, serviceNumber: 900001, variant: '', submittedAt: 1, nonce: '000001' };
    t.strictSame(ids.decode('brk_1', ids.encode('brk_1', scenario)), scenario, type);
  }
});
