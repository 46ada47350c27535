import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { createDemo, DEMO_KEYS } from '../../src/demo/demo.ts';
import { SAMPLES_BASE_URL } from '../../src/reference/guides.ts';
import { closeBrowser, faultsOf, LOOKS, openBrowser } from '../support/browser.ts';
import { full } from '../support/full.ts';
import { createWorld } from '../support/world.ts';

/** Where pictures of the page are put, for people to look at; none are made without it. */
const PICTURES = process.env.SCREENSHOTS;

t.teardown(closeBrowser);

/** A server with the demo data, and windows of a real browser before its page; null where there is none. */
async function open(t: Test, { demoKey = DEMO_KEYS.test }: { demoKey?: string | null } = {}) {
  const browser = await openBrowser(t);
  if (!browser) return null;
  const world = await createWorld(demoKey === null ? {} : { demoKey });
  t.teardown(() => world.close());
  await createDemo(world.context);
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`;
  const complaints: string[] = [];
  return {
    complaints,
    /** The page as it stands once the renderer is done, with the part of the address that names a place in it. */
    async look(place = '', options: BrowserContextOptions = {}, address = '/api/docs/reference'): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options });
      t.teardown(() => context.close());
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(base) && !url.startsWith('data:') && !url.startsWith('blob:'))
          complaints.push(`asked ${url}`);
      });
      await page.goto(`${base}${address}${place}`);
      await page.getByRole('heading', { name: 'Broker API' }).first().waitFor();
      return page;
    },
  };
}

const WIDE = { name: 'wide', viewport: { width: 1920, height: 1080 }, colorScheme: 'light' } as const;

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/docs-${name}.png` });
}

/** A part of the page by the end of its address. */
const part = (page: Page, place: string) => page.locator(`[id$="/${place}"]`).first();
const UPGRADE = 'tag/services/POST/v1/services/{service_number}/upgrade';

/** Until the renderer has scrolled to it. */
async function inSight(element: Locator): Promise<void> {
  await element.first().waitFor();
  await element.first().evaluate(IN_SIGHT);
}

/** Runs in the browser, which has other names than this program; done once the element is on the screen. */
const IN_SIGHT = `(node) => new Promise((resolve) => {
  new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && resolve()).observe(node);
})`;

t.test('the guides are read without scripts at every width, by day and by night', async (t) => {
  const docs = await open(t);
  if (!docs) return;
  for (const { name, ...look } of [...LOOKS, WIDE]) {
    const page = await docs.look('', look, '/api/docs');
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    t.ok(over <= 0, name);
    await picture(page, `guides-${name}`);
    t.strictSame(await faultsOf(page), [], name);
    if (name === 'desk') {
      t.match(await page.locator('main').textContent(), `curl -s ${SAMPLES_BASE_URL}/v1/auth-check`);
      await page.getByRole('searchbox').fill('plan_rank_not_higher');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'plan_rank_not_higher' }).first().click();
      await inSight(page.locator('#reason-plan_rank_not_higher'));
      await page.getByRole('link', { name: 'POST /v1/services/{service_number}/upgrade' }).first().click();
      await inSight(part(page, UPGRADE).getByRole('heading', { name: 'Move a service to a higher plan' }));
    }
    await page.context().close();
  }
  t.strictSame(docs.complaints, []);
});

t.test('the reference opens without asking another host or breaking its own policy', async (t) => {
  const docs = await open(t);
  if (!docs) return;
  const page = await docs.look();
  const sections = await page
    .locator('aside a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')).join('\n'));
  t.match(sections, /tag\/access\n[\s\S]*tag\/sandbox/);
  t.strictSame(await page.getByRole('link', { name: 'Scalar' }).all(), [], 'nothing leads away');
  t.strictSame(docs.complaints, []);
});

t.test('search finds operations, and leads there', async (t) => {
  const docs = await open(t);
  if (!docs) return;
  const page = await docs.look();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog');
  await search.getByRole('textbox').or(search.getByRole('combobox')).first().fill('cancellation warn');
  await search.getByText("Warn a service's client of a cancellation").first().click();
  await inSight(page.getByRole('heading', { name: "Warn a service's client of a cancellation" }));
  t.match(page.url(), /cancellation-warning$/);
  t.strictSame(docs.complaints, []);
});

