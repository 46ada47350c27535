import type { Page } from 'playwright-core';
import t from 'tap';
import { showBroker } from '../../src/operator/broker-views.ts';
import { suspendBroker } from '../../src/operator/brokers.ts';
import { pageEmails } from '../../src/operator/emails.ts';
import { createKey, showKey } from '../../src/operator/keys.ts';
import { listOperatorKeys } from '../../src/operator/operator-keys.ts';
import { showTemplate } from '../../src/operator/templates.ts';
import { anEmail } from '../store/records.ts';
import { closeBrowser } from '../support/browser.ts';
import { type Desk, openDesk } from '../support/desk.ts';

// What an operator has to do, with nothing but the console: each journey begins at the overview and goes where the page
// leads.

t.teardown(closeBrowser);

/** Opens the page of a broker, as one who does not know its address. */
async function openBroker(page: Page, { base }: Desk, name: string): Promise<void> {
  await page.goto(base);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Brokers' }).click();
  await page.getByRole('main').getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

const keyIdOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) as string;

/** Journeys that share one server; each has a broker or a record of its own. */
t.test('an operator’s tasks', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const { context, store, clock } = desk.console;
  const { page } = await desk.enter('admin');
  const dialog = () => page.getByRole('dialog');

  await t.test('onboard a broker until its first call', async (t) => {
    await page.goto(`${desk.base}/brokers`);
    await page.getByRole('button', { name: 'Add a broker…' }).click();
    await dialog().getByLabel('Slug').fill('north');
    await dialog().getByLabel('Name').fill('North Hosting');
    await dialog().getByLabel('Contact').fill('office@north.example.com');
    await dialog().getByLabel('Sender').fill('support@north.example.com');
    await dialog().getByRole('button', { name: 'Add a broker' }).click();
    const todo = page.getByRole('region', { name: 'Set up' });
    t.match(await todo.innerText(), /0 of 4 done/);
    await todo.getByRole('link', { name: 'import them from a file' }).click();
    t.equal(
      await page.getByRole('combobox', { name: 'Broker', exact: true }).inputValue(),
      'north',
      'the broker is chosen already',
    );
    await page.goBack();
    await todo.getByRole('link', { name: 'Create a key' }).click();
    await page.getByRole('button', { name: 'Create a key…' }).click();
    await dialog().getByLabel('Name').fill('Panel');
    await dialog().getByLabel('Mode').selectOption('test');
    await dialog().getByLabel('admin:full').check();
    await dialog().getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.locator('tr:target').getByTitle('Panel').waitFor();
    t.match(await todo.innerText(), /curl -H "Authorization: Bearer KEY"/, 'the page says how a first call is made');
  });

  await t.test('rotate a leaked key: the old one ends at once, the page leads to the new one', async (t) => {
    const { key_id: leaked } = await createKey.run(context, { broker: 'demo', name: 'Shop', mode: 'live', scopes: '' });
    await openBroker(page, desk, 'Demo Hosting');
    const row = page.getByRole('row', { name: /Shop/ });
    await row.getByText('More').click();
    await row.getByRole('button', { name: 'Rotate…' }).click();
    await dialog().getByLabel('Why').selectOption('leaked');
    await dialog().getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('Nothing has been done yet').waitFor();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByText('is revoked').waitFor();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: /^sk_live_/ }).waitFor();
    t.not(keyIdOf(page), leaked);
    t.match(await showKey.run(context, { key_id: leaked }), { key_state: 'revoked', rotated_to_id: keyIdOf(page) });
  });

  await t.test('raise a limit, knowing the number that it begins with', async (t) => {
    const { key_id } = await createKey.run(context, { broker: 'demo', name: 'Busy', mode: 'live', scopes: '' });
    await openBroker(page, desk, 'Demo Hosting');
    const row = page.getByRole('row', { name: /Busy/ });
    t.match(await row.innerText(), /default: 120/);
    await row.getByText('More').click();
    await row.getByRole('button', { name: 'Edit…' }).click();
    t.match(await dialog().innerText(), /Empty: the server’s default, 120/);
    await dialog().getByLabel('Calls a minute').fill('600');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('It takes effect within a second').waitFor();
    t.match(await showKey.run(context, { key_id }), { rate_limit: 600 });
  });

  await t.test('suspend a broker with a reason, and see from when on it can be removed', async (t) => {
    await openBroker(page, desk, 'North Hosting');
    await page.locator('#tools').getByText('More').click();
    t.match(await page.locator('#tools').innerText(), /Remove: once it has been suspended for a day/);
    await page.getByRole('button', { name: 'Suspend…' }).click();
    await dialog().getByLabel('Reason').fill('unpaid since March');
    await dialog().getByRole('button', { name: 'Suspend' }).click();
    const told = page.locator('.told.warn');
    t.match(
      await told.innerText(),
      /Reason: “unpaid since March”\. It can be removed from 2030-01-16 \d\d:\d\d UTC on/,
    );
    await page.getByRole('button', { name: 'Resume…' }).click();
    await dialog().getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Resumed: its keys are accepted again').waitFor();
    t.match(await showBroker.run(context, { broker: 'north' }), { broker_status: 'active' });
  });

  await t.test('edit, test and restore a template', async (t) => {
    const kind = 'cancellation-warning';
    await openBroker(page, desk, 'Demo Hosting');
    await page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('link', { name: 'Cancellation warning' }).click();
    const { subject } = (await showTemplate(context, { broker: 'demo', kind })).source as { subject: string };
    await page.getByLabel('Subject').fill('Your service ends soon');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved: emails are sent like this from now on').waitFor();
    const of = /With the values of service (\d+)/.exec(await page.locator('#preview').innerText())?.[1];
    t.match(await page.getByRole('region', { name: 'Send a test' }).innerText(), `the values of service ${of}`);
    await page.getByRole('region', { name: 'Send a test' }).getByRole('button', { name: 'Send' }).click();
    await page.getByText('A test was sent to').waitFor();
    await page
      .getByRole('button', { name: /^Restore version/ })
      .first()
      .click();
    await page.getByLabel('Subject').waitFor();
    t.equal(await page.getByLabel('Subject').inputValue(), subject);
    await page.goto(`${desk.base}/emails?broker=demo`);
    t.match(await page.getByRole('row', { name: /Your service ends soon/ }).innerText(), /test\s+sent/);
  });

  await t.test('settle the unknown emails of an incident together', async (t) => {
    const broker = await store.read.brokers.findBySlug('demo');
    if (!broker) throw new Error('the demo has it');
    await store.tx(async (tx) => {
      for (const n of [1, 2]) {
        const id = context.newId('eml', clock.now());
        await tx.emails.insert(
          anEmail(broker, { id, createdAt: clock.now(), status: 'unknown', subject: `Notice ${n}` }),
        );
      }
    });
    await page.goto(desk.base);
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Emails/ })
      .click();
    await page.getByRole('link', { name: 'Several at once' }).click();
    await page.getByLabel('All on this page').check();
    await page.getByRole('button', { name: 'Settle the chosen ones…' }).click();
    await page.getByLabel('How you know').fill('the provider’s log has them');
    await page.getByRole('button', { name: 'They arrived' }).click();
    await page.getByText(/^Settled: \d+ emails\.$/).waitFor();
    await page.getByText('No email is of unknown outcome').waitFor();
    t.equal((await pageEmails(context, { email_status: 'unknown' })).pagination.total, 0);
  });

  await t.test('add a viewer, and end the sessions of a person', async (t) => {
    const person = await desk.enter('support');
    await page.goto(desk.base);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Add an operator…' }).click();
    await dialog().getByLabel('Email').fill('lin@example.com');
    await dialog().getByLabel('Name').fill('Lin');
    await dialog().getByLabel('Role').selectOption('viewer');
    await dialog().getByRole('button', { name: 'Add an operator' }).click();
    await page.getByText('Lin was added').waitFor();
    await page
      .getByRole('row', { name: /The support/ })
      .getByRole('link', { name: 'Sessions' })
      .click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText(/was signed out everywhere/).waitFor();
    await person.page.goto(`${desk.base}/brokers`);
    t.match(person.page.url(), /sign-in/);
  });

  await t.test('health, release, backups, and how to move to another database', async (t) => {
    await page.goto(desk.base);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'System' }).click();
    const text = await page.getByRole('main').innerText();
    t.match(text, /Version[\s\S]*Health[\s\S]*Backups\s+none was made\s+broker backup FILE/);
    t.match(text, /Move to PostgreSQL[\s\S]*broker copy --to postgres:/);
  });

  await t.test('a key for the billing system: viewer only, from two addresses', async (t) => {
    await page.goto(desk.base);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Operator keys' }).click();
    await page.getByRole('button', { name: 'Create a key…' }).click();
    await dialog().getByLabel('Name').fill('Billing');
    await dialog().getByLabel('Role').selectOption('viewer');
    await dialog().getByLabel('Addresses').fill('203.0.113.4 203.0.113.5');
    await dialog().getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('link', { name: 'Done' }).click();
    t.match(await page.getByRole('row', { name: /Billing/ }).innerText(), /viewer\s+203\.0\.113\.4, 203\.0\.113\.5/);
    const [key] = (await listOperatorKeys.run(context, {})).records;
    t.match(key, { role: 'viewer', addresses: ['203.0.113.4', '203.0.113.5'] });
  });

  // The last one: the clock moves on by a day, and every session ends.
  await t.test('remove a broker, a day after its suspension', async (t) => {
    await suspendBroker.run(context, { broker: 'north' });
    clock.advance(86_400_000);
    const next = await desk.enter('admin');
    await openBroker(next.page, desk, 'North Hosting');
    await next.page.locator('#tools').getByText('More').click();
    await next.page.getByRole('button', { name: 'Remove…' }).click();
    await next.page.getByRole('dialog').getByLabel('Its short name').fill('north');
    await next.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await next.page.getByText('north is removed with all its records').waitFor();
    t.equal(await store.read.brokers.findBySlug('north'), null);
  });
});
