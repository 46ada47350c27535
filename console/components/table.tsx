import type { Child } from 'hono/jsx';
import { Empty } from './card.tsx';
import { useView } from './view.ts';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => Child;
  /** Aligned at the right. */
  figure?: boolean;
  /** Takes the remaining width, on one line. */
  rest?: boolean;
  /** Left out on a narrow screen. */
  wide?: boolean;
  /** Shows its title before the value on a narrow screen, which has no heading. */
  named?: boolean;
  /** The value of the query's `order` that sorts by this column. */
  order?: string;
  /** That order begins with the highest. */
  descending?: boolean;
  /** The title is for screen readers only. */
  untitled?: boolean;
  /** Is in a CSV file alone. */
  fileOnly?: boolean;
  /** What a CSV file has of it. */
  value?: (row: Row) => string | number | null;
}

interface TableProps<Row> {
  label: string;
  columns: Array<Column<Row>>;
  rows: readonly Row[];
  /** The column that the rows are sorted by. */
  order?: string | undefined;
  rowId?: ((row: Row) => string) | undefined;
  /** Shown where there are no rows. */
  empty: Child;
}

/** Records as a table, sorted by links in its heading. */
export function Table<Row>({ label, columns: all, rows, order, rowId, empty }: TableProps<Row>) {
  const columns = all.filter(({ fileOnly }) => !fileOnly);
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    // A region that scrolls must be reachable by keyboard.
    <section class="scroll" tabindex={0} aria-label={`${label}, table`}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={classOf(column)} aria-sort={sortOf(column, order)}>
                <Heading {...column} shown={order} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr id={rowId?.(row)}>
              {columns.map((column) => (
                <td class={classOf(column)} data-title={column.figure || column.named ? column.title : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Sorts by its column; a second time the other way round. */
function Heading({ title, order, untitled, shown }: HeadingProps) {
  const { url } = useView();
  if (untitled) return <span class="visually-hidden">{title}</span>;
  if (order === undefined) return <>{title}</>;
  const reverse = order === shown && !isReversed(url) ? 'yes' : undefined;
  return <a href={withQuery(url, { order, reverse, page: undefined })}>{title}</a>;
}

interface HeadingProps extends Pick<Column<never>, 'title' | 'order' | 'untitled'> {
  shown: string | undefined;
}

/** Whether the address asks for an order the other way round. */
export const isReversed = (url: string): boolean =>
  new URL(url, 'http://console').searchParams.get('reverse') === 'yes';

function sortOf({ order, descending = false }: Pick<Column<never>, 'order' | 'descending'>, shown: string | undefined) {
  const { url } = useView();
  if (order === undefined || order !== shown) return undefined;
  return descending === isReversed(url) ? 'ascending' : 'descending';
}

const classOf = ({ figure, wide, rest }: Pick<Column<never>, 'figure' | 'wide' | 'rest'>) =>
  [figure && 'figure', wide && 'wide-only', rest && 'rest'].filter(Boolean).join(' ') || undefined;

/** The page's own address with other query parameters; undefined and empty ones are removed. */
export function withQuery(url: string, changes: Record<string, string | undefined>): string {
  const { pathname, searchParams } = new URL(url, 'http://console');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) searchParams.delete(name);
    else searchParams.set(name, value);
  }
  for (const [name, value] of [...searchParams]) if (value === '') searchParams.delete(name);
  const query = searchParams.toString();
  return query === '' ? pathname : `${pathname}?${query}`;
}
