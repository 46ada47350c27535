import type { ErrorCode, Reason } from '../errors.ts';
import type { Action, PlanOffer } from '../rules/offers.ts';
import type { Option } from '../rules/options.ts';
import type { BillingType } from '../rules/words.ts';

/* The plans of a sandbox as it is made, and what all of them offer (contract, section 8). */

/** An answer that a call can get in a sandbox as it is made. */
export type ExpectedAnswer = readonly [operation: string, status: number, code?: ErrorCode, reason?: Reason];

export interface SandboxPlan {
  slug: string;
  name: string;
  rank: number;
  billing: BillingType;
  vcpu: number;
  memoryMb: number;
  diskGb: number;
  price: string;
  expectedAnswers: readonly ExpectedAnswer[];
}

export const planId = (slug: string) => `pln_test_${slug}`;

export const PLANS: readonly SandboxPlan[] = [
  {
    slug: 'starter',
    name: 'Starter',
    rank: 10,
    billing: 'monthly',
    price: '5.00',
    vcpu: 1,
    memoryMb: 1024,
    diskGb: 20,
    expectedAnswers: [
      ['createService', 201],
      ['upgradeService', 400, 'invalid_parameter', 'plan_is_current'],
    ],
  },
  {
    slug: 'business',
    name: 'Business',
    rank: 20,
    billing: 'monthly',
    price: '15.00',
    vcpu: 2,
    memoryMb: 4096,
    diskGb: 40,
    expectedAnswers: [
      ['upgradeService', 200],
      ['downgradeService', 400, 'invalid_parameter', 'plan_rank_not_lower'],
    ],
  },
  {
    slug: 'enterprise',
    name: 'Enterprise',
    rank: 30,
    billing: 'monthly',
    vcpu: 8,
    memoryMb: 16384,
    diskGb: 40,
    price: '60.00',
    expectedAnswers: [['upgradeService', 200]],
  },
  {
    slug: 'flex-hourly',
    name: 'Flex Hourly',
    rank: 40,
    billing: 'hourly',
    vcpu: 4,
    memoryMb: 8192,
    diskGb: 80,
    price: '0.05',
    expectedAnswers: [['upgradeService', 400, 'invalid_state', 'billing_type_mismatch']],
  },
];

const option = (fields: Pick<Option, 'name' | 'display_name' | 'type'> & Partial<Option>): Option => ({
  description: null,
  required: false,
  default: null,
  ...fields,
});

const IMAGES = { 'debian-13': 'Debian 13', 'ubuntu-26.04': 'Ubuntu 26.04', 'alpine-4': 'Alpine 4' };

const IMAGE = option({
  name: 'image',
  display_name: 'Operating system',
  type: 'choice',
  default: 'debian-13',
  choices: Object.entries(IMAGES).map(([value, display_name]) => ({ value, display_name })),
});

const action = (name: string, display_name: string, fields: Partial<Action> = {}): Action => ({
  name,
  display_name,
  description: null,
  options: [],
  requires_operator_review: false,
  destroys_data: false,
  ...fields,
});

/** What every plan of a sandbox offers. */
export const OFFER: PlanOffer = {
  options: [
    IMAGE,
    option({ name: 'hostname', display_name: 'Host name', type: 'text', format: 'hostname', max_length: 253 }),
    option({ name: 'ssh_key', display_name: 'SSH key', type: 'text', format: 'ssh_public_key', max_length: 4000 }),
  ],
  actions: [
    action('start', 'Start'),
    action('stop', 'Stop'),
    action('reboot', 'Restart'),
    action('reinstall', 'Install anew', { options: [IMAGE], destroys_data: true }),
    action('reset_password', 'Set a new password'),
    action('console', 'Open a console', { requires_operator_review: true }),
  ],
  hasCredentials: true,
  provisioning: null,
};
