import { datesOfMonth, exportUsage, pageUsage, type UsagePage } from '../../src/operator/calls/usage.ts';
import { DAY_MS } from '../../src/rules/durations.ts';
import { Tag } from '../components/badge.tsx';
import { Card, number } from '../components/card.tsx';
import { BrokerLink, Truncated } from '../components/links.tsx';
import { type Column, Table, withQuery } from '../components/table.tsx';
import { useView } from '../components/view.ts';
import type { Routes, Section } from '../http/section.ts';
import { addList, brokerFilter, filterValues, type List } from '../lists/list-page.tsx';

const routes: Routes = async (app, options) => {
  addList(app, options, LIST);
  const { context } = options;
  app.get('/usage.csv', { config: { role: 'viewer' } }, async (request, reply) => {
    const now = context.clock.now();
    const values = filterValues(LIST.filters, request);
    const range = rangeOf(values, now);
    return reply.sendExport({
      name: `usage-${values.month ?? new Date(now).toISOString().slice(0, 10)}.csv`,
      type: 'text/csv; charset=utf-8',
      make: () => exportUsage(context, range),
    });
  });
};

/** Calls by broker and key in a month or any span, for a bill. */
export const usage: Section = { label: 'Usage', path: '/usage', routes };

type Row = UsagePage['items'][number];
type Filters = 'month' | 'broker' | 'key' | 'since' | 'until' | 'by';
type Values = Record<Filters, string | undefined>;

const monthAt = (date: number): string => new Date(date).toISOString().slice(0, 7);

/** A month, or dates; without both the page shows the month that runs. */
function rangeOf({ month, since, until, ...values }: Values, now: number) {
  const hasDates = since !== undefined || until !== undefined;
  if (hasDates && month === undefined) return { ...values, since: since ?? '24h', until };
  return { by: 'month', ...withoutUndefined(values), ...datesOfMonth(month ?? monthAt(now)) };
}

const withoutUndefined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The dates that a month leaves without an effect. */
const idleDates = ({ month, since, until }: Values) =>
  Object.entries({ since, until })
    .filter(([, date]) => month !== undefined && date !== undefined)
    .map(([field]) => ({ field, message: 'does not count while a month is chosen' }));

/** Sums of days are kept for two years; the month that runs is shown without a choice. */
const MONTHS = 23;

const monthsBefore = (now: number): string[] => {
  const date = new Date(now);
  return Array.from({ length: MONTHS }, (_, ago) =>
    monthAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1 - ago)),
  );
};

/** How many calls there were, and how they ended. */
const endColumns = <T extends Pick<Row, 'calls' | 'answered' | 'refused' | 'failed'>>(): Array<Column<T>> => [
  { title: 'Answered', figure: true, named: true, cell: ({ answered }) => some(answered) },
  { title: 'Refused', figure: true, named: true, cell: ({ refused }) => some(refused) },
  { title: 'Failed', figure: true, named: true, cell: ({ failed }) => some(failed) },
  { title: 'Calls', figure: true, named: true, cell: ({ calls }) => number(calls) },
];

const some = (count: number) => (count === 0 ? <span class="quiet">0</span> : number(count));

const COLUMNS: Array<Column<Row>> = [
  {
    title: 'From (UTC)',
    cell: ({ from_date }) => (
      <time datetime={from_date}>
        {from_date
          .slice(0, 16)
          .replace('T', ' ')
          .replace(/ 00:00$/, '')}
      </time>
    ),
  },
  {
    title: 'Broker',
    cell: ({ broker, broker_name }) => (broker ? <BrokerLink slug={broker} name={broker_name ?? broker} /> : NO_KEY),
  },
  {
    title: 'Key',
    cell: ({ key_prefix }) => (key_prefix ? <Truncated text={key_prefix} href={`/calls?key=${key_prefix}`} /> : '–'),
  },
  {
    title: 'Mode',
    named: true,
    cell: ({ mode }) => mode && <Tag tone={mode === 'test' ? 'warn' : 'none'}>{mode}</Tag>,
  },
  ...endColumns<Row>(),
];

