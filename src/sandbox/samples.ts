import type { RequestType } from '../kinds/index.ts';
import type { WorkFailure } from '../ports.ts';
import { DAY_MS, MINUTE_MS } from '../rules/durations.ts';
import type { RequestStatus } from '../rules/words.ts';
import type { RequestRow } from '../store/queries/requests.ts';
import { type ExpectedAnswer, planId } from './plans.ts';

/* The requests of a sandbox as it is made (contract, section 8). */

export const SIMULATED_FAILURE: WorkFailure = {
  reason: 'provisioning_failed',
  message: 'The work could not be done; the service is as it was before',
  serviceUsable: true,
  retryable: true,
};

/** A day that no clock reaches. */
const NEVER = Date.UTC(9999, 11, 31);

export interface SampleRequest {
  /** The id's end. */
  name: string;
  number: number;
  description: string;
  type: RequestType;
  status: RequestStatus;
  /** Before the sandbox was made, in milliseconds. */
  age: number;
  /** From its submission to its end. */
  lasted?: number;
  fields: Pick<RequestRow, 'origin'> & Partial<RequestRow>;
  expectedAnswers: readonly ExpectedAnswer[];
}

const upgrade = (newPlan: string) => ({ currentPlanId: planId('starter'), newPlanId: planId(newPlan) });
const final: ExpectedAnswer[] = [
  ['approveRequest', 409, 'already_processed', 'request_already_processed'],
  ['withdrawRequest', 409, 'already_processed', 'request_already_processed'],
];
const pending: ExpectedAnswer[] = [
  ['approveRequest', 200],
  ['denyRequest', 200],
  ['withdrawRequest', 400, 'invalid_state', 'awaiting_decision'],
];

/** One request in each state at least, newest first; their ids never change, and nothing is planned for them. */
export const SAMPLES: readonly SampleRequest[] = [
  {
    name: 'pending',
    number: 900022,
    type: 'plan-upgrade',
    status: 'pending',
    age: DAY_MS,
    description: 'A client asks for an upgrade; approve or deny it',
    fields: { origin: 'client', ...upgrade('business') },
    expectedAnswers: pending,
  },
  {
    name: 'pending_cancellation',
    number: 900023,
    type: 'cancellation',
    status: 'pending',
    age: 2 * DAY_MS,
    description: 'A client asks for a cancellation; approve or deny it',
    fields: { origin: 'client', cancellationType: 'end_of_term' },
    expectedAnswers: pending,
  },
  {
    name: 'operator_review',
    number: 900012,
    type: 'plan-upgrade',
    status: 'operator_review',
    age: 3 * DAY_MS,
    description: 'An upgrade that the operator reviews; it can be withdrawn',
    fields: { origin: 'broker', ...upgrade('enterprise') },
    expectedAnswers: [
      ['approveRequest', 400, 'invalid_state', 'awaiting_operator'],
      ['withdrawRequest', 200],
    ],
  },
  {
    name: 'creation',
    number: 900016,
    type: 'service-creation',
    status: 'accepted',
    age: 4 * DAY_MS,
    description: 'A creation whose work never begins; it can be withdrawn',
    fields: { origin: 'broker', newPlanId: planId('starter') },
    expectedAnswers: [['withdrawRequest', 200]],
  },
  {
    name: 'accepted',
    number: 900015,
    type: 'cancellation',
    status: 'accepted',
    age: 5 * DAY_MS,
    description: 'A cancellation at the end of the term; it can be withdrawn',
    fields: { origin: 'broker', cancellationType: 'end_of_term', effectiveAt: NEVER },
    expectedAnswers: [
      ['withdrawRequest', 200],
      ['approveRequest', 409, 'already_processed', 'request_already_processed'],
    ],
  },
  {
    name: 'completed',
    number: 900004,
    type: 'cancellation',
    status: 'completed',
    age: 20 * DAY_MS,
    lasted: MINUTE_MS,
    description: 'A cancellation that was carried out',
    fields: { origin: 'broker', cancellationType: 'immediate' },
    expectedAnswers: final,
  },
  {
    name: 'failed',
    number: 900011,
    type: 'plan-upgrade',
    status: 'failed',
    age: 21 * DAY_MS,
    lasted: MINUTE_MS,
    description: 'An upgrade that was accepted and failed',
    fields: {
      origin: 'broker',
      ...upgrade('business'),
      failureReason: SIMULATED_FAILURE.reason,
      failureMessage: SIMULATED_FAILURE.message,
      failureServiceUsable: SIMULATED_FAILURE.serviceUsable,
      failureRetryable: SIMULATED_FAILURE.retryable,
    },
    expectedAnswers: final,
  },
  {
    name: 'approved',
    number: 900001,
    type: 'cancellation-warning',
    status: 'approved',
    age: 22 * DAY_MS,
    description: 'A cancellation warning that was sent',
    fields: { origin: 'broker', warningReason: 'An invoice is overdue.' },
    expectedAnswers: final,
  },
  {
    name: 'denied',
    number: 900001,
    type: 'cancellation',
    status: 'denied',
    age: 23 * DAY_MS,
    lasted: MINUTE_MS,
    description: "A client's cancellation that the broker denied",
    fields: {
      origin: 'client',
      cancellationType: 'immediate',
      decisionAction: 'deny',
      decidedBy: 'broker',
      decisionReason: 'The client changed their mind.',
    },
    expectedAnswers: final,
  },
];

export const sampleId = (name: string) => `req_test_sample_${name}`;
