import {
  addNotices,
  listNoticeKinds,
  listNotices,
  type RecipientRecord,
  removeNotices,
  testNotices,
} from '../../src/operator/notices/notices.ts';
import { Tag } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { ActionForm, Again } from '../forms/action-form.tsx';
import { addAction, type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import type { Section } from '../http/section.ts';

const PATH = '/notices';

/** Who gets an email where something needs the operator, and about what. */
export const notices: Section = {
  label: 'Notices',
  path: PATH,
  role: 'admin',
  async routes(app, { context, mails }) {
    const show: Show = async (_request, reply, refused) => {
      const { records } = await listNotices.run(context, {});
      const kinds = await listNoticeKinds(context);
      return reply.view(
        <Notices rows={records} kinds={kinds} mails={mails} refused={refused} />,
        refusedStatus(refused),
      );
    };
    app.get(PATH, { config: { role: 'admin' } }, (request, reply) => show(request, reply));
    const page = { path: PATH, show };
    for (const each of [addNotices, removeNotices]) addAction(app, each, page);
    addAction(app, testNotices, page);
  },
};

type Kind = Awaited<ReturnType<typeof listNoticeKinds>>[number];

interface NoticesProps {
  rows: RecipientRecord[];
  kinds: Kind[];
  /** Whether an email provider is configured. */
  mails: boolean;
  refused: Refused | undefined;
}

const Notices = ({ rows, kinds, mails, refused }: NoticesProps) => (
  <Page
    title="Notices"
    actions={
      <>
        {rows.length === 0 ? null : <ActionForm useCase={testNotices} at={PATH} />}
        <ActionForm useCase={addNotices} at={PATH} tone="main" />
      </>
    }
  >
    <Again refused={refused} />
    {mails ? null : <p class="notice warn">No mail provider is set: notices become files that reach no person.</p>}
    <div class="columns">
      <div class="card flush">
        <Table
          label="People"
          columns={PEOPLE}
          rows={rows}
          empty={
            <p>No person is notified. Add the people who should get an email where something needs the operator.</p>
          }
        />
      </div>
      <Card title="What they are notified">
        <ul class="rows">
          {kinds.map(({ title, path, is_on, begun_date, notified_date }) => (
            <li>
              <div class="grow">
                <a href={path}>{title}</a>
                {notified_date === null ? null : (
                  <span class="quiet">
                    {' '}
                    · last notified <Time at={notified_date} />
                  </span>
                )}
              </div>
              {is_on ? (
                <span>
                  <Tag tone="warn">on since</Tag> <Time at={begun_date} />
                </span>
              ) : null}
            </li>
          ))}
        </ul>
        <p class="quiet">
          One email when it begins and one when it is over, of each kind at most one an hour; of reviews one a day.
        </p>
      </Card>
    </div>
  </Page>
);

const PEOPLE: Array<Column<RecipientRecord>> = [
  { title: 'Email', rest: true, cell: ({ email }) => <span class="mono cut">{email}</span> },
  { title: 'Since', cell: ({ added_date }) => <Time at={added_date} /> },
  {
    title: 'What can be done',
    untitled: true,
    cell: (person) => <ActionForm useCase={removeNotices} at={PATH} fixed={{ email: person.email }} tone="small" />,
  },
];
