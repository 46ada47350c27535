import { settleEmail, settleEmails } from '../../src/operator/emails.ts';
import { attempt } from '../act.ts';
import { labelled } from '../actions.tsx';
import { Card, number } from '../components/card.tsx';
import { type ChosenList, chosenIn, Rest } from '../components/chosen.tsx';
import { PostForm, Refusal, TextArea } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { EmailLink } from '../components/links.tsx';
import type { Failure } from '../failures.ts';
import type { Routes } from '../section.ts';

const LIST: ChosenList = {
  field: 'email_id',
  path: '/emails',
  waiting: '/emails?status=unknown',
  label: 'Emails',
  advice: 'Choose emails of unknown outcome in the list.',
};

/** Several emails of unknown outcome at once, whose outcome was found out in the same way. */
export const settlements: Routes = async (app) => {
  app.post('/emails/settlements', { config: { role: 'support' } }, async (request, reply) =>
    reply.view(<Settle {...chosenIn(request.form, LIST)} />),
  );

  app.post('/emails/settlements/settle', { config: { role: 'support' } }, async (request, reply) => {
    const { form } = request;
    const { ids, back } = chosenIn(form, LIST);
    const arrived = form.get('arrived') === 'true';
    const note = form.get('note');
    if (note.trim() === '') {
      const refused = await attempt(() => settleEmail.run(request.context, { email_id: ids[0], arrived, note }));
      const failure = refused.failure && labelled(refused.failure, settleEmail);
      return reply.view(<Settle ids={ids} back={back} failure={failure} />, failure?.status);
    }
    const { decided, failed } = await settleEmails(request.context, { emailIds: ids, arrived, note });
    const done = `Settled: ${counted(decided.length)}.`;
    if (failed.length === 0) return reply.flash({ tone: 'good', text: done }).redirect(back, 303);
    const title = `${counted(failed.length)} not settled`;
    const link = (id: string) => <EmailLink id={id} subject={id} />;
    return reply.view(<Rest of={LIST} heading="Not settled" {...{ title, done, failed, link, back }} />);
  });
};

const counted = (count: number): string => `${number(count)} ${count === 1 ? 'email' : 'emails'}`;

function Settle({ ids, back, failure }: { ids: string[]; back: string; failure?: Failure | undefined }) {
  return (
    <Page title={`Settle ${counted(ids.length)}`} section="/emails" crumbs={[{ label: LIST.label, to: LIST.waiting }]}>
      <Card title="Did they arrive?">
        <Refusal failure={failure} />
        <p class="quiet">The outcome and the note are recorded with each of them. None is sent again.</p>
        <PostForm action="/emails/settlements/settle" kind="decision">
          <input type="hidden" name="back" value={back} />
          {ids.map((id) => (
            <input type="hidden" name="email_id" value={id} />
          ))}
          <TextArea label="How you know" name="note" value="" maxlength={1000} hint="Kept with each email" />
          <div class="decide">
            <button type="submit" name="arrived" value="true" class="main">
              They arrived
            </button>
            <button type="submit" name="arrived" value="false" class="danger">
              They did not arrive
            </button>
            <a href={back}>Cancel</a>
          </div>
        </PostForm>
      </Card>
    </Page>
  );
}
