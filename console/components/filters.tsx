import type { Child } from 'hono/jsx';
import { withQuery } from './table.tsx';
import { useView } from './view.ts';

/**
 * The filters of a list: a form whose values stand in the page's address, so that a link shows a colleague the same. With
 * scripts the list follows as one types; without them the button does it.
 * @param of the id of the element that holds the list
 */
export function Filters({
  action,
  of,
  search,
  children,
}: {
  action: string;
  of: string;
  search?: { name: string; label: string; value: string | undefined };
  children?: Child;
}) {
  return (
    <form
      class="filters"
      action={action}
      hx-get={action}
      hx-trigger="input changed delay:250ms from:find input, change, submit"
      hx-select={`#${of}`}
      hx-target={`#${of}`}
      hx-swap="outerHTML"
      hx-push-url="true"
      hx-sync="this:replace"
    >
      {search ? (
        <input
          type="search"
          name={search.name}
          value={search.value ?? ''}
          placeholder={search.label}
          aria-label={search.label}
          maxlength={200}
          autocomplete="off"
        />
      ) : null}
      {children}
      <button type="submit" class="scriptless">
        Show
      </button>
    </form>
  );
}

/** Narrows a list by a day, 00:00 UTC; a filter in the address may also be a date-time, or a span such as 24h. */
export function DateFilter({ label, name, value }: { label: string; name: string; value: string | undefined }) {
  const isDay = value === undefined || /^\d{4}-\d{2}-\d{2}$/.test(value);
  return (
    <label class="day">
      {label} <input type={isDay ? 'date' : 'text'} name={name} value={value ?? ''} maxlength={40} />
    </label>
  );
}

/** One of a few views of a list, as links: the address tells which. */
export function Tabs({
  label,
  name,
  value,
  choices,
}: {
  label: string;
  name: string;
  value: string;
  choices: Array<{ value: string; label: string; count?: number }>;
}) {
  const { url } = useView();
  return (
    <nav class="tabs" aria-label={label}>
      {choices.map((choice) => (
        <a
          href={withQuery(url, { [name]: choice.value, page: undefined })}
          aria-current={choice.value === value ? 'true' : undefined}
        >
          {choice.label}
          {choice.count ? <span class="quiet"> {choice.count}</span> : null}
        </a>
      ))}
    </nav>
  );
}
