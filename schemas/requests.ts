import { Type } from '@sinclair/typebox';
import * as words from '../src/rules/words.ts';
import {
  Exactly,
  Moment,
  MomentText,
  Named,
  Nullable,
  OneOf,
  ServiceNumber,
  ServiceNumberText,
  SimulationMarks,
  Text,
} from './atoms.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';
import { NestedPlan } from './plans.ts';

export const RequestType = OneOf(words.REQUEST_TYPES);
export const RequestStatus = OneOf(words.REQUEST_STATUSES, {
  description: 'accepted: queued. completed, failed, approved and denied are final',
});

/** Whether anything is still to happen, and when: in every answer that hands out work. */
export const Progress = {
  is_final: Type.Boolean({ description: 'True: nothing changes any more' }),
  next_check_seconds: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 3600,
      description: 'Seconds until it is worth asking again; null when final',
      examples: [1],
    }),
  ),
};

export const RequestFields = {
  request_id: Type.String(),
  type: RequestType,
  request_status: RequestStatus,
  operator_review: Type.Boolean({ description: 'True exactly while the operator reviews the request' }),
  service_number: ServiceNumber,
  origin: OneOf(words.ORIGINS, { description: 'Who submitted the request' }),
  submitted_date: Moment('When the request was submitted.'),
  updated_date: Moment('When the request last changed.'),
  processed_date: Nullable(Moment('When the request became final.')),
  decision: Nullable(
    Type.Object({
      action: OneOf(words.DECISIONS),
      decided_by: OneOf(words.DECIDERS),
      reason: Nullable(Type.String()),
      decided_date: Moment('When it was decided.'),
    }),
    { description: 'The latest decision' },
  ),
  failure: Nullable(
    Type.Object({
      reason: Type.String({ description: 'A stable word' }),
      message: Type.String(),
      service_usable: Type.Boolean({ description: 'Whether the service still works as before' }),
      retryable: Type.Boolean({ description: 'Whether submitting the same again may succeed' }),
    }),
  ),
  ...Progress,
  warning_reason: Type.Optional(Type.String({ description: 'Cancellation warnings' })),
  current_plan: Type.Optional(NestedPlan),
  new_plan: Type.Optional(NestedPlan),
  effective_date: Type.Optional(Nullable(Moment('Plan changes and cancellations: when they take effect.'))),
  cancellation_type: Type.Optional(OneOf(words.CANCELLATION_TYPES, { description: 'Cancellations' })),
  reason: Type.Optional(Nullable(Type.String({ description: 'Cancellations: why' }))),
};

export const Request = Named('Request', { ...RequestFields, ...SimulationMarks });

export const RequestWithHistory = Named('RequestWithHistory', {
  ...RequestFields,
  history: Type.Array(
    Type.Object({
      request_status: RequestStatus,
      date: Moment('When the request came into this state.'),
      actor: OneOf(words.ACTORS),
      note: Nullable(Type.String()),
    }),
    { description: 'Oldest first' },
  ),
  ...SimulationMarks,
});

export const RequestListQuery = Exactly(
  {
    ...PagingQuery,
    type: Type.Optional(RequestType),
    request_status: Type.Optional(RequestStatus),
    service_number: Type.Optional(ServiceNumberText),
    operator_review: Type.Optional(
      OneOf(['true', 'false'], {
        document: { type: 'boolean', description: 'Whether the operator reviews the request' },
      }),
    ),
    submitted_from: Type.Optional(MomentText('Requests submitted at or after this moment.')),
    submitted_to: Type.Optional(MomentText('Requests submitted before this moment.')),
    updated_since: Type.Optional(MomentText('Requests that changed at or after this moment.')),
  },
  { conflicts: PAGING_CONFLICTS, ordered: [['submitted_from', 'submitted_to']] },
);

export const ApprovalBody = Exactly(
  { reason: Type.Optional(Text(1000, 'A note on the decision')) },
  { examples: [{ reason: 'Agreed with the client by phone.' }] },
);

export const DenialBody = Exactly(
  { reason: Text(1000, 'Why the request is denied') },
  { examples: [{ reason: 'An invoice is still open.' }] },
);

export const WithdrawalBody = Exactly(
  { reason: Type.Optional(Text(1000, 'Why it is taken back')) },
  { examples: [{ reason: 'The client has paid.' }] },
);
