import { Type } from '@sinclair/typebox';
import { MAX_INT32, Nullable, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { MailFailure } from '../../ports.ts';
import { isoTimestamp, isoTimestampOrNull } from '../../rules/timestamps.ts';
import type { Tx } from '../../store/store.ts';
import { type ChangeDeps, type ReadDeps, recordChange } from '../use-case/dependencies.ts';
import { refused, refusedAt, unknown } from '../use-case/errors.ts';
import { mailbox, named } from '../use-case/fields.ts';
import { SHORT_LIST, wholeList } from '../use-case/pages.ts';
import { answerSchema, recordOf } from '../use-case/record.ts';
import { type UseCaseDeps, useCase } from '../use-case/use-case.ts';
import { listNotified, type Notice, sendNotices } from './check.ts';
import { NOTICES } from './kinds.ts';
import { listRecipients, MAX_RECIPIENTS, type NoticeRecipient, settingOf } from './recipients.ts';

const RECIPIENT = recordOf<NoticeRecipient>()('NoticeRecipient', (field) => ({
  email: field(Shown(254, 'Gets the notices', { examples: ['ada@example.com'] }), 'email'),
  added_date: field(Timestamp('When it was added.'), 'addedAt'),
}));

export type RecipientRecord = ReturnType<typeof RECIPIENT.of>;

const aboutNotices = (email: string) => ({ brokerId: null, subject: `notice/${email}` });

/** Two changes at a time would make more than the list holds. */
const lock = (tx: Tx): Promise<void> => tx.settings.lock('notice.to');

/** Has notices mailed to a person. Contract, section 14.6. */
export const addNotices = useCase({
  name: 'notices add',
  role: 'admin',
  action: 'notice.add',
  title: 'Add a person',
  summary: 'Add a recipient of notices',
  description: 'Have an email sent to a person where something needs the operator',
  example: 'notices add ada@example.com',
  input: Type.Object({ email: mailbox({ title: 'Email', description: 'Gets the notices' }) }),
  argument: 'email',
  path: 'POST /notices',
  answer: RECIPIENT.schema,
  done: ({ email }: RecipientRecord) => `${email} gets the notices from now on. Send a test to see that they arrive.`,
  async change(tx, { clock }: ChangeDeps, { email }) {
    await lock(tx);
    const name = settingOf(email);
    const listed = await listRecipients(tx);
    const same = listed.find((each) => settingOf(each.email) === name);
    if (same?.email === email) return { record: RECIPIENT.of(same), isChanged: false };
    if (same) throw refusedAt({ field: 'email', message: `"${email}" gets the notices already` });
    if (listed.length >= MAX_RECIPIENTS) throw refused(`At most ${MAX_RECIPIENTS} people can get the notices`);
    const row = { email, addedAt: clock.now() };
    await tx.settings.put({ name, value: JSON.stringify(row) });
    return { record: RECIPIENT.of(row), about: aboutNotices(email), after: { email } };
  },
});

/** Ends them for a person, whatever the case of the address. */
export const removeNotices = useCase({
  name: 'notices remove',
  role: 'admin',
  action: 'notice.remove',
  title: 'Remove',
  summary: 'Remove a recipient of notices',
  description: 'Send no more notices to a person',
  example: 'notices remove ada@example.com',
  input: Type.Object({ email: named('email', 'The address, without case') }),
  on: ['email'],
  argument: 'email',
  path: 'POST /notices/remove',
  answer: RECIPIENT.schema,
  done: ({ email }: RecipientRecord) => `${email} gets no more notices.`,
  async change(tx, _deps: ChangeDeps, { email }) {
    await lock(tx);
    const name = settingOf(email);
    const row = (await listRecipients(tx)).find((each) => settingOf(each.email) === name);
    if (!row) throw unknown(`"${email}" gets no notices`);
    await tx.settings.remove(name);
    return { record: RECIPIENT.of(row), about: aboutNotices(row.email), before: { email: row.email } };
  },
});

/** Who gets them, by address. */
export const listNotices = useCase({
  name: 'notices list',
  role: 'admin',
  audits: [],
  title: 'Notices',
  summary: 'List the recipients of notices',
  description: 'List the people who get an email where something needs the operator',
  example: 'notices list',
  input: Type.Object(SHORT_LIST),
  path: 'GET /notices',
  answer: RECIPIENT.schema,
  columns: ['email', 'added_date'],
  run: async ({ store }: ReadDeps, window) => wholeList((await listRecipients(store.read)).map(RECIPIENT.of), window),
});

const TEST: Notice = {
  what: 'This is a test of the notices',
  text: 'Nothing needs you. Notices look like this one.',
  path: '/notices',
};

/** Mails a test to each of them. */
export const testNotices = useCase({
  name: 'notices test',
  role: 'admin',
  audits: ['notice.test'],
  title: 'Send a test',
  summary: 'Mail a test of the notices',
  description: 'Mail a test to everybody who gets notices, or to one of them',
  example: 'notices test',
  input: Type.Object({ email: Type.Optional(named('email', 'To this one alone, without case')) }),
  on: ['email'],
  path: 'POST /notices/test',
  answer: answerSchema('NoticeTest', {
    sent: Whole(0, MAX_INT32, 'To how many it was sent'),
    outbox: Nullable(Shown(4_096, 'Without a mail provider: the folder in which the emails are'), { examples: [null] }),
  }),
  done: ({ sent, outbox }: { sent: number; outbox: string | null }) =>
    outbox === null
      ? `A test was sent to ${sent} ${sent === 1 ? 'person' : 'people'}.`
      : `No mail provider is set, so nothing reaches anybody: the test is in ${outbox}.`,
  async run(deps: ChangeDeps & Pick<UseCaseDeps, 'mailer' | 'consoleUrl' | 'noticeSender'>, { email: only }) {
    const recipients = await deps.store.tx(async (tx) => {
      const all = await listRecipients(tx);
      const name = only === undefined ? undefined : settingOf(only);
      const listed = all.filter(({ email }) => name === undefined || settingOf(email) === name);
      if (only !== undefined && listed.length === 0) throw unknown(`"${only}" gets no notices`);
      if (listed.length > 0) await recordChange(deps, tx, { action: 'notice.test', ...aboutNotices('test') });
      return listed;
    });
    if (recipients.length === 0) throw refused('Nobody gets the notices: add a person first');
    for (const [index, { email }] of recipients.entries()) {
      await sendNotices(deps, email, [TEST]).catch((error: unknown) => {
        if (!(error instanceof MailFailure)) throw error;
        throw refused(
          `The test for ${email} was not sent (${error.reason}): ${error.message}; ${index} of ${recipients.length} were sent before`,
        );
      });
    }
    return { sent: recipients.length, outbox: deps.mailer.outbox ?? null };
  },
});

/** What people are notified of, and what they were notified last. */
export async function listNoticeKinds({ store }: Pick<ReadDeps, 'store'>) {
  const stored = await listNotified(store.read);
  return Object.entries(NOTICES).map(([kind, { begun, path }]) => {
    const last = stored.get(kind);
    return {
      kind,
      title: begun,
      path,
      is_on: last?.notified === 'begun',
      /** Since when what was notified last is so. */
      begun_date: last?.notified === 'begun' ? isoTimestamp(last.begunAt) : null,
      notified_date: isoTimestampOrNull(last?.notifiedAt ?? null),
    };
  });
}
