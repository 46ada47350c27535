import type { FastifyInstance } from 'fastify';
import { endSession, listSessions, type SessionRecord } from '../../src/operator/console-access.ts';
import { press } from '../act.ts';
import { Tag } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { PostForm } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { Table } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import { param } from '../query.ts';
import type { ConsoleOptions } from '../section.ts';

/** The person's own page: who they are here, where they are signed in, and the way out. */
export async function sessions(app: FastifyInstance, { context }: ConsoleOptions) {
  app.get('/sessions', { config: { role: 'viewer' } }, async (request, reply) => {
    const { operator, session } = request.signedIn;
    const rows = await listSessions(context, { email: operator.email });
    return reply.view(<Sessions rows={rows} own={session.session_id} />);
  });

  app.post('/sessions/:sessionId/end', { config: { role: 'viewer' } }, (request, reply) =>
    press(reply, '/sessions', async () => {
      await endSession(request.context, {
        email: request.signedIn.operator.email,
        sessionId: param(request, 'sessionId'),
      });
      return 'That session is over: its next click leads to the sign-in page.';
    }),
  );
}

function Sessions({ rows, own }: { rows: SessionRecord[]; own: string }) {
  const operator = useOperator();
  return (
    <Page title="You">
      <Card
        title="Who you are here"
        aside={
          <PostForm action="/sign-out">
            <button type="submit">Sign out</button>
          </PostForm>
        }
      >
        <Facts
          rows={[
            ['Name', operator.name],
            ['Email', operator.email],
            ['Role', operator.role],
            operator.role === 'admin' ? ['People', <a href="/operators">Everybody who may come in</a>] : null,
          ]}
        />
        <label class="scripted setting">
          <input type="checkbox" data-setting="keys" checked /> Single keys: <kbd>/</kbd> searches, <kbd>a</kbd> and{' '}
          <kbd>d</kbd> choose on a review
        </label>
      </Card>
      <Card title="Where you are signed in">
        <Table
          label="Sessions"
          rows={rows}
          empty={<p>Nowhere.</p>}
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
            { title: 'Signed in', wide: true, cell: ({ created_date }) => <Timestamp at={created_date} /> },
            { title: 'Last click', cell: ({ last_seen_date }) => <Timestamp at={last_seen_date} /> },
            { title: 'Ends', wide: true, cell: ({ expires_date }) => <Timestamp at={expires_date} /> },
            {
              title: 'What can be done',
              untitled: true,
              cell: ({ session_id }) =>
                session_id === own ? null : (
                  <PostForm action={`/sessions/${encodeURIComponent(session_id)}/end`}>
                    <button type="submit" class="small">
                      Sign out there
                    </button>
                  </PostForm>
                ),
            },
          ]}
        />
      </Card>
    </Page>
  );
}

/** "Firefox on Linux", where the browser's name for itself tells; else that name. */
export function browserOf(userAgent: string | null): string {
  if (!userAgent) return 'unknown';
  // Most claim to be several; the first of these that stands there is the one.
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => userAgent.includes(`${name}/`));
  const system = /\b(Windows|Android|iPhone|iPad|Mac OS X|Linux)\b/.exec(userAgent)?.[1];
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  return browser && system ? `${names[browser] ?? browser} on ${names[system] ?? system}` : userAgent;
}
