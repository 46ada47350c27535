import t from 'tap';
import { buildApp } from '../../src/app.ts';
import { createKey, showKey } from '../../src/operator/access/keys.ts';
import { suspendBroker } from '../../src/operator/brokers/brokers.ts';
import { showBroker } from '../../src/operator/brokers/views.ts';
import type { Sandboxes } from '../../src/sandbox/sandbox.ts';
import { closeBrowser } from '../support/browser.ts';
import { openDesk } from '../support/desk.ts';
import { handsOf } from './steps.ts';

// What an operator does with brokers and their keys, with nothing but the console: each journey begins at the overview,
// goes where the pages lead, and takes so many clicks.

t.teardown(closeBrowser);

t.test('brokers and their keys', async (t) => {
  const desk = await openDesk(t);
  if (!desk) return;
  const { context, store, clock } = desk.console;
  const { page } = await desk.signIn('admin');
  const hands = handsOf(page, desk);
  const openBroker = async (name: string) => {
    await hands.go('Brokers');
    await hands.follow(name);
    await hands.isAt(name);
  };
  /** A call of the API on the same records; it is kept when this returns. */
  const call = async (path: string, key = '') => {
    const rateLimit = { max: 120, windowSeconds: 60, authFailureMax: 20 };
    const ports = {
      publicUrl: undefined,
      trustedProxies: [],
      requireHttps: false,
      tls: undefined,
      keepAliveMs: 72_000,
    };
    const api = await buildApp({
      config: { ...ports, rateLimit },
      context,
      sandboxes: {} as Sandboxes,
      overload: { maxEventLoopDelayMs: 0 },
    });
    const answer = await api.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${key}` } });
    await api.close();
    return { status: answer.statusCode };
  };
  t.beforeEach(() => hands.begin());

  await t.test('onboard a broker until its first call: its page lists what is left, each with its link', async (t) => {
    await hands.go('Brokers');
    await hands.press('Add a broker…');
    await hands.write('Slug', 'north');
    await hands.write('Name', 'North Hosting');
    await hands.write('Contact', 'office@north.example.com');
    await hands.write('Sender', 'support@north.example.com');
    await hands.press('Add a broker');
    const todo = hands.part('Set up');
    t.match(await todo.text(), /0 of 4 done/);
    await todo.follow('import them from a file');
    const broker = page.getByRole('combobox', { name: 'Broker', exact: true });
    t.equal(await broker.inputValue(), 'north', 'the broker is chosen already');
    await hands.back();
    await todo.follow('Create a key');
    await hands.write('Name', 'Panel');
    await hands.choose('Mode', 'live');
    await hands.tick(/admin:full/);
    await hands.press('Create a key');
    const [key] = /sk_live_\w+/.exec(await hands.text()) ?? [];
    await hands.follow('Done');
    await page.locator('tr:target').getByTitle('Panel').waitFor();
    t.match(await todo.text(), /curl -H "Authorization: Bearer KEY"/, 'the page says how a first call is made');
    const { status } = await call('/v1/auth-check', key);
    t.equal(status, 200);
    await hands.go('Brokers');
    await hands.follow('North Hosting');
    t.match(await todo.text(), /2 of 4 done/, 'the key and the call; the plan and the template are left');
    t.match(await todo.text(), /answered with sk_live_/, 'the page has the first call');
    t.equal(hands.clicks(), 12);
  });

  await t.test('rotate a leaked key: the old one ends at once, and the page leads to the new one', async (t) => {
    const { key_id: leaked } = await createKey.run(context, { broker: 'demo', name: 'Shop', mode: 'live', scopes: '' });
    await openBroker('Demo Hosting');
    const key = hands.row('Shop');
    await key.unfold('More');
    await key.press('Rotate…');
    await hands.choose('Why', 'leaked');
    await hands.press('Rotate');
    await hands.sees('Nothing has been done yet');
    await hands.press('Rotate');
    await hands.sees('is revoked');
    await hands.follow('Done');
    await hands.isAt(/^sk_live_/);
    const made = new URL(page.url()).pathname.split('/').at(-1);
    t.match(await showKey.run(context, { key_id: leaked }), { key_state: 'revoked', rotated_to_id: made });
    t.equal(hands.clicks(), 8);
  });

  await t.test(
    'why a broker’s calls fail: the overview says which and since when, a click the reasons, another the calls',
    async (t) => {
      t.match(
        await hands.text(),
        /Other Hosting\s+2,\d+ of 2,\d+ calls \(\d+ %\) were refused or failed since[\s\S]*rate_limit_exceeded/,
      );
      await hands.follow('Reasons');
      t.match(await hands.row('not_found').text(), /Not found[\s\S]*sk_live_DemoOthr/);
      await hands.follow('rate_limit_exceeded');
      await hands.isAt('Calls');
      await hands.row('429').unfold(/×/);
      await hands.row('429').follow(/UTC$/);
      await hands.isAt('listServices');
      t.match(await hands.part('The response').text(), /rate_limit_exceeded/);
      t.equal(hands.clicks(), 4);
    },
  );

  await t.test('raise a limit, knowing the number that it begins with', async (t) => {
    const { key_id } = await createKey.run(context, { broker: 'demo', name: 'Busy', mode: 'live', scopes: '' });
    await openBroker('Demo Hosting');
    const key = hands.row('Busy');
    t.match(await key.text(), /default: 120/);
    await key.unfold('More');
    await key.press('Edit…');
    t.match(await page.getByRole('dialog').innerText(), /Empty: the server’s default, 120/);
    await hands.write('Calls a minute', '600');
    await hands.press('Save');
    await hands.sees('It takes effect within a second');
    t.match(await showKey.run(context, { key_id }), { rate_limit: 600 });
    t.equal(hands.clicks(), 5);
  });

  await t.test('a month’s usage for a bill: by broker in a table, and as a file', async (t) => {
    await hands.go('Usage');
    t.match(await hands.part('2030-01-01 to 2030-01-31 (UTC), so far').text(), /Demo Hosting[\s\S]*Other Hosting/);
    const [file] = await Promise.all([page.waitForEvent('download'), hands.follow('CSV of keys and totals')]);
    t.match(file.suggestedFilename(), /^usage.*\.csv$/);
    t.equal(hands.clicks(), 2);
  });

  await t.test('suspend a broker with a reason, see from when on it can be removed, and resume it', async (t) => {
    await openBroker('North Hosting');
    const tools = page.locator('#tools');
    await hands.unfold('More for North Hosting');
    t.match(await tools.innerText(), /Remove: once it has been suspended for a day/);
    await hands.press('Suspend…');
    await hands.write('Reason', 'unpaid since March');
    await hands.press('Suspend');
    await hands.sees(/Reason: “unpaid since March”\. It can be removed from 2030-01-16 \d\d:\d\d UTC on/);
    await hands.press('Resume…');
    await hands.press('Resume');
    await hands.sees('Resumed: its keys are accepted again');
    t.match(await showBroker.run(context, { broker: 'north' }), { broker_status: 'active' });
    t.equal(hands.clicks(), 7);
  });

  // The last one: the clock moves on by a day, and every session ends.
  await t.test('remove a broker, a day after its suspension: its short name is typed', async (t) => {
    await suspendBroker.run(context, { broker: 'north' });
    clock.advance(86_400_000);
    const next = handsOf((await desk.signIn('admin')).page, desk);
    await next.begin();
    await next.go('Brokers');
    await next.follow('North Hosting');
    await next.unfold('More for North Hosting');
    await next.press('Remove…');
    await next.write('Its short name', 'north');
    await next.press('Remove');
    await next.sees('north is removed with all its records');
    t.equal(await store.read.brokers.findBySlug('north'), null);
    t.equal(next.clicks(), 5);
  });

  t.strictSame(desk.complaints, []);
});
