import type { Child } from 'hono/jsx';

/** A subject of the page. */
export function Card({
  title,
  id,
  aside,
  children,
}: {
  title?: string;
  id?: string;
  /** Stands beside the title. */
  aside?: Child;
  children?: Child;
}) {
  return (
    <section class="card" id={id} aria-label={title}>
      {title === undefined ? null : (
        <div class="head">
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

/** A figure that is seen first. */
export function Figure({
  title,
  value,
  tone,
  children,
}: {
  title: string;
  value: Child;
  tone?: 'warn';
  children?: Child;
}) {
  return (
    <div class="card">
      <h2>{title}</h2>
      <p class={tone ? `big ${tone}` : 'big'}>{value}</p>
      <p class="quiet">{children}</p>
    </div>
  );
}

/** Names and values. Rows whose value is null are left out. `long`: the names are. */
export function Facts({ rows, long = false }: { rows: Array<[name: Child, value: Child] | null>; long?: boolean }) {
  return (
    <dl class={long ? 'facts long' : 'facts'}>
      {rows.map((row) =>
        row === null ? null : (
          <div>
            <dt>{row[0]}</dt>
            <dd dir="auto">{row[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Where there is nothing yet: what to do first. */
export function Empty({ children }: { children?: Child }) {
  return <div class="empty">{children}</div>;
}

const FIGURES = new Intl.NumberFormat('en-US');

/** 18,402 */
export const number = (value: number): string => FIGURES.format(value);
