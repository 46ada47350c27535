import { Exactly, Id, Named, Nullable, OneOf, ServiceNumber, Shown } from './atoms.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';

export const Scenario = Named('Scenario', {
  scenario: Shown(64, 'A stable name', { pattern: '^[a-z0-9_]+$' }),
  kind: OneOf(['service', 'request', 'plan'], { description: 'What the scenario is played with' }),
  service_number: Nullable(ServiceNumber),
  request_id: Nullable(Id('req', 'The sample request; null for services and plans')),
  plan_id: Nullable(Id('pln', 'The simulated plan; null for services and requests')),
  description: Shown(500, 'What happens'),
});

export const ScenarioListQuery = Exactly(PagingQuery, { conflicts: PAGING_CONFLICTS });
