import type { CallsByOutcome, Traffic } from '../../src/operator/calls/traffic.ts';
import { OUTCOME_GROUPS } from '../../src/operator/calls/traffic.ts';
import { number } from './card.tsx';
import { Table } from './table.tsx';
import { exact } from './timestamp.tsx';

/** The outcomes of calls in legends. */
export const GROUP_LABELS: Readonly<Record<keyof CallsByOutcome, string>> = {
  answered: 'answered',
  limited: 'rate limited',
  refused: 'refused',
  failed: 'server errors',
};

type Step = Traffic['steps'][number];

/** Rows of the table below a plot. */
const MAX_ROWS = 30;

/**
 * Calls a minute as a plot that scripts draw, and as a table.
 * @param calls the list of these calls, which a drag over the plot narrows to its time
 */
export function CallsPlot({ steps, calls }: { steps: Traffic['steps']; calls: string }) {
  const rates = (end: keyof CallsByOutcome) => steps.map((step) => rate(step[end], step.minutes));
  const data = {
    at: steps.map(({ from_date }) => Date.parse(from_date) / 1000),
    series: OUTCOME_GROUPS.map((end) => ({ name: end, label: GROUP_LABELS[end], rates: rates(end) })),
  };
  return (
    <>
      <div
        class="plot scripted"
        data-plot={JSON.stringify(data)}
        data-calls={calls}
        role="img"
        aria-label="Calls a minute, drawn"
      />
      <details class="numbers">
        <summary>Calls a minute as a table</summary>
        <Table label="Calls a minute" columns={COLUMNS} rows={merged(steps)} empty={null} />
      </details>
    </>
  );
}

const rate = (calls: number, minutes: number): number => Number((calls / minutes).toFixed(2));

const COLUMNS = [
  { title: 'From', cell: ({ from_date }: Step) => <time datetime={from_date}>{exact(from_date)}</time> },
  ...OUTCOME_GROUPS.map((end) => ({
    title: GROUP_LABELS[end].replace(/^./, (letter) => letter.toUpperCase()),
    figure: true,
    cell: (step: Step) => number(rate(step[end], step.minutes)),
  })),
];

/** Merges neighbouring steps into at most `MAX_ROWS`, the latest first. */
function merged(steps: readonly Step[]): Step[] {
  const size = Math.ceil(steps.length / MAX_ROWS);
  const rows: Step[] = [];
  for (let at = 0; at < steps.length; at += size) {
    const [first, ...rest] = steps.slice(at, at + size) as [Step, ...Step[]];
    const row = { ...first };
    for (const step of rest) for (const name of ['minutes', ...OUTCOME_GROUPS] as const) row[name] += step[name];
    rows.push(row);
  }
  return rows.toReversed();
}

const WIDTH = 120;
const HEIGHT = 24;

/** A line without axes. `warn`: it needs attention. */
export function Spark({ points, warn = false }: { points: readonly number[]; warn?: boolean }) {
  const highest = Math.max(...points, 1);
  const x = (index: number) => ((index * WIDTH) / Math.max(points.length - 1, 1)).toFixed(1);
  const y = (value: number) => (HEIGHT - 1.5 - (value / highest) * (HEIGHT - 3)).toFixed(1);
  return (
    <svg
      class={warn ? 'spark warn' : 'spark'}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.map((value, index) => `${x(index)},${y(value)}`).join(' ')} />
    </svg>
  );
}

/** A value as a bar, relative to the largest. */
export function Bar({ value, of }: { value: number; of: number }) {
  return (
    <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="all" width="100" height="6" />
      <rect width={((value / Math.max(of, 1)) * 100).toFixed(1)} height="6" />
    </svg>
  );
}

/** A number of three digits with a unit of 1000: 412k. */
export function scaled(value: number, units: readonly string[]): string {
  let unit = 0;
  let rest = value;
  while (rest >= 999.5 && unit < units.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return `${rest < 10 && unit > 0 ? rest.toFixed(1) : Math.round(rest)}${units[unit]}`;
}

/** 412k. */
export const short = (value: number): string => scaled(value, ['', 'k', 'M', 'G']);

/** 12 MB, 1.4 GB. */
export const size = (bytes: number): string => scaled(bytes, [' B', ' kB', ' MB', ' GB', ' TB']);

/** 3 ms, 0.4 ms, 1.2 s. */
export function milliseconds(ms: number | null): string {
  if (ms === null) return '–';
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
