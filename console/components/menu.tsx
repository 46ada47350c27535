import type { Child } from 'hono/jsx';

/** Actions that are rare, behind one button. One menu of a page is open at a time; with scripts Escape closes it. */
export const More = ({ of, children }: { of: string; children?: Child }) => (
  <details class="menu" name="menu">
    <summary class="button">
      More<span class="visually-hidden"> for {of}</span>
    </summary>
    <div class="items">{children}</div>
  </details>
);
