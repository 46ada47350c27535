import { mkdirSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Test } from 'tap';
import { faultsOf, LOOKS, openBrowser } from './browser.ts';
import { createTestConsole, type TestConsole } from './console.ts';
import { full } from './full.ts';

/** Where pictures of every page are put, for people to look at; none are made without it. */
export const PICTURES = process.env.SCREENSHOTS;

export interface Desk {
  console: TestConsole;
  base: string;
  browser: Browser;
  /** A browser's window of its own, signed in; errors that the page throws or logs are kept. */
  signIn(
    role: string,
    options?: Parameters<Browser['newContext']>[0],
  ): Promise<{ page: Page; context: BrowserContext }>;
  complaints: string[];
}

/** The console with the demo's data, and a real browser before it; null where there is none. */
export async function openDesk(t: Test, options?: { hasProvisioner?: boolean }): Promise<Desk | null> {
  const browser = await openBrowser(t);
  if (!browser) return null;
  const console = await createTestConsole({ ...options, demo: true });
  t.teardown(() => console.close());
  const base = await console.app.listen({ host: '127.0.0.1', port: 0 });
  const complaints: string[] = [];
  return {
    console,
    base,
    browser,
    complaints,
    async signIn(role, options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(base)) complaints.push(`asked ${request.url()}`);
      });
      const { link } = await console.person(role);
      await page.goto(base + (await link()));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
      return { page, context };
    },
  };
}

const [DESKTOP, , PHONE] = LOOKS;

/**
 * Checks a page on the screens of this run: axe finds nothing, and nothing is wider than the window. The full run checks
 * every look; the short one the light desktop, and the light phone too where the page has a table.
 */
export async function checkPage(t: Test, page: Page, name: string, { table = false } = {}): Promise<void> {
  const looks = full ? LOOKS : [DESKTOP, ...(table ? [PHONE] : [])];
  for (const { name: look, viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    // Another colour scheme changes colours and nothing else.
    const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
    t.strictSame(await faultsOf(page, rules), [], `${name} on a ${look}`);
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    t.ok(Number(beyond) <= 0, `${name} on a ${look} is no wider than the window`);
    if (!PICTURES) continue;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: `${PICTURES}/${name}-${look}.png` });
  }
  await page.setViewportSize(DESKTOP.viewport);
  await page.emulateMedia({ colorScheme: DESKTOP.colorScheme });
}
