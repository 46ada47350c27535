import t from 'tap';
import { byProgress, canMove, refusalOfDecision, refusalOfWithdrawal } from '../../src/rules/request-states.ts';
import type { RequestStatus } from '../../src/rules/words.ts';

const ALL: RequestStatus[] = ['pending', 'operator_review', 'accepted', 'completed', 'failed', 'approved', 'denied'];

t.test('a request makes the seven allowed moves and no other', async (t) => {
  const moves = ALL.flatMap((from) => ALL.filter((to) => canMove(from, to)).map((to) => `${from} → ${to}`));
  t.same(moves, [
    'pending → operator_review',
    'pending → accepted',
    'pending → denied',
    'operator_review → accepted',
    'operator_review → denied',
    'accepted → completed',
    'accepted → failed',
  ]);
});

t.test('a pending request can be decided', async (t) => {
  t.equal(refusalOfDecision({ status: 'pending', processedAt: null, decision: null }), undefined);
});

t.test('a request under review waits for the operator', async (t) => {
  const error = refusalOfDecision({ status: 'operator_review', processedAt: null, decision: { action: 'approve' } });
  t.equal(error?.statusCode, 400);
  t.equal(error?.code, 'invalid_state');
  t.same(error?.details, { reason: 'awaiting_operator' });
});

t.test('any other request was processed already, and the refusal shows how it went', async (t) => {
  const decision = { action: 'deny', decided_by: 'broker' };
  const denied = refusalOfDecision({ status: 'denied', processedAt: 0, decision });
  t.equal(denied?.statusCode, 409);
  t.equal(denied?.code, 'already_processed');
  t.same(denied?.details, {
    reason: 'request_already_processed',
    request_status: 'denied',
    processed_date: '1970-01-01T00:00:00.000Z',
    decision,
  });
  t.same(refusalOfDecision({ status: 'accepted', processedAt: null, decision: null })?.details, {
    reason: 'request_already_processed',
    request_status: 'accepted',
    processed_date: null,
    decision: null,
  });
  for (const status of ['completed', 'failed', 'approved'] as const) {
    t.equal(refusalOfDecision({ status, processedAt: 1, decision: null })?.statusCode, 409, status);
  }
});

t.test('what can be withdrawn is what is accepted or under review, and not begun', async (t) => {
  const reasonOf = (status: RequestStatus, leaseOwner: string | null) =>
    refusalOfWithdrawal(
      { status, origin: 'broker', processedAt: null, decision: null, leaseOwner, withheldBy: null },
      'broker',
    )?.details?.reason;
  for (const [status, idle, begun] of [
    ['pending', 'awaiting_decision', 'awaiting_decision'],
    ['operator_review', undefined, 'work_has_begun'],
    ['accepted', undefined, 'work_has_begun'],
    ...(['completed', 'failed', 'approved', 'denied'] as const).map(
      (status) => [status, 'request_already_processed', 'request_already_processed'] as const,
    ),
  ] as const) {
    t.equal(reasonOf(status, null), idle, status);
    t.equal(reasonOf(status, 'a worker'), begun, `${status}, in a worker's hands`);
  }
});

t.test('what an operator submitted is withdrawn by operators alone, begun or not', async (t) => {
  const reasonOf = (status: RequestStatus, leaseOwner: string | null, by: 'broker' | 'operator') =>
    refusalOfWithdrawal(
      { status, origin: 'operator', processedAt: null, decision: null, leaseOwner, withheldBy: null },
      by,
    )?.details?.reason;
  for (const status of ['operator_review', 'accepted'] as const) {
    t.equal(reasonOf(status, null, 'broker'), 'asked_by_operator', status);
    t.equal(reasonOf(status, 'a worker', 'broker'), 'asked_by_operator', `${status}, in a worker's hands`);
    t.equal(reasonOf(status, null, 'operator'), undefined, status);
    t.equal(reasonOf(status, 'a worker', 'operator'), 'work_has_begun', `${status}, in a worker's hands`);
  }
  t.equal(reasonOf('pending', null, 'broker'), 'awaiting_decision');
  t.equal(reasonOf('failed', null, 'broker'), 'request_already_processed');
});

t.test('a history has the order of the states, whatever its dates say', async (t) => {
  const rows = [
    { status: 'completed' },
    { status: 'pending' },
    { status: 'accepted' },
    { status: 'operator_review' },
  ] as const;
  t.strictSame(
    rows.toSorted(byProgress).map(({ status }) => status),
    ['pending', 'operator_review', 'accepted', 'completed'],
  );
});
