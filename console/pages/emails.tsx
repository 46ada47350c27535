import {
  EMAIL_KINDS,
  EMAIL_STATUSES,
  type EmailPage,
  isOutboxFile,
  pageEmails,
  settleEmail,
} from '../../src/operator/mail/emails.ts';
import { listUnsentKinds } from '../../src/operator/mail/templates.ts';
import { EmailState, sentence, WRITTEN } from '../components/badge.tsx';
import { Card, number } from '../components/card.tsx';
import { BrokerLink, EmailLink, NamedService, pathOf, Recipient } from '../components/links.tsx';
import type { Column } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { allows } from '../forms/action-form.tsx';
import type { Section } from '../http/section.ts';
import { Choose, ChosenForm } from '../lists/chosen.tsx';
import { addList, brokerFilter, isSet, type List } from '../lists/list-page.tsx';
import { email } from './email.tsx';
import { settlements } from './settlements.tsx';

/** Every email that was passed to the provider; first those of unknown outcome. */
export const emails: Section = {
  label: 'Emails',
  path: '/emails',
  badge: ({ unknown_emails }) => unknown_emails,
  async routes(app, options) {
    addList(app, options, LIST);
    await settlements(app, options);
    await email(app, options);
  },
};

/** Emails of unknown outcome that the list of all emails starts with. */
const MAX_FIRST = 10;

type Row = EmailPage['items'][number];

const FORM = 'settlements';

function ChooseEmail({ row: { email_id, email_status, recipient } }: { row: Row }) {
  if (email_status !== 'unknown' || !allows(settleEmail)) return null;
  return (
    <Choose
      form={FORM}
      name="email_id"
      id={email_id}
      label={`Choose the email to ${recipient ?? 'an erased address'}`}
    />
  );
}

const SettleChosen = () =>
  allows(settleEmail) ? <ChosenForm id={FORM} action="/emails/settlements" verb="Settle the chosen ones…" /> : null;

const COLUMNS: Array<Column<Row>> = [
  {
    title: 'Subject',
    rest: true,
    value: ({ subject }) => subject,
    cell: ({ email_id, subject }) => <EmailLink id={email_id} subject={subject} />,
  },
  {
    title: 'Outcome',
    value: (row) => (isOutboxFile(row) ? WRITTEN : row.email_status),
    cell: (row) => <EmailState {...row} />,
  },
  {
    title: 'To',
    value: ({ recipient }) => recipient,
    cell: Recipient,
  },
  {
    title: 'Kind',
    wide: true,
    value: ({ kind }) => kind,
    cell: ({ kind }) => <span class="line">{sentence(kind)}</span>,
  },
  {
    title: 'Service',
    wide: true,
    value: ({ service_number }) => service_number,
    cell: (row) => <NamedService of={row} />,
  },
  { title: 'Broker', value: ({ broker }) => broker.slug, cell: ({ broker }) => <BrokerLink {...broker} /> },
  {
    title: 'Written',
    value: ({ created_date }) => created_date,
    cell: ({ created_date }) => <Time at={created_date} />,
  },
];

/** The same with a checkbox for each email of unknown outcome. */
const CHOOSING: Array<Column<Row>> = COLUMNS.map((column) =>
  column.title === 'Subject'
    ? {
        ...column,
        cell: (row: Row) => (
          <span class="line">
            <ChooseEmail row={row} /> {column.cell(row)}
          </span>
        ),
      }
    : column,
);

const LIST: List<Row, 'status' | 'broker' | 'kind' | 'recipient' | 'service' | 'since' | 'until'> = {
  title: 'Emails',
  path: '/emails',
  noun: 'emails',
  filters: {
    status: {
      type: 'tabs',
      label: 'Which emails',
      choices: { '': 'All', unknown: 'Unknown', failed: 'Failed', sent: 'Sent', open: 'Under way' },
      values: EMAIL_STATUSES,
      counted: 'unknown',
      empty: 'No email is of unknown outcome.',
    },
    broker: brokerFilter,
    kind: { type: 'select', label: 'Kind', choices: new Map(EMAIL_KINDS.map((kind) => [kind, sentence(kind)])) },
    recipient: { type: 'text', label: 'Part of the address' },
    service: { type: 'text', label: 'Service number', digits: true, field: 'service_number' },
    since: { type: 'date', label: 'From' },
    until: { type: 'date', label: 'Before' },
  },
  columns: CHOOSING,
  async load(context, { status: email_status, service: service_number, ...values }, { page, perPage }) {
    const isFirst = page === 1 && perPage === undefined && !isSet({ ...values, email_status, service_number });
    const [found, unsent, unknown] = await Promise.all([
      pageEmails(context, { ...values, email_status, service_number, page, perPage }),
      values.broker === undefined ? [] : listUnsentKinds(context, values.broker),
      isFirst ? pageEmails(context, { email_status: 'unknown', perPage: MAX_FIRST }) : null,
    ]);
    const first = unknown?.items ?? [];
    const ids = new Set(first.map(({ email_id }) => email_id));
    return {
      ...found,
      items: [...first, ...found.items.filter(({ email_id }) => !ids.has(email_id))],
      summary: (
        <>
          <Unsent kinds={unsent} broker={String(values.broker)} />
          <UnknownEmails shown={first.length} total={unknown?.pagination.total ?? 0} />
        </>
      ),
    };
  },
  csv: 'columns',
  titleOf: ({ service }) => service && `Emails about service ${service}`,
  empty: 'No email has been sent yet. Warnings, reports and notices of completed requests will be listed here.',
  Choosing: ({ rows }) => (rows.some(({ email_status }) => email_status === 'unknown') ? <SettleChosen /> : null),
};

/** Why a broker's clients get no email of some kinds. */
function Unsent({ kinds, broker }: { kinds: readonly string[]; broker: string }) {
  if (kinds.length === 0) return null;
  return (
    <p class="quiet">
      No email of these kinds is sent, for <span class="mono">{broker}</span> has no active template:{' '}
      {kinds.map((kind, index) => (
        <>
          {index === 0 ? '' : ', '}
          <a href={pathOf.template(broker, kind)}>{sentence(kind)}</a>
        </>
      ))}
      .
    </p>
  );
}

/** What to do about those that stand first. */
function UnknownEmails({ shown, total }: { shown: number; total: number }) {
  if (shown === 0) return null;
  return (
    <Card
      title={total === 1 ? 'One email of unknown outcome' : `${number(total)} emails of unknown outcome`}
      aside={total > shown ? <a href="/emails?status=unknown">All of them</a> : null}
    >
      <p class="quiet">
        The provider gave no clear answer. These emails are not sent again automatically: find out whether they arrived,
        and record it, on their pages or for several at once. They stand first in the list.
      </p>
    </Card>
  );
}
