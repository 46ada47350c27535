import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { operatorOwner } from '../../src/limits/operator-slot.ts';
import { listAudit } from '../../src/operator/audit/audit.ts';
import {
  createMailedLink,
  IDLE_MS,
  listSessions,
  openSession,
  SESSION_LIFE_MS,
} from '../../src/operator/people/console-access.ts';
import { listOperators, removeOperator, setOperator } from '../../src/operator/people/operators.ts';
import { createTestConsole } from '../support/console.ts';
import { makeCertificate } from '../support/tls.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;

async function open(t: Test, ...options: Parameters<typeof createTestConsole>) {
  const console = await createTestConsole(...options);
  t.teardown(() => console.close());
  return console;
}

t.test('a link shows one button, and only the button uses it up: a preview by a mail program does not', async (t) => {
  const console = await open(t);
  const { link } = await console.person('viewer');
  const path = await link();
  const preview = console.browser();
  for (let times = 0; times < 3; times += 1) t.match((await preview.get(path)).body, /<button type="submit"/);
  const browser = console.browser();
  await browser.get(path);
  const opened = await browser.post(path);
  t.match([opened.status, opened.to], [303, '/']);
  t.equal((await browser.get('/brokers')).status, 200);
});

t.test('a link works once, even where twenty try it at the same time', async (t) => {
  const console = await open(t);
  const { link } = await console.person('viewer');
  const path = await link();
  const browsers = Array.from({ length: 20 }, () => console.browser());
  for (const browser of browsers) await browser.get(path);
  const answers = await Promise.all(browsers.map((browser) => browser.post(path)));
  t.strictSame(answers.map(({ status }) => status).sort(), [303, ...Array(19).fill(403)].sort());
  const late = console.browser();
  await late.get(path);
  t.match((await late.post(path)).text, /This link does not work/);
});

t.test('a link is good for 15 minutes, however many others are asked for and used meanwhile', async (t) => {
  const console = await open(t);
  const { email, link } = await console.person('viewer');
  const paths: string[] = [];
  for (let times = 0; times < 20; times += 1) paths.push(await link());
  await t.rejects(link(), { message: /has 20 unused links/ });
  const use = async (path: string) => {
    const browser = console.browser();
    await browser.get(path);
    return (await browser.post(path)).status;
  };
  const [first, second, ...others] = paths as [string, string, ...string[]];
  for (const path of others) t.equal(await use(path), 303);
  await link();
  await createMailedLink(console.context, { email, consoleUrl: 'http://console' });
  t.equal(await use(first), 303);
  console.clock.advance(15 * 60_000);
  t.equal(await use(second), 403);
  t.equal(await use('/sign-in/not-a-token'), 403);
});

t.test('nothing but hashes of links and sessions is stored', async (t) => {
  const console = await open(t);
  const browser = await console.signedIn('admin');
  const token = [...browser.cookies.values()].join(' ');
  const [session] = await console.store.read.operators.listSessions(
    (await console.store.read.operators.list())[0]?.id as string,
  );
  t.notOk(JSON.stringify(session).includes(token.slice(0, 20)));
});

t.test('the session’s cookie is out of reach of scripts, other sites and, over HTTPS, of other hosts', async (t) => {
  const console = await open(t, { config: { trustedProxies: ['127.0.0.0/8'] } });
  const { link } = await console.person('viewer');
  const path = await link();
  const secure = console.browser({ 'x-forwarded-proto': 'https' });
  await secure.get(path);
  const session = (await secure.post(path)).cookies.find(({ name }) => name.endsWith('session'));
  t.match(session, {
    name: '__Host-broker_console_session',
    httpOnly: true,
    secure: true,
    sameSite: 'Strict',
    path: '/',
  });
  t.equal(session?.domain, undefined);
  t.equal((await secure.get('/brokers')).headers['strict-transport-security'], 'max-age=31536000');
  const plain = console.browser();
  const second = await console.linkFor('viewer-1@example.com');
  await plain.get(second);
  const cookie = (await plain.post(second)).cookies.find(({ name }) => name.endsWith('session'));
  t.match(cookie, { name: 'broker_console_session', httpOnly: true, sameSite: 'Strict' });
});

