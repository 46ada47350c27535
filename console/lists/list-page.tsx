import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Child } from 'hono/jsx';
import type { Fault } from '../../src/operator/use-case/errors.ts';
import { exportCsv, ROWS_AT_ONCE } from '../../src/operator/use-case/exports.ts';
import { sentence } from '../components/badge.tsx';
import { type Choices, pairsOf, RefusalNote, Select } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { following } from '../components/live.tsx';
import { KeysetPager, type KeysetPagination, type ListPosition, Pager } from '../components/pager.tsx';
import { type Column, isReversed, Table, withQuery } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { toTheMinute } from '../components/timestamp.tsx';
import { useView } from '../components/view.ts';
import { attempt } from '../forms/act.ts';
import { Again } from '../forms/action-form.tsx';
import { type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import type { Failure } from '../http/failures.ts';
import { Problem } from '../http/problem.ts';
import { readChoice, readQuery } from '../http/query.ts';
import type { ConsoleOptions } from '../http/section.ts';

type Context = ConsoleOptions['context'];
type Values<Name extends string = string> = Record<Name, string | undefined>;

/** One filter of a list; its name is the query parameter. A value that a filter does not know counts as absent. */
export type Filter =
  /** Links above the list. `counted` is the value that the navigation's badge counts, `empty` its text without rows. */
  | { type: 'tabs'; label: string; choices: Choices; values: readonly string[]; counted: string; empty: string }
  | { type: 'select'; label: string; choices: Choices; none?: string }
  /** A select of what `load` finds, or suggestions where it is long; a text field for a slug where it is null. */
  | { type: 'slug'; label: string; none?: string; load(context: Context, values: Values): Promise<Choices | null> }
  /** `field`: what the record calls it, where that is another name. */
  | { type: 'text'; label: string; size?: number; digits?: boolean; decimal?: boolean; field?: string }
  | { type: 'date'; label: string; field?: string };

/** What a list shows; `summary` stands above the rows, `empty` in their place. */
interface Found<Row> {
  items: Row[];
  pagination: ListPosition | KeysetPagination;
  summary?: Child;
  empty?: Child;
  /** Values of filters that have no effect. */
  faults?: readonly Fault[];
  /** Stands above the filters, and follows them. */
  plot?: Child;
}

/** The page of a list. */
interface Position {
  page: number;
  perPage?: number;
  order: string | undefined;
  reverse: boolean;
  before: string | undefined;
}

/** A list page: filters, columns and the use case that finds the rows. */
export interface List<Row, Name extends string> {
  title: string;
  path: string;
  /** The path of its entry in the navigation, where that is another one. */
  section?: string;
  /** What the rows are, in the plural; it ends with an s. */
  noun: string;
  filters: Record<Name, Filter>;
  columns: Array<Column<Row>>;
  /** Other columns for some values of the filters. */
  columnsOf?(values: Values<Name>): Array<Column<Row>> | undefined;
  /** The values of the query's `order`; the first is the default. */
  orders?: readonly string[];
  load(context: Context, values: Values<Name>, at: Position): Promise<Found<Row>>;
  /** Offers the rows as a CSV file: of the shown columns those that have a value, or a file that the page makes itself. */
  csv?: 'columns' | 'own';
  /** Filters that are set stand as chips, and all of them open with a click. */
  chips?: true;
  /** The first page follows what is added to the list. */
  live?: boolean;
  /** The text where there are no rows at all: what to do first. */
  empty: Child;
  /** A title for some values of the filters. */
  titleOf?(values: Values<Name>): string | undefined;
  rowId?(row: Row): string;
  Actions?(shown: { values: Values<Name>; slugs: ReadonlyMap<string, Choices | null> }): Child;
  /** What is done with several rows; it stands above them. */
  Choosing?(shown: { rows: readonly Row[] }): Child;
  Footer?(shown: { rows: readonly Row[] }): Child;
}

/** Choices of a select, and of a list of suggestions: 30 kB of a page. */
const MAX_CHOICES = 100;
const MAX_SUGGESTED = 500;
const DIGITS = /^\d{1,16}$/;

/** The choices of a filter, or null where they are too many. */
export const choicesOf = (pairs: Array<[value: string, label: string]>): Choices | null =>
  pairs.length > MAX_SUGGESTED ? null : new Map(pairs);

/** All brokers to choose from, by slug; null where there are too many. */
export async function brokerChoices({ store }: Context): Promise<Choices | null> {
  return choicesOf((await store.read.brokers.list()).map(({ slug, name }) => [slug, name]));
}

export const brokerFilter: Filter = { type: 'slug', label: 'Broker', load: brokerChoices };

/** The values of a list's filters in the request's query. */
export function filterValues<Name extends string>(
  filters: Record<Name, Filter>,
  request: Pick<FastifyRequest, 'url'>,
): Values<Name> {
  const query = readQuery(request);
  const read = ([name, filter]: [string, Filter]) => {
    const given = query.get(name);
    if (filter.type === 'tabs') return [name, readChoice(given, filter.values)];
    if (filter.type === 'select')
      return [
        name,
        readChoice(
          given,
          pairsOf(filter.choices).map(([value]) => value),
        ),
      ];
    if (filter.type === 'text' && filter.digits && !DIGITS.test(given ?? '')) return [name, undefined];
    return [name, given];
  };
  return Object.fromEntries(Object.entries<Filter>(filters).map(read)) as Values<Name>;
}

const fieldOf = (name: string, filter: Filter): string =>
  ((filter.type === 'text' || filter.type === 'date') && filter.field) || name;

/** What a filter is called on the page: its label without examples. */
const labelIn = ({ filters }: Pick<List<never, string>, 'filters'>, field: string): string | undefined =>
  Object.entries(filters)
    .find(([name, filter]) => fieldOf(name, filter) === field)?.[1]
    .label.split(/[:,]/)[0];

export const isSet = (values: Values): boolean => Object.values(values).some((value) => value !== undefined);

/**
 * Adds a list's page to the routes, and returns what shows it: for a form of that page that is refused.
 */
export function addList<Row, Name extends string>(
  app: FastifyInstance,
  { context }: ConsoleOptions,
  list: List<Row, Name>,
) {
  const show: Show = async (request, reply, refused) => {
    const values = filterValues(list.filters, request);
    const query = readQuery(request);
    const page = query.page();
    const { orders = [] } = list;
    const order = readChoice(query.get('order'), orders) ?? orders[0];
    const before = query.get('before');
    const [found, slugs] = await Promise.all([
      attempt(
        () => list.load(context, values, { page, order, before, reverse: isReversed(request.url) }),
        (field) => labelIn(list, field),
      ),
      Promise.all(
        Object.entries<Filter>(list.filters).map(
          async ([name, filter]) => [name, filter.type === 'slug' ? await filter.load(context, values) : null] as const,
        ),
      ),
    ]);
    const failure = found.failure;
    const shown = {
      list,
      values,
      order,
      isLive: list.live === true && before === undefined,
      rows: found.value,
      failure,
      slugs: new Map(slugs),
      refused,
      columns: columnsIn(list, request),
    };
    return reply.view(<ListPage {...shown} />, refusedStatus(refused) ?? failure?.status);
  };
  app.get(list.path, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));
  if (list.csv === 'columns') {
    app.get(`${list.path}.csv`, { config: { role: 'viewer' } }, async (request, reply) => {
      const values = filterValues(list.filters, request);
      const order = readChoice(readQuery(request).get('order'), list.orders ?? []) ?? list.orders?.[0];
      const at = { order, reverse: isReversed(request.url), before: undefined, perPage: ROWS_AT_ONCE };
      return reply.sendExport({
        ...csvFile(list.path, context.clock.now()),
        make: async () => csvOfRows(columnsIn(list, request), (page) => list.load(context, values, { ...at, page })),
      });
    });
  }
  return show;
}

