import type { UsualLimit } from '../../src/operator/overview.ts';
import { exportUsage, pageUsage, type UsagePage } from '../../src/operator/usage.ts';
import { number } from '../components/card.tsx';
import { Truncated } from '../components/links.tsx';
import { addList, brokerFilter, type List, valuesOf } from '../components/list.tsx';
import { type Column, withQuery } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import type { ConsoleOptions, Routes, Section } from '../section.ts';

const routes: Routes = async (app, options) => {
  const list = listFor(options.processInfo);
  addList(app, options, list);
  app.get('/usage.csv', { config: { role: 'viewer' } }, async (request, reply) => {
    const { csv, truncated } = await exportUsage(options.context, rangeOf(valuesOf(list.filters, request)));
    const day = new Date(options.context.clock.now()).toISOString().slice(0, 10);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="usage-${day}${truncated ? '-cut' : ''}.csv"`)
      .send(csv);
  });
};

/** Calls by broker and key over any span, for a bill. */
export const usage: Section = { label: 'Usage', path: '/usage', routes };

type Row = UsagePage['items'][number];
type Filters = 'broker' | 'key' | 'since' | 'until' | 'by';

/** Without dates the page shows a day. */
const rangeOf = (values: Record<Filters, string | undefined>) => ({ ...values, since: values.since ?? '24h' });

/** The limit of keys without one of their own, by the process's settings. */
export function usualLimitOf({ settings }: ConsoleOptions['processInfo']): UsualLimit {
  const setting = (name: string, usual: number) => Number(settings.find((one) => one.name === name)?.value ?? usual);
  return { max: setting('RATE_LIMIT_MAX', 120), windowSeconds: setting('RATE_LIMIT_WINDOW_SECONDS', 60) };
}

function listFor(processInfo: ConsoleOptions['processInfo']): List<Row, Filters> {
  const { max, windowSeconds } = usualLimitOf(processInfo);
  const perMinute = (own: number | null | undefined): number => ((own ?? max) * 60) / windowSeconds;
  const columns: Array<Column<Row>> = [
    { title: 'From', cell: ({ from_date }) => <Timestamp at={from_date} /> },
    { title: 'Broker', cell: ({ broker }) => (broker ? <a href={`/brokers/${broker}`}>{broker}</a> : '–') },
    {
      title: 'Key',
      rest: true,
      cell: ({ key_prefix }) => (key_prefix ? <Truncated text={key_prefix} href={`/calls?key=${key_prefix}`} /> : '–'),
    },
    { title: 'Calls', figure: true, named: true, cell: ({ calls }) => number(calls) },
    {
      title: 'Busiest minute',
      figure: true,
      named: true,
      cell: ({ busiest_minute: most }) => (most == null ? '–' : number(most)),
    },
    {
      title: 'Of its limit',
      figure: true,
      named: true,
      cell: ({ busiest_minute: most, rate_limit: own, key_prefix }) =>
        most == null || key_prefix === null ? '–' : `${Math.round((100 * most) / perMinute(own))} %`,
    },
  ];
  return {
    title: 'Usage',
    path: '/usage',
    noun: 'rows',
    filters: {
      broker: brokerFilter,
      key: { type: 'text', label: 'Key: its id or prefix' },
      since: { type: 'date', label: 'From' },
      until: { type: 'date', label: 'Before' },
      by: {
        type: 'select',
        label: 'A row for each',
        choices: { minute: 'minute', hour: 'hour', day: 'day', month: 'month' },
      },
    },
    columns,
    load: (context, values, { page }) => pageUsage(context, { ...rangeOf(values), page }),
    empty: 'No calls in this time. Without dates the last 24 hours are shown.',
    Footer: Download,
  };
}

function Download() {
  const csv = withQuery(useView().url.replace(/^\/usage(?=$|\?)/, '/usage.csv'), { page: undefined });
  return (
    <p class="more">
      <a href={csv} hx-boost="false">
        Download as CSV
      </a>
    </p>
  );
}
