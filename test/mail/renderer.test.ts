import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { readBrokers, readTemplates } from '../../src/demo/data.ts';
import { createTemplateRenderer } from '../../src/mail/renderer.ts';
import type { TemplateValues } from '../../src/ports.ts';

const VALUES: TemplateValues = {
  client_name: 'Ada',
  client_email: 'ada@example.net',
  service_number: '1000001',
  service_label: 'web-1',
  plan_name: 'Starter',
  warning_reason: '',
  broker_name: 'Example Hosting',
  renewal_date: '',
};

const SOUND = { subject: 'Notice for {{ client_name }}', html: '<p>{{ client_name }}</p>', text: '{{ client_name }}' };

/** Runs until liquidjs's own limit of a second, far beyond the limits of these tests. */
const ENDLESS = { ...SOUND, text: '{% for a in (1..9999999) %}{% for b in (1..9999999) %}{% endfor %}{% endfor %}x' };

t.test(
  'templates are rendered and checked in a process of their own, with the engine\u2019s own messages',
  async (t) => {
    const renderer = createTemplateRenderer();
    t.teardown(() => renderer.close());
    t.same(await renderer.render(SOUND, VALUES, 'brk_1'), {
      subject: 'Notice for Ada',
      html: '<p>Ada</p>',
      text: 'Ada',
    });
    await t.rejects(renderer.render({ ...SOUND, text: '{{ nothing }}' }, VALUES, 'brk_1'), {
      message: /^The template's text cannot be rendered: undefined variable: nothing/,
    });
    t.same(await renderer.check(SOUND), []);
    t.match(await renderer.check({ ...SOUND, html: '{{ nothing }}' }), [{ field: 'html', message: /unknown value/ }]);
    for (const [kind, template] of readTemplates(readBrokers().demo)) {
      t.same(await renderer.check(template), [], `the demo template ${kind} has no fault`);
    }
  },
);

t.test('a template that exceeds its time loses its process, and the next rendering succeeds', async (t) => {
  const renderer = createTemplateRenderer({ timeLimitMs: 300 });
  t.teardown(() => renderer.close());
  await t.rejects(renderer.render(ENDLESS, VALUES, 'brk_1'), { message: /too much time or memory/ });
  t.match(await renderer.check(ENDLESS), [{ message: /too much time or memory/ }]);
  t.match(await renderer.render(SOUND, VALUES, 'brk_1'), { text: 'Ada' });
});

t.test('a template of one broker that uses up its time does not delay another broker', async (t) => {
  const renderer = createTemplateRenderer();
  t.teardown(() => renderer.close());
  const finished: string[] = [];
  const slow = [1, 2, 3].map(() => renderer.render(ENDLESS, VALUES, 'brk_slow').catch(() => finished.push('slow')));
  await renderer.render(SOUND, VALUES, 'brk_other').then(() => finished.push('other'));
  await Promise.all(slow);
  t.ok(finished.indexOf('other') < 2, `the other broker waits for one slow rendering at most: ${finished}`);
});

t.test('a rendering that exceeds its memory ends its process and nothing else', async (t) => {
  const renderer = createTemplateRenderer();
  t.teardown(() => renderer.close());
  // Each of 100,000 characters becomes 4,000 others, in one node and one allocation.
  const grown = `{{ client_name | replace: "a", "${'b'.repeat(4_000)}" }}`;
  const values = { ...VALUES, client_name: 'a'.repeat(100_000) };
  await t.rejects(renderer.render({ ...SOUND, text: grown }, values, 'brk_1'));
  t.match(await renderer.render(SOUND, VALUES, 'brk_1'), { text: 'Ada' });
});

t.test('a process that cannot start is told as a rendering that did not end', async (t) => {
  const program = `${t.testdir({ 'broken.mjs': 'process.exit(1);' })}/broken.mjs`;
  const renderer = createTemplateRenderer({ program });
  await t.rejects(renderer.render(SOUND, VALUES, 'brk_1'), { message: /too much time or memory/ });
  t.match(await renderer.check(SOUND), [{ field: 'html' }]);
  await renderer.close();
});

t.test('a process that starts and never says so is ended, and its slot is free again', async (t) => {
  const folder = t.testdir({ 'silent.mjs': 'setInterval(() => undefined, 1_000);' });
  const renderer = createTemplateRenderer({ program: `${folder}/silent.mjs`, startLimitMs: 100 });
  t.teardown(() => renderer.close());
  const before = childrenOf();
  await t.rejects(renderer.render(SOUND, VALUES, 'brk_1'), { message: /too much time or memory/ });
  await t.rejects(renderer.render(SOUND, VALUES, 'brk_1'), { message: /too much time or memory/ });
  t.same(
    childrenOf().filter((pid) => !before.includes(pid) && isRunning(pid)),
    [],
  );
});

t.test('the heap of a process is at most 64 MB', async (t) => {
  const telling = `process.on('message', () => process.send({ rendered: { text: String(process.execArgv) } }));`;
  const program = `${t.testdir({ 'telling.mjs': `${telling} process.send('ready');` })}/telling.mjs`;
  const renderer = createTemplateRenderer({ program });
  t.teardown(() => renderer.close());
  t.match(await renderer.render(SOUND, VALUES, 'brk_1'), { text: /--max-old-space-size=64$/ });
});

const childrenOf = () =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/)
    .map(Number);

/** Renders once, and returns the processes that were started for it and still run. */
async function startedBy(renderer: ReturnType<typeof createTemplateRenderer>): Promise<number[]> {
  const before = childrenOf();
  await renderer.render(SOUND, VALUES, 'brk_1');
  return childrenOf().filter((pid) => !before.includes(pid) && isRunning(pid));
}

/** A process is gone from the list once this one has been told of its end. */
async function goneFromList(pids: number[]): Promise<void> {
  do await sleep(20);
  while (childrenOf().some((pid) => pids.includes(pid)));
}

t.test('a process that ended while it was idle is replaced', async (t) => {
  const renderer = createTemplateRenderer();
  t.teardown(() => renderer.close());
  const started = await startedBy(renderer);
  for (const pid of started) process.kill(pid, 'SIGKILL');
  await goneFromList(started);
  t.match(await renderer.render(SOUND, VALUES, 'brk_1'), { text: 'Ada' });
});

t.test('a process that is not used for a while ends', async (t) => {
  const renderer = createTemplateRenderer({ idleMs: 200 });
  t.teardown(() => renderer.close());
  await goneFromList(await startedBy(renderer));
  t.match(await renderer.render(SOUND, VALUES, 'brk_1'), { text: 'Ada' });
});

/** `ps` lists itself, and has ended by then. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
