import { settleEmail, settleEmails } from '../../src/operator/emails.ts';
import type { Undecided } from '../../src/operator/several.ts';
import { attempt } from '../act.ts';
import { labelled } from '../actions.tsx';
import { Card, number } from '../components/card.tsx';
import { PostForm, Refusal, TextArea } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { EmailLink } from '../components/links.tsx';
import type { Failure } from '../failures.ts';
import type { Form } from '../plugins/forms.ts';
import { Problem } from '../problem.ts';
import type { Routes } from '../section.ts';

const UNKNOWN = '/emails?status=unknown';

/** Several emails of unknown outcome at once, whose outcome was found out in the same way. */
export const settlements: Routes = async (app) => {
  app.post('/emails/settlements', { config: { role: 'support' } }, async (request, reply) =>
    reply.view(<Settle {...chosenIn(request.form)} />),
  );

  app.post('/emails/settlements/settle', { config: { role: 'support' } }, async (request, reply) => {
    const { form } = request;
    const { ids, back } = chosenIn(form);
    const arrived = form.get('arrived') === 'true';
    const note = form.get('note');
    if (note.trim() === '') {
      const refused = await attempt(() => settleEmail.run(request.context, { email_id: ids[0], arrived, note }));
      const failure = refused.failure && labelled(refused.failure, settleEmail);
      return reply.view(<Settle ids={ids} back={back} failure={failure} />, failure?.status);
    }
    const { decided, failed } = await settleEmails(request.context, { emailIds: ids, arrived, note });
    if (failed.length > 0) return reply.view(<Result decided={decided} failed={failed} back={back} />);
    return reply.flash({ tone: 'good', text: `Settled: ${counted(decided.length)}.` }).redirect(back, 303);
  });
};

/** The chosen emails, and the list that they were chosen in. Throws a `Problem` where none is chosen. */
function chosenIn(form: Form): { ids: string[]; back: string } {
  const ids = form.all('email_id');
  if (ids.length === 0) {
    throw new Problem(422, 'Nothing chosen', 'Choose emails of unknown outcome in the list.', {
      to: UNKNOWN,
      label: 'Emails',
    });
  }
  const back = form.get('back');
  return { ids, back: back.startsWith('/emails?') ? back : UNKNOWN };
}

const counted = (count: number): string => `${number(count)} ${count === 1 ? 'email' : 'emails'}`;

const CRUMBS = [{ label: 'Emails', to: UNKNOWN }];

function Settle({ ids, back, failure }: { ids: string[]; back: string; failure?: Failure | undefined }) {
  return (
    <Page title={`Settle ${counted(ids.length)}`} section="/emails" crumbs={CRUMBS}>
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

function Result({ decided, failed, back }: { decided: string[]; failed: Undecided[]; back: string }) {
  return (
    <Page title={`${counted(failed.length)} not settled`} section="/emails" crumbs={CRUMBS}>
      <p class="told good">Settled: {counted(decided.length)}.</p>
      <Card title="Not settled">
        <ul class="rows">
          {failed.map(({ id, message }) => (
            <li>
              <EmailLink id={id} subject={id} /> <span dir="auto">{message}</span>
            </li>
          ))}
        </ul>
        <p class="more">
          <a href={back}>Back to the emails</a>
        </p>
      </Card>
    </Page>
  );
}
