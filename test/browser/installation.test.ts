import t from 'tap';
import { listOperatorKeys } from '../../src/operator/people/operator-keys.ts';
import { closeBrowser } from '../support/browser.ts';
import { openDesk } from '../support/desk.ts';
import { until } from '../support/until.ts';
import { handsOf } from './steps.ts';

// What an operator does for the installation, with nothing but the console: each journey begins at the overview, goes where
// the pages lead, and takes so many clicks.

t.teardown(closeBrowser);

t.test('the installation and its people', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const { context, mailer } = desk.console;
  const { page } = await desk.signIn('admin');
  const hands = handsOf(page, desk);
  t.beforeEach(() => hands.begin());

  await t.test('sign in: the page mails a link, which opens the overview with one more press', async (t) => {
    const { email } = await desk.console.person('viewer');
    const visitor = handsOf(await desk.browser.newPage(), desk);
    await visitor.begin();
    await visitor.write('Email address', email);
    await visitor.press('Email me a link');
    await visitor.sees(/link/);
    await until('the link is mailed', () => mailer.sent.length > 0);
    const [link] = /\/sign-in\/[\w-]+/.exec(String(mailer.sent.at(-1)?.text)) ?? [];
    await visitor.open(String(link));
    await visitor.press('Sign in');
    await visitor.isAt('Overview');
    t.equal(visitor.clicks(), 3);
    await visitor.page.close();
  });

  await t.test('add a viewer, and end the sessions of a person', async (t) => {
    const person = await desk.signIn('support');
    await hands.begin();
    await hands.go('People');
    await hands.press('Add an operator…');
    await hands.write('Email', 'lin@example.com');
    await hands.write('Name', 'Lin');
    await hands.choose('Role', 'viewer');
    await hands.press('Add an operator');
    await hands.sees('Lin was added');
    await hands.row('The support').follow('Sessions');
    await hands.press('Sign out everywhere');
    await hands.sees(/was signed out everywhere/);
    await person.page.goto(`${desk.base}/brokers`);
    t.match(person.page.url(), /sign-in/);
    t.equal(hands.clicks(), 6);
  });

  await t.test('health, release and backups: one page has them', async (t) => {
    await hands.go('System');
    t.match(await hands.text(), /Version[\s\S]*Health[\s\S]*Backups\s+none was made\s+broker backup FILE/);
    t.equal(hands.clicks(), 1);
  });

  await t.test('move to another database: the search knows the words, the page the command', async (t) => {
    await hands.find('move to another database');
    await hands.follow('System: database and health');
    t.match(await hands.text(), /Move to PostgreSQL[\s\S]*broker copy --to postgres:/);
    t.equal(hands.clicks(), 2);
  });

  await t.test('a key for the billing system: viewer only, from two addresses', async (t) => {
    await hands.go('Operator keys');
    await hands.press('Create a key…');
    await hands.write('Name', 'Billing');
    await hands.choose('Role', 'viewer');
    await hands.write('Addresses', '203.0.113.4 203.0.113.5');
    await hands.press('Create a key');
    await hands.follow('Done');
    t.match(await hands.row('Billing').text(), /viewer\s+203\.0\.113\.4, 203\.0\.113\.5/);
    const [key] = (await listOperatorKeys.run(context, {})).records;
    t.match(key, { role: 'viewer', addresses: ['203.0.113.4', '203.0.113.5'] });
    t.equal(hands.clicks(), 5);
  });

  t.strictSame(desk.complaints, []);
});
