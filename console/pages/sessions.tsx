import { endSession, listSessions, type SessionRecord } from '../../src/operator/people/console-access.ts';
import { Tag } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { PostForm, Submit } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { Table } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import { press } from '../forms/act.ts';
import { readParam } from '../http/query.ts';
import type { Routes } from '../http/section.ts';

/** The signed-in operator's account and sessions. */
export const sessions: Routes = async (app, { context }) => {
  app.get('/sessions', { config: { role: 'viewer' } }, async (request, reply) => {
    const { operator, session } = request.signedIn;
    const rows = await listSessions.run(context, { email: operator.email });
    return reply.view(<Sessions rows={rows} own={session.session_id} />);
  });

  app.post('/sessions/:sessionId/end', { config: { role: 'viewer' } }, (request, reply) =>
    press(reply, '/sessions', async () => {
      await endSession(request.context, {
        email: request.signedIn.operator.email,
        sessionId: readParam(request, 'sessionId'),
      });
      return 'The session was ended.';
    }),
  );
};

function Sessions({ rows, own }: { rows: SessionRecord[]; own: string }) {
  const operator = useOperator();
  return (
    <Page title="Your account">
      <Card title="Account">
        <Facts
          rows={[
            ['Name', operator.name],
            ['Email', operator.email],
            ['Role', operator.role],
          ]}
        />
        <label class="scripted setting">
          <input type="checkbox" data-setting="keys" checked /> Single-key shortcuts: <kbd>/</kbd> searches,{' '}
          <kbd>a</kbd>, <kbd>d</kbd> and <kbd>s</kbd> choose on a review
        </label>
      </Card>
      <SessionList
        rows={rows}
        own={own}
        action={({ session_id }) => `/sessions/${encodeURIComponent(session_id)}/end`}
      />
    </Page>
  );
}

/** Sessions with a button that ends each, but for the operator's own one. */
export function SessionList({
  rows,
  own,
  action,
}: {
  rows: SessionRecord[];
  own: string;
  action: (session: SessionRecord) => string;
}) {
  return (
    <Card title="Sessions">
      <Table
        label="Sessions"
        rows={rows}
        empty={<p>No sessions.</p>}
        columns={[
          {
            title: 'Browser',
            cell: ({ user_agent, session_id }) => (
              <>
                <span class="cut">{browserOf(user_agent)}</span>{' '}
                {session_id === own ? <Tag tone="good">this one</Tag> : null}
              </>
            ),
          },
          { title: 'Address', cell: ({ ip }) => <span class="mono">{ip ?? '–'}</span> },
          { title: 'Signed in', wide: true, cell: ({ created_date }) => <Time at={created_date} /> },
          { title: 'Last used', cell: ({ last_seen_date }) => <Time at={last_seen_date} /> },
          { title: 'Ends', wide: true, cell: ({ expires_date }) => <Time at={expires_date} /> },
          {
            title: 'What can be done',
            untitled: true,
            cell: (session) =>
              session.session_id === own ? null : (
                <PostForm action={action(session)}>
                  <Submit tone="small">Sign out</Submit>
                </PostForm>
              ),
          },
        ]}
      />
    </Card>
  );
}

/** "Firefox on Linux"; the user agent as it is where it is not known. */
export function browserOf(userAgent: string | null): string {
  if (!userAgent) return 'unknown';
  // Browsers name others too: the first match of this order is the right one.
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => userAgent.includes(`${name}/`));
  const system = /\b(Windows|Android|iPhone|iPad|Mac OS X|Linux)\b/.exec(userAgent)?.[1];
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  return browser && system ? `${names[browser] ?? browser} on ${names[system] ?? system}` : userAgent;
}