/** The name and type of a list's file. */
export const csvFile = (path: string, now: number) => ({
  name: `${path.slice(1).replaceAll('/', '-')}-${new Date(now).toISOString().slice(0, 10)}.csv`,
  type: 'text/csv; charset=utf-8',
});

/** Pages of a file: as many rows as a list counts. */
const MAX_FILE_PAGES = 20;

async function csvOfRows<Row>(columns: Array<Column<Row>>, load: (page: number) => Promise<Found<Row>>) {
  const valued = columns.flatMap(({ title, value }) => (value ? [{ title, value }] : []));
  const first = await load(1);
  const { total, isMore } = first.pagination as ListPosition;
  if (isMore || total > ROWS_AT_ONCE * MAX_FILE_PAGES) {
    throw new Problem(422, 'Too many rows', 'There are more than a file takes: narrow the list by its filters.');
  }
  async function* pages() {
    for (let [page, found] = [1, first]; found.items.length > 0; found = await load(++page)) {
      yield found.items.map((row) => Object.fromEntries(valued.map(({ title, value }) => [title, value(row)])));
      if (found.items.length < ROWS_AT_ONCE || page === MAX_FILE_PAGES) return;
    }
  }
  const titles = valued.map(({ title }) => title);
  return exportCsv(titles, pages(), { mark: true });
}