t.test('signing in returns to the page that was asked for, on this site alone', async (t) => {
  const console = await open(t);
  const { link } = await console.person('viewer');
  const browser = console.browser();
  const signIn = async () => {
    const path = await link();
    await browser.get(path);
    return (await browser.post(path)).to;
  };
  const asked = '/requests?status=failed&broker=a%20b';
  t.equal((await browser.get(asked)).to, '/sign-in');
  t.equal(await signIn(), asked);
  t.notOk(browser.cookies.has('broker_console_next'), 'it is forgotten then');
  t.equal(await signIn(), '/');

  browser.cookies.delete('broker_console_session');
  t.equal((await browser.get('/search/options?q=a', { 'sec-fetch-dest': 'empty' })).to, '/sign-in');
  t.equal(await signIn(), '/', 'a part that a script fetches is no page');
  browser.cookies.delete('broker_console_session');
  await browser.get('/brokers', { 'sec-fetch-dest': 'empty', 'hx-boosted': 'true' });
  t.equal(await signIn(), '/brokers');
  browser.cookies.delete('broker_console_session');
  t.equal((await browser.get(`/brokers?q=${'a'.repeat(1000)}`)).to, '/sign-in');
  t.equal(await signIn(), '/', 'a long address is not kept');

  const elsewhere = ['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example', 'x', '/a\\b'];
  for (const address of elsewhere) {
    browser.cookies.set('broker_console_next', address);
    t.equal(await signIn(), '/', address);
  }
});

t.test('a session gets a new name at the sign-in, and what was set before is worth nothing', async (t) => {
  const console = await open(t);
  const victim = console.browser();
  victim.cookies.set('broker_console_session', 'A'.repeat(43));
  const { link } = await console.person('viewer');
  const path = await link();
  await victim.get(path);
  await victim.post(path);
  t.not(victim.cookies.get('broker_console_session'), 'A'.repeat(43));
  const before = victim.cookies.get('broker_console_session') as string;
  const again = await link();
  await victim.get(again);
  await victim.post(again);
  const stolen = console.browser();
  stolen.cookies.set('broker_console_session', before);
  t.equal((await stolen.get('/brokers')).to, '/sign-in', 'the session before is over');
});

t.test('a session ends after 12 hours without a click, and after 7 days in any case', async (t) => {
  const console = await open(t);
  const idle = await console.signedIn('viewer');
  console.clock.advance(IDLE_MS - 1);
  t.equal((await idle.get('/brokers')).status, 200);
  console.clock.advance(IDLE_MS);
  t.equal((await idle.get('/brokers')).to, '/sign-in');

  const busy = await console.signedIn('viewer');
  for (let hours = 0; hours < SESSION_LIFE_MS / HOUR - 11; hours += 11) {
    console.clock.advance(11 * HOUR);
    t.equal((await busy.get('/brokers')).status, 200);
  }
  console.clock.advance(11 * HOUR);
  t.equal((await busy.get('/brokers')).to, '/sign-in');
});

t.test('another role counts at the next click, and so does being shown out', async (t) => {
  const console = await open(t);
  await console.signedIn('admin');
  const person = await console.signedIn('admin');
  t.equal((await person.get('/operators')).status, 200);
  await setOperator.run(console.context, { email: person.email, role: 'viewer' });
  t.equal((await person.get('/operators')).status, 403);
  await setOperator.run(console.context, { email: person.email, active: false });
  t.equal((await person.get('/brokers')).to, '/sign-in');
  await setOperator.run(console.context, { email: person.email, active: true });
  t.equal((await person.get('/brokers')).to, '/sign-in', 'a session that was ended by this stays so');
  t.match((await person.get('/sign-in')).text, /You were signed out: your session has ended/);
  t.notMatch((await console.browser().get('/sign-in')).text, /signed out/);
  await removeOperator.run(console.context, { email: person.email });
  t.equal((await person.get('/brokers')).to, '/sign-in');
});

