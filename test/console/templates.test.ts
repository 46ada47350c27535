import t, { type Test } from 'tap';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { setTemplate } from '../../src/operator/mail/templates.ts';
import { importPlans } from '../../src/operator/plans/plans.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { MailFailure } from '../../src/ports.ts';
import type { TemplateVersionRow } from '../../src/store/queries/templates.ts';
import { createTestConsole, formOf, type TestConsole } from '../support/console.ts';
import { BROKER, file, PLANS } from '../support/operator-context.ts';

const PATH = '/templates/acme/cancellation-warning';
const which = { broker: 'acme', kind: 'cancellation-warning' };
const source = {
  subject: 'About {{ service_number }}',
  html: '<p>Dear {{ client_name }}</p>',
  text: 'Dear {{ client_name }}: {{ warning_reason }}',
};

async function open(t: Test) {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  await createBroker.run(console.context, BROKER);
  return console;
}

/** Two services, the second without an address. */
async function stock({ context }: TestConsole): Promise<number[]> {
  await importPlans(context, { broker: 'acme', file: file('plans.json', PLANS) });
  const services = [
    { client: { name: '<b>Bo</b>', email: 'bo@example.com' }, plan: 'start', created_date: '2029-01-01' },
    { client: { name: 'Cy' }, plan: 'start', created_date: '2029-02-01' },
  ];
  const report = await importServices(context, { broker: 'acme', file: file('services.json', services) });
  return report.issued_service_numbers;
}

const frameOf = (body: string): string => /<iframe class="mail" sandbox="" src="([^"]+)"/.exec(body)?.[1] as string;

t.test('the list shows who has which template, and leads to each', async (t) => {
  const console = await open(t);
  await setTemplate(console.context, { ...which, ...source });
  await setTemplate(console.context, { ...which, kind: 'service-created', ...source, active: false });
  const viewer = await console.signedIn('viewer');
  const { text, body } = await viewer.get('/templates');
  const states = [...text.matchAll(/((?:Cancel|Plan|Service c)[a-z ]+) of Acme Hosting: (\w+)/g)].map(
    ([, ...each]) => each,
  );
  t.strictSame(states, [
    ['Cancellation warning', 'active'],
    ['Plan change completed', 'none'],
    ['Cancellation completed', 'none'],
    ['Service created', 'inactive'],
  ]);
  t.match(body, new RegExp(`href="${PATH}"`));
  t.match((await viewer.get('/templates/acme/service-created')).body, /<span class="[^"]*">inactive<\/span>/);
  t.match((await viewer.get('/templates?q=nobody')).text, /No broker matches\. Show all/);
  const empty = await createTestConsole();
  t.teardown(() => empty.close());
  t.match((await (await empty.signedIn('viewer')).get('/templates')).text, /There are no brokers yet/);
});

