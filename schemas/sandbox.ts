import { Type } from '@sinclair/typebox';
import { Exactly, Id, Named, Nullable, OneOf, ServiceNumber, Shown, Timestamp, TimestampText, Whole } from './atoms.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';

/** What the sandbox itself adds, at most one request for each service, is beyond the limit. */
const MAX_ADDED = 1_000;

const Filled = (limit: number, what: string, example: number) =>
  Type.Object({
    count: Whole(0, limit + MAX_ADDED, `${what} that it holds`, { examples: [example] }),
    limit: Whole(limit, limit, `${what} that it can hold`, { examples: [limit] }),
  });

export const Sandbox = Named('Sandbox', {
  sandbox_date: Timestamp('The date of its clock, by which its records are dated.'),
  offset_seconds: Whole(0, Number.MAX_SAFE_INTEGER, 'How far its clock is ahead of the real one', { examples: [0] }),
  created_date: Timestamp('When it was made.'),
  next_due_date: Nullable(
    Timestamp('When the next decision, beginning or end of work is due; null: none is planned.'),
    { examples: [null] },
  ),
  services: Filled(1_000, 'Services', 22),
  requests: Filled(10_000, 'Requests', 9),
});

export const ClockBody = Exactly(
  {
    advance_seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 31_622_400, description: 'How far to go forward; not beside date' }),
    ),
    date: Type.Optional(TimestampText('Where to go. Repeat a call whose answer was lost with this one.')),
  },
  {
    component: 'ClockBody',
    atLeastOne: true,
    conflicts: [['advance_seconds', 'date']],
    examples: [{ advance_seconds: 86_400 }],
  },
);

export const ResetBody = Exactly({}, { component: 'ResetBody' });

const Provoked = Type.Object({
  operation: Shown(64, 'The operationId of the call', { examples: ['upgradeService'] }),
  status: Whole(200, 500, 'The status of its answer', { examples: [202] }),
  code: Nullable(Shown(64, 'The error code; null where the call succeeds'), { examples: [null] }),
  reason: Nullable(Shown(64, 'The reason of the refusal; null where the code has none'), { examples: [null] }),
});

export const Scenario = Named('Scenario', {
  scenario: Shown(64, 'A stable name', { pattern: '^[a-z0-9_]+$', examples: ['service_900002'] }),
  kind: OneOf(['service', 'request', 'plan'], { description: 'What the scenario is played with' }),
  service_number: Nullable(ServiceNumber, { examples: [900002] }),
  request_id: Nullable(Id('req', 'The sample request; null for services and plans'), { examples: [null] }),
  plan_id: Nullable(Id('pln', 'The simulated plan; null for services and requests'), { examples: [null] }),
  description: Shown(500, 'What happens', {
    examples: ['A plan change goes to review (202); the operator accepts it after 20 s'],
  }),
  provokes: Type.Array(Provoked, { maxItems: 20, description: 'Answers that calls get in a sandbox as it is made' }),
});

export const ScenarioListQuery = Exactly(PagingQuery, { conflicts: PAGING_CONFLICTS });
