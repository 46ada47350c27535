import { Type } from '@sinclair/typebox';
import { Exactly, Named, Nullable, OneOf, ServiceNumber } from './atoms.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';

export const Scenario = Named('Scenario', {
  scenario: Type.String({ description: 'A stable name' }),
  kind: OneOf(['service', 'request', 'plan']),
  service_number: Nullable(ServiceNumber),
  request_id: Nullable(Type.String()),
  plan_id: Nullable(Type.String()),
  description: Type.String(),
});

export const ScenarioListQuery = Exactly(PagingQuery, { conflicts: PAGING_CONFLICTS });
