import type { Locator } from 'playwright-core';
import t from 'tap';
import { submit } from '../../src/lifecycle/submit.ts';
import { listKeys } from '../../src/operator/access/keys.ts';
import { listOperators } from '../../src/operator/people/operators.ts';
import { listPlans, setPlan } from '../../src/operator/plans/plans.ts';
import { pageRequests, showRequest } from '../../src/operator/requests/views.ts';
import { transact } from '../../src/store/change.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import type { KeyRow } from '../../src/store/queries/keys.ts';
import { closeBrowser } from '../support/browser.ts';
import { checkPage, type Desk, openDesk as open } from '../support/desk.ts';
import { full } from '../support/full.ts';
import { aCall, aUsageRow } from '../support/rows.ts';
import { until } from '../support/until.ts';

t.teardown(closeBrowser);

const reviewsOf = async ({ console }: Desk) =>
  (await pageRequests(console.context, { request_status: 'operator_review', order: 'oldest' })).items.map(
    ({ request_id }) => request_id,
  );

t.test(
  'every page is accessible and fits the window: axe finds nothing, also not a target below 24 pixels',
  async (t) => {
    const desk = await open(t);
    if (!desk) return;
    const [review] = await reviewsOf(desk);
    const [plan] = (await listPlans.run(desk.console.context, { broker: 'demo' })).records;
    const [key] = (await listKeys.run(desk.console.context, { broker: 'demo-other' })).records;
    const { store, clock } = desk.console;
    const broker = await store.read.brokers.findBySlug('demo-other');
    const refused = {
      at: clock.now(),
      serviceNumber: 1_000_101,
      status: 400,
      code: 'invalid_state',
      reason: 'same_plan',
    };
    const call = aCall({ id: broker?.id } as BrokerRow, { id: key?.key_id } as KeyRow, refused);
    await store.tx((tx) => tx.calls.insert([call]));
    const pages: Array<[name: string, path: string, dialog?: string]> = [
      ['overview', '/'],
      ['brokers-add', '/brokers', 'Add a broker…'],
      ['broker', '/brokers/demo?address=203.0.113.9'],
      ['key', `/brokers/demo-other/keys/${key?.key_id}?span=1h`],
      ['call', `/calls/${call.requestId}`],
      ['key-create', '/brokers/demo', 'Create a key…'],
      ['service', '/services/1000025'],
      ['review', `/requests/${review}`],
      ['search', '/search?q=hosting'],
      ['plan-edit', `/plans/${plan?.id}`, 'Edit…'],
      ['not-found', '/nowhere'],
    ];
    const tables: typeof pages = [
      ['brokers', '/brokers'],
      ['consumption', '/services/consumption'],
      ['plans', '/plans'],
      ['services', '/services'],
      ['system', '/system'],
      ['document', '/docs/operate.md'],
      ['requests', '/requests'],
      ['calls', '/calls'],
      ['requests-none', '/requests?status=pending&broker=demo-other'],
      ['sessions', '/sessions'],
      ['operators', '/operators'],
      ['operator-keys', '/operator-keys'],
      ['notices', '/notices'],
    ];
    const variants: typeof pages = [
      ['overview-hour', '/?span=1h'],
      ['overview-quarter', '/?span=90d'],
      ['services-none', '/services?q=nobody'],
      ['service-edit', '/services/1000025', 'Edit…'],
    ];
    const { page } = await desk.signIn('admin');
    const visitor = (await listOperators.run(desk.console.context, {})).find(
      ({ last_sign_in_date }) => last_sign_in_date,
    );
    tables.push(['operator-sessions', `/operators/${visitor?.operator_id}/sessions`]);
    for (const [name, path, dialog] of [...pages, ...tables, ...(full ? variants : [])]) {
      await page.goto(desk.base + path);
      if (dialog) await page.getByRole('button', { name: dialog }).first().click();
      await checkPage(t, page, name, { table: tables.some((entry) => entry[0] === name) });
    }
    // The page that is not found is one of them.
    t.strictSame(
      desk.complaints.filter((line) => !/404/.test(line)),
      [],
    );
  },
);

