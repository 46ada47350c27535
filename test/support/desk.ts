import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Test } from 'tap';
import { createDemo } from '../../src/demo/demo.ts';
import { openBrowser } from './browser.ts';
import { createTestConsole, type TestConsole } from './console.ts';

/** Where pictures of every page are put, for people to look at; none are made without it. */
export const PICTURES = process.env.SCREENSHOTS;

export interface Desk {
  console: TestConsole;
  base: string;
  browser: Browser;
  /** A browser's window of its own, signed in; errors that the page throws or logs are kept. */
  enter(role: string, options?: Parameters<Browser['newContext']>[0]): Promise<{ page: Page; context: BrowserContext }>;
  complaints: string[];
}

/** The console with the demo's data, and a real browser before it; null where there is none. */
export async function openDesk(t: Test): Promise<Desk | null> {
  const browser = await openBrowser(t);
  if (!browser) return null;
  const console = await createTestConsole();
  t.teardown(() => console.close());
  await createDemo(console.context);
  const base = await console.app.listen({ host: '127.0.0.1', port: 0 });
  const complaints: string[] = [];
  return {
    console,
    base,
    browser,
    complaints,
    async enter(role, options = {}) {
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
