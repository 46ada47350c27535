import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { createDemo, DEMO_KEYS } from '../../src/demo/demo.ts';
import { closeBrowser, faultsOf, LOOKS, openBrowser } from '../support/browser.ts';
import { createTestConsole } from '../support/console.ts';
import { createWorld } from '../support/world.ts';

/** Where pictures of the pages are put, for people to look at; none are made without it. */
const PICTURES = process.env.SCREENSHOTS;

t.teardown(closeBrowser);

const PAGES = { guides: '', reference: '/reference', errors: '/errors', operation: '/reference/upgradeService' };

t.test('the documentation is read on every screen, without effort, scripts or another host', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const world = await createWorld({ demoKey: DEMO_KEYS.test });
  t.teardown(() => world.close());
  await createDemo(world.context);
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`;
  const complaints: string[] = [];

  for (const { name, ...look } of LOOKS) {
    const context = await browser.newContext({ ...look, permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(base)) complaints.push(`asked ${request.url()}`);
    });
    for (const [title, path] of Object.entries(PAGES)) {
      await page.goto(`${base}/api/docs${path}`);
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      t.ok(over <= 0, `${title} ${name}`);
      // Both layouts and both sets of colours; axe takes seconds for a page.
      if (/^(desk|phone-dark)$/.test(name)) t.strictSame(await faultsOf(page), [], `${title} ${name}`);
      if (PICTURES) {
        mkdirSync(PICTURES, { recursive: true });
        await page.screenshot({ path: `${PICTURES}/docs-${title}-${name}.png` });
      }
    }
    if (name === 'desk') {
      await page.getByText('PHP', { exact: true }).click();
      await page.locator('.php').getByRole('button', { name: 'Copy' }).click();
      await page.locator('.php').getByRole('button', { name: 'Copied' }).waitFor();
      t.match(
        await page.evaluate('navigator.clipboard.readText()'),
        `curl_init('${base}/api/v1/services/900001/upgrade')`,
      );
      await page.getByRole('searchbox').fill('plan_rank_not_lower');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'plan_rank_not_lower' }).first().click();
      await page.locator('#plan_rank_not_lower').getByRole('link', { name: 'Move a service to a lower plan' }).click();
      await page.getByRole('heading', { name: 'Move a service to a lower plan' }).waitFor();
      t.ok(await page.locator('.php').isVisible(), 'the language that was chosen once is that of every operation');
    }
    await context.close();
  }
  t.strictSame(complaints, []);

  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(`${base}/api/docs/reference/upgradeService`);
  await plain.getByText('Python', { exact: true }).click();
  t.ok(await plain.locator('.python').isVisible());
  t.notOk(await plain.locator('.shell').isVisible());
  t.equal(await plain.getByRole('button', { name: 'Copy' }).count(), 0);
});

t.test('every page of both references fits a phone, the answers of their searches too', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const world = await createWorld();
  t.teardown(() => world.close());
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const bases = [
    `${await world.app.listen({ host: '127.0.0.1', port: 0 })}/api/docs`,
    `${await console.app.listen({ host: '127.0.0.1', port: 0 })}/operator/docs`,
  ];
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  for (const base of bases) {
    const pages = new Set([base, `${base}/search?q=upgrade`, `${base}/search?q=service`]);
    for (const url of pages) {
      await page.goto(url);
      const over = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      t.ok(over <= 0, url);
      const links = await page.evaluate<string[]>(
        '[...document.links].map(({ origin, pathname }) => origin + pathname)',
      );
      for (const link of links) if (link.startsWith(base) && !/\.\w+$/.test(link)) pages.add(link);
    }
    t.ok(pages.size > 30, base);
  }
});
