import { type TSchema, Type } from '@sinclair/typebox';
import { KINDS, REQUEST_TYPES, type RequestType as RequestTypeName } from '../src/kinds/index.ts';
import type { OwnField } from '../src/kinds/kind.ts';
import * as words from '../src/rules/words.ts';
import {
  Exactly,
  Id,
  Named,
  Nullable,
  OneOf,
  SAMPLE_DATE,
  ServiceNumber,
  ServiceNumberText,
  Shown,
  SimulationMarks,
  Text,
  Timestamp,
  TimestampText,
  Whole,
} from './atoms.ts';
import { ShownConfiguration } from './offers.ts';
import { PAGING_CONFLICTS, PagingQuery } from './params.ts';
import { BUSINESS_PLAN, NestedPlan } from './plans.ts';
import { WARNING } from './warnings.ts';

export const RequestType = OneOf(REQUEST_TYPES, {
  component: 'RequestType',
  description: 'What was requested',
});
export const RequestStatus = OneOf(words.REQUEST_STATUSES, {
  component: 'RequestStatus',
  description: 'accepted: queued. completed, failed, approved and denied are final',
});
export const CancellationType = OneOf(words.CANCELLATION_TYPES, {
  component: 'CancellationType',
  description: 'end_of_term: at the renewal date. immediate: as soon as the work is done',
});

/** Whether the request is final, and when to ask again: in every answer about a request. */
export const Progress = {
  is_final: Type.Boolean({ description: 'True: nothing changes any more' }),
  next_check_seconds: Nullable(
    Whole(1, 3600, 'Seconds until it is worth asking again; null when final', { examples: [5] }),
  ),
};

export const Decision = Type.Object(
  {
    action: OneOf(words.DECISIONS, { description: 'accept: the operator let it through', examples: ['deny'] }),
    decided_by: OneOf(words.DECIDERS, { description: 'Who decided' }),
    reason: Nullable(Shown(1000, 'Why, in their words', { examples: ['An invoice is still open.'] })),
    decided_date: Timestamp('When it was decided.'),
  },
  { component: 'Decision' },
);

const WorkFailure = Type.Object(
  {
    reason: Shown(64, 'A stable word; the guides list those of this program', {
      pattern: '^[a-z0-9_]{1,64}$',
      examples: ['provisioning_failed'],
    }),
    message: Shown(1000, 'For people', { examples: ['The work could not be done'] }),
    service_usable: Type.Boolean({ description: 'Whether the service still works as before' }),
    retryable: Type.Boolean({ description: 'Whether submitting the same again may succeed' }),
  },
  { component: 'WorkFailure' },
);

/** The fields of every request. */
const OfEveryType = {
  request_id: Id('req', 'Look the request up by it'),
  type: RequestType,
  request_status: RequestStatus,
  operator_review: Type.Boolean({ description: 'True exactly while the operator reviews the request' }),
  service_number: ServiceNumber,
  origin: OneOf(words.ORIGINS, { description: 'Who submitted the request', examples: ['broker'] }),
  submitted_date: Timestamp('When the request was submitted.'),
  updated_date: Timestamp('When the request last changed.'),
  processed_date: Nullable(Timestamp('When the request became final; null before.'), { examples: [null] }),
  decision: Nullable(Decision, {
    description: 'The latest decision; null where there is none yet',
    examples: [null],
  }),
  failure: Nullable(WorkFailure, {
    description: 'Why the work was not done; null unless the request failed',
    examples: [null],
  }),
  retry_of: Nullable(
    Id('req', 'The failed request that the operator had done once more as this one; null: this is none'),
    { examples: [null] },
  ),
  ...Progress,
};

/** The fields of some types only. */
const OfSomeTypes = {
  warning_reason: Shown(1000, 'The reason in the email to the client', { examples: [WARNING] }),
  current_plan: NestedPlan,
  new_plan: { ...NestedPlan, examples: [BUSINESS_PLAN] },
  effective_date: Nullable(Timestamp('When it takes effect; null while that is open.')),
  cancellation_type: CancellationType,
  reason: Nullable(Shown(1000, 'Why it was requested', { examples: ['The client moves elsewhere.'] })),
  action: Type.Object(
    {
      name: Shown(50, "The action's name in the plan", { examples: ['reboot'] }),
      display_name: Shown(100, 'What people called it when it was submitted', { examples: ['Restart'] }),
    },
    { component: 'SubmittedAction' },
  ),
  configuration: ShownConfiguration,
} satisfies Record<OwnField, TSchema>;

