import type { Child } from 'hono/jsx';

interface CardProps {
  title?: string;
  id?: string;
  /** Shown beside the title. */
  aside?: Child;
  children?: Child;
}

/** One section of a page. */
export function Card({ title, id, aside, children }: CardProps) {
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

/** A large figure with a line of detail. `warn`: it needs attention. */
export function Figure({
  title,
  value,
  warn,
  children,
}: {
  title: string;
  value: Child;
  warn?: boolean;
  children?: Child;
}) {
  return (
    <div class="card">
      <h2>{title}</h2>
      <p class={warn ? 'big warn' : 'big'}>{value}</p>
      <p class="quiet">{children}</p>
    </div>
  );
}

interface FactsProps {
  /** Those that are null are left out. */
  rows: Array<[name: Child, value: Child] | null>;
  /** The names are long. */
  long?: boolean;
  /** In two columns where there is room: for short values. */
  two?: boolean;
}

/** Names and values. */
export function Facts({ rows, long = false, two = false }: FactsProps) {
  return (
    <dl class={['facts', long && 'long', two && 'two'].filter(Boolean).join(' ')}>
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

/** A secret with a button that copies it. */
export function Secret({ id, text }: { id: string; text: string }) {
  return (
    <div class="secret">
      <code id={id}>{text}</code>
      <button type="button" data-copy class="scripted">
        Copy
      </button>
    </div>
  );
}

/** A call that shows whether a key works. */
export const FirstCall = ({ url }: { url: string }) => (
  <Secret id="first-call" text={`curl -H "Authorization: Bearer KEY" ${url}`} />
);

/** A value with a button that copies it. */
export const Copied = ({ text }: { text: string }) => (
  <span class="copied">
    <bdi class="mono">{text}</bdi>
    <button type="button" data-copy class="small scripted">
      Copy
    </button>
  </span>
);

/** Instead of a list without rows: what to do first. */
export const Empty = ({ children }: { children?: Child }) => <div class="empty">{children}</div>;

const FIGURES = new Intl.NumberFormat('en-US');

/** 18,402 */
export const number = (value: number): string => FIGURES.format(value);
