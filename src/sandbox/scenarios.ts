import { type Listed, ok } from '../context/outcome.ts';
import { pagination } from '../records.ts';
import type { Page } from '../store/session.ts';
import { SCENARIOS, type ScenarioItem } from './seed-data.ts';

/** One page of the catalogue: the very data that the simulation runs on (contract, section 8). */
export const listScenarios = (page: Page): Listed<ScenarioItem> => ({
  ...ok(SCENARIOS.slice(page.offset, page.offset + page.limit)),
  pagination: pagination(page, SCENARIOS.length),
});