/** Of no broker: calls whose key was refused, and of brokers that are no more. */
const NO_KEY = <span class="quiet">without a valid key</span>;

const LIST: List<Row, Filters> = {
  title: 'Usage',
  path: '/usage',
  noun: 'rows',
  filters: {
    month: {
      type: 'slug',
      label: 'Month',
      none: 'This month, or dates',
      // A month that is chosen is among them, also one that runs or has gone.
      load: async ({ clock }, { month }) =>
        new Map([...(month === undefined ? [] : [month]), ...monthsBefore(clock.now())].map((each) => [each, each])),
    },
    broker: brokerFilter,
    key: { type: 'text', label: 'Key: its id or prefix' },
    since: { type: 'date', label: 'From' },
    until: { type: 'date', label: 'Before' },
    by: {
      type: 'select',
      label: 'A row for each',
      none: 'key',
      choices: { minute: 'key and minute', hour: 'key and hour', day: 'key and day', month: 'key and month' },
    },
  },
  columns: COLUMNS,
  async load(context, values, { page }) {
    const range = rangeOf(values, context.clock.now());
    const { totals, total, first_date, ...found } = await pageUsage(context, { ...range, page });
    const title = titleOf(range, context.clock.now());
    const faults = idleDates(values);
    if (total === 0) return { ...found, faults, empty: <NoCalls title={title} first={first_date} /> };
    return { ...found, faults, summary: <Totals title={title} totals={totals} total={total} /> };
  },
  empty: 'No calls in this month yet.',
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The span in dates, the last one included. */
function titleOf({ since, until }: { since: string; until: string | undefined }, now: number): string {
  if (until === undefined) return `Since ${since}`;
  if (!DAY.test(until)) return `${since} to ${until}`;
  const last = new Date(Date.parse(until) - DAY_MS).toISOString().slice(0, 10);
  return `${since} to ${last} (UTC)${Date.parse(until) > now ? ', so far' : ''}`;
}

type Total = UsagePage['totals'][number];

const TOTAL_COLUMNS: Array<Column<Total>> = [
  {
    title: 'Broker',
    cell: ({ broker, broker_name }) => (broker ? <BrokerLink slug={broker} name={broker_name ?? broker} /> : NO_KEY),
  },
  { title: 'Slug', cell: ({ broker }) => <span class="line">{broker}</span> },
  {
    title: 'With live keys',
    figure: true,
    named: true,
    cell: ({ broker, calls, test_calls }) => (broker ? number(calls - test_calls) : '–'),
  },
  { title: 'With test keys', figure: true, named: true, wide: true, cell: ({ test_calls }) => some(test_calls) },
  ...endColumns<Total>(),
];

/** A time without calls, and when the first ones were counted. */
function NoCalls({ title, first }: { title: string; first: string | null }) {
  return (
    <>
      {title}: no calls.{' '}
      {first === null
        ? 'None have been counted yet.'
        : `The first that are counted were made on ${first.slice(0, 10)}.`}
    </>
  );
}

/** What each broker called in all. */
function Totals({ title, totals, total }: { title: string; totals: Total[]; total: number }) {
  const test = totals.reduce((sum, { test_calls }) => sum + test_calls, 0);
  return (
    <Card
      title={title}
      aside={
        <>
          <strong>{`${number(total)} calls`}</strong>
          {test === 0 ? null : <span class="quiet">{number(test)} of them with test keys</span>} <Download />
        </>
      }
    >
      <Table label="Totals" columns={TOTAL_COLUMNS} rows={totals} empty={null} />
      <p class="quiet">
        Calls to the API. What services use of disk and transfer: <a href="/services/consumption">Consumption</a>
      </p>
    </Card>
  );
}

function Download() {
  const csv = withQuery(useView().url.replace(/^\/usage(?=$|\?)/, '/usage.csv'), { page: undefined });
  return (
    <a
      href={csv}
      class="download"
      title="A line for each key, then a line “total” for each broker: add up one kind alone"
    >
      CSV of keys and totals
    </a>
  );
}
