import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { buildConsole } from '../console/app.ts';
import { composeParts } from '../src/compose.ts';
import { apiUrlOf, loadConfig } from '../src/config.ts';
import { importInThread } from '../src/operator/imports/run.ts';
import { createConsoleLink } from '../src/operator/people/console-access.ts';
import { addOperator } from '../src/operator/people/operators.ts';
import { fillForOperators } from './console-fill.ts';

const AMOUNTS = { brokers: 1_000, services: 100_000, calls: 1_000_000 };
const ROUNDS = 7;

/** Pages of the console, each as a browser asks for it; the first round is that of a server that has just started. */
const PAGES = [
  '/',
  '/?span=1h',
  '/?span=7d',
  '/?span=90d',
  '/brokers',
  '/brokers?order=services',
  '/brokers/broker-1',
  '/services',
  '/services?q=server-77',
  '/services?q=example',
  '/services?order=renewal',
  '/services?review=yes',
  '/services?status=suspended&page=4',
  '/services/1000007',
  '/requests',
  '/requests?status=operator_review',
  '/requests?status=failed',
  '/search?q=1000007',
  '/search?q=hosting',
  '/calls',
  '/calls?code=not_found',
  '/usage',
  '/plans',
  '/imports',
  '/system',
];

/** Milliseconds from the question to the last byte, and the page's size, on a database as large as the goals name. */
export async function consolePages(folder: string, say: (line: string) => void): Promise<void> {
  const file = join(folder, 'console.db');
  await fillForOperators(file, AMOUNTS);
  await measurePages(file, folder, say);
}

/** The same on a file that is full already. */
async function measurePages(file: string, folder: string, say: (line: string) => void): Promise<void> {
  const config = loadConfig({
    DATABASE_URL: `file:${file}`,
    CONSOLE_PORT: '0',
    MAIL_OUTBOX_DIR: join(folder, 'outbox'),
  });
  const parts = await composeParts(config, () => undefined);
  const note = () => undefined;
  const context = { ...parts, log: { error: note, warn: note } };
  if (!config.console) throw new Error('the console is off');
  const app = await buildConsole({
    config: { ...config, console: config.console },
    context,
    runImport: importInThread(config),
    processInfo: {
      settings: config.settings,
      apiUrl: apiUrlOf(config),
      scopesOf: () => [],
      away: () => ({}),
      sandboxes: { find: async () => null, remove: async () => undefined, count: async () => 0 },
    },
  });
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    const email = `bench-${base.replace(/\D/g, '')}@example.com`;
    await addOperator.run(context, { email, name: 'Bench', role: 'admin' });
    const { url } = await createConsoleLink.run({ ...context, consoleUrl: base }, { email });
    const cookie = await signIn(url);
    say(
      `${AMOUNTS.brokers.toLocaleString('en')} brokers, ${AMOUNTS.services.toLocaleString('en')} services, ${AMOUNTS.calls.toLocaleString('en')} calls of a day; milliseconds.\n`,
    );
    say('| page | first | median | slowest | kB |\n|---|---|---|---|---|');
    for (const path of PAGES) {
      const times: number[] = [];
      let bytes = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const startedAt = performance.now();
        const answer = await fetch(base + path, { headers: { cookie }, redirect: 'manual' });
        bytes = (await answer.arrayBuffer()).byteLength;
        times.push(performance.now() - startedAt);
        if (answer.status >= 400) throw new Error(`${path} answers ${answer.status}`);
      }
      const [first = 0, ...later] = times;
      const sorted = later.toSorted((a, b) => a - b);
      const cells = [first, sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0].map((ms) => ms.toFixed(1));
      say(`| \`${path}\` | ${cells.join(' | ')} | ${(bytes / 1000).toFixed(1)} |`);
    }
  } finally {
    await app.close();
    await parts.store.close();
  }
}

async function signIn(url: string): Promise<string> {
  const page = await fetch(url);
  const own = page.headers.getSetCookie().map((line) => line.split(';')[0]);
  const token = /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const opened = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: own.join('; '), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form_token: token }).toString(),
  });
  return opened.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