/** Buttons and fields of the page that are beyond the window, or cut off by what they stand in. */
const HIDDEN_BUTTONS = `[...document.querySelectorAll('main :is(button, input, select, textarea, .tabs a)')]
  .filter((element) => {
    if (!element.checkVisibility() || element.type === 'hidden') return false;
    const { left, right } = element.getBoundingClientRect();
    for (let at = element.parentElement; at; at = at.parentElement) {
      const box = at.getBoundingClientRect();
      if (getComputedStyle(at).overflowX !== 'visible' && (left < box.left - 2 || right > box.right + 2)) return true;
    }
    return left < 0 || right > innerWidth;
  })
  .map(({ innerText, name }) => innerText || name)`;

t.test('on a tablet and a small desktop no page scrolls sideways or hides a button', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('admin');
  const [review] = await reviewsOf(desk);
  await page.goto(desk.base);
  const sections = await page.evaluate("[...document.querySelectorAll('#sections a')].map(({ pathname }) => pathname)");
  const records = ['/brokers/demo', '/services/1000103', `/requests/${review}`, '/templates/demo/cancellation-warning'];
  for (const path of [...(sections as string[]), ...records]) {
    await page.goto(desk.base + path);
    for (const width of [768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      // A plot is drawn anew after the window has changed.
      const fits = page.waitForFunction('document.documentElement.scrollWidth <= innerWidth', null, { timeout: 5_000 });
      await t.resolves(fits, `${path} at ${width}`);
      t.strictSame(await page.evaluate(HIDDEN_BUTTONS), [], `buttons of ${path} at ${width}`);
    }
  }
});

/** What a table cuts at its cell's edge, of which nothing but an ellipsis is left. */
const SWALLOWED = `[...document.querySelectorAll('main td')]
  .filter((cell) => getComputedStyle(cell).overflowX !== 'visible' && cell.querySelector('a'))
  .filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth)
  .map(({ innerText }) => innerText)`;

t.test('a link in a table is cut where it is too long, and never goes whole', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('admin');
  for (const path of ['/plans', '/emails', '/requests'])
    for (const width of [1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(desk.base + path);
      t.strictSame(await page.evaluate(SWALLOWED), [], `${path} at ${width}`);
    }
});

