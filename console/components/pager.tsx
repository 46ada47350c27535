import { number } from './card.tsx';
import { withQuery } from './table.tsx';
import { useView } from './view.ts';

export interface ListPosition {
  page: number;
  perPage: number;
  total: number;
  totalPages: number;
  /** There are more than `total`; they are not counted. */
  isMore?: boolean;
}

/** The position in a list, and links to the neighbouring pages. `name` is the query parameter. */
export function Pager({ pagination, noun, name = 'page' }: { pagination: ListPosition; noun: string; name?: string }) {
  const { url } = useView();
  const { page, perPage, total, totalPages, isMore = false } = pagination;
  const all = `${isMore ? 'more than ' : ''}${number(total)}`;
  if (total === 0) return null;
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, total);
  const to = (target: number) => withQuery(url, { [name]: target === 1 ? undefined : String(target) });
  return (
    <nav class="pager" aria-label={`Pages of ${noun}`}>
      <span class="quiet">
        {first > total && !isMore ? `Nothing here: there are ${all} ${noun}` : null}
        {first > total && isMore ? `There are ${all} ${noun}: narrow them down to see these` : null}
        {first <= total && totalPages > 1 ? `${number(first)} to ${number(last)} of ${all} ${noun}` : null}
        {first <= total && totalPages <= 1 ? `${number(total)} ${total === 1 ? noun.replace(/s$/, '') : noun}` : null}
      </span>
      {page > 1 ? (
        <a href={to(Math.min(page - 1, totalPages))} rel="prev">
          Previous
        </a>
      ) : null}
      {page < totalPages ? (
        <a href={to(page + 1)} rel="next">
          Next
        </a>
      ) : null}
    </nav>
  );
}

/** Pages of a list that is too long to count. */
export interface KeysetPagination {
  /** The position of the next page; null at the end. */
  next: string | null;
  /** Rows that were looked through where the page ended before it was full. */
  lookedThrough: number | null;
}

/** Links to the newest and the older rows of such a list. */
export function KeysetPager({
  pagination: { next, lookedThrough },
  noun,
}: {
  pagination: KeysetPagination;
  noun: string;
}) {
  const { url } = useView();
  const isFirst = !new URL(url, 'http://console').searchParams.has('before');
  if (isFirst && next === null) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${noun}`}>
      <span class="quiet">
        {lookedThrough === null ? null : `${number(lookedThrough)} ${noun} were looked through`}
      </span>
      {isFirst ? null : (
        <a href={withQuery(url, { before: undefined })} rel="first">
          Newest
        </a>
      )}
      {next === null ? null : (
        <a href={withQuery(url, { before: next })} rel="next">
          {lookedThrough === null ? 'Older' : 'Look further back'}
        </a>
      )}
    </nav>
  );
}
