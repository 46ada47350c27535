import type { Child } from 'hono/jsx';
import { Card, Secret } from '../components/card.tsx';
import { type Crumb, Page } from '../components/layout.tsx';

interface ShownOnceProps {
  title: string;
  secret: string;
  text: string;
  next: string;
  section?: string;
  crumbs?: Crumb[];
  /** The last crumb. */
  here?: string;
  /** What to do with it. */
  children?: Child;
}

/** A key or a link that is shown once. Its address is that of the form: with its page's own, Done would only scroll. */
export function ShownOnce({ title, secret, text, next, section, crumbs, here, children }: ShownOnceProps) {
  return (
    <Page title={title} section={section} crumbs={crumbs} here={here} focusTitle>
      <Card>
        <p>
          <strong>It is shown only once.</strong> {text}
        </p>
        <Secret id="shown-once" text={secret} />
        {children}
        <p>
          <a class="button main" href={next}>
            Done
          </a>
        </p>
      </Card>
    </Page>
  );
}
