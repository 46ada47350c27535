import { type ListOutcome, ok } from '../broker/operation.ts';
import { pagination } from '../records.ts';
import type { PageWindow } from '../store/session/session.ts';
import { type ExpectedAnswer, PLANS, planId } from './plans.ts';
import { SAMPLES, sampleId } from './samples.ts';
import { SERVICES } from './services.ts';

const item = (scenario: string, description: string, expectedAnswers: readonly ExpectedAnswer[]) => ({
  scenario,
  service_number: null,
  request_id: null,
  plan_id: null,
  description,
  provokes: expectedAnswers.map(([operation, status, code = null, reason = null]) => ({
    operation,
    status,
    code,
    reason,
  })),
});

/** One for each service, sample request and plan of a sandbox as it is made. */
const SCENARIOS = [
  ...SERVICES.map(({ number, description, expectedAnswers }) => ({
    ...item(`service_${number}`, description, expectedAnswers),
    kind: 'service' as const,
    service_number: number,
  })),
  ...SAMPLES.map(({ name, number, description, expectedAnswers }) => ({
    ...item(`request_${name}`, description, expectedAnswers),
    kind: 'request' as const,
    service_number: number,
    request_id: sampleId(name),
  })),
  ...PLANS.map(({ slug, name, rank, billing, expectedAnswers }) => ({
    ...item(`plan_${slug.replace('-', '_')}`, `${name}: rank ${rank}, billed ${billing}`, expectedAnswers),
    kind: 'plan' as const,
    plan_id: planId(slug),
  })),
];

export type ScenarioItem = (typeof SCENARIOS)[number];

/** One page of `GET /v1/sandbox/scenarios` (contract, section 8). */
export const listScenarios = (page: PageWindow): ListOutcome<ScenarioItem> => ({
  ...ok(SCENARIOS.slice(page.offset, page.offset + page.limit)),
  pagination: pagination(page, SCENARIOS.length),
});
