import type { Child } from 'hono/jsx';
import { Empty } from './card.tsx';
import { useView } from './view.ts';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => Child;
  /** Figures stand at the right, under one another. */
  figure?: boolean;
  /** Takes what the others leave, on one line. */
  rest?: boolean;
  /** Left out where there is little room. */
  wide?: boolean;
  /** On a phone, where rows stand without their heading, the title stands before the value. */
  named?: boolean;
  /** The value of the query's `order` that sorts by this column. */
  order?: string;
  /** The title is for those who do not see the page. */
  untitled?: boolean;
}

/** Records as a table. Its columns are sorted by links, so that the address tells the order. */
export function Table<Row>({
  label,
  columns,
  rows,
  order,
  rowId,
  empty,
}: {
  label: string;
  columns: Array<Column<Row>>;
  rows: readonly Row[];
  /** What the rows are sorted by now. */
  order?: string;
  rowId?: (row: Row) => string;
  /** What to say, and to do first, where there are no rows. */
  empty: Child;
}) {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    // What scrolls must be reachable by keyboard.
    <section class="scroll" tabindex={0} aria-label={`${label}, table`}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                scope="col"
                class={classOf(column)}
                aria-sort={column.order !== undefined && column.order === order ? 'ascending' : undefined}
              >
                <Heading {...column} />
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

function Heading({ title, order, untitled }: Pick<Column<never>, 'title' | 'order' | 'untitled'>) {
  const { url } = useView();
  if (untitled) return <span class="unseen">{title}</span>;
  if (order === undefined) return <>{title}</>;
  return <a href={withQuery(url, { order, page: undefined })}>{title}</a>;
}

const classOf = ({ figure, wide, rest }: Pick<Column<never>, 'figure' | 'wide' | 'rest'>) =>
  [figure && 'figure', wide && 'roomy', rest && 'rest'].filter(Boolean).join(' ') || undefined;

/** The page's own address with other values in its query. */
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
