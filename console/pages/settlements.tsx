import { type EmailDetail, settleEmail, settleEmails, showEmailPage } from '../../src/operator/mail/emails.ts';
import { PER_PAGE } from '../../src/operator/use-case/pages.ts';
import { Card, number } from '../components/card.tsx';
import { RefusalNote, TextArea } from '../components/form.tsx';
import { BrokerLink, EmailLink, NamedService, Recipient } from '../components/links.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { attempt } from '../forms/act.ts';
import { labelled } from '../forms/actions.tsx';
import type { Failure } from '../http/failures.ts';
import type { Routes } from '../http/section.ts';
import {
  addChosen,
  BulkResult,
  type ChosenList,
  ChosenPage,
  chosenAt,
  chosenIn,
  DecideForm,
  Decisions,
} from '../lists/chosen.tsx';

const LIST: ChosenList = {
  field: 'email_id',
  path: '/emails',
  decidedAt: '/emails/settlements',
  waiting: '/emails?status=unknown',
  label: 'Emails',
  advice: 'Choose emails of unknown outcome in the list.',
};

/** Several emails of unknown outcome at once, whose outcome was found out in the same way. */
export const settlements: Routes = async (app, { context }) => {
  /** Those that are not settled yet; a page of the list, at most. */
  async function emailsOf(ids: readonly string[]): Promise<EmailDetail[]> {
    const found = await Promise.all(
      ids.slice(0, PER_PAGE).map((emailId) => attempt(() => showEmailPage(context, { emailId }))),
    );
    return found.flatMap(({ value }) => (value?.email_status === 'unknown' ? value : []));
  }
  addChosen(app, { ...LIST, role: 'support' }, async ({ ids, back }, _request, reply) => {
    const emails = await emailsOf(ids);
    if (emails.length === 0) return reply.flash({ tone: 'bad', text: LIST.advice }).redirect(back, 303);
    return reply.view(<Settle ids={emails.map(({ email_id }) => email_id)} back={back} emails={emails} />);
  });

  app.post('/emails/settlements/settle', { config: { role: 'support' } }, async (request, reply) => {
    const { form } = request;
    const { ids, back } = chosenIn(form, LIST);
    const arrived = form.get('arrived') === 'true';
    const note = form.get('note');
    if (note.trim() === '') {
      request.shownAt = chosenAt(LIST, { ids, back });
      const refused = await attempt(() => settleEmail.run(request.context, { email_id: ids[0], arrived, note }));
      const failure = refused.failure && labelled(refused.failure, settleEmail);
      const emails = await emailsOf(ids);
      return reply.view(<Settle ids={ids} back={back} emails={emails} failure={failure} />, failure?.status);
    }
    const { decided, failed } = await settleEmails(request.context, { emailIds: ids, arrived, note });
    const done = `Settled: ${counted(decided.length)} ${arrived ? 'arrived' : 'did not arrive'}.`;
    if (failed.length === 0) return reply.flash({ tone: 'good', text: done }).redirect(back, 303);
    const title = `${counted(failed.length)} not settled`;
    const link = (id: string) => <EmailLink id={id} subject={id} />;
    request.shownAt = back;
    return reply.view(
      <BulkResult
        of={LIST}
        heading="Not settled"
        title={title}
        failed={failed}
        link={link}
        back={back}
        done={decided.length > 0 ? done : null}
      />,
    );
  });
};

const counted = (count: number): string => `${number(count)} ${count === 1 ? 'email' : 'emails'}`;

interface SettleProps {
  ids: string[];
  back: string;
  emails: EmailDetail[];
  failure?: Failure | undefined;
}

const COLUMNS: Array<Column<EmailDetail>> = [
  { title: 'Subject', rest: true, cell: ({ email_id, subject }) => <EmailLink id={email_id} subject={subject} /> },
  { title: 'To', cell: Recipient },
  { title: 'Service', cell: (row) => <NamedService of={row} /> },
  { title: 'Broker', cell: ({ broker }) => <BrokerLink {...broker} /> },
  { title: 'Written', cell: ({ created_date }) => <Time at={created_date} /> },
];

function Settle({ ids, back, emails, failure }: SettleProps) {
  return (
    <ChosenPage of={LIST} title={`Settle ${counted(ids.length)}`}>
      <div class="card flush">
        <Table label="Emails" columns={COLUMNS} rows={emails} empty={null} />
      </div>
      <Card title="Did they arrive?">
        <RefusalNote failure={failure} />
        <p class="quiet">The outcome and the note are recorded with each of them. None is sent again.</p>
        <DecideForm of={LIST} ids={ids} back={back} action="/emails/settlements/settle">
          <TextArea
            label="How you know"
            name="note"
            value=""
            maxlength={1000}
            hint="Required; kept with each email"
            fault={failure?.faults?.find(({ field }) => field === 'note')?.message}
            required
          />
          <Decisions back={back}>
            <button type="submit" name="arrived" value="true" class="main">
              They arrived
            </button>
            <button type="submit" name="arrived" value="false" class="danger">
              They did not arrive
            </button>
          </Decisions>
        </DecideForm>
      </Card>
    </ChosenPage>
  );
}
