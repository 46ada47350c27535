import { readFileSync } from 'node:fs';
import t from 'tap';
import type { ApiError } from '../../src/errors.ts';
import { refusalOfCancellation } from '../../src/kinds/cancellation.ts';
import { type PlanFacts, refusalOfEnded } from '../../src/kinds/kind.ts';
import { refusalOfPlanChange } from '../../src/kinds/plan-change.ts';
import { refusalOfSuspension, refusalOfUnsuspension } from '../../src/kinds/suspension.ts';
import { SERVICE_STATUSES, type ServiceStatus, type SuspendedBy } from '../../src/rules/words.ts';

const [, section = ''] = /^## Services\n([\s\S]*?)^## /m.exec(readFileSync('docs/integrate.md', 'utf8')) ?? [];

/** The cells of the rows that begin with one of these words, in backticks. */
const rowsOf = (words: readonly string[]) =>
  new Map(
    section
      .split('\n')
      .filter((line) => words.some((word) => line.startsWith(`| \`${word}\` |`)))
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
      .map(([, word = '', ...cells]) => [word, cells.slice(0, -1)]),
  );

const plan = (id: string, upgradeRank: number): PlanFacts => ({
  id,
  slug: id,
  displayName: id,
  upgradeRank,
  billingType: 'monthly',
  diskGb: null,
  requiresOperatorReview: false,
});

/** What the rules answer in each column of the table, for a service without open requests. */
function answersFor(status: ServiceStatus, suspendedBy: SuspendedBy) {
  const service = { status, suspendedBy };
  const [currentPlan, targetPlan] = [plan('starter', 10), plan('business', 20)];
  const refusals: Array<ApiError | undefined> = [
    refusalOfEnded(service, ''),
    refusalOfPlanChange({ direction: 'upgrade', service, currentPlan, targetPlan, open: {} }),
    refusalOfSuspension(service, { open: {} }),
    refusalOfUnsuspension(service, { open: {} }),
    refusalOfCancellation({
      service,
      openCancellation: undefined,
      cancellationType: 'immediate',
      billingType: 'monthly',
    }),
  ];
  return refusals.map((refusal) => refusal?.details?.reason ?? 'yes');
}

t.test('the guide’s table of states and actions is what the rules say', async (t) => {
  const rows = rowsOf(SERVICE_STATUSES);
  for (const status of SERVICE_STATUSES) {
    const [byBroker, byOperator] = [answersFor(status, 'broker'), answersFor(status, 'operator')];
    const expected = byBroker.map((answer, column) =>
      answer === byOperator[column] ? answer : `${answer}, unless ${byOperator[column]}`,
    );
    t.strictSame(rows.get(status), expected, status);
  }
});
