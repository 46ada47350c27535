import { type Outcome, ok } from '../operations/outcome.ts';
import { pagination } from '../operations/records.ts';
import type { Page } from '../store/session.ts';
import { SCENARIOS, type ScenarioItem } from './fleet.ts';

/** One page of the catalogue: the very data that the simulation runs on (contract, section 8). */
export const listScenarios = (page: Page): Outcome<ScenarioItem[]> => ({
  ...ok(SCENARIOS.slice(page.offset, page.offset + page.limit)),
  pagination: pagination(page, SCENARIOS.length),
});
