import { Bare } from '../components/layout.tsx';
import type { Problem } from '../problem.ts';

/** An error page. */
export function ProblemPage({ problem, requestId }: { problem: Problem; requestId: string }) {
  const next = problem.next ?? { to: '/', label: 'Back to the console' };
  return (
    <Bare title={problem.title} scripts={problem.statusCode === 401}>
      <p dir="auto">{problem.message}</p>
      <p>
        <a class="button main" href={next.to}>
          {next.label}
        </a>
      </p>
      {problem.statusCode === 401 ? (
        <p data-session-ended hidden>
          What you typed is kept in this tab: sign in, then <a href="/">open the form again</a>.
        </p>
      ) : null}
      {problem.statusCode >= 500 ? <p class="quiet mono">{requestId}</p> : null}
    </Bare>
  );
}