/** The columns that the address names, in their own order, and always the first one; all where it names none. */
function columnsIn<Row, Name extends string>(
  { columns: usual, columnsOf, filters }: List<Row, Name>,
  request: Pick<FastifyRequest, 'url'>,
): Array<Column<Row>> {
  const columns = columnsOf?.(filterValues(filters, request)) ?? usual;
  const named = namedColumns(request.url);
  if (named.length === 0) return columns;
  const shown = columns.filter(({ title }, index) => index === 0 || named.includes(title));
  // What was chosen is shown on a narrow screen too.
  return shown.map((column) => ({ ...column, wide: false }));
}

const namedColumns = (url: string): string[] => new URL(url, 'http://console').searchParams.getAll(COLUMN);

const COLUMN = 'column';

interface ListPageProps<Row> {
  list: List<Row, string>;
  values: Values;
  order: string | undefined;
  isLive: boolean;
  /** Undefined where the filters mean nothing. */
  rows: Found<Row> | undefined;
  failure: Failure | undefined;
  slugs: ReadonlyMap<string, Choices | null>;
  /** A form of the page that is shown again. */
  refused: Refused | undefined;
  /** Those that are shown. */
  columns: Array<Column<Row>>;
}

function ListPage<Row>(props: ListPageProps<Row>) {
  const { list, values, order, isLive, rows, failure, slugs, refused, columns } = props;
  const { title, path, section = path, noun, Actions, Choosing, Footer } = list;
  const filters = Object.entries(list.filters);
  const live = isLive && following({ id: 'list' });
  const form = (
    <FilterForm list={list} values={values} order={order} slugs={slugs} faults={failure?.faults ?? rows?.faults} />
  );
  return (
    <Page
      title={list.titleOf?.(values) ?? title}
      section={section}
      bars={list.chips === true}
      actions={Actions ? <Actions values={values} slugs={slugs} /> : null}
    >
      <Again
        refused={refused}
        choices={Object.fromEntries([...slugs].map(([name, choices]) => [name, choices ?? undefined]))}
      />
      {list.chips ? <div id="plot">{rows?.plot}</div> : null}
      <div class="bar">
        {filters.map(([name, filter]) =>
          filter.type === 'tabs' ? <ListTabs path={path} name={name} filter={filter} value={values[name]} /> : null,
        )}
        {list.chips ? (
          <>
            <Chips filters={filters} values={values} slugs={slugs} />
            <details class="adding" open={failure !== undefined}>
              <summary>Add a filter</summary>
              {form}
            </details>
          </>
        ) : (
          form
        )}
      </div>
      <div id="list" {...live}>
        <RefusalNote failure={failure} />
        {rows?.summary}
        {rows ? (
          <div class="card flush">
            {Choosing && rows.items.length > 0 ? <Choosing rows={rows.items} /> : null}
            <Table
              label={noun.replace(/^./, (letter) => letter.toUpperCase())}
              columns={columns}
              rows={rows.items}
              order={order}
              rowId={list.rowId}
              empty={<p>{rows.empty ?? emptyText(list, values)}</p>}
            />
            {'next' in rows.pagination ? (
              <KeysetPager pagination={rows.pagination} noun={noun} />
            ) : (
              <Pager pagination={rows.pagination} noun={noun} />
            )}
            {Footer && rows.items.length > 0 ? <Footer rows={rows.items} /> : null}
            {rows.items.length > 0 ? <Shown list={list} columns={columns} values={values} order={order} /> : null}
          </div>
        ) : null}
      </div>
    </Page>
  );
}

interface FilterFormProps<Row> {
  list: List<Row, string>;
  values: Values;
  order: string | undefined;
  slugs: ReadonlyMap<string, Choices | null>;
  faults: readonly Fault[] | undefined;
}

