import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { listPlans } from '../../src/operator/plans/plans.ts';
import { closeBrowser } from '../support/browser.ts';
import { checkPage, openDesk } from '../support/desk.ts';
import { has } from '../support/guides.ts';
import { freePort } from '../support/redis.ts';
import { until } from '../support/until.ts';

t.teardown(closeBrowser);

const HEAD = 'slug,display_name,upgrade_rank,billing_type\n';

/** A folder whose files a test writes, as a spreadsheet does. */
function makeFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'broker-files-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file again: browsers compare the seconds of its date. */
function saveAnew(path: string, content: string): void {
  writeFileSync(path, content);
  const later = new Date(Date.now() + 10_000);
  utimesSync(path, later, later);
}

/** A real nginx in front of the console that takes bodies of 10 KB; answers with its address. */
async function startNginx(t: Test, folder: string, base: string): Promise<string> {
  const port = await freePort();
  const at = (name: string) => join(folder, name);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    at('nginx.conf'),
    `daemon off; pid ${at('nginx.pid')}; error_log ${at('nginx.log')}; events {}
     http {
       access_log off; ${temporary.map((name) => `${name}_temp_path ${at(name)};`).join(' ')}
       server { listen 127.0.0.1:${port}; client_max_body_size 10k;
         location / { proxy_pass ${base}; proxy_set_header Host $host:$server_port; } }
     }`,
  );
  const nginx = spawn('nginx', ['-c', at('nginx.conf'), '-e', at('nginx.log')], {
    env: { PATH: `/usr/sbin:${process.env.PATH}` },
    stdio: 'ignore',
  });
  t.teardown(async () => {
    nginx.kill();
    if (nginx.exitCode === null) await once(nginx, 'exit');
  });
  const address = `http://127.0.0.1:${port}`;
  await until('nginx listens', () => fetch(address).then(Boolean, () => false));
  return address;
}

async function fill(page: Page, base: string, path: string, kind = 'plans') {
  await page.goto(`${base}/imports`);
  await page.getByLabel('Records', { exact: true }).selectOption(kind);
  await page.getByLabel('Broker', { exact: true }).selectOption('demo');
  await page.getByLabel('File', { exact: true }).setInputFiles(path);
}

/** What the page says while it follows a job, a second after each form that was sent. */
const followed = (page: Page) => page.waitForResponse((response) => response.url().endsWith('/imports/running'));

t.test('a file that was saved anew is not sent, and the page says so until it is chosen again', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const path = join(makeFolder(t), 'plans.csv');
  const { page } = await desk.signIn('admin');
  const alert = page.locator('#imports [role=alert]');
  for (const button of ['Preview', 'Import 1 plan']) {
    writeFileSync(path, `${HEAD}brand-new,Brand new,70,monthly\n`);
    await fill(page, desk.base, path);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('plans.csv: every record can be imported').waitFor();
    saveAnew(path, `${HEAD}brand-new,Brand new,70,monthly\nnewer,Newer,80,monthly\n`);
    const poll = followed(page);
    await page.getByRole('button', { name: button }).click();
    await alert.waitFor();
    t.match(await alert.innerText(), /^plans\.csv was changed, .* Nothing was imported\. Choose it again/, button);
    t.equal(await page.getByRole('button', { name: /^Import/ }).count(), 0, 'what was previewed cannot be imported');
    await (await poll).finished();
    await page.evaluate('new Promise(requestAnimationFrame)');
    t.equal(await alert.isVisible(), true, 'it stays');
    await page.getByLabel('File', { exact: true }).setInputFiles(path);
    t.equal(await alert.count(), 0, 'the same file, chosen again, is another one');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('2 plans of demo would be created').waitFor();
  }
  t.strictSame(
    desk.complaints.filter((line) => !/ERR_UPLOAD_FILE_CHANGED|htmx:(afterRequest|sendError)/.test(line)),
    [],
  );
});

t.test('a file that a proxy refuses is named as too large, until another one is sent', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  if (!has('nginx')) return t.pass('NGINX IS NOT INSTALLED, so its 413 is NOT TESTED', { skip: true });
  const folder = makeFolder(t);
  const proxy = await startNginx(t, folder, desk.base);
  const path = join(folder, 'plans.csv');
  writeFileSync(path, `${HEAD}${'x'.repeat(20_000)}`);
  const { page } = await desk.signIn('admin');
  const alert = page.locator('#imports [role=alert]');
  await fill(page, proxy, path);
  const poll = followed(page);
  await page.getByRole('button', { name: 'Preview' }).click();
  await alert.waitFor();
  t.match(await alert.innerText(), /larger than what the proxy .* takes \(413\)\. Nothing was imported/);
  await (await poll).finished();
  await page.evaluate('new Promise(requestAnimationFrame)');
  t.equal(await alert.isVisible(), true, 'it stays');
  await checkPage(t, page, 'import-too-large');
  const sound = join(folder, 'small.csv');
  writeFileSync(sound, `${HEAD}brand-new,Brand new,70,monthly\n`);
  await page.getByLabel('File', { exact: true }).setInputFiles(sound);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('small.csv: every record can be imported').waitFor();
  t.equal(await alert.count(), 0);
});

t.test('an answer of something else than the console, and none at all, are said to be so', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const path = join(makeFolder(t), 'plans.csv');
  writeFileSync(path, `${HEAD}brand-new,Brand new,70,monthly\n`);
  const { page } = await desk.signIn('admin');
  const alert = page.locator('#imports [role=alert]');
  const answers: Array<[answer: Parameters<Page['route']>[1], said: RegExp]> = [
    [(route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }), /no usable answer \(502\)\. Reload/],
    [(route) => route.fulfill({ contentType: 'text/html', body: '<h1>Who are you?</h1>' }), /no usable answer \(200\)/],
    [(route) => route.abort('connectionreset'), /^No answer came: the connection was lost\. Reload/],
  ];
  await fill(page, desk.base, path);
  for (const [answer, said] of answers) {
    await page.route(/imports$/, answer);
    await page.getByRole('button', { name: 'Preview' }).click();
    await alert.filter({ hasText: said }).waitFor();
    t.equal(await alert.count(), 1);
    await page.unroute(/imports$/);
  }
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('plans.csv: every record can be imported').waitFor();
  t.equal(await alert.count(), 0, 'the file is still chosen');
});

t.test('what looks damaged in a file is shown before the import and after it', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const path = join(makeFolder(t), 'services.csv');
  const [plan] = (await listPlans.run(desk.console.context, { broker: 'demo' })).records;
  writeFileSync(path, `client_name,plan,label\nMÃ¼ller,${plan?.slug},1.23457E+11\nAda,${plan?.slug},#N/A\n`);
  const { page } = await desk.signIn('admin');
  await fill(page, desk.base, path, 'services');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('With a warning').waitFor();
  await checkPage(t, page, 'import-warned', { table: true });
  await page.getByRole('button', { name: 'Import 2 services' }).click();
  await page.getByText('2 services were imported with a warning.').waitFor();
  const warnings = await page.getByRole('region', { name: 'Warnings', exact: true }).innerText();
  t.match(warnings, /client_name[\s\S]*label[\s\S]*label\s+"#N\/A"/);
  await checkPage(t, page, 'import-warnings', { table: true });
  t.strictSame(desk.complaints, []);
});