t.test('a viewer sees the source and the mail, and no button', async (t) => {
  const console = await open(t);
  const viewer = await console.signedIn('viewer');
  t.match((await viewer.get(PATH)).text, /Acme Hosting has none of this kind/);
  await setTemplate(console.context, { ...which, ...source });
  const { body, text } = await viewer.get(PATH);
  t.match(body, /<textarea[^>]* readonly[^>]*>\s*&lt;p&gt;Dear/);
  t.notMatch(body, /<form method="post" action="\/templates/);
  t.match(text, /this broker has no service yet.*About 1000001.*Dear Ada Example: An invoice is overdue/);
  const frame = await viewer.get(frameOf(body));
  t.match(frame.body, '<p>Dear Ada Example</p>');
  t.match(frame.headers['content-security-policy'], /^sandbox; default-src 'none'/);
  for (const path of ['', '/preview', '/restore', '/send-test']) {
    t.equal((await viewer.post(PATH + path, source)).status, 403, path);
  }
  const support = await console.signedIn('support');
  await support.get(PATH);
  for (const path of ['', '/preview', '/restore']) t.equal((await support.post(PATH + path, source)).status, 403, path);
  t.equal((await viewer.get('/templates/acme/other')).status, 404);
  t.equal((await viewer.get('/templates/nobody/service-created')).status, 404);
});

t.test('a first template has something to begin with; what is saved stands, and is in the trail', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  const page = (await admin.get(PATH)).body;
  t.match(page, /Hello \{\{ client_name \}\}/);
  const faulty = await admin.post(PATH, { ...formOf(page, PATH), ...source, html: '{{ nobody }}', service: '7' });
  t.match([faulty.status, faulty.text], [422, /HTML: unknown value &quot;nobody&quot;/]);
  t.match(faulty.body, />\s*\{\{ nobody \}\}<\/textarea>/, 'what was written is still there');
  t.match(faulty.body, /name="html"[^>]*aria-invalid="true"[^>]* autofocus/, 'with the fault at its field');
  t.match(await admin.edit(PATH, PATH, { ...source, active: 'yes' }), { status: 303, to: PATH });
  t.match((await admin.get(PATH)).text, /Saved: emails are sent like this/);
  const worse = await admin.edit(PATH, PATH, { ...source, subject: '{% for x in y %}', active: 'yes' });
  t.match(worse.text, /Subject: tag &quot;for&quot; not found \(there are if, unless, case, comment, raw\), line 1\./);
  t.match(worse.body, `data-shown-at="${PATH}"`, 'Back and Reload lead to its page');
  t.match(worse.text, /What was typed cannot be shown: this is what is saved.*About .*Send a test/);
  t.match((await admin.edit(PATH, PATH, { active: [], service: '77' })).to, `${PATH}?service=77`);
  t.match(await console.store.read.templates.find((await broker(console)).id, which.kind), {
    ...source,
    active: false,
  });
  t.match(await listAudit(console.context, { action: 'template.set' }), [
    { before: { active: true }, after: { active: false } },
    { actor: admin.email, actor_kind: 'operator', after: { active: true, version: 1 } },
  ]);
});

const broker = async ({ store }: TestConsole) => (await store.read.brokers.list())[0] as { id: string };

t.test('what is being written is shown on a real service before it is saved, in a frame of its own', async (t) => {
  const console = await open(t);
  const [first, second] = await stock(console);
  const admin = await console.signedIn('admin');
  const form = { ...formOf((await admin.get(PATH)).body, PATH), ...source };
  const show = (fields: Record<string, string> = {}) => admin.post(`${PATH}/preview`, { ...form, ...fields });
  const newest = await show();
  t.match(newest.text, new RegExp(`With the values of service ${second}\\. About ${second}.*Dear Cy`));
  const chosen = await show({ service: String(first) });
  t.match(chosen.text, new RegExp(`About ${first}`));
  const frame = await admin.get(frameOf(chosen.body));
  t.equal(frame.body, '<p>Dear &lt;b&gt;Bo&lt;/b&gt;</p>', 'a client’s name is no markup');
  t.match(frame.headers, {
    'content-security-policy': /^sandbox; default-src 'none'/,
    'x-frame-options': 'SAMEORIGIN',
  });
  t.equal(await console.store.read.templates.find((await broker(console)).id, which.kind), null, 'nothing is saved');

  t.match((await show({ text: '{$client_name}' })).text, /text: \{\$client_name\} is no value here/);
  t.match((await show({ text: ' ' })).text, /Text: it is blank/);
  t.match((await show({ service: '1' })).text, /has no service 1/);
  const long = await show({ html: `{{ "${'&'.repeat(70_000)}" }}` });
  t.match(long.text, /too long for a preview/);

  const other = await console.signedIn('admin');
  t.equal((await other.get(frameOf(chosen.body))).status, 404, 'a preview is its writer’s own');
  for (let times = 0; times < 50; times += 1) await show();
  t.match(
    (await admin.get(frameOf(chosen.body))).text,
    /This preview has expired/,
    'the fifty-first preview pushes out the first',
  );
  const last = frameOf((await show()).body);
  console.clock.advance(10 * 60_000 + 1);
  t.equal((await admin.get(last)).status, 404);
});

