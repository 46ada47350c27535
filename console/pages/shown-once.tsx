import { Card, Secret } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';

/** A key or a link that is shown once. */
export function ShownOnce({
  title,
  secret,
  text,
  next,
}: {
  title: string;
  secret: string;
  text: string;
  next: string;
}) {
  return (
    <Page title={title}>
      <Card>
        <p>
          <strong>It is shown only once.</strong> {text}
        </p>
        <Secret id="shown-once" text={secret} />
        <p>
          <a class="button main" href={next}>
            Done
          </a>
        </p>
      </Card>
    </Page>
  );
}