t.test('a person sees where they are signed in, ends a session there, and cannot end another person’s', async (t) => {
  const console = await open(t);
  const here = await console.signedIn('viewer');
  const there = console.browser({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
  const link = await console.linkFor(here.email);
  await there.get(link);
  await there.post(link);
  const page = await here.get('/sessions');
  t.match(page.text, /Firefox on Linux/);
  const ids = [...page.body.matchAll(/\/sessions\/(ses_[^/"]+)\/end/g)].map(([, id]) => id as string);
  t.equal(ids.length, 1, 'one’s own has no button but the way out');
  const stranger = await console.signedIn('admin');
  await stranger.get('/sessions');
  await stranger.post(`/sessions/${ids[0]}/end`);
  t.match((await stranger.get('/sessions')).text, /has ended already/);
  t.equal((await there.get('/brokers')).status, 200);
  await here.get('/sessions');
  t.equal((await here.post(`/sessions/${ids[0]}/end`)).status, 303);
  t.equal((await there.get('/brokers')).to, '/sign-in');
  await here.get('/sessions');
  t.equal((await here.post('/sign-out')).to, '/sign-in');
  t.equal((await here.get('/brokers')).to, '/sign-in');
});

t.test('of one person twenty sessions stand at most: the oldest makes room', async (t) => {
  const console = await open(t);
  const first = await console.signedIn('viewer');
  for (let times = 0; times < 20; times += 1) {
    console.clock.advance(1000);
    const browser = console.browser();
    const path = await console.linkFor(first.email);
    await browser.get(path);
    await browser.post(path);
  }
  t.equal((await first.get('/brokers')).to, '/sign-in');
});

t.test('who was switched off and on again has no link from before', async (t) => {
  const console = await open(t);
  const { email, link } = await console.person('viewer');
  const path = await link();
  await setOperator.run(console.context, { email, active: false });
  await setOperator.run(console.context, { email, active: true });
  const browser = console.browser();
  await browser.get(path);
  t.equal((await browser.post(path)).status, 403);
});

t.test('a person with twenty sessions signs in again from the browser that holds the oldest', async (t) => {
  const console = await open(t);
  const oldest = await console.signedIn('viewer');
  const signIn = async (browser: ReturnType<typeof console.browser>) => {
    console.clock.advance(1000);
    const path = await console.linkFor(oldest.email);
    await browser.get(path);
    return browser.post(path);
  };
  for (let times = 0; times < 19; times += 1) await signIn(console.browser());
  t.match(await signIn(oldest), { status: 303, to: '/' });
  t.equal((await oldest.get('/brokers')).status, 200);
  t.equal((await listSessions.run(console.context, { email: oldest.email })).length, 20);
  const actions = (await listAudit(console.context)).slice(0, 2).map(({ action }) => action);
  t.strictSame(actions.sort(), ['operator.sign_in', 'operator.sign_out']);
});

t.test('an administrator sees and ends other people’s sessions, one or all', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  const person = await console.signedIn('viewer');
  const other = console.browser();
  const path = await console.linkFor(person.email);
  await other.get(path);
  await other.post(path);
  const people = await listOperators.run(console.context, {});
  const sessions = `/operators/${people.find(({ email }) => email === person.email)?.operator_id}/sessions`;
  t.ok((await admin.get('/operators')).body.includes(`href="${sessions}"`));
  const page = await admin.get(sessions);
  const ends = [...page.body.matchAll(/action="([^"]+\/end)"/g)].map(([, action]) => action as string);
  t.equal(ends.length, 2);
  await admin.post(ends[0] as string);
  t.match((await admin.get(sessions)).text, /The session was ended/);
  const states = await Promise.all([person.get('/brokers'), other.get('/brokers')]);
  t.strictSame(states.map(({ status }) => status).sort(), [200, 303]);
  await admin.get(sessions);
  await admin.post(sessions.replace(/sessions$/, 'sign-out'));
  t.match((await admin.get(sessions)).text, /signed out everywhere.*No sessions/);
  for (const browser of [person, other]) t.equal((await browser.get('/brokers')).to, '/sign-in');
  t.equal((await admin.get('/operators/opr_nobody/sessions')).status, 404);
});

t.test('no answer shows whether an address is known, and the operator alone gets a mail', async (t) => {
  const console = await open(t);
  const { email } = await console.person('support');
  const ask = async (address: string) => {
    const browser = console.browser();
    await browser.get('/sign-in');
    const { status, body, headers } = await browser.post('/sign-in', { email: address });
    return { status, body, length: headers['content-length'] };
  };
  const known = await ask(email.toUpperCase());
  t.strictSame(await ask('nobody@example.com'), known);
  t.strictSame(await ask('no address'), known);
  await console.app.close();
  t.match(console.mailer.sent, [
    { to: email, from: email, text: /http:\/\/console\.example\.com\/sign-in\/[\w-]{43}\n/ },
  ]);
  t.equal(console.mailer.sent.length, 1);
});

t.test('a link that cannot be mailed is logged without the address, and the page says the same', async (t) => {
  const console = await open(t, { config: { console: { sender: 'console@example.com' } } });
  const { email } = await console.person('support');
  console.mailer.failWith = new Error('away');
  const browser = console.browser();
  await browser.get('/sign-in');
  t.match((await browser.post('/sign-in', { email })).text, /a link was sent/);
});

t.test('a person is mailed three links in 15 minutes, all of which work, and the page says the same', async (t) => {
  const console = await open(t);
  const { email } = await console.person('support');
  const { context, clock } = console;
  const ask = () => createMailedLink(context, { email, consoleUrl: '' });
  const links: string[] = [];
  for (let times = 0; times < 3; times += 1) {
    links.push((await ask())?.url as string);
    clock.advance(60_000);
  }
  t.equal(await ask(), null);
  const use = async (path: string) => {
    const browser = console.browser();
    await browser.get(path);
    return (await browser.post(path)).status;
  };
  for (const link of links) t.equal(await use(link), 303);
  t.equal(await ask(), null, 'used ones count too');
  t.equal(await use(await console.linkFor(email)), 303, 'a command makes more');
  const browser = console.browser();
  await browser.get('/sign-in');
  t.match((await browser.post('/sign-in', { email })).text, /a link was sent/);
  await console.app.close();
  t.strictSame(console.mailer.sent, []);
  clock.advance(12 * 60_000);
  t.equal(await ask(), null, 'the one that a command made counts');
  clock.advance(60_000);
  t.match(await ask(), { email });
});

t.test('no answer, and none that comes next, waits for the link: it is made later, known or not', async (t) => {
  const console = await open(t);
  const { email } = await console.person('support');
  const { store } = console;
  let transactions = 0;
  const { tx } = store;
  Object.assign(store, {
    tx: (work: Parameters<typeof tx>[0]) => {
      transactions += 1;
      return tx(work);
    },
  });
  const browser = console.browser();
  await browser.get('/sign-in');
  for (const address of [email, 'nobody@example.com']) {
    await browser.post('/sign-in', { email: address });
    await browser.get('/sign-in');
  }
  t.equal(transactions, 0);
  await console.app.close();
  t.equal(transactions, 2, 'the same work for both');
  t.equal(console.mailer.sent.length, 1);
});

t.test('without a mail provider the page names the command', async (t) => {
  const console = await open(t, { config: { mail: { kind: 'outbox', directory: '', timeoutMs: 1000 } } });
  const browser = console.browser();
  t.match((await browser.get('/sign-in')).text, /broker console link --operator/);
  await browser.get(await console.linkFor((await console.person('viewer')).email));
  t.equal((await browser.post('/sign-in', { email: 'a@example.com' })).status, 200);
});

t.test(
  'links are asked for ten times in 15 minutes from one address (IPv6 by /64), and no limit is over all',
  async (t) => {
    const console = await open(t);
    const browser = console.browser();
    await browser.get('/sign-in');
    const ask = (remoteAddress: string) =>
      browser.send({
        method: 'POST',
        url: '/sign-in',
        remoteAddress,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ form_token: browser.token(), email: 'nobody@example.com' }).toString(),
      });
    for (let times = 0; times < 10; times += 1) {
      t.equal((await ask('192.0.2.1')).status, 200);
      t.equal((await ask(`2001:db8::${times}`)).status, 200);
    }
    const refused = await ask('192.0.2.1');
    t.match([refused.status, refused.headers['retry-after'], refused.text], [429, '900', /Try again in 15 minutes/]);
    t.equal((await ask('2001:db8::ffff:1')).status, 429, 'the same /64');
    t.equal((await ask('2001:db8:0:1::1')).status, 200);
    for (let times = 0; times < 320; times += 1) await ask(`198.51.100.${times % 250}`);
    t.equal((await ask('203.0.113.7')).status, 200, 'others lock no one out');
    console.clock.advance(15 * 60_000);
    t.equal((await ask('192.0.2.1')).status, 200);
  },
);

t.test('links that do not work are tried twenty times from one address; one that works is never refused', async (t) => {
  const console = await open(t);
  const browser = console.browser();
  const path = await (await console.person('viewer')).link();
  await browser.get(path);
  for (let times = 0; times < 20; times += 1) t.equal((await browser.post(`/sign-in/${'A'.repeat(43)}`)).status, 403);
  const { tx } = console.store;
  Object.assign(console.store, { tx: () => Promise.reject(new Error('a made-up link was written')) });
  t.equal((await browser.post(`/sign-in/${'A'.repeat(43)}`)).status, 429);
  Object.assign(console.store, { tx });
  t.equal((await browser.post(path)).status, 303);
  console.clock.advance(14.5 * 60_000);
  const other = console.browser();
  await other.get(path);
  t.match((await other.post(path)).text, /Try again in 1 minute\./);
});

t.test('a form is taken from the console’s own pages alone', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  await admin.get('/brokers');
  const fields = { slug: 'acme', name: 'Acme', contact_email: 'a@example.com', sender_email: 'b@example.com' };
  const own = { 'sec-fetch-site': 'same-origin' };
  const refused: Array<[string, Record<string, string>, Record<string, string>]> = [
    ['no token', { form_token: '' }, own],
    ['another token', { form_token: 'A'.repeat(43) }, own],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from a neighbour', {}, { 'sec-fetch-site': 'same-site' }],
    ['by an older browser', {}, { origin: 'https://evil.example' }],
  ];
  for (const [title, more, headers] of refused) {
    const answer = await admin.post('/brokers/create', { ...fields, ...more }, headers);
    t.match([answer.status, answer.text], [403, /Nothing was changed/], title);
  }
  const other = await console.signedIn('admin');
  await other.get('/brokers');
  t.equal(
    (await admin.post('/brokers/create', { ...fields, form_token: other.token() })).status,
    403,
    'another session’s token',
  );
  t.equal((await console.store.read.brokers.list()).length, 0);
  await admin.get('/brokers');
  t.equal(
    (await admin.post('/brokers/create', fields, { origin: 'http://localhost:80', host: 'localhost:80' })).status,
    303,
  );
  const json = await admin.send({ method: 'POST', url: '/brokers/create', payload: { ...fields, slug: 'other' } });
  t.equal(json.status, 415);
  const before = console.browser();
  t.equal((await before.post('/sign-in', { email: 'a@example.com' })).status, 403, 'before the sign-in too');
  t.equal((await before.send({ method: 'POST', url: '/sign-in' })).status, 403, 'nothing at all');
});

t.test('a form that is too large, or has too many fields, is refused', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  await admin.get('/brokers');
  t.equal((await admin.post('/brokers/create', { name: 'x'.repeat(1_000_001) })).status, 413);
  t.equal((await admin.post('/brokers/create', { scopes: Array(501).fill('a') })).status, 413);
});

t.test('a visitor who is not signed in is led to the sign-in page, and changes nothing', async (t) => {
  const console = await open(t);
  const browser = console.browser();
  t.match(await browser.get('/'), { status: 303, to: '/sign-in' });
  t.match(await browser.get('/requests?status=failed'), { status: 303, to: '/sign-in' });
  t.match(await browser.post('/brokers/create'), { status: 401, text: /Your session has ended/ });
  const fromMail = await browser.get('/requests', { 'sec-fetch-site': 'cross-site' });
  t.match(fromMail.body, /<meta http-equiv="refresh" content="0;url=\/requests"/);
  for (const made of ['x'.repeat(1001), 'short', 'A'.repeat(43)]) {
    browser.cookies.set('broker_console_session', made);
    t.equal((await browser.get('/')).to, '/sign-in', made.slice(0, 43));
  }
});

t.test('every page says: nothing from outside, nothing inline, no frame, no referrer, nothing kept', async (t) => {
  const console = await open(t);
  const admin = await console.signedIn('admin');
  for (const path of ['/sign-in', '/brokers', '/nowhere']) {
    const { headers } = await admin.get(path);
    const policy = String(headers['content-security-policy']);
    t.match(policy, /default-src 'none'/);
    t.match(policy, /frame-ancestors 'none'/);
    t.notMatch(policy, /unsafe/);
    t.match(headers, {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  }
});

t.test('in production the console is served over HTTPS alone, save within the machine', async (t) => {
  const open_ = await open(t, {
    config: { production: true, trustedProxies: ['127.0.0.0/8'], console: { loopback: false } },
  });
  t.match(await open_.browser().get('/sign-in'), { status: 400, text: /HTTPS/ });
  t.equal((await open_.browser({ 'x-forwarded-proto': 'https' }).get('/sign-in')).status, 200);
  const within = await open(t, { config: { production: true } });
  t.equal((await within.browser().get('/sign-in')).status, 200);
});

t.test('the files that a browser gets are zipped, kept, and named by their content', async (t) => {
  const console = await open(t);
  const browser = console.browser();
  const { body } = await browser.get('/sign-in');
  const css = /href="(\/assets\/[\w-]{10}\/console\.css)"/.exec(body)?.[1] as string;
  const whole = await browser.get(css);
  t.match(whole.headers, {
    'content-type': /text\/css/,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  const zipped = await browser.get(css, { 'accept-encoding': 'gzip, br' });
  t.equal(zipped.headers['content-encoding'], 'gzip');
});

t.test('pages are zipped, but not where another site asks for them', async (t) => {
  const console = await open(t);
  const { cookies } = await console.signedIn('viewer');
  const cookie = [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ');
  const page = (headers: Record<string, string>) =>
    console.app.inject({ url: '/plans', headers: { cookie, ...headers } });
  const plain = await page({});
  t.equal(plain.statusCode, 200);
  t.equal(plain.headers['content-encoding'], undefined);
  t.equal(plain.headers.vary, 'accept-encoding, sec-fetch-site');
  for (const site of [undefined, 'none', 'same-origin', 'same-site', 'cross-site']) {
    const { headers, rawPayload } = await page({
      'accept-encoding': 'gzip, br',
      ...(site && { 'sec-fetch-site': site }),
    });
    const zips = !site?.endsWith('-site');
    t.equal(headers['content-encoding'], zips ? 'gzip' : undefined, String(site));
    t.equal((zips ? gunzipSync(rawPayload) : rawPayload).toString(), plain.body);
  }
});

t.test('a browser that does not name itself comes in too', async (t) => {
  const console = await open(t);
  const viewer = await console.signedIn('viewer');
  const token = (await console.linkFor(viewer.email)).split('/').at(-1) as string;
  await openSession(console.context, { linkToken: token, ip: null, userAgent: null });
  t.match((await viewer.get('/sessions')).text, /unknown –/);
  const quiet = console.browser({ 'user-agent': '' });
  const path = await console.linkFor(viewer.email);
  await quiet.get(path);
  t.equal((await quiet.post(path)).status, 303);
});

t.test('the console serves HTTPS by itself where there is a certificate', async (t) => {
  const console = await open(t, { config: { tls: makeCertificate(t.testdir()) } });
  t.equal((await console.browser().get('/sign-in')).status, 200);
});

t.test('searches of one operator do not stand before the page of another', async (t) => {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  const [viewer, admin] = [await console.signedIn('viewer'), await console.signedIn('admin')];
  const { store } = console.context;
  const { slow } = store;
  let asked = 0;
  Object.assign(store, {
    slow: (...query: Parameters<typeof slow>) => {
      asked += 1;
      return slow(...query);
    },
  });
  // The turn is held until all of them wait for it.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const holder = slow(operatorOwner(), () => held);
  let searched = 0;
  const searches = Array.from({ length: 60 }, async () => {
    await viewer.get('/services?q=nobody');
    searched += 1;
  });
  const page = admin.get('/services');
  await until('all of them wait', () => asked >= 61);
  release();
  await page;
  t.ok(searched < 50, `${searched} of 60 searches were answered before the page`);
  await Promise.all([holder, ...searches]);
});
