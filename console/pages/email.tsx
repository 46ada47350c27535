import type { FastifyReply, FastifyRequest } from 'fastify';
import { type EmailDetail, settleEmail, showEmail } from '../../src/operator/emails.ts';
import { invalid } from '../../src/operator/errors.ts';
import { mayAct } from '../../src/operator/operators.ts';
import { act } from '../act.ts';
import { Badge, sentence } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { PostForm, Refusal, TextArea } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, Id, NamedService, pathOf, RequestLink } from '../components/links.tsx';
import { MailFrame } from '../components/mail-frame.tsx';
import { Day } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import type { Failure } from '../failures.ts';
import { sendMailHtml } from '../plugins/mail-frame.ts';
import { param } from '../query.ts';
import type { Routes } from '../section.ts';

const UNDECIDED = invalid({ field: 'outcome', message: 'must be "arrived" or "lost"' });

/** One email as it was sent, and its outcome. */
export const email: Routes = async (app, { context }) => {
  async function show(request: FastifyRequest, reply: FastifyReply, failure?: Failure) {
    const detail = await showEmail(context, { emailId: param(request, 'emailId') });
    const note = failure ? request.form.get('note') : '';
    return reply.view(<Email detail={detail} failure={failure} note={note} />, failure?.status);
  }

  app.get('/emails/:emailId', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.get('/emails/:emailId/html', { config: { role: 'viewer' } }, async (request, reply) => {
    const { html } = await showEmail(context, { emailId: param(request, 'emailId') });
    return sendMailHtml(reply, html ?? '');
  });

  app.post('/emails/:emailId/settle', { config: { role: 'support' } }, (request, reply) => {
    const emailId = param(request, 'emailId');
    const { form } = request;
    return act(
      reply,
      async () => {
        const outcome = form.get('outcome');
        if (outcome !== 'arrived' && outcome !== 'lost') throw UNDECIDED;
        const arrived = outcome === 'arrived';
        await settleEmail(request.context, { emailId, arrived, note: form.get('note') });
        return {
          to: pathOf.email(emailId),
          done: arrived ? 'Settled: it arrived.' : 'Settled: it did not arrive. It is not sent again automatically.',
        };
      },
      (failure) => show(request, reply, failure),
    );
  });
};

interface EmailProps {
  detail: EmailDetail;
  failure: Failure | undefined;
  note: string;
}

function Email({ detail, failure, note }: EmailProps) {
  const isUnknown = detail.email_status === 'unknown';
  const settles = mayAct(useOperator().role, 'support');
  return (
    <Page
      title={detail.subject ?? sentence(detail.kind)}
      section="/emails"
      crumbs={[{ label: 'Emails', to: '/emails' }]}
      here={<Id id={detail.email_id} />}
      actions={<Badge state={detail.email_status} />}
    >
      <Refusal failure={failure} />
      <div class="columns">
        <div class="stack">
          {isUnknown && settles ? <Settle detail={detail} note={note} /> : null}
          {isUnknown && !settles ? (
            <Card title="Unknown outcome">
              <p class="quiet">The provider gave no clear answer. The role support or admin can settle it.</p>
            </Card>
          ) : null}
          <Message detail={detail} />
        </div>
        <div class="stack">
          <Headers detail={detail} />
          <Outcome detail={detail} />
        </div>
      </div>
    </Page>
  );
}

function Settle({ detail: { email_id }, note }: { detail: EmailDetail; note: string }) {
  return (
    <Card title="Did it arrive?">
      <p class="quiet">
        The provider gave no clear answer. Ask the client, or look into the provider’s log, then record the outcome. The
        email is not sent again.
      </p>
      <PostForm action={`${pathOf.email(email_id)}/settle`} kind="decision">
        <TextArea label="How you know" name="note" value={note} maxlength={1000} hint="Kept with the email" />
        <div class="decide">
          <button type="submit" name="outcome" value="arrived" class="main">
            It arrived
          </button>
          <button type="submit" name="outcome" value="lost" class="danger">
            It did not arrive
          </button>
        </div>
      </PostForm>
    </Card>
  );
}

function Message({ detail: { email_id, html, text, erased_date } }: { detail: EmailDetail }) {
  if (erased_date !== null) {
    return (
      <Card title="Message">
        <p class="quiet">
          Its address, subject and body were erased (<Day at={erased_date} />
          ), as for all old emails and erased clients.
        </p>
      </Card>
    );
  }
  return (
    <>
      {html === null ? null : (
        <Card title="HTML">
          <MailFrame src={`${pathOf.email(email_id)}/html`} title="The email’s HTML" />
        </Card>
      )}
      <Card title="Text">
        <pre class="letter" dir="auto" tabindex={0}>
          {text}
        </pre>
      </Card>
    </>
  );
}

function Headers({ detail }: { detail: EmailDetail }) {
  const { subject, recipient, sender_email, broker, kind, service_number, request_id, created_date } = detail;
  const isReport = kind.endsWith('-report');
  return (
    <Card title="Headers">
      <Facts
        rows={[
          subject === null ? null : ['Subject', subject],
          recipient === null ? null : ['To', <span class="mono">{recipient}</span>],
          [
            'From',
            <>
              <span class="mono">{sender_email}</span> <span class="quiet">the broker’s current sender</span>
            </>,
          ],
          ['Date', <Day at={created_date} />],
          ['Kind', sentence(kind)],
          isReport ? ['Attached', 'the report as CSV, which is not stored'] : null,
          ['Broker', <BrokerLink {...broker} />],
          service_number === null ? null : ['Service', <NamedService of={detail} />],
          request_id === null
            ? null
            : ['Request', detail.request_exists ? <RequestLink id={request_id} label={request_id} /> : request_id],
          ['Changes', <AuditLink subject={`email/${detail.email_id}`} />],
        ]}
      />
    </Card>
  );
}

const MEANINGS: Record<EmailDetail['email_status'], string> = {
  open: 'passed to the provider, no answer yet',
  sent: 'the provider accepted it',
  failed: 'it was not sent',
  unknown: 'it is not known whether it was sent',
};

function Outcome({ detail }: { detail: EmailDetail }) {
  const { failure_reason, provider_code, provider_message_id, completed_date, settled_date, settled_note } = detail;
  return (
    <Card title="Outcome">
      <Facts
        rows={[
          ['Outcome', settled_date === null ? MEANINGS[detail.email_status] : settledAs(detail)],
          failure_reason === null ? null : ['Reason', <span class="mono">{failure_reason}</span>],
          provider_code === null ? null : ['Provider’s code', <span class="mono">{provider_code}</span>],
          provider_message_id === null ? null : ['Provider’s id', <span class="mono">{provider_message_id}</span>],
          completed_date === null ? null : ['Answered', <Day at={completed_date} />],
          settled_date === null ? null : ['Settled', <Day at={settled_date} />],
          settled_note === null ? null : ['Note', <blockquote class="said">{settled_note}</blockquote>],
        ]}
      />
    </Card>
  );
}

const settledAs = ({ email_status }: EmailDetail): string =>
  email_status === 'sent' ? 'it arrived, recorded by an operator' : 'it did not arrive, recorded by an operator';
