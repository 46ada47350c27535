import { Type } from '@sinclair/typebox';
import {
  Exactly,
  LossMark,
  Named,
  Nullable,
  ServiceNumber,
  ServiceNumberText,
  Shown,
  SimulationMarks,
  Timestamp,
} from './atoms.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';

const Quantity = (description: string, example: string) =>
  Nullable(
    Shown(16, `${description}, a decimal number of at most three places; null: not measured`, {
      pattern: '^\\d{1,12}(\\.\\d{1,3})?$',
      examples: [example],
    }),
  );

export const Consumption = Named('Consumption', {
  service_number: ServiceNumber,
  measured_date: Timestamp('When it was measured last.'),
  period_from: Nullable(Timestamp('From when on the transfer counts; null: unknown.', '2026-03-01T00:00:00.000Z')),
  disk_gb_used: Quantity('Disk in use, in gigabytes', '12.5'),
  transfer_gb_used: Quantity('Transfer of the period, in gigabytes', '340.125'),
  ...LossMark,
  ...SimulationMarks,
});

export const ConsumptionListQuery = Exactly(
  { ...PagingQuery, service_number: Type.Optional(ServiceNumberText) },
  { conflicts: PAGING_CONFLICTS },
);
