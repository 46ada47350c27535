import type { OperationName, Operations } from '../operations/operations.ts';
import type { RequestType } from '../requests/kinds/index.ts';
import { FLEET_CALLER, planId } from './seed-data.ts';

/** All that is needed to tell a simulated request's story at any later moment, on any instance. */
export interface Scenario {
  type: RequestType;
  serviceNumber: number;
  /** The plan's slug, or the kind of cancellation; empty where the kind has neither. */
  variant: string;
  submittedAt: number;
  /** Keeps two equal requests of one millisecond apart. */
  nonce: string;
}

/** What an answer tells of the request that was submitted with it. */
export interface Submitted {
  request_id: string | null;
  type: RequestType;
  service_number: number;
  submitted_date: string;
  /** Of kinds that have one. */
  new_plan: { slug: string };
  cancellation_type: string;
}

/** How a simulated request of one kind begins, and begins again whenever somebody looks it up. */
interface Story {
  /** Names the kind in ids; each its own. */
  readonly letter: string;
  /** The operation that submits it. */
  readonly operation: OperationName;
  /** What an id has to tell beside the service: small letters, `_` and `-`; nothing where it is left out. */
  variant?(submitted: Submitted): string;
  submit(operations: Operations, scenario: Scenario): Promise<unknown>;
  /** Whether the fleet says what becomes of it, service by service; without this it completes. */
  readonly hasCourse?: true;
  /** Whether its service comes with it. */
  readonly creates?: true;
}

const planChange = (letter: string, direction: 'upgrade' | 'downgrade'): Story => ({
  letter,
  operation: 'changePlan',
  variant: (submitted) => submitted.new_plan.slug,
  submit: (operations, { serviceNumber, variant }) =>
    operations.changePlan(FLEET_CALLER, { serviceNumber, direction, newPlan: planId(variant) }),
  hasCourse: true,
});

/** One for each kind of request; what people wrote is no part of an id, so that a fixed text stands for it. */
export const STORIES: Readonly<Record<RequestType, Story>> = {
  'plan-upgrade': planChange('u', 'upgrade'),
  'plan-downgrade': planChange('d', 'downgrade'),
  cancellation: {
    letter: 'c',
    operation: 'cancelService',
    variant: (submitted) => submitted.cancellation_type,
    submit: (operations, { serviceNumber, variant }) => {
      const cancellationType = variant === 'immediate' ? 'immediate' : 'end_of_term';
      return operations.cancelService(FLEET_CALLER, { serviceNumber, cancellationType, reason: null });
    },
  },
  'service-suspension': {
    letter: 's',
    operation: 'suspendService',
    submit: (operations, { serviceNumber }) => operations.suspendService(FLEET_CALLER, { serviceNumber, reason: null }),
  },
  'service-unsuspension': {
    letter: 'r',
    operation: 'unsuspendService',
    submit: (operations, { serviceNumber }) => operations.unsuspendService(FLEET_CALLER, { serviceNumber }),
  },
  'service-creation': {
    letter: 'n',
    operation: 'createService',
    variant: (submitted) => submitted.new_plan.slug,
    submit: (operations, { variant }) => {
      const client = { name: 'Sam Sandbox', email: 'client@example.com' };
      const asked = { plan: planId(variant), client, label: null, externalReference: null };
      return operations.createService(FLEET_CALLER, asked);
    },
    creates: true,
  },
  'cancellation-warning': {
    letter: 'w',
    operation: 'warnCancellation',
    submit: (operations, { serviceNumber }) =>
      operations.warnCancellation(FLEET_CALLER, { serviceNumber, warningReason: 'A simulated reason.' }),
  },
};

const entries = Object.entries(STORIES) as Array<[RequestType, Story]>;

/** The kind that an id's letter names. */
export const typeOfLetter = (letter: string): RequestType | undefined =>
  entries.find(([, story]) => story.letter === letter)?.[0];

/** The stories that an operation can begin; none where it submits nothing. */
export const storiesOf = (operation: OperationName): Story[] =>
  entries.map(([, story]) => story).filter((story) => story.operation === operation);
