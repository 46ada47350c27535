import type { Problem } from '../http/problem.ts';
import { Card } from './card.tsx';
import { Bare, Page } from './layout.tsx';
import { useView } from './view.ts';

interface ProblemProps {
  problem: Problem;
  /** Shown for what is no fault of the caller's. */
  requestId: string;
}

/** An error page: within the console for who is signed in, else by itself. */
export const problemPage = (props: ProblemProps) => <ProblemPage {...props} />;

function ProblemPage({ problem, requestId }: ProblemProps) {
  const next = problem.next ?? { to: '/', label: 'Back to the console' };
  // A session that has ended has no navigation.
  const isWithin = useView().operator !== null && problem.statusCode !== 401;
  const content = (
    <>
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
    </>
  );
  if (isWithin)
    return (
      <Page title={problem.title}>
        <Card>{content}</Card>
      </Page>
    );
  return (
    <Bare title={problem.title} scripts={problem.statusCode === 401}>
      {content}
    </Bare>
  );
}
