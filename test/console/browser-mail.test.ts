import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import t from 'tap';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker, setBroker } from '../../src/operator/brokers/brokers.ts';
import { listPlans } from '../../src/operator/plans/plans.ts';
import type { EmailRow } from '../../src/store/queries/emails.ts';
import { closeBrowser } from '../support/browser.ts';
import { checkPage, type Desk, openDesk } from '../support/desk.ts';
import { full } from '../support/full.ts';
import { BROKER } from '../support/operator-context.ts';

t.teardown(closeBrowser);

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung'.repeat(3);
const RIGHT_TO_LEFT = 'إشعار بإلغاء الخدمة رقم 1000001 – שירות הלקוחות';

/** Emails of every outcome, with long and right-to-left texts, and HTML that would like to run, ask and lead away. */
async function writeEmails(
  { console: { context, clock, store } }: Desk,
  elsewhere = 'https://elsewhere.example',
): Promise<string[]> {
  const [broker] = await store.read.brokers.list();
  const texts: Array<Partial<EmailRow>> = [
    { status: 'sent', subject: RIGHT_TO_LEFT, providerMessageId: 'b7bc2f4a-e38e-4336-af7d-e6c392c2f817' },
    { status: 'failed', subject: LONG, recipient: `${'long.'.repeat(12)}name@example.com`, failureReason: 'rejected' },
    {
      status: 'unknown',
      subject: 'Your service 1000001 (web-1) is at risk of cancellation',
      html: `<style>body{font-family:sans-serif;padding:1rem}h1{color:#2a58c8}</style><h1>Your service 1000001</h1>
<p>Dear Ada Example, an invoice is overdue.</p><script>parent.document.title = 'taken'</script>
<img src="${elsewhere}/seen.png" onerror="alert(1)"><meta http-equiv="refresh" content="0;url=/brokers">
<form action="/brokers" method="post"><button>Win a prize</button></form><a href="${elsewhere}/">Pay</a>`,
    },
  ];
  const ids: string[] = [];
  for (const fields of texts) {
    const now = clock.now();
    const row: EmailRow = {
      id: context.newId('eml', now),
      brokerId: broker?.id as string,
      kind: 'cancellation-warning',
      serviceNumber: 1000001,
      requestId: null,
      status: 'sent',
      recipient: 'ada@example.com',
      subject: null,
      html: `<p dir="rtl">${RIGHT_TO_LEFT}</p>`,
      text: `${RIGHT_TO_LEFT}\n\n${LONG}`,
      failureReason: null,
      providerCode: null,
      providerMessageId: null,
      createdAt: now - 60_000,
      completedAt: now,
      settledAt: null,
      settledNote: null,
      erasedAt: null,
      ...fields,
    };
    await store.tx((tx) => tx.emails.insert(row));
    ids.push(row.id);
  }
  return ids;
}

const FAULTY = `slug,display_name,upgrade_rank,billing_type,price_amount,price_currency
starter,Starter,10,monthly,6.00,EUR
${'x'.repeat(120)},${RIGHT_TO_LEFT},20,monthly,,
bad slug,=1+1,ten,weekly,6,€
`;
const SOUND = `slug,display_name,upgrade_rank,billing_type
brand-new,Brand new,70,monthly
`;

const choose = (page: Page, name: string, content: string) =>
  page.getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

async function upload(page: Page, base: string, name: string, content: string) {
  await page.goto(`${base}/imports`);
  await page.getByLabel('Records', { exact: true }).selectOption('plans');
  await page.getByLabel('Broker', { exact: true }).selectOption('demo');
  await choose(page, name, content);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText(`${name}: `).waitFor();
}

t.test('the pages of emails, templates, imports and audit are accessible and fit the window', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const ids = await writeEmails(desk);
  const { context } = desk.console;
  await createBroker.run(context, { ...BROKER, name: LONG.slice(0, 200) });
  await setBroker.run(context, { broker: 'acme', name: RIGHT_TO_LEFT });
  const { page } = await desk.signIn('admin');
  const pages: Array<[name: string, path: string]> = [
    ['email-unknown', `/emails/${ids[2]}`],
    ['template', '/templates/demo/cancellation-warning'],
    ['imports', '/imports'],
  ];
  const tables: typeof pages = [
    ['emails', '/emails'],
    ['templates', '/templates'],
    ['audit', '/audit'],
  ];
  const variants: typeof pages = [
    ['emails-none', '/emails?status=open'],
    ['email-long', `/emails/${ids[1]}`],
    ['email-rtl', `/emails/${ids[0]}`],
    ['template-none', '/templates/acme/service-created'],
    ['audit-broker', '/audit?subject=acme'],
    ['audit-none', '/audit?actor=nobody'],
  ];
  for (const [name, path] of [...pages, ...tables, ...(full ? variants : [])]) {
    await page.goto(desk.base + path);
    await checkPage(t, page, name, { table: tables.some((entry) => entry[0] === name) });
  }
  await upload(page, desk.base, 'plans of spring.csv', FAULTY);
  await checkPage(t, page, 'import-faults', { table: true });
  await upload(page, desk.base, 'plans.csv', SOUND);
  await checkPage(t, page, 'import-valid');
  await choose(page, 'other.csv', FAULTY);
  const shown = await page.locator('#imports').innerText();
  t.notMatch(shown, /every record can be imported|Import 1 plan|To create/, 'a preview goes with what it was of');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('other.csv: nothing can be imported').waitFor();
  // What the hostile mail asks for is refused, and the browser says so.
  t.strictSame(
    desk.complaints.filter((line) => !/elsewhere\.example|sandbox|Content Security Policy/i.test(line)),
    [],
  );
});