t.test('the figures of a key stand in view beside their names', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('admin');
  const [key] = (await listKeys.run(desk.console.context, { broker: 'demo-other' })).records;
  await page.goto(`${desk.base}/brokers/demo-other/keys/${key?.key_id}`);
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const hidden = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
      document.querySelector('[aria-label="By operation, table"]'),
    )`;
    t.equal(await page.evaluate(hidden), 0, `calls by operation at ${width}`);
  }
});

t.test('on paper a page has no navigation and no forms, nothing is cut off, and plots are light', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  // The width between the margins of A4.
  const { page } = await desk.signIn('admin', { viewport: { width: 718, height: 1040 }, colorScheme: 'dark' });
  for (const path of ['/usage', '/brokers/demo']) {
    await page.goto(desk.base + path);
    if (path !== '/usage') await page.locator('.plot canvas').waitFor();
    const fill = 'document.querySelector(".plot")?.plot.series[1].stroke()';
    const dark = await page.evaluate(fill);
    await page.emulateMedia({ media: 'print' });
    for (const away of ['.side', 'search', 'input', 'button', '.tabs'])
      t.equal(await page.locator(`${away}:visible`).count(), 0, `${away} of ${path}`);
    const cut = `[...document.querySelectorAll('main *')].filter((element) => {
      const { overflowX, position } = getComputedStyle(element);
      const isCut = overflowX !== 'visible' && position !== 'absolute' && element.scrollWidth > element.clientWidth + 1;
      return element.checkVisibility() && (isCut || element.getBoundingClientRect().right > innerWidth + 1);
    }).map(({ outerHTML }) => outerHTML.slice(0, 200))`;
    t.strictSame(await page.evaluate(cut), [], path);
    if (path !== '/usage') t.not(await page.evaluate(fill), dark, 'the plot is drawn anew');
    await page.emulateMedia({ media: 'screen' });
  }
});

t.test('the sign-in pages are accessible', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const page = await desk.browser.newPage();
  for (const path of ['/sign-in', `/sign-in/${'A'.repeat(43)}`]) {
    await page.goto(desk.base + path);
    await checkPage(t, page, `sign-in-${path.length}`);
  }
  await page.close();
});

t.test('a review is decided by keyboard alone, seeing what would change', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('support');
  const upgrades = { request_status: 'operator_review', type: 'plan-upgrade', order: 'oldest' } as const;
  const [upgrade] = (await pageRequests(desk.console.context, upgrades)).items;
  const review = upgrade?.request_id;
  await page.keyboard.press('/');
  await page.keyboard.type(review as string);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /: review/ }).waitFor();
  t.match(await page.locator('.change').innerText(), /Dedicated Server/);
  await page.getByRole('textbox', { name: 'Reason' }).focus();
  await page.keyboard.type('Fits, go ahead. a d /');
  await page.keyboard.press('Tab');
  await page.keyboard.press('d');
  t.match(await page.evaluate('document.activeElement.innerText'), /^Deny/);
  await page.keyboard.press('a');
  t.match(await page.evaluate('document.activeElement.innerText'), /^Accept/);
  await page.keyboard.press('Enter');
  await page.getByText(/Accepted: the request of service \d+ is queued/).waitFor();
  t.notOk((await reviewsOf(desk)).includes(review as string));
  t.strictSame(desk.complaints, []);
});

t.test('the search box answers while one types, by keyboard alone, in the same place on every page', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('viewer');
  const box = page.getByRole('combobox', { name: /^Search/ });
  const places: unknown[] = [];
  for (const path of ['/', '/brokers', '/services/1000025', '/requests?status=operator_review', '/system']) {
    await page.goto(desk.base + path);
    places.push(await box.boundingBox());
  }
  for (const place of places) t.strictSame(place, places[0]);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('hosting');
  await page.getByRole('option', { name: /Other Hosting/ }).waitFor();
  await checkPage(t, page, 'search-open');
  t.equal(await box.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('ArrowDown');
  const chosen = page.locator('[role=option][aria-selected=true]');
  t.equal(await box.getAttribute('aria-activedescendant'), await chosen.getAttribute('id'));
  await page.keyboard.press('ArrowUp');
  t.match(await chosen.innerText(), 'All results');
  await page.keyboard.press('Escape');
  t.equal(await page.getByRole('option').first().isVisible(), false);
  await page.keyboard.press('ArrowDown');
  const name = await chosen.locator('bdi').first().innerText();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('1000025');
  await page.getByRole('option', { name: /1000025/ }).click();
  await page.waitForURL(/services\/1000025$/);
  t.strictSame(desk.complaints, []);
});

t.test('reviews are chosen in the list, shown together and decided with one reason', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('support');
  const waiting = await reviewsOf(desk);
  await page.goto(`${desk.base}/requests?status=operator_review`);
  const all = page.getByLabel('All on this page');
  await all.check();
  await page.getByText(`${waiting.length} chosen`).waitFor();
  const first = page.locator('input[name="request_id"]').first();
  await first.uncheck();
  await page.getByText(`${waiting.length - 1} chosen`).waitFor();
  t.notOk(await all.isChecked(), 'one is left out');
  await first.check();
  t.ok(await all.isChecked());
  await page.getByRole('button', { name: 'Decide the chosen ones' }).click();
  await page.getByRole('heading', { level: 1, name: `Decide ${waiting.length} reviews` }).waitFor();
  await checkPage(t, page, 'reviews');
  await page.getByLabel('Reason', { exact: true }).fill('Not before spring');
  await page.getByRole('button', { name: /^Deny \d+ reviews/ }).click();
  await page.getByText(`${waiting.length} reviews denied.`).waitFor();
  t.strictSame(await reviewsOf(desk), []);
  const detail = await showRequest(desk.console.context, { requestId: waiting[0] as string });
  t.match(detail, { request_status: 'denied', decision: { reason: 'Not before spring' } });
  t.strictSame(desk.complaints, []);
});

t.test('a review has room for long values that were chosen with the plan, in every look', async (t) => {
  const desk = await open(t, { hasProvisioner: true });
  if (!desk) return;
  const { context, store } = desk.console;
  const options = [
    { name: 'ssh_key', display_name: 'Key '.repeat(25), type: 'text' },
    { name: 'notes', display_name: 'Notes', type: 'text' },
  ];
  await setPlan.run(context, { broker: 'demo', slug: 'dedicated', options: JSON.stringify(options) });
  const { id: brokerId } = (await store.read.brokers.findBySlug('demo')) as BrokerRow;
  const input = {
    serviceNumber: 1000024,
    newPlan: 'dedicated',
    configuration: { ssh_key: 'A'.repeat(255), notes: 'some words '.repeat(23) },
  };
  const { request } = await transact(context, (change) =>
    submit(change, { brokerId }, input, { type: 'plan-upgrade', origin: 'broker', actor: null }),
  );
  const { page } = await desk.signIn('admin');
  await page.goto(`${desk.base}/requests/${request.id}`);
  await checkPage(t, page, 'review-chosen', { table: true });
  await page.goto(`${desk.base}/requests/reviews?request_id=${request.id}`);
  await checkPage(t, page, 'reviews-chosen', { table: true });
  await page.goto(`${desk.base}/services/1000001`);
  await page.getByRole('button', { name: 'Submit a request…' }).click();
  await page.getByText('Configuration as JSON').click();
  await checkPage(t, page, 'service-submit');
  t.strictSame(desk.complaints, []);
});

t.test('single keys can be turned off', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('viewer');
  await page.goto(`${desk.base}/sessions`);
  await page.getByLabel(/Single-key/).uncheck();
  await page.goto(`${desk.base}/brokers`);
  await page.keyboard.press('/');
  t.equal(await page.evaluate('document.activeElement === document.body'), true);
});

t.test('a key is made, shown once, copied and revoked with the mouse', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page, context } = await desk.signIn('admin', { viewport: { width: 1360, height: 900 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${desk.base}/brokers/demo`);
  await page.getByRole('button', { name: 'Create a key…' }).click();
  const form = page.getByRole('dialog', { name: 'Create a key' });
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    const within = 'document.activeElement === document.body || document.activeElement.closest("dialog") !== null';
    t.ok(await page.evaluate(within), 'the focus stays in the dialog');
  }
  await form.getByLabel('Name').fill('Night job');
  await form.getByLabel('Mode').selectOption('live');
  await form.getByLabel('plans:read').check();
  await form.getByRole('textbox', { name: 'Ends' }).fill('tomorrow');
  await form.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('alert').waitFor();
  await checkPage(t, page, 'key-refused');
  const ends = page.getByRole('textbox', { name: 'Ends' });
  t.equal(await ends.inputValue(), 'tomorrow', 'what was typed stays');
  t.match(await page.locator(`#${await ends.getAttribute('aria-describedby')}`).innerText(), /^Must be a date/);
  t.match(desk.complaints.splice(0), [/status of 422/], 'Chromium logs the refusal itself');
  await ends.fill('2031-01-31');
  await page.getByRole('button', { name: 'Create a key', exact: true }).click();
  const key = await page.locator('#shown-once').innerText();
  await page.locator('#shown-once + button').click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  t.equal(await page.evaluate('navigator.clipboard.readText()'), key);
  await page.getByRole('link', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Night job/ });
  await row.getByText('More').click();
  await page.keyboard.press('Escape');
  t.equal(await row.getByRole('button', { name: 'Revoke…' }).isVisible(), false, 'Escape closes the menu');
  await page.keyboard.press('Enter');
  await row.getByRole('button', { name: 'Revoke…' }).click();
  const asked = page.getByRole('dialog', { name: 'Revoke' });
  t.match(await asked.innerText(), /The key “Night job” .* ends for good: its calls are refused within a second/);
  await page.keyboard.press('Escape');
  t.equal(await asked.isVisible(), false, 'Escape keeps the key');
  await row.getByRole('button', { name: 'Revoke…' }).click();
  await asked.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('was revoked: it is refused from now on').waitFor();
  const keys = (await listKeys.run(desk.console.context, { broker: 'demo' })).records;
  t.match(
    keys.find(({ name }) => name === 'Night job'),
    { key_status: 'revoked', scopes: ['plans:read'] },
  );
  t.strictSame(desk.complaints, []);
});