function FilterForm<Row>({ list, values, order, slugs, faults = [] }: FilterFormProps<Row>) {
  const { path } = list;
  const { url } = useView();
  const filters = Object.entries(list.filters);
  const faultOf = (name: string, filter: Filter) =>
    faults.find(({ field }) => field === fieldOf(name, filter))?.message;
  const beside = [
    '#tools',
    ...(list.chips ? ['#chips', '#plot'] : []),
    ...filters.flatMap(([name, filter]) => (mayBeFaulty(filter) ? [`#h-${name}`] : [])),
    // A tab keeps the other filters.
    ...filters.flatMap(([name, { type }]) => (type === 'tabs' ? [`#tabs-${name}`] : [])),
  ];
  const hidden = filters.filter(([name, { type }]) => type === 'tabs' && values[name]).map(([name]) => name);
  // The list follows while a person types (htmx takes its element out of the whole page); without scripts the button does
  // it. The values are in the address, so that a link shows a colleague the same.
  return (
    <form
      class="filters"
      action={path}
      hx-get={path}
      hx-trigger="input delay:250ms, change, submit"
      hx-select="#list"
      hx-select-oob={beside.join(',')}
      hx-target="#list"
      hx-swap="outerHTML"
      hx-push-url="true"
      hx-sync="this:replace"
    >
      {hidden.map((name) => (
        <input type="hidden" name={name} value={values[name]} />
      ))}
      {filters.map(([name, filter]) => (
        <Control
          name={name}
          filter={filter}
          value={values[name]}
          choices={slugs.get(name) ?? null}
          fault={faultOf(name, filter)}
        />
      ))}
      <Order list={list} order={order} />
      {namedColumns(url).map((name) => (
        <input type="hidden" name={COLUMN} value={name} />
      ))}
      <button type="submit" class="scriptless">
        Show
      </button>
    </form>
  );
}

interface ChipsProps {
  filters: ReadonlyArray<[name: string, filter: Filter]>;
  values: Values;
  slugs: ReadonlyMap<string, Choices | null>;
}