/** One schema for all types, used for serializing; the fields of other types are absent. */
export const RequestFields = { ...OfEveryType, ...Type.Partial(Type.Object(OfSomeTypes)).properties };

/** The schema of one type (contract, section 6, "Requests"): its fields and its possible states. */
const ofType = (type: RequestTypeName) => {
  const { component, fields, statuses } = KINDS[type];
  return Type.Object(
    {
      ...OfEveryType,
      type: Type.Literal(type),
      request_status: OneOf(statuses, { description: RequestStatus.description }),
      ...Object.fromEntries(fields.map((name) => [name, OfSomeTypes[name]])),
      ...SimulationMarks,
    },
    { component },
  );
};

/** A request of the type that creation submits. */
export const CreationRequest = ofType('service-creation');

/** The same for the OpenAPI document: one schema for each type, with `type` as the discriminator. */
const eachType = {
  oneOf: REQUEST_TYPES.map(ofType),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(REQUEST_TYPES.map((type) => [type, KINDS[type].component])),
  },
};

export const Request = Named('Request', { ...RequestFields, ...SimulationMarks }, { document: eachType });

const History = Type.Array(
  Type.Object(
    {
      request_status: RequestStatus,
      date: Timestamp('When the request came into this state.'),
      actor: OneOf(words.ACTORS, { description: 'Who moved it there' }),
      note: Nullable(Shown(1000, 'Their note on it'), { examples: [null] }),
    },
    { component: 'HistoryEntry' },
  ),
  // At most one entry for each open state, and a final one.
  { minItems: 1, maxItems: words.OPEN_STATUSES.length + 1, description: 'Oldest first' },
);

export const RequestWithHistory = Named(
  'RequestWithHistory',
  { ...RequestFields, history: History, ...SimulationMarks },
  // Not an `allOf` with `Request`: tools take a schema that refers to a discriminated union for one of its members.
  {
    document: {
      oneOf: REQUEST_TYPES.map((type) => ({ allOf: [ofType(type), Type.Object({ history: History })] })),
    },
  },
);

/** The example of a request that waits for the broker's decision, as far as it differs from a new one. */
export const SAMPLE_REQUEST = {
  request_id: 'req_test_sample_pending',
  type: 'plan-upgrade',
  request_status: 'pending',
  service_number: 900022,
  origin: 'client',
  submitted_date: '2026-03-01T09:30:00.000Z',
} as const;

/** What a decision of the broker adds, and an end without a change of plan. */
export const SAMPLE_DECISION = { decided_by: 'broker', decided_date: SAMPLE_DATE } as const;
export const SAMPLE_END = { processed_date: SAMPLE_DATE, next_check_seconds: null, effective_date: null } as const;

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
    submitted_from: Type.Optional(TimestampText('Requests submitted at or after this date.')),
    submitted_to: Type.Optional(TimestampText('Requests submitted before this date.')),
    updated_since: Type.Optional(TimestampText('Requests that changed at or after this date.')),
    after_request: Type.Optional(Text(128, 'Beside updated_since: begins behind this request within that millisecond')),
  },
  {
    conflicts: PAGING_CONFLICTS,
    companions: [['after_request', 'updated_since']],
    ordered: [['submitted_from', 'submitted_to']],
  },
);

export const ApprovalBody = Exactly(
  { reason: Type.Optional(Text(1000, 'A note on the decision')) },
  { component: 'ApprovalInput', examples: [{ reason: 'Agreed with the client by phone.' }] },
);

export const DenialBody = Exactly(
  { reason: Text(1000, 'Why the request is denied') },
  { component: 'DenialInput', examples: [{ reason: 'An invoice is still open.' }] },
);

export const WithdrawalBody = Exactly(
  { reason: Type.Optional(Text(1000, 'Why it is taken back')) },
  { component: 'WithdrawalInput', examples: [{ reason: 'The client has paid.' }] },
);
