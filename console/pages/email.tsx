import { type EmailDetail, isOutboxFile, settleEmail, showEmailPage } from '../../src/operator/mail/emails.ts';
import { EmailState, sentence, toneOf } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { PostForm, RefusalNote, TextArea } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, CopiedId, NamedService, pathOf, RequestLink } from '../components/links.tsx';
import { MailFrame } from '../components/mail-frame.tsx';
import { type Event, Timeline } from '../components/timeline.tsx';
import { Day } from '../components/timestamp.tsx';
import { allows } from '../forms/action-form.tsx';
import { addAction, type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import { readParam } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import { sendMailHtml } from '../plugins/mail-frame.ts';

/** One email as it was sent, and its outcome. */
export const email: Routes = async (app, { context }) => {
  const path = '/emails/:email_id';
  const show: Show = async (request, reply, refused) => {
    const detail = await showEmailPage(context, { emailId: readParam(request, 'email_id') });
    return reply.view(<Email detail={detail} refused={refused} />, refusedStatus(refused));
  };
  app.get(path, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));
  addAction(app, settleEmail, { path, show });

  app.get(`${path}/html`, { config: { role: 'viewer' } }, async (request, reply) => {
    const { html } = await showEmailPage(context, { emailId: readParam(request, 'email_id') });
    return sendMailHtml(reply, html ?? '');
  });
};

interface EmailProps {
  detail: EmailDetail;
  refused: Refused | undefined;
}

function Email({ detail, refused }: EmailProps) {
  const isUnknown = detail.email_status === 'unknown';
  const settles = allows(settleEmail);
  return (
    <Page
      title={detail.subject ?? sentence(detail.kind)}
      section="/emails"
      crumbs={[{ label: 'Emails', to: '/emails' }]}
      here={<CopiedId id={detail.email_id} />}
      state={<EmailState {...detail} />}
    >
      <RefusalNote failure={refused?.failure} />
      <div class="columns record">
        <div class="stack">
          {isUnknown && settles ? <Settle detail={detail} refused={refused} /> : null}
          {isUnknown && !settles ? (
            <Card title="Unknown outcome">
              <p class="quiet">The provider gave no clear answer. The role support or admin can settle it.</p>
            </Card>
          ) : null}
          <Headers detail={detail} />
          <Message detail={detail} />
        </div>
        <div class="stack">
          <Card title="History" aside={<AuditLink subject={`email/${detail.email_id}`} />}>
            <Timeline events={eventsOf(detail)} />
          </Card>
        </div>
      </div>
    </Page>
  );
}

function Settle({ detail: { email_id }, refused }: EmailProps) {
  const fault = refused?.failure?.faults?.find(({ field }) => field === 'note')?.message;
  return (
    <Card title="Did it arrive?">
      <p class="quiet">
        The provider gave no clear answer. Ask the client, or look into the provider’s log, then record the outcome. The
        email is not sent again.
      </p>
      <PostForm action={`${pathOf.email(email_id)}/settle`} kind="decision">
        <TextArea
          label="How you know"
          name="note"
          value={refused?.form?.texts.note ?? ''}
          maxlength={1000}
          hint="Required; kept with the email"
          fault={fault}
          required
        />
        <div class="decide">
          <button type="submit" name="arrived" value="true" class="main">
            It arrived
          </button>
          <button type="submit" name="arrived" value="false" class="danger">
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
  const { subject, recipient, sender_email, broker, kind, service_number, request_id, provider_message_id } = detail;
  const isReport = kind.endsWith('-report');
  return (
    <Card title="Headers">
      <Facts
        two
        rows={[
          subject === null ? null : ['Subject', subject],
          recipient === null ? null : ['To', <span class="mono">{recipient}</span>],
          [
            'From',
            <>
              <span class="mono">{sender_email}</span> <span class="quiet">the broker’s current sender</span>
            </>,
          ],
          ['Kind', sentence(kind)],
          isReport ? ['Attached', 'the report as CSV, which is not stored'] : null,
          ['Broker', <BrokerLink {...broker} />],
          service_number === null ? null : ['Service', <NamedService of={detail} />],
          request_id === null
            ? null
            : ['Request', detail.request_exists ? <RequestLink id={request_id} label={request_id} /> : request_id],
          provider_message_id === null
            ? null
            : [isOutboxFile(detail) ? 'File' : 'Provider’s id', <span class="mono">{provider_message_id}</span>],
        ]}
      />
    </Card>
  );
}

const MEANINGS: Record<EmailDetail['email_status'], string> = {
  open: 'Passed to the provider, no answer yet',
  sent: 'The provider accepted it',
  failed: 'It was not sent',
  unknown: 'It is not known whether it was sent',
};

/** What became of it, newest first. */
function eventsOf(detail: EmailDetail): Event[] {
  const { email_status, created_date, completed_date, settled_date, settled_note } = detail;
  const { failure_reason, provider_code } = detail;
  // What the provider answered stands in the log until an operator settles it.
  const answered = settled_date === null ? email_status : 'unknown';
  const events: Array<Event | null> = [
    settled_date === null
      ? null
      : {
          title: email_status === 'sent' ? 'It arrived' : 'It did not arrive',
          date: settled_date,
          detail: `recorded by ${detail.settled_by ?? 'an operator'}`,
          note: settled_note,
          tone: toneOf(email_status),
        },
    answered === 'open'
      ? null
      : {
          title: isOutboxFile(detail)
            ? 'Written to a file: no mail provider was set, it reached no mailbox'
            : MEANINGS[answered],
          date: completed_date ?? created_date,
          detail: [failure_reason, provider_code].filter((part) => part !== null).join(', ') || 'the provider’s answer',
          note: null,
          tone: isOutboxFile(detail) ? 'warn' : toneOf(answered),
        },
    { title: answered === 'open' ? MEANINGS.open : 'Written', date: created_date, detail: 'by the server', note: null },
  ];
  return events.filter((event) => event !== null);
}