t.test('a language that was chosen once is the one of every operation, with the key in plain sight', async (t) => {
  const docs = await open(t);
  if (!docs) return;
  const page = await docs.look(`#${UPGRADE}`);
  const operation = part(page, UPGRADE);
  await operation.getByText('curl -sS --fail-with-body').waitFor();
  const key = operation.getByText(DEMO_KEYS.test).first();
  t.not(await key.evaluate('(element) => getComputedStyle(element).fontSize'), '0px');
  for (const [label, begin] of [
    ['TypeScript', 'const response = await fetch('],
    ['PHP', '$curl = curl_init('],
    ['Python', 'import urllib.request'],
  ] as const) {
    await operation.getByRole('button', { name: /^(curl|TypeScript|PHP)$/ }).click();
    await page.getByRole('option', { name: label }).click();
    await operation.getByText(begin).waitFor();
    t.pass(label);
  }
  const other = part(page, 'tag/services/POST/v1/services/{service_number}/downgrade');
  await other.scrollIntoViewIfNeeded();
  await other.getByText('import urllib.request').waitFor();
  t.strictSame(docs.complaints, []);
});

t.test('a call is tried with the key of the demo, and answered', async (t) => {
  const docs = await open(t);
  if (!docs) return;
  for (const [place, status] of [
    ['tag/access/GET/v1/auth-check', '200 OK'],
    [UPGRADE, '200 OK'],
    ['tag/requests/POST/v1/requests/{request_id}/withdraw', '200 OK'],
  ] as const) {
    const page = await docs.look(`#${place}`);
    await part(page, place)
      .getByRole('button', { name: /Test Request/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Send/ }).first().click();
    await dialog.getByText(status).first().waitFor();
    await dialog.getByText('"success"').first().waitFor();
    t.pass(place);
    await page.context().close();
  }
  t.strictSame(docs.complaints, []);
});

t.test('without a demo key in force the form is empty, and a key that is typed is not kept', async (t) => {
  const docs = await open(t, { demoKey: null });
  if (!docs) return;
  const page = await docs.look();
  t.notMatch(await page.locator('main').textContent(), /sk_(live|test)_Demo/);
  const field = page.getByLabel('Bearer Token').or(page.getByPlaceholder('Token')).first();
  await field.fill('sk_live_typed');
  await field.blur();
  const kept = 'JSON.stringify({ ...localStorage, ...sessionStorage })';
  t.notMatch(await page.evaluate(kept), 'sk_live_typed');
  await page.reload();
  await page.getByRole('heading', { name: 'Broker API' }).waitFor();
  t.notMatch(await page.content(), 'sk_live_typed');
  t.strictSame(docs.complaints, []);
});

/**
 * What axe says of elements that the renderer alone makes, and nothing that its configuration or a style sheet could
 * mend: copy buttons that have a picture for a name, two regions of one name, scrolling parts without anything to
 * focus in them, which browsers let the keyboard reach by themselves, and the small arrows that open a section.
 */
const OF_THE_RENDERER =
  /^(button-name|label-content-name-mismatch: <button [^>]*show-more|landmark-unique|scrollable-region-focusable|target-size: <button aria-expanded="(true|false)")/;

t.test(
  'by day and by night, from a phone to a wide desk, it is read without effort and without scrolling sideways',
  async (t) => {
    const docs = await open(t);
    if (!docs) return;
    // axe takes seconds for this page, and these three have all colours and both layouts; the short run has one of them.
    const looked = full ? ['desk', 'desk-dark', 'phone'] : ['desk'];
    const looks = [...LOOKS, WIDE].filter(({ name }) => full || name === 'desk' || name === 'phone');
    for (const { name, ...look } of looks) {
      const page = await docs.look('', look);
      for (const place of PICTURES ? ['', UPGRADE] : [UPGRADE]) {
        await page.goto(page.url().replace(/#.*|$/, `#${place}`));
        if (place !== '') await inSight(part(page, place).getByRole('heading').first());
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
        t.ok(over <= 0, `${name} ${place}`);
        await picture(page, `${name}-${place.replaceAll(/\W+/g, '-') || 'start'}`);
      }
      const dark = await page.evaluate("document.body.classList.contains('dark-mode')");
      t.equal(dark, look.colorScheme === 'dark', 'as the reader has set the machine');
      const faults = looked.includes(name) ? await faultsOf(page) : [];
      t.strictSame(
        faults.filter((fault) => !OF_THE_RENDERER.test(fault)),
        [],
        name,
      );
      await page.context().close();
    }
    t.strictSame(docs.complaints, []);
  },
);
