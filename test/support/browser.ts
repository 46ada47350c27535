import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';

/** Where distributions put it; `CHROMIUM` names another one. */
const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** In a container it is root who tests; and nothing outside is to be asked. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A real browser; a file that opens it closes it in its own teardown. Where none is installed the test is skipped with a
 * line that cannot be overlooked, or fails where `REQUIRE_SERVICES` is set; null then.
 */
export async function openBrowser(t: Test): Promise<Browser | null> {
  const executablePath = PLACES.find((place) => place && existsSync(place));
  if (executablePath === undefined) {
    const line = `NO CHROMIUM IS INSTALLED, so "${t.name}" is NOT TESTED`;
    if (process.env.REQUIRE_SERVICES) t.fail(line);
    else {
      process.stderr.write(`\n*** ${line}\n`);
      t.pass(line, { skip: line });
    }
    return null;
  }
  const launch = () => chromium.launch({ executablePath, args: FLAGS });
  opened = opened ? opened.then((browser) => (browser.isConnected() ? browser : launch())) : launch();
  return opened;
}

/** One for all tests of a process, opened anew where it has ended: each opens windows of its own. */
let opened: Promise<Browser> | undefined;

export const closeBrowser = async (): Promise<void> => (await opened)?.close();

/** Screens: desktop and phone, light and dark. */
export const LOOKS = [
  { name: 'desk', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'desk-dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true },
] as const satisfies Array<BrowserContextOptions & { name: string }>;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeViolation {
  id: string;
  nodes: Array<{ html: string; failureSummary: string }>;
}

/**
 * What axe finds on the page, a line for each element. It runs in an isolated world, for the page's policy forbids other
 * scripts.
 * @param rules the only rules to check; all of axe's defaults and WCAG 2.2 `target-size` unless given
 */
export async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = (await session.send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } };
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const evaluate = (expression: string) =>
    session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true });
  await evaluate(AXE);
  const options = rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true } } };
  const { result } = await evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`);
  await session.detach();
  return (result.value as AxeViolation[]).flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
  );
}
