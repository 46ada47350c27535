import { Bare } from '../components/layout.tsx';

/** A step on our own ground between a link from elsewhere and its page: now the browser sends the session along. */
export function SameSiteRedirect({ to }: { to: string }) {
  return (
    <Bare title="One moment" refresh={to}>
      <p>
        <a href={to}>Go on to the page</a>
      </p>
    </Bare>
  );
}
