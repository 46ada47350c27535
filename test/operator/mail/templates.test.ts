import t, { type Test } from 'tap';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import { listEmails } from '../../../src/operator/mail/emails.ts';
import {
  listTemplateVersions,
  previewTemplate,
  restoreTemplate,
  sendTestTemplate,
  setTemplate,
  showTemplate,
  VERSIONS_KEPT,
} from '../../../src/operator/mail/templates.ts';
import { MailFailure } from '../../../src/ports.ts';
import { BROKER, createOperatorContext } from '../../support/operator-context.ts';

const which = { broker: 'acme', kind: 'cancellation-warning' };
const source = {
  subject: 'About {{ service_number }}',
  html: '<p>{{ client_name }} of {{ broker_name }}</p>',
  text: '{{ client_name }}: {{ warning_reason }}',
};

async function open(t: Test) {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, { ...BROKER, name: 'Acme & Co' });
  return context;
}

t.test('a template is set, replaced, and shown with example values', async (t) => {
  const context = await open(t);
  t.match(await setTemplate(context, { ...which, ...source, active: false }), { ...which, active: false });
  t.match(await setTemplate(context, { ...which, ...source }), { active: true, subject: source.subject });
  t.strictSame(await previewTemplate(context, which), {
    ...which,
    service_number: null,
    subject: 'About 1000001',
    html: '<p>Ada Example of Acme &amp; Co</p>',
    text: 'Ada Example: An invoice is overdue.',
    warnings: [],
  });
});

t.test('a template that cannot be rendered is refused with every fault, and the old one stays', async (t) => {
  const context = await open(t);
  await setTemplate(context, { ...which, ...source });
  const faulty = { subject: '{{ nobody }}', html: '{% if %}', text: ' ' };
  await t.rejects(setTemplate(context, { ...which, ...faulty }), {
    name: 'OperatorError',
    message: /^subject: .*nobody.*; html: .*; text: it is blank$/,
  });
  t.match(await previewTemplate(context, which), { subject: 'About 1000001' });
  await t.rejects(setTemplate(context, { ...which, ...source, kind: 'other' }), { message: /^kind: must be one of/ });
  await t.rejects(setTemplate(context, { ...which, ...source, broker: 'nobody' }), { message: /no broker/ });
  await t.rejects(previewTemplate(context, { ...which, kind: 'service-created' }), {
    message: '"acme" has no template of the kind service-created',
  });
});

t.test('a test mail goes out like every mail, and stands in the log', async (t) => {
  const context = await open(t);
  await setTemplate(context, { ...which, ...source });
  const sent = await sendTestTemplate.run(context, { ...which, to: 'me@example.com' });
  t.match(sent, { ...which, to: 'me@example.com', message_id: 'message-1' });
  t.match(context.mailer.sent, [
    {
      id: sent.email_id,
      from: BROKER.sender_email,
      to: 'me@example.com',
      subject: 'About 1000001',
      text: /^Ada Example/,
    },
  ]);
  t.match((await listEmails.run(context, { broker: 'acme' })).records, [
    {
      email_id: sent.email_id,
      broker: 'acme',
      kind: 'template-test',
      email_status: 'sent',
      recipient: 'me@example.com',
      provider_message_id: 'message-1',
      completed_date: '2030-01-15T12:00:00.000Z',
    },
  ]);
  await t.rejects(sendTestTemplate.run(context, { ...which, to: 'a@example.com,b@example.com' }), {
    message: /^to: must be one/,
  });
  t.equal(context.mailer.sent.length, 1);
});

