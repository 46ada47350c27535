import t from 'tap';
import { effectiveAtOfCancellation, refusalOfCancellation } from '../../src/kinds/cancellation.ts';
import { refusalOfEnded } from '../../src/kinds/kind.ts';

const plain = {
  service: { status: 'active' },
  openCancellation: undefined,
  cancellationType: 'end_of_term',
  billingType: 'monthly',
} as const;

t.test('pending, active and suspended services can be cancelled and warned', async (t) => {
  for (const status of ['pending', 'active', 'suspended'] as const) {
    t.equal(refusalOfCancellation({ ...plain, service: { status } }), undefined, status);
    t.equal(refusalOfEnded({ status }, 'x'), undefined, status);
  }
});

t.test('services that have ended are neither cancelled nor warned', async (t) => {
  for (const status of ['cancelled', 'terminated'] as const) {
    for (const error of [refusalOfCancellation({ ...plain, service: { status } }), refusalOfEnded({ status }, 'x')]) {
      t.equal(error?.code, 'invalid_state');
      t.same(error?.details, { reason: `service_${status}` });
    }
  }
});

t.test('of several unmet preconditions the contract’s order decides which is reported', async (t) => {
  const hourly = { ...plain, billingType: 'hourly', openCancellation: { id: 'req_c' } } as const;
  t.equal(refusalOfCancellation({ ...hourly, service: { status: 'cancelled' } })?.details?.reason, 'service_cancelled');

  const open = refusalOfCancellation(hourly);
  t.equal(open?.code, 'invalid_state');
  t.same(open?.details, { reason: 'cancellation_scheduled', request_id: 'req_c' });

  const endOfTerm = refusalOfCancellation({ ...hourly, openCancellation: undefined });
  t.equal(endOfTerm?.code, 'invalid_parameter');
  t.same(endOfTerm?.details, { reason: 'end_of_term_not_available' });
  t.notMatch(endOfTerm?.message, /_|send/, 'operators read it too, who send no fields');
});

t.test('an hourly service can be cancelled at once', async (t) => {
  t.equal(refusalOfCancellation({ ...plain, cancellationType: 'immediate', billingType: 'hourly' }), undefined);
});

t.test('a cancellation takes effect at a renewal still to come, or now', async (t) => {
  const now = 1_000;
  const effectiveAt = (cancellationType: 'end_of_term' | 'immediate', renewalAt: number | null) =>
    effectiveAtOfCancellation({ cancellationType, renewalAt, now });
  t.equal(effectiveAt('end_of_term', 5_000), 5_000);
  t.equal(effectiveAt('end_of_term', 500), now);
  t.equal(effectiveAt('end_of_term', now), now);
  t.equal(effectiveAt('end_of_term', null), now);
  t.equal(effectiveAt('immediate', 5_000), now);
});
