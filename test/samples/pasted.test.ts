import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createDemo, DEMO_KEYS } from '../../src/demo/demo.ts';
import { statusOf } from '../../src/errors.ts';
import { type Language, languagesHere, run, typeFaults } from '../support/languages.ts';
import { createWorld } from '../support/world.ts';

/** The guides with samples. */
const GUIDES = ['integrate', 'sandbox'].map((name) => readFileSync(`docs/${name}.md`, 'utf8')).join('\n');

/** A server with the demo data as a reader who pastes samples has it, and what it was asked. */
async function openDemo(t: Test) {
  const world = await createWorld({
    demoKey: DEMO_KEYS.test,
    config: { rateLimit: { max: 1_000_000, windowSeconds: 60, authFailureMax: 100 } },
  });
  t.teardown(() => world.close());
  await createDemo(world.context);
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}`;
  const answered: Array<{ method: string | undefined; url: string | undefined; status: number }> = [];
  world.app.server.prependListener('request', ({ method, url }, response) => {
    void once(response, 'finish').then(() => answered.push({ method, url, status: response.statusCode }));
  });
  // Work is done as the server's clock moves on, and nothing else moves it.
  const timer = setInterval(() => world.clock.advance(30_000), 50);
  t.teardown(() => clearInterval(timer));
  /** As the guides show it at this server. */
  const asShown = (text: string) => text.replaceAll('http://127.0.0.1:3000', origin);
  const { paths = {} } = world.app.openapiDocument();
  const operations = await Promise.all(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { operationId: string }>).map(async ([method, { operationId }]) => ({
        method,
        path,
        samples: samplesIn(await (await fetch(`${origin}/api/docs/reference/${operationId}`)).text()),
      })),
    ),
  );
  return { world, operations, origin, asShown, answered, folder: world.directory };
}

interface Sample {
  lang: string;
  source: string;
}

/** The samples on the page of an operation, as a reader copies them. */
const samplesIn = (page: string): Sample[] =>
  [
    ...page.matchAll(/<div class="(shell|php|python|typescript)"><div class="code"><pre[^>]*><code>(.*?)<\/code>/gs),
  ].map(([, lang = '', source = '']) => ({ lang, source: textOf(source) }));

const textOf = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const LANGUAGES: Record<string, Language> = { shell: 'sh', typescript: 'ts', python: 'python', php: 'php' };

t.test('every sample of every operation succeeds as pasted against the demo data, in every language', async (t) => {
  const { world, operations, answered, folder } = await openDemo(t);
  const here = languagesHere(t);
  const keys: Record<string, string> = {};
  for (const lang of Object.keys(LANGUAGES)) {
    const broker = await world.addBroker();
    const email = 'accounts@demo-hosting.example.com';
    await world.store.tx((tx) =>
      tx.brokers.addRecipient({ brokerId: broker.id, email, emailFolded: email, createdAt: 0 }),
    );
    keys[lang] = (await world.addKey(broker, ['admin:full'], { mode: 'test' })).key;
  }
  t.ok(operations.length > 15);
  for (const { method, path, samples } of operations) {
    t.equal(samples.length, 4);
    // Each language works in a sandbox of its own, as it is made.
    await Promise.all(Object.values(keys).map((key) => world.call(key, 'POST', '/sandbox/reset')));
    answered.splice(0);
    const runs = samples.map(async ({ lang, source: withDemoKey }) => {
      const language = LANGUAGES[lang] as Language;
      if (!here.has(language)) return;
      const source = withDemoKey.replaceAll(DEMO_KEYS.test, keys[lang] as string);
      const name = `${lang}: ${method} ${path}`;
      const done = run(folder, language, source).catch((error) => ({ stdout: '', stderr: error.message }));
      const { stdout, stderr } = await done;
      t.equal(stderr, '', name);
      t.not(stdout.trim(), '', name);
    });
    await Promise.all(runs);
    const pattern = new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`);
    for (const answer of answered.splice(0)) {
      t.match(answer, { method: method.toUpperCase(), url: pattern });
      t.ok(answer.status < 300, `${answer.status} ${method} ${path}`);
    }
  }
});

t.test('a sample whose call fails says why and ends as failed, in every language', async (t) => {
  const { operations, origin, folder } = await openDemo(t);
  const here = languagesHere(t);
  const samples = operations.find(({ path }) => path === '/v1/plans')?.samples ?? [];
  t.equal(samples.length, 4);
  for (const { lang, source } of samples) {
    const language = LANGUAGES[lang] as Language;
    if (!here.has(language)) continue;
    const refused = run(folder, language, source.replace(DEMO_KEYS.test, 'wrong'));
    await t.rejects(refused, lang);
    const { code, stdout, stderr } = await refused.catch((error) => error);
    t.not(code, 0);
    t.match(stdout + stderr, 'authentication_failed', lang);
    // Nobody listens there.
    await t.rejects(run(folder, language, source.replace(origin, 'http://127.0.0.1:9')), lang);
  }
});

t.test('every sample of TypeScript passes the compiler at its strictest', async (t) => {
  const { operations, folder } = await openDemo(t);
  const sources = operations.flatMap(({ samples }) => samples);
  const all = sources.filter(({ lang }) => lang === 'typescript');
  t.ok(all.length > 15);
  t.strictSame(
    typeFaults(
      folder,
      all.map(({ source }) => source),
    ),
    [],
  );
  t.equal(typeFaults(folder, ['const a: string = 1;']).length, 1, 'which is there to find something');
});

/** Every block of code in a text, by its language. */
const blocksOf = (markdown: string) =>
  [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language = '', source = '']) => ({ language, source }));

/** What a block of shell says that its calls are answered with, after each of them: `# 404 not_found`. */
const promisedBy = (source: string) => [...source.matchAll(/# (\d{3} \w+)$/gm)].map(([, promise]) => promise);

t.test('every sample of the guides does as pasted what the guide says', async (t) => {
  const { asShown, folder } = await openDemo(t);
  const here = languagesHere(t);
  const blocks = blocksOf(GUIDES);
  t.strictSame([...new Set(blocks.map(({ language }) => language))].sort(), ['php', 'python', 'sh']);
  for (const name of ['broker.php', 'broker.py']) {
    const client = await fetch(asShown(`http://127.0.0.1:3000/api/docs/examples/${name}`));
    writeFileSync(join(folder, name), await client.text());
  }
  const printed: Record<string, string> = { php: '', python: '' };
  for (const { language, source } of blocks) {
    if (!here.has(language as Language)) continue;
    const done = run(folder, language as Language, asShown(source));
    const { stdout, stderr } = await done.catch((error) => ({ stdout: '', stderr: error.message }));
    t.equal(stderr, '', source);
    if (language !== 'sh') {
      printed[language] += stdout;
      continue;
    }
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const reported = answers.map(({ success, error }) =>
      success ? 'success' : `${statusOf(error.code)} ${error.code}`,
    );
    const promised = promisedBy(source);
    t.strictSame(reported, promised.length > 0 ? promised : reported.map(() => 'success'));
  }
  if (here.has('php')) t.equal(printed.php, 'Add an email address first\n');
  if (here.has('python'))
    t.match(printed.python, /^service 950001 new\ncompleted\n\d{2} services; next round from 20[\dT:.+-]+\n$/);
});
