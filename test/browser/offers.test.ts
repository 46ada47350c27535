import t from 'tap';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { pageEmails } from '../../src/operator/mail/emails.ts';
import { showTemplate } from '../../src/operator/mail/templates.ts';
import { createPlan, listPlans } from '../../src/operator/plans/plans.ts';
import { pageRequests, showRequest } from '../../src/operator/requests/views.ts';
import { pageServices } from '../../src/operator/services/views.ts';
import { closeBrowser } from '../support/browser.ts';
import { checkPage, openDesk } from '../support/desk.ts';
import { anEmail, aPlan, aRequest, stock } from '../support/rows.ts';
import { handsOf } from './steps.ts';

// What an operator does with plans, files, reviews and mails, with nothing but the console: each journey begins at the
// overview, goes where the pages lead, and takes so many clicks.

t.teardown(closeBrowser);

t.test('plans, files, reviews and mails', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const { context, store, clock } = desk.console;
  const { page } = await desk.signIn('admin');
  const hands = handsOf(page, desk);
  const servicesOf = async (broker: string) => (await pageServices(context, { broker })).pagination.total;
  t.beforeEach(() => hands.begin());

  await t.test('decide 20 reviews, one of them denied: side by side, the one alone, the others together', async (t) => {
    const waiting = async () => (await pageRequests(context, { request_status: 'operator_review' })).pagination.total;
    const { broker, plan, rows } = await stock(store, 20 - (await waiting()));
    const larger = aPlan(broker, { displayName: 'Larger', upgradeRank: 20, diskGb: 40 });
    await store.tx(async (tx) => {
      await tx.plans.insert(larger);
      for (const service of rows) {
        const change = { type: 'plan-upgrade', currentPlanId: plan.id, newPlanId: larger.id } as const;
        await tx.requests.insert(aRequest(service, { ...change, status: 'operator_review', submittedAt: clock.now() }));
      }
    });
    const decided = (await pageRequests(context, { request_status: 'operator_review' })).items;
    t.equal(decided.length, 20);
    await hands.begin();
    await hands.follow('Decide');
    await hands.tick('All on this page');
    await hands.press('Decide the chosen ones…');
    await hands.isAt('Decide 20 reviews');
    await hands.press('Deny downgrade of service 1000003 alone');
    await hands.sees(/of service \d+: denied\./);
    await hands.press('Accept 19 reviews');
    await page.waitForURL(/status=operator_review/);
    const became = await Promise.all(
      decided.map(async ({ request_id }) => (await showRequest(context, { requestId: request_id })).request_status),
    );
    t.equal(became.filter((status) => status === 'denied').length, 1);
    t.equal(became.filter((status) => status === 'accepted').length, 19);
    t.equal(hands.clicks(), 5);
  });

  await t.test('change a price: who is affected is shown before it is saved', async (t) => {
    await hands.find('price of starter');
    await hands.write('Price', '7.50');
    await hands.press('See what changes');
    await hands.isAt('Change Starter?');
    t.match(await hands.part('What changes').text(), /6\.00 EUR\s+7\.50 EUR\s+\+1\.50/);
    t.match(await hands.part('For whom').text(), /Services on this plan: 9/);
    await hands.press('Save');
    await hands.isAt('Starter');
    await hands.sees('Saved.');
    t.match(await hands.part('History').text(), /price/i);
    t.equal(hands.clicks(), 3);
  });

  await t.test('create a plan and retire it: its page has both, and says who stays on it', async (t) => {
    await hands.go('Plans');
    await hands.press('Add a plan…');
    await hands.choose('Broker', 'demo');
    await hands.write('Slug', 'tiny');
    await hands.write('Name', 'Tiny');
    await hands.write('Rank', '5');
    await hands.choose('Billed', 'monthly');
    await hands.write('Price', '3.00');
    await hands.write('Currency', 'EUR');
    await hands.press('Add a plan');
    await hands.isAt('Tiny');
    await hands.press('Stop selling…');
    await hands.sees(/Services that stay on it: 0/);
    await hands.press('Stop selling');
    await hands.sees('no longer sold');
    t.equal(hands.clicks(), 7);
  });

  await t.test('a new option for all VPS plans of three brokers: chosen in the list, written once', async (t) => {
    const brokers = ['vps-one', 'vps-two', 'vps-three'];
    for (const slug of brokers) {
      const contact = { contact_email: `${slug}@example.com`, sender_email: `${slug}@example.com` };
      await createBroker.run(context, { slug, name: slug, ...contact });
      for (const [rank, size] of ['S', 'M'].entries()) {
        const plan = { slug: `vps-${size}`, display_name: `VPS ${size}`, upgrade_rank: rank, billing_type: 'monthly' };
        await createPlan.run(context, { broker: slug, ...plan });
      }
    }
    await hands.go('Plans');
    await hands.write('Name, slug or id', 'VPS');
    await hands.sees(/^6 plans$/);
    await hands.tick('All on this page');
    await hands.press('Add an option to the chosen ones…');
    await hands.isAt('Add an option to 6 plans');
    await checkPage(t, page, 'plan-option', { table: true });
    await hands.write('Name', 'Location');
    await hands.write('Name in calls', 'location');
    await hands.write('Choices', 'fra Frankfurt\nsin Singapore');
    await hands.write('Default', 'fra');
    await hands.press('Add to 6 plans');
    await hands.sees('Location was added to 6 plans.');
    for (const broker of brokers) {
      const { records } = await listPlans.run(context, { broker });
      t.equal(records.length, 2);
      for (const { options } of records) t.match(options, [{ name: 'location', default: 'fra' }]);
    }
    t.equal(hands.clicks(), 4);
  });

  await t.test(
    'import 5,000 services with faults: they are named by line, and the mended file is imported',
    async (t) => {
      const before = await servicesOf('demo-other');
      const line = (n: number, plan = 'basic') => `${2_000_000 + n},${plan},Client ${n},client-${n}@example.com`;
      const lines = Array.from({ length: 5_000 }, (_, n) => line(n));
      const fileOf = (rows: string[]) => ({
        name: 'services.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(['service_number,plan,client_name,client_email', ...rows, ''].join('\n')),
      });
      await hands.go('Imports');
      await hands.choose('Records', 'services');
      await hands.choose('Broker', 'demo-other');
      await hands.pick('File', fileOf(lines.with(1_234, line(1_234, 'no-such'))));
      await hands.press('Preview');
      await hands.sees(/nothing can be imported until the faults are corrected/);
      t.match(await page.getByLabel('Refused, table').innerText(), /line 1,?236[\s\S]*no-such/);
      t.equal(await servicesOf('demo-other'), before);
      await hands.pick('File', fileOf(lines));
      await hands.press('Preview');
      await hands.press('Import 5,000 services');
      await hands.sees(/5,000 services of demo-other were created/);
      t.equal(await servicesOf('demo-other'), before + 5_000);
      t.equal(hands.clicks(), 8);
    },
  );

  await t.test('take an import back: what it created and is unused goes, counted before', async (t) => {
    const before = await servicesOf('demo-other');
    await hands.go('Imports');
    await hands.follow('Take back…');
    await hands.sees(/5,000/);
    await hands.press('Remove them…');
    await hands.press('Remove');
    await hands.sees(/taken back/);
    t.equal(await servicesOf('demo-other'), before - 5_000);
    t.equal(hands.clicks(), 4);
  });

  await t.test('edit a template, send a test of it and restore the version before', async (t) => {
    const kind = 'cancellation-warning';
    const { subject } = (await showTemplate(context, { broker: 'demo', kind })).source as { subject: string };
    await hands.go('Templates');
    await hands.follow(/Cancellation warning of Demo Hosting/);
    await hands.write('Subject', 'Your service ends soon');
    await hands.press('Save');
    await hands.sees('Saved: emails are sent like this from now on');
    const of = /With the values of service (\d+)/.exec(await page.locator('#preview').innerText())?.[1];
    const test = hands.part('Send a test');
    t.match(await test.text(), `the values of service ${of}`);
    await test.press('Send');
    await hands.sees('A test was sent to');
    await hands.press(/^Restore version/);
    await hands.sees('Restored, as the newest version');
    t.equal(await page.getByLabel('Subject').inputValue(), subject);
    t.equal(hands.clicks(), 5);
    await hands.go('Emails');
    t.match(await hands.row('Your service ends soon').text(), /test\s+sent/);
  });

  await t.test('settle the unknown emails of an incident together, with one note', async (t) => {
    const { broker } = await stock(store);
    await store.tx(async (tx) => {
      for (const n of [1, 2]) {
        const id = context.newId('eml', clock.now());
        const lost = { status: 'unknown', subject: `Notice ${n}` } as const;
        await tx.emails.insert(anEmail(broker, { id, createdAt: clock.now(), ...lost }));
      }
    });
    await hands.go('Emails');
    await hands.tick('All on this page');
    await hands.press('Settle the chosen ones…');
    await hands.write('How you know', 'the provider’s log has them');
    await hands.press('They arrived');
    await hands.sees(/^Settled: \d+ emails arrived\.$/);
    t.equal((await pageEmails(context, { email_status: 'unknown' })).pagination.total, 0);
    t.equal(hands.clicks(), 4);
  });

  // Chromium logs the refusal of the faulty file itself.
  t.strictSame(
    desk.complaints.filter((line) => !/status of 422/.test(line)),
    [],
  );
});
