import { OUTCOME_GROUPS, SPANS, type SpanName } from '../../src/operator/calls/traffic.ts';
import type { Overview } from '../../src/operator/system/overview.ts';
import { GATE_LABELS } from './badge.tsx';
import { Card, number } from './card.tsx';
import { Bar, CallsPlot, GROUP_LABELS } from './plot.tsx';
import { Tabs } from './tabs.tsx';

/* What the overview and the pages of brokers and keys show of calls. */

export const SPAN_LABELS: Record<SpanName, { label: string; before: string }> = {
  '1h': { label: '1 h', before: 'the hour before' },
  '24h': { label: '24 h', before: 'the day before' },
  '7d': { label: '7 d', before: 'the week before' },
  '30d': { label: '30 d', before: 'the 30 days before' },
  '90d': { label: '90 d', before: 'the 90 days before' },
};

/** The time spans of figures. */
export function SpanTabs({ span }: { span: SpanName }) {
  return (
    <Tabs
      label="Span of time"
      name="span"
      value={span}
      choices={new Map(SPANS.map((value) => [value, SPAN_LABELS[value].label]))}
    />
  );
}

/** Of fewer calls before, a share says little, and so does one of more than ten times as many. */
const MIN_COMPARED = 20;
const MAX_PERCENT = 1_000;

/** The calls of a span against those of the one before. */
export function Trend({ traffic, span }: { traffic: Overview['traffic']; span: SpanName }) {
  const { calls: now, calls_before: before } = traffic;
  const than = SPAN_LABELS[span].before;
  if (before === 0) return <>none in {than}</>;
  const by = Math.round(((now - before) / before) * 100);
  if (by === 0) return <>as many as {than}</>;
  if (before < MIN_COMPARED || by >= MAX_PERCENT) return <>{`${number(before)} in ${than}`}</>;
  return (
    <>
      {by > 0 ? '▲' : '▼'} {number(Math.abs(by))} % against {than}
    </>
  );
}

/**
 * Calls a minute, as a plot and a table.
 * @param of the list of these calls
 */
export function Calls({ traffic, of: calls }: { traffic: Overview['traffic']; of: string }) {
  return (
    <Card
      title="Calls a minute"
      aside={
        <div class="legend">
          {OUTCOME_GROUPS.map((end) =>
            traffic.ends[end] > 0 ? (
              <span class={end}>
                {number(traffic.ends[end])} {GROUP_LABELS[end]}
              </span>
            ) : null,
          )}
        </div>
      }
    >
      {traffic.calls === 0 ? (
        <div class="empty">
          <p>No calls in this period. New calls appear here within half a minute.</p>
        </div>
      ) : (
        <CallsPlot steps={traffic.steps} calls={calls} />
      )}
    </Card>
  );
}

/** Refused calls by the gate that refused them. */
export function Gates({ traffic }: { traffic: Overview['traffic'] }) {
  const gates = traffic.refused_by_gate;
  const most = Math.max(...gates.map(({ calls }) => calls), 0);
  return (
    <Card title="Refused or failed, by gate">
      {gates.length === 0 ? (
        <p class="quiet">Nothing was refused.</p>
      ) : (
        <ul class="rows shares">
          {gates.map(({ gate, calls }) => (
            <li>
              <span>{GATE_LABELS[gate]}</span>
              <Bar value={calls} of={most} />
              <span class="figure">{number(calls)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