t.test('a list follows as one types, and the address with it', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('viewer');
  await page.goto(`${desk.base}/brokers`);
  await page.getByLabel('Name, slug or contact').pressSequentially('other');
  await page.waitForURL(/\?q=other$/);
  t.equal(await page.locator('tbody tr').count(), 1);
  await page.locator('#f-status').selectOption('suspended');
  await page.getByText('No broker matches').waitFor();
  t.match(page.url(), /q=other&status=suspended/);
  t.strictSame(desk.complaints, []);
});

t.test('what is chosen in a list stays chosen when the field that narrowed it is left', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('admin');
  await page.goto(`${desk.base}/plans`);
  await page.getByLabel('Name, slug or id').pressSequentially('flex');
  await page.getByText('2 plans', { exact: true }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByLabel('All on this page').check();
  await page.getByText('2 chosen').waitFor();
  t.strictSame(asked, []);
  t.strictSame(desk.complaints, []);
});

t.test('a template that is being written is left only after a question', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('admin');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.goto(`${desk.base}/templates/demo/cancellation-warning`);
  const subject = page.getByLabel('Subject');
  await subject.fill('Soon');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await until('the question is asked', () => asked.length > 0);
  t.strictSame(asked, ['beforeunload']);
  t.equal(await subject.inputValue(), 'Soon');
  await subject.press('Enter');
  await page.locator('#template[data-unsaved]').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await until('the preview is asked about', () => asked.length > 1);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved: emails are sent like this').waitFor();
  t.equal(asked.length, 2, 'saving asks nothing');
  t.strictSame(desk.complaints, []);
});