t.test('a test mail that fails says why; one of unknown outcome is listed as such', async (t) => {
  const context = await open(t);
  await setTemplate(context, { ...which, ...source });
  context.mailer.failWith = new MailFailure('rejected', 'Inactive recipient', { providerCode: '406' });
  await t.rejects(sendTestTemplate.run(context, { ...which, to: 'me@example.com' }), {
    name: 'OperatorError',
    message: 'The mail was not sent (rejected): Inactive recipient',
  });
  context.mailer.failWith = new MailFailure('outcome_unknown', 'No answer');
  await t.rejects(sendTestTemplate.run(context, { ...which, to: 'me@example.com' }), { message: /outcome_unknown/ });

  const statuses = (await listEmails.run(context, {})).records.map(
    ({ email_status, failure_reason, provider_code }) => [email_status, failure_reason, provider_code],
  );
  t.strictSame(statuses, [
    ['unknown', 'outcome_unknown', null],
    ['failed', 'rejected', '406'],
  ]);
  t.equal((await listEmails.run(context, { unknown: true })).records.length, 1);
  t.equal((await listEmails.run(context, { limit: 1 })).records.length, 1);
});

t.test('a mail that a crash left open is listed as of unknown outcome', async (t) => {
  const context = await open(t);
  await setTemplate(context, { ...which, ...source });
  const dying = { ...context, store: { ...context.store, tx: context.store.tx } };
  let writes = 0;
  dying.store.tx = (work) => {
    writes += 1;
    return writes === 1 ? context.store.tx(work) : Promise.reject(new Error('killed'));
  };
  await sendTestTemplate.run(dying, { ...which, to: 'me@example.com' });
  t.match((await listEmails.run(context, {})).records, [{ email_status: 'open', completed_date: null }]);
  context.clock.advance(600_000);
  t.match((await listEmails.run(context, { unknown: true })).records, [
    { email_status: 'unknown', completed_date: null },
  ]);
});

t.test('a database that fails before the mail is sent is reported as what it is', async (t) => {
  const context = await open(t);
  await setTemplate(context, { ...which, ...source });
  const broken = { ...context, store: { ...context.store, tx: () => Promise.reject(new Error('disk full')) } };
  await t.rejects(sendTestTemplate.run(broken, { ...which, to: 'me@example.com' }), { message: 'disk full' });
  t.strictSame(context.mailer.sent, []);
});

t.test('the last fifty versions of a template are kept, and one of them can be restored', async (t) => {
  const context = await open(t);
  for (let times = 1; times <= VERSIONS_KEPT + 2; times += 1) {
    await setTemplate(context, { ...which, ...source, subject: `Subject ${times}`, active: false });
  }
  const versions = await listTemplateVersions.run(context, which);
  t.equal(versions.length, VERSIONS_KEPT);
  t.match([versions[0]?.version, versions.at(-1)?.version], [VERSIONS_KEPT + 2, 3]);
  t.match(await restoreTemplate.run(context, { ...which, version: '3' }), { subject: 'Subject 3', active: false });
  t.match((await showTemplate(context, { ...which, version: '4' })).source, { subject: 'Subject 4' });
  t.match((await listTemplateVersions.run(context, which))[0], {
    version: VERSIONS_KEPT + 3,
    subject: 'Subject 3',
    actor: 'ada',
  });
  await t.rejects(restoreTemplate.run(context, { ...which, version: 3 }), { message: /^There is no version 3 of/ });
  await t.rejects(restoreTemplate.run(context, { ...which, version: 'x' }), {
    message: /^version: must be a whole number/,
  });
});

t.test('what is set at the same time gets versions one after the other', async (t) => {
  const context = await open(t);
  const subjects = Array.from({ length: 5 }, (_, index) => `Subject ${index}`);
  await Promise.all(subjects.map((subject) => setTemplate(context, { ...which, ...source, subject })));
  t.strictSame(
    (await listTemplateVersions.run(context, which)).map(({ version }) => version),
    [5, 4, 3, 2, 1],
  );
});

t.test('a preview names a service that the broker has', async (t) => {
  const context = await open(t);
  await setTemplate(context, { ...which, ...source });
  t.match(await previewTemplate(context, { ...which, service: 'newest' }), { service_number: null });
  await t.rejects(previewTemplate(context, { ...which, service: '5' }), { message: '"acme" has no service 5' });
  await t.rejects(previewTemplate(context, { ...which, source: { ...source, text: '' } }), { message: /^text: it is/ });
});
