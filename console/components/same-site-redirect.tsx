import { Bare } from './layout.tsx';

/** Redirects from a page of the console, so that the browser sends the strict session cookie. */
export function SameSiteRedirect({ to }: { to: string }) {
  return (
    <Bare title="Redirecting" refresh={to}>
      <p>
        <a href={to}>Continue to the page</a>
      </p>
    </Bare>
  );
}
