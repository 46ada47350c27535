import { exportUsage, pageUsage, type UsagePage } from '../../src/operator/usage.ts';
import { number } from '../components/card.tsx';
import { Truncated } from '../components/links.tsx';
import { addList, brokerFilter, type List, valuesOf } from '../components/list.tsx';
import { type Column, withQuery } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import type { Routes, Section } from '../section.ts';

const routes: Routes = async (app, options) => {
  addList(app, options, LIST);
  app.get('/usage.csv', { config: { role: 'viewer' } }, async (request, reply) => {
    const { csv, truncated } = await exportUsage(options.context, rangeOf(valuesOf(LIST.filters, request)));
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

const COLUMNS: Array<Column<Row>> = [
  { title: 'From', cell: ({ from_date }) => <Timestamp at={from_date} /> },
  { title: 'Broker', cell: ({ broker }) => (broker ? <a href={`/brokers/${broker}`}>{broker}</a> : '–') },
  {
    title: 'Key',
    rest: true,
    cell: ({ key_prefix }) => (key_prefix ? <Truncated text={key_prefix} href={`/calls?key=${key_prefix}`} /> : '–'),
  },
  { title: 'Calls', figure: true, named: true, cell: ({ calls }) => number(calls) },
];

const LIST: List<Row, Filters> = {
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
  columns: COLUMNS,
  load: (context, values, { page }) => pageUsage(context, { ...rangeOf(values), page }),
  empty: 'No calls in this time. Without dates the last 24 hours are shown.',
  Footer: Download,
};

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