t.test('a test goes out to whom it is sent, as often as it is needed', async (t) => {
  const console = await open(t);
  await setTemplate(console.context, { ...which, ...source });
  const [first] = await stock(console);
  const support = await console.signedIn('support');
  const { body } = await support.get(`${PATH}?service=${first}`);
  t.match(body, new RegExp(`name="to"[^>]*value="${support.email}"`));
  t.equal(
    (await support.post(`${PATH}/send-test`, { to: 'me@example.com', service_number: String(first) })).status,
    303,
  );
  t.match((await support.get(PATH)).text, /A test was sent to me@example\.com/);
  t.match(console.mailer.sent, [{ to: 'me@example.com', subject: `About ${first}` }]);
  t.match(await listAudit(console.context, { action: 'template.send_test' }), [{ actor: support.email }]);
  Object.assign(console.mailer, { outbox: './outbox' });
  await support.post(`${PATH}/send-test`, { to: 'me@example.com' });
  t.match(
    (await support.get(PATH)).body,
    /class="notice flash warn"[^>]*>No mail provider is set/,
    'no address receives it',
  );
  Object.assign(console.mailer, { outbox: undefined });
  const two = await support.post(`${PATH}/send-test`, { to: 'a@example.com, b@example.com' });
  t.match(two, { status: 422, text: /To: must be one email address/ });
  console.mailer.failWith = new MailFailure('rejected', 'No such mailbox');
  const rejected = await support.post(`${PATH}/send-test`, { to: 'me@example.com' });
  t.match(rejected, { status: 422, text: /The mail was not sent \(rejected\)/ });
  for (let times = 0; times < 16; times += 1) await support.post(`${PATH}/send-test`, { to: 'me@example.com' });
  const refused = await support.post(`${PATH}/send-test`, { to: 'me@example.com' });
  t.match([refused.status, refused.headers['retry-after']], [429, '900']);
  const statusOf = async (times: number) => {
    const other = await console.signedIn('support');
    await other.get(PATH);
    const answers = [];
    for (let test = 0; test < times; test += 1)
      answers.push(await other.post(`${PATH}/send-test`, { to: 'me@a.example' }));
    return answers.at(-1)?.status;
  };
  for (let others = 0; others < 4; others += 1) t.equal(await statusOf(20), 422);
  t.equal(await statusOf(1), 429, 'a hundred of all operators');
});

t.test('every version can be looked at and gone back to', async (t) => {
  const console = await open(t);
  await setTemplate(console.context, { ...which, ...source });
  await setTemplate(console.context, { ...which, ...source });
  await setTemplate(console.context, { ...which, ...source, subject: 'Second' });
  const admin = await console.signedIn('admin');
  const { text } = await admin.get(PATH);
  t.match(text, /Versions Audit trail 2 now by ada current 1 now by ada/);
  const { id: brokerId } = await broker(console);
  const unsigned = {
    brokerId,
    kind: which.kind,
    version: 3,
    ...source,
    subject: 'Third',
    actor: null,
    createdAt: console.clock.now(),
  };
  await console.store.tx((tx) => tx.templates.insertVersion(unsigned as TemplateVersionRow, 50));
  t.match((await admin.get(PATH)).text, /Audit trail 3 now current 2 now by ada/, 'one without a known author');
  const earlier = await admin.get(`${PATH}?version=1`);
  t.match(earlier.text, /Version 1/);
  t.match(earlier.body, /value="About \{\{ service_number \}\}"/);
  t.equal((await admin.get(frameOf(earlier.body))).body, '<p>Dear Ada Example</p>');
  const broken = { ...unsigned, version: 4, subject: '{% for x in y %}' };
  await console.store.tx((tx) => tx.templates.insertVersion(broken as TemplateVersionRow, 50));
  const { text: unshown } = await admin.get(`${PATH}?version=4`);
  t.match(
    unshown,
    /tag &quot;for&quot; not found.*Version 4 cannot be shown: this is what is saved\. .* Second As text/,
  );
  t.equal((await admin.get(`${PATH}?version=9`)).status, 404);
  t.equal((await admin.edit(PATH, `${PATH}/restore`, { version: '1' })).to, PATH);
  t.match((await admin.get(PATH)).text, /Restored, as the newest version.*Versions Audit trail 5/);
  t.match(await console.store.read.templates.find((await broker(console)).id, which.kind), source);
  const unknown = await admin.edit(PATH, `${PATH}/restore`, { version: '7' });
  t.match(unknown, { status: 404, text: /There is no version 7 of this template/ });
});