/** The filters that are set, each with a link that takes it away. */
function Chips({ filters, values, slugs }: ChipsProps) {
  const { url } = useView();
  const set = filters.flatMap(([name, filter]) => {
    const value = values[name];
    return value === undefined || filter.type === 'tabs' ? [] : [{ name, filter, value }];
  });
  return (
    <ul class="chips" id="chips" aria-label="Filters">
      {set.map(({ name, filter, value }) => {
        const [label] = filter.label.split(/[:,]/) as [string];
        const choices = filter.type === 'select' ? filter.choices : slugs.get(name);
        const text = (choices && new Map(pairsOf(choices)).get(value)) ?? asShort(value);
        return (
          <li>
            <span class="quiet">{label}</span> <bdi title={value}>{text}</bdi>{' '}
            <a
              href={withQuery(url, { [name]: undefined, before: undefined, page: undefined })}
              aria-label={`Remove the filter ${label}: ${text}`}
            >
              ×
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** A date-time to the minute; any other text as it is. */
const asShort = (value: string): string => (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? toTheMinute(value) : value);

/** The order, which narrow screens choose here for want of a heading. */
function Order<Row>({ list: { orders = [], columns }, order }: { list: List<Row, string>; order: string | undefined }) {
  if (orders.length === 0) return null;
  const titles = new Map(columns.map((column) => [column.order, column.title]));
  return (
    <div class="narrow">
      <Select
        label="Order"
        name="order"
        value={order === orders[0] ? '' : order}
        choices={
          new Map(orders.map((value, index) => [index === 0 ? '' : value, titles.get(value) ?? sentence(value)]))
        }
      />
      <label>
        <input type="checkbox" name="reverse" value="yes" checked={isReversed(useView().url)} /> Reversed
      </label>
    </div>
  );
}

interface ShownProps<Row> extends Pick<ListPageProps<Row>, 'list' | 'columns' | 'values' | 'order'> {}

/** Which columns are shown, and the same rows as a file. */
function Shown<Row>({ list, columns, values, order }: ShownProps<Row>) {
  const { url } = useView();
  const [first, ...others] = (list.columnsOf?.(values) ?? list.columns).filter(
    ({ untitled, fileOnly }) => !untitled && !fileOnly,
  );
  const kept = { ...values, order, reverse: isReversed(url) ? 'yes' : undefined };
  const csv = withQuery(url.replace(/^[^?]*/, `${list.path}.csv`), { page: undefined });
  return (
    <div class="more shown">
      {others.length > 3 ? (
        <>
          <button type="button" class="small" popovertarget="columns">
            Columns…
          </button>
          <div id="columns" popover="auto" class="dialog" role="dialog" aria-label="Columns">
            <form action={list.path}>
              <fieldset class="choices">
                <legend>Columns</legend>
                {Object.entries(kept).map(([name, value]) =>
                  value === undefined ? null : <input type="hidden" name={name} value={value} />,
                )}
                <input type="hidden" name={COLUMN} value={first?.title} />
                {others.map((column) => (
                  <label>
                    <input
                      type="checkbox"
                      name={COLUMN}
                      value={column.title}
                      checked={columns.some(({ title }) => title === column.title)}
                    />{' '}
                    {column.title}
                  </label>
                ))}
              </fieldset>
              <button type="submit" class="main">
                Show these
              </button>
            </form>
          </div>
        </>
      ) : null}
      {list.csv ? (
        <a href={csv} class="download" hx-boost="false">
          CSV of this list
        </a>
      ) : null}
    </div>
  );
}

type Tab = Extract<Filter, { type: 'tabs' }>;

function ListTabs({
  path,
  name,
  filter,
  value,
}: {
  path: string;
  name: string;
  filter: Tab;
  value: string | undefined;
}) {
  // A page whose tab has a count has a badge in the navigation.
  const badge = useView()
    .navigation.flatMap(({ entries }) => entries)
    .find((entry) => entry.path === path)?.badge as number;
  const { label, choices, counted } = filter;
  return <Tabs label={label} name={name} value={value ?? ''} choices={choices} counts={{ [counted]: badge }} />;
}

interface ControlProps {
  name: string;
  filter: Filter;
  value: string | undefined;
  choices: Choices | null;
  fault: string | undefined;
}

/** What is typed, and is refused where it cannot be read. */
const mayBeFaulty = ({ type }: Filter): boolean => type === 'text' || type === 'date';

/** What is wrong with a filter's value. It stands there without words too, for the list to put some into it. */
const FaultText = ({ name, fault = '' }: { name: string; fault: string | undefined }) => (
  <small id={`h-${name}`} class="fault">
    {fault === '' ? '' : `${fault.replace(/^./, (letter) => letter.toUpperCase())}.`}
  </small>
);

function Control({ name, filter, value, choices, fault }: ControlProps) {
  const { type, label } = filter;
  if (type === 'tabs') return null;
  if (type === 'date') return <DateFilter label={label} name={name} value={value} fault={fault} />;
  const some = type === 'select' ? filter.choices : choices;
  const pairs = some ? pairsOf(some) : [];
  if (type !== 'text' && some && pairs.length <= MAX_CHOICES) {
    const all = new Map([['', filter.none ?? 'Any'], ...pairs]);
    return <Select label={label} name={name} value={value} choices={all} />;
  }
  const text = type === 'text' ? filter : { label: `${label}’s slug`, size: 14, digits: false, decimal: false };
  return (
    <div class="field">
      <label for={`f-${name}`}>{text.label}</label>
      <input
        id={`f-${name}`}
        type="search"
        name={name}
        value={value ?? ''}
        size={text.size ?? 20}
        inputmode={text.digits ? 'numeric' : text.decimal ? 'decimal' : undefined}
        aria-invalid={fault === undefined ? undefined : 'true'}
        aria-describedby={mayBeFaulty(filter) ? `h-${name}` : undefined}
        maxlength={200}
        autocomplete="off"
        list={pairs.length > 0 ? `list-${name}` : undefined}
      />
      {pairs.length > 0 ? (
        <datalist id={`list-${name}`}>
          {pairs.map(([slug, shown]) => (
            <option value={slug}>{shown}</option>
          ))}
        </datalist>
      ) : null}
      {mayBeFaulty(filter) ? <FaultText name={name} fault={fault} /> : null}
    </div>
  );
}

/** A day, 00:00 UTC, a date-time, or a time span such as 24h: as text, for a browser shows a date by its own country. */
function DateFilter({ label, name, value, fault }: Omit<ControlProps, 'filter' | 'choices'> & { label: string }) {
  return (
    <div class="field">
      <label for={`f-${name}`}>{label}</label>
      <input
        id={`f-${name}`}
        type="text"
        name={name}
        value={value ?? ''}
        size={12}
        maxlength={40}
        placeholder="2030-01-15"
        title="A date such as 2030-01-15, a time in UTC such as 2030-01-15T09:30Z, or a length such as 24h"
        autocomplete="off"
        aria-invalid={fault === undefined ? undefined : 'true'}
        aria-describedby={`h-${name}`}
      />
      <FaultText name={name} fault={fault} />
    </div>
  );
}

function emptyText<Row>({ filters, noun, path, empty }: List<Row, string>, values: Values): Child {
  if (!isSet(values)) return empty;
  const set = Object.entries(filters).filter(([name]) => values[name] !== undefined);
  const [[name, filter]] = set as [[string, Filter]];
  if (set.length === 1 && filter.type === 'tabs' && values[name] === filter.counted) return filter.empty;
  return (
    <>
      No {noun.slice(0, -1)} matches. <a href={path}>Show all</a>
    </>
  );
}