t.test('a new plan is for the broker that the list shows, and for none unless one is chosen', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('admin');
  await page.goto(`${desk.base}/plans`);
  const broker = page.getByRole('dialog').getByLabel('Broker');
  await page.getByRole('button', { name: 'Add a plan…' }).click();
  t.equal(await broker.inputValue(), '');
  await page.keyboard.press('Escape');
  await page.locator('#f-broker').selectOption('demo-other');
  await page.waitForURL(/broker=demo-other$/);
  await page.getByRole('button', { name: 'Add a plan…' }).click();
  t.equal(await broker.inputValue(), 'demo-other');
  t.strictSame(desk.complaints, []);
});

t.test('with scripts off, reading, filtering and deciding still work', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('admin', { javaScriptEnabled: false });
  const [review] = await reviewsOf(desk);
  await page.goto(`${desk.base}/requests?status=operator_review`);
  await page.getByRole('link', { name: 'Upgrade' }).first().click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not this month');
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByText(/Denied: .*the broker gets your reason/).waitFor();
  await page.getByText('This is the next review.').waitFor();
  t.not(new URL(page.url()).pathname, `/requests/${review}`);
  await page.goto(`${desk.base}/brokers`);
  await page.getByLabel('Name, slug or contact').fill('other');
  await page.getByRole('button', { name: 'Show' }).click();
  t.equal(await page.locator('tbody tr').count(), 1);
  await page.goto(`${desk.base}/brokers/demo`);
  await page.locator('#tools').getByText('More').click();
  await page.getByRole('button', { name: 'Suspend…' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('unpaid since March');
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByText('is suspended.').waitFor();
});

t.test(
  'a link from elsewhere opens its page for a person who is signed in, and a form from elsewhere does nothing',
  async (t) => {
    const desk = await open(t);
    if (!desk) return;
    const { page, context } = await desk.signIn('admin');
    const elsewhere = await context.newPage();
    const [, port] = /:(\d+)$/.exec(desk.base) as RegExpExecArray;
    // The same machine by another name is another site to a browser.
    await elsewhere.route('http://elsewhere.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<a href="${desk.base}/brokers/demo">look</a>
        <form method="post" action="${desk.base}/brokers/demo/suspend"><button>win a prize</button></form>`,
      }),
    );
    await elsewhere.goto('http://elsewhere.example/');
    await elsewhere.getByText('look').click();
    await elsewhere.getByRole('heading', { level: 1, name: 'Demo Hosting' }).waitFor();
    await elsewhere.goto('http://elsewhere.example/');
    await elsewhere.getByText('win a prize').click();
    await elsewhere.getByRole('heading', { level: 1 }).waitFor();
    t.match((await desk.console.store.read.brokers.findBySlug('demo'))?.status, 'active');
    t.match(page.url(), new RegExp(port as string));
  },
);

t.test('figures follow: the plot is drawn, drawn anew with what came in, and told as a table', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('viewer');
  await page.goto(desk.base);
  await page.locator('.plot canvas').waitFor();
  const figure = await page.locator('.figures .big').first().innerText();
  const after = (Number(figure.replaceAll(',', '')) + 5000).toLocaleString('en-US');
  const broker = await desk.console.store.read.brokers.findBySlug('demo');
  const row = aUsageRow(broker?.id as string, desk.console.clock.now() - 60_000, { calls: 5000 });
  await desk.console.store.tx((tx) => tx.usage.count([row]));
  await page.evaluate('document.querySelector("[data-live]").dispatchEvent(new Event("refresh"))');
  await page.getByText(after, { exact: true }).waitFor();
  // The new figures are there before the new plot is.
  await page.locator('.plot canvas').first().waitFor();
  t.equal(await page.locator('.plot canvas').count(), 1);
  await page.getByText('Calls a minute as a table').click();
  t.equal(await page.locator('.numbers tbody tr').count(), 24);
  await desk.console.store.tx((tx) => tx.operators.removeSessions([]));
  await page.context().clearCookies();
  await page.evaluate('document.querySelector("[data-live]").dispatchEvent(new Event("refresh"))');
  await page.waitForURL(/sign-in/);
  t.strictSame(desk.complaints, []);
});

t.test('a new call appears in the list without a reload', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('viewer');
  await page.goto(`${desk.base}/calls?status=404`);
  const { store, clock } = desk.console;
  const broker = await store.read.brokers.findBySlug('demo');
  const [key] = (await listKeys.run(desk.console.context, { broker: 'demo' })).records;
  const found = { at: clock.now(), operation: 'withdrawRequest', status: 404, code: 'not_found' };
  const call = aCall({ id: broker?.id } as BrokerRow, { id: key?.key_id } as KeyRow, found);
  await store.tx((tx) => tx.calls.insert([call]));
  await page.evaluate('document.querySelector("[data-live]").dispatchEvent(new Event("refresh"))');
  await page.getByRole('link', { name: 'withdrawRequest' }).waitFor();
  t.match(page.url(), /status=404$/);
  t.strictSame(desk.complaints, []);
});

t.test('a request’s page follows it until it is final, and a list’s tabs keep its filters', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('support');
  const { store, clock, context } = desk.console;
  const type = 'plan-upgrade';
  const [{ request_id: id } = {}] = (await pageRequests(context, { type, request_status: 'operator_review' })).items;
  const broker = (await store.read.requests.findOwner(id as string)) as string;
  await page.goto(`${desk.base}/requests/${id}`);
  await page.getByRole('button', { name: 'Accept upgrade' }).click();
  await page.goto(`${desk.base}/requests/${id}`);
  const withdraw = page.getByRole('button', { name: 'Withdraw…' });
  await withdraw.focus();
  const refresh = () => page.evaluate('document.querySelector("[data-live]").dispatchEvent(new Event("refresh"))');
  const answer = page.waitForResponse((response) => response.url().endsWith(String(id)));
  await refresh();
  await (await answer).finished();
  await page.evaluate('new Promise(requestAnimationFrame)');
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Withdraw…', 'the focus stays');
  await page.evaluate('document.activeElement.blur()');
  const opened = async (path: RegExp, name: string) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(path, (route) => held.then(() => route.continue()));
    const late = page.waitForResponse(path);
    await refresh();
    await page.getByRole('button', { name }).click();
    release();
    await (await late).finished();
    await page.evaluate('new Promise(requestAnimationFrame)');
    t.equal(await page.getByRole('dialog').isVisible(), true, `what was opened meanwhile stays: ${name}`);
    await page.unroute(path);
    await page.keyboard.press('Escape');
    await page.evaluate('document.activeElement.blur()');
  };
  await opened(/requests\/req_/, 'Withdraw…');
  const done = { status: 'completed', processedAt: clock.now() } as const;
  await store.tx((tx) => tx.requests.move(broker, id as string, { status: 'accepted' }, done));
  await page.locator('#state', { hasText: 'completed' }).waitFor();
  t.equal(await page.getByRole('button', { name: 'Withdraw…' }).count(), 0);

  await page.goto(`${desk.base}/calls`);
  await opened(/calls$/, 'Columns…');
  await page.goto(`${desk.base}/requests`);
  await page.getByLabel('Kind').selectOption(type);
  await page.waitForURL(/type=plan-upgrade/);
  await page.getByRole('link', { name: 'Failed' }).click();
  await page.waitForURL(/status=failed/);
  t.equal(await page.getByLabel('Kind').inputValue(), type);
  t.strictSame(desk.complaints, []);
});

t.test('what was typed for other reviews stays while one is decided by itself', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('support');
  await page.goto(`${desk.base}/requests?status=operator_review`);
  await page.getByLabel('All on this page').check();
  await page.getByRole('button', { name: 'Decide the chosen ones…' }).click();
  const reasons = page.getByPlaceholder('Reason for the broker');
  await reasons.nth(0).fill('Not now');
  await reasons.nth(2).fill('Too large');
  const name = await reasons.nth(2).getAttribute('name');
  const waiting = await reasons.count();
  await page
    .getByRole('button', { name: /^Deny .* alone$/ })
    .first()
    .click();
  await page.getByRole('heading', { name: `Decide ${waiting - 1} reviews` }).waitFor();
  t.equal(await page.locator(`[name="${name}"]`).inputValue(), 'Too large');
  t.equal(await page.locator('input[name="request_id"]').count(), waiting - 1);
  t.equal((await reviewsOf(desk)).length, waiting - 1);
});

t.test('a drag over the overview’s plot, and over the bars of calls, narrows the calls to its time', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('viewer');
  const drag = async (picture: Locator, from: number, to: number) => {
    await picture.scrollIntoViewIfNeeded();
    const box = await picture.boundingBox();
    if (!box) throw new Error('it is drawn');
    await page.mouse.move(box.x + box.width * from, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
  };
  const span = () => {
    const { searchParams } = new URL(page.url());
    return ['since', 'until'].map((name) => Date.parse(String(searchParams.get(name)))) as [number, number];
  };
  await page.goto(desk.base);
  await page.locator('.plot canvas').waitFor();
  await drag(page.locator('.plot .u-over'), 0.5, 0.75);
  await page.waitForURL(/calls\?since=.*until=/);
  const [since, until] = span();
  const hours = (until - since) / 3_600_000;
  t.ok(hours > 5 && hours < 7, `a quarter of the day: ${hours} hours`);
  await drag(page.locator('.bars'), 0.2, 0.6);
  await page.waitForURL((url) => Date.parse(String(url.searchParams.get('until'))) < until);
  const [later, earlier] = span();
  t.ok(later >= since && earlier < until && earlier > later);
  await page.getByRole('link', { name: /^Remove the filter From/ }).click();
  await page.waitForURL((url) => !url.searchParams.has('since'));
  t.strictSame(desk.complaints, []);
});

t.test('what is pressed twice, by mistake or taken back does no harm', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('admin');
  const service = `${desk.base}/services/1000001`;
  await page.goto(service);
  const suspend = page.getByRole('button', { name: 'Suspend…' });
  await suspend.click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Spam');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await suspend.click();
  t.equal(await page.getByRole('textbox', { name: 'Reason' }).inputValue(), '', 'what was typed went with the dialog');
  await page.getByRole('button', { name: 'Suspend', exact: true }).dblclick();
  await page.getByText('Suspended').first().waitFor();
  t.equal(await page.getByRole('alert').count(), 0, 'the second click sent nothing');

  await page.goto(`${desk.base}/services/1000103/client`);
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Erase…' }).focus();
  t.strictSame(posts, [], 'Enter alone erases nothing');

  await page.goto(`${desk.base}/brokers/demo`);
  await page.getByRole('button', { name: 'Allow an address…' }).click();
  await page.keyboard.type('nowhere');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  t.equal(page.url(), `${desk.base}/brokers/demo#firewall`);
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await page.waitForURL(/calls$/);
  await page.goBack();
  await page.getByRole('heading', { name: 'Demo Hosting' }).waitFor();
});

t.test('a filter that is mended while a person types is not called wrong any more', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('viewer');
  await page.goto(`${desk.base}/calls`);
  await page.getByText('Add a filter').click();
  const from = page.getByLabel('From', { exact: true });
  await from.fill('soon');
  await page.locator('#f-since[aria-invalid]').waitFor();
  t.match(await page.locator('#h-since').innerText(), /Must be a date/);
  await from.fill('24h');
  await page.locator('#f-since:not([aria-invalid])').waitFor();
  t.equal(await page.locator('#h-since').innerText(), '');
});

t.test('what a person looked at last is offered by the search, and gone after the sign-out', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('viewer');
  await page.goto(`${desk.base}/services/1000025`);
  await page.goto(desk.base);
  await page.keyboard.press('/');
  await page.getByRole('option', { name: /seen service watched\.example\.com/ }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/sign-in/);
  t.equal(await page.evaluate("localStorage.getItem('seen')"), null);
  t.strictSame(desk.complaints, []);
});

t.test('the overview and the first list weigh less than a hundred kilobytes', async (t) => {
  const desk = await open(t);
  if (!desk) return;
  const { page } = await desk.signIn('viewer');
  const bytesOf = async (path: string, size: string) => {
    await page.goto(desk.base + path, { waitUntil: 'networkidle' });
    const entries = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]";
    return Number(await page.evaluate(`${entries}.reduce((sum, entry) => sum + entry.${size}, 0)`));
  };
  // The list first: what it loads is in the browser's cache afterwards, but its size counts all the same.
  const list = await bytesOf('/brokers', 'decodedBodySize');
  t.ok(list > 50_000 && list < 100_000, `${list} bytes, uncompressed`);
  const overview = await bytesOf('/', 'encodedBodySize');
  t.ok(overview > 40_000 && overview < 100_000, `${overview} bytes, compressed`);
});
