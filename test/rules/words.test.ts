import t from 'tap';
import { isEnded, isFinal, OPEN_STATUSES, REQUEST_STATUSES, SERVICE_STATUSES } from '../../src/rules/words.ts';

t.test('a request is either open or final', async (t) => {
  for (const status of REQUEST_STATUSES)
    t.equal(isFinal(status), !OPEN_STATUSES.some((open) => open === status), status);
  t.same(REQUEST_STATUSES.filter(isFinal), ['completed', 'failed', 'approved', 'denied']);
});

t.test('a service has ended once it is cancelled or terminated', async (t) => {
  t.same(SERVICE_STATUSES.filter(isEnded), ['cancelled', 'terminated']);
});