t.test('a hostile mail runs nothing, asks for nothing and leads nowhere', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const visits: string[] = [];
  const outside = createServer((request, response) => {
    visits.push(String(request.url));
    response.end();
  }).listen(0, '127.0.0.1');
  t.teardown(() => void outside.close());
  await once(outside, 'listening');
  const ids = await writeEmails(desk, `http://127.0.0.1:${(outside.address() as AddressInfo).port}`);
  const { page } = await desk.signIn('support');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  page.on('dialog', (dialog) => {
    t.fail(`a dialog said ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${desk.base}/emails/${ids[2]}`, { waitUntil: 'networkidle' });
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { name: 'Your service 1000001' }).waitFor();
  await frame.getByRole('button', { name: 'Win a prize' }).click();
  await frame.getByRole('link', { name: 'Pay' }).click();
  await page.waitForLoadState('networkidle');
  t.match(await page.title(), /at risk of cancellation/);
  t.strictSame(
    asked.filter((path) => path === '/brokers'),
    [],
  );
  t.strictSame(visits, [], 'no other host learns that it is read');
  await page.getByLabel('How you know').fill('The client called');
  await page.getByRole('button', { name: 'It arrived' }).click();
  await page.getByText('Settled: it arrived.').waitFor();
});

t.test(
  'a template is previewed as one writes, saved, sent, taken back, and all of it stands in the trail',
  async (t) => {
    const desk = await openDesk(t);
    if (!desk) return;
    const { context, mailer } = desk.console;
    const { page } = await desk.signIn('admin', { viewport: { width: 1440, height: 900 } });
    await page.goto(`${desk.base}/templates/demo/cancellation-warning`);
    await page.getByLabel('HTML', { exact: true }).fill('<h1>Dear {{ client_name }}</h1><p>{{ warning_reason }}</p>');
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: /^Dear / }).waitFor();
    await page.getByLabel('Service number').fill('1000001');
    await frame.getByRole('heading', { name: 'Dear Ada Example' }).waitFor();
    await page.getByLabel('Subject').fill('About {{ servce_number }}');
    await page.getByText('unknown value "servce_number"').waitFor();
    await page.getByLabel('Subject').fill('About {{ service_number }}');
    await page.getByText('About 1000001', { exact: true }).waitFor();
    t.equal(
      await page.getByLabel('HTML', { exact: true }).inputValue(),
      '<h1>Dear {{ client_name }}</h1><p>{{ warning_reason }}</p>',
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved: emails are sent like this').waitFor();
    await page.getByLabel('Where the test goes').fill('me@example.com');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('A test was sent to me@example.com').waitFor();
    t.match(mailer.sent.at(-1), { to: 'me@example.com', html: /Dear / });
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Restored, as the newest version').waitFor();
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    t.match(await page.locator('tbody').innerText(), /template\.set[\s\S]*template\.send_test[\s\S]*template\.set/);
    t.match(await listAudit(context, { action: 'template.set', limit: '2' }), [
      { actor: /^admin/, after: { version: 3 } },
      { actor: /^admin/, before: { version: 1 }, after: { version: 2 } },
    ]);
    t.strictSame(desk.complaints, []);
  },
);

t.test('a file with faults is mended and imported, by keyboard alone, and the trail records it', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const { context } = desk.console;
  const { page } = await desk.signIn('admin');
  await upload(page, desk.base, 'plans.csv', FAULTY);
  t.match(await page.getByLabel('Refused, table').innerText(), /line 4[\s\S]*slug must be letters/);
  await page.locator('summary').filter({ hasText: 'To change' }).click();
  t.match(await page.getByLabel('To change, table').innerText(), /line 2\s+starter/);
  t.equal(await page.getByRole('button', { name: /^Import/ }).count(), 0);
  const [faults] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the faults as CSV' }).click(),
  ]);
  t.equal(faults.suggestedFilename(), 'faults.csv');
  // The browser has kept the file: it is chosen once for the preview and the import.
  await upload(page, desk.base, 'plans.csv', SOUND);
  await page.getByRole('button', { name: 'Import 1 plan' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 plan of demo was created').waitFor();
  t.ok((await listPlans.run(context, { broker: 'demo' })).records.some(({ slug }) => slug === 'brand-new'));
  await page.getByRole('link', { name: 'See the audit trail' }).click();
  await page.getByRole('cell', { name: 'plan.import' }).first().waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV of this list' }).click(),
  ]);
  t.match(file.suggestedFilename(), /^audit-\d{4}-\d{2}-\d{2}\.csv$/);
  t.strictSame(desk.complaints, []);
});

t.test('with scripts off a template is previewed and saved, an email settled, a file imported', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const ids = await writeEmails(desk);
  const { page } = await desk.signIn('admin', { javaScriptEnabled: false });
  await page.goto(`${desk.base}/templates/demo/service-created`);
  await page.getByLabel('Subject').fill('Hello {{ client_name }}');
  await page.getByRole('button', { name: 'Show the preview' }).click();
  await page.getByText(/^Hello \w/).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved: emails are sent like this').waitFor();
  await page.goto(`${desk.base}/emails/${ids[2]}`);
  await page.getByLabel('How you know').fill('It bounced');
  await page.getByRole('button', { name: 'It did not arrive' }).click();
  await page.getByText('Settled: it did not arrive').waitFor();
  await upload(page, desk.base, 'plans.csv', SOUND);
  await choose(page, 'plans.csv', SOUND);
  await page.getByRole('button', { name: 'Import 1 plan' }).click();
  await page.getByText('1 plan of demo was created').waitFor();
  await page.goto(`${desk.base}/audit`);
  await page.getByText('Add a filter').click();
  await page.getByLabel('Action, such as key.revoke').fill('plan.import');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL(/action=plan\.import/);
  t.match(await page.locator('tbody').innerText(), /plan\.import/);
});
