import type { CallSteps } from '../../src/operator/calls/calls.ts';
import { OUTCOME_GROUPS } from '../../src/operator/calls/traffic.ts';
import { Card, number } from './card.tsx';
import { GROUP_LABELS } from './plot.tsx';
import { type Column, Table, withQuery } from './table.tsx';
import { Minute, toTheMinute } from './timestamp.tsx';
import { useView } from './view.ts';

type Step = CallSteps['steps'][number];

const callsOf = (step: Step): number => OUTCOME_GROUPS.reduce((sum, end) => sum + step[end], 0);

const textOf = (step: Step): string =>
  OUTCOME_GROUPS.flatMap((end) => (step[end] > 0 ? [`${number(step[end])} ${GROUP_LABELS[end]}`] : [])).join(', ');

/** The page's own address over the time of a step. */
const narrowed = (url: string, { from_date: since, until_date: until }: Step): string =>
  withQuery(url, { since, until, before: undefined, page: undefined });

/** What the list's `since` may be with one click. */
const SINCE = new Map([
  ['1h', '1 h'],
  ['24h', '24 h'],
  ['7d', '7 d'],
  ['30d', '30 d'],
]);

/** In the units of the picture. */
const WIDTH = 10;
const HEIGHT = 100;

/**
 * Calls of a time as bars: a click on one narrows the page to it, and so does a drag over several where scripts run. The
 * table below has the same links, for the keyboard.
 * @param unknown labels of the set filters that usage does not have
 */
export function CallBars({ shown, unknown }: { shown: CallSteps; unknown: readonly string[] }) {
  const { url } = useView();
  const { calls, ends, steps, since, since_date, until_date } = shown;
  const highest = Math.max(...steps.map(callsOf), 1);
  return (
    <Card
      title={`${number(calls)} ${calls === 1 ? 'call' : 'calls'}`}
      aside={
        <nav class="tabs" aria-label="Time of the plot">
          {[...SINCE].map(([value, label]) => (
            <a
              href={withQuery(url, { since: value, until: undefined, before: undefined, page: undefined })}
              aria-current={since === value ? 'true' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      }
    >
      <svg
        class="bars"
        viewBox={`0 0 ${steps.length * WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        data-bars
      >
        {steps.map((step, index) => (
          <a
            href={narrowed(url, step)}
            tabindex={-1}
            class="bar-of"
            data-since={step.from_date}
            data-until={step.until_date}
          >
            <title>{`${toTheMinute(step.from_date)}: ${textOf(step) || 'no calls'}`}</title>
            <rect class="hit" x={index * WIDTH} width={WIDTH} height={HEIGHT} />
            <Stack step={step} x={index * WIDTH} of={highest} />
          </a>
        ))}
      </svg>
      <div class="axis quiet">
        <Minute at={since_date} />
        <span>{`highest ${number(highest)} in ${shown.step}`}</span>
        <Minute at={until_date} />
      </div>
      <div class="legend">
        {OUTCOME_GROUPS.map((end) =>
          ends[end] > 0 ? (
            <span class={end}>
              {number(ends[end])} {GROUP_LABELS[end]}
            </span>
          ) : null,
        )}
      </div>
      {unknown.length > 0 ? (
        <p class="quiet">{`The bars are of all calls, whatever ${unknown.join(', ')}: usage is not counted by it.`}</p>
      ) : null}
      <details class="numbers">
        <summary>Calls as a table</summary>
        <Table
          label="Calls over time"
          columns={COLUMNS}
          rows={steps.filter((step) => callsOf(step) > 0).toReversed()}
          empty={<p>No calls in this time.</p>}
        />
      </details>
    </Card>
  );
}

function Stack({ step, x, of }: { step: Step; x: number; of: number }) {
  let top = HEIGHT;
  const parts = OUTCOME_GROUPS.map((end) => {
    const height = (step[end] / of) * HEIGHT;
    top -= height;
    return height === 0 ? null : (
      <rect class={end} x={x + 1} width={WIDTH - 2} y={top.toFixed(2)} height={height.toFixed(2)} />
    );
  });
  return <>{parts}</>;
}

function FromLink({ step }: { step: Step }) {
  const { url } = useView();
  return <a href={narrowed(url, step)}>{toTheMinute(step.from_date)}</a>;
}

const COLUMNS: Array<Column<Step>> = [
  { title: 'From', cell: (step) => <FromLink step={step} /> },
  ...OUTCOME_GROUPS.map((end) => ({
    title: GROUP_LABELS[end].replace(/^./, (letter) => letter.toUpperCase()),
    figure: true,
    cell: (step: Step) => number(step[end]),
  })),
];
