import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MAX_UPLOAD_BYTES, Uploads } from '../../console/uploads.ts';
import { listAudit } from '../../src/operator/audit.ts';
import { createBroker } from '../../src/operator/brokers.ts';
import { type ImportOutcome, RECORDS_TOLD } from '../../src/operator/importing.ts';
import { importPlans, listPlans } from '../../src/operator/plans.ts';
import { importServices, setService } from '../../src/operator/services.ts';
import { createTestConsole } from '../support/console.ts';
import { BROKER } from '../support/operator-context.ts';
import { until } from '../support/until.ts';
import { AN_OPERATOR, createTestClock } from '../support/world.ts';

const HEAD = 'slug,display_name,upgrade_rank,billing_type\n';
const ONE = `${HEAD}start,Start,10,monthly\n`;
const plans = { kind: 'plans', broker: 'acme' };

/** Folders of consoles of this process, and what lies in them. */
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('broker-console-'));

async function open(t: Test) {
  const before = new Set(folders());
  const console = await createTestConsole();
  const folder = join(tmpdir(), folders().find((name) => !before.has(name)) as string);
  t.teardown(() => console.close());
  await createBroker.run(console.context, BROKER);
  const admin = await console.signedIn('admin');
  await admin.get('/imports');
  return {
    ...console,
    admin,
    folder,
    /** What lies there now. */
    files: () => readdirSync(folder),
    send: (content: string | Buffer, name = 'plans.csv', fields: Record<string, string> = plans) =>
      admin.upload('/imports', fields, { name, content }),
  };
}

t.test('an import of services is taken back from its page, unless something has happened on one of them', async (t) => {
  const { admin, context, signedIn } = await open(t);
  const broker = 'acme';
  await importPlans(context, { broker, file: { name: 'plans.csv', content: Buffer.from(ONE) } });
  const bring = () =>
    importServices(context, { broker, file: { name: 's.csv', content: Buffer.from('client_name,plan\nAda,start\n') } });
  const [used, unused] = [await bring(), await bring()];
  const [number] = used.issued_service_numbers;
  context.clock.advance(1);
  await setService.run(context, { broker, service_number: Number(number), 'client.name': 'Eve' });
  const pathOf = (report: typeof used) => `/brokers/acme/imports/${report.import_id}`;
  const page = await admin.get('/imports');
  t.match(page.body, new RegExp(`href="${pathOf(unused)}"`));
  t.match(page.text, /s\.csv 1 services of acme created, 0 updated/);
  t.notMatch((await (await signedIn('viewer')).get('/imports')).text, /Take back/);
  t.match((await admin.get(pathOf(used))).text, new RegExp(`none can be removed: ${number} has changed since`));
  t.match(await admin.post(`${pathOf(used)}/remove`), { status: 422, text: /Nothing was removed/ });
  t.match((await admin.get(pathOf(unused))).text, /1 services of acme .* Remove them/);
  t.match(await admin.post(`${pathOf(unused)}/remove`), { status: 303, to: '/imports' });
  t.match((await admin.get('/imports')).text, /1 services were removed/);
  t.equal((await admin.get(pathOf(unused))).status, 404);
});

t.test('a file is first looked at, line by line, and then done: once, and as it was looked at', async (t) => {
  const console = await open(t);
  const { admin } = console;
  const sent = await console.send(`${ONE}more,More,20,monthly\n`);
  t.match([sent.status, sent.to], [303, /^\/imports\/[\w-]{22}$/]);
  const path = sent.to as string;
  t.match(console.files(), ['1']);
  t.equal(statSync(join(console.folder, '1')).mode & 0o777, 0o600);
  t.equal(statSync(console.folder).mode & 0o777, 0o700);
  const looked = await admin.get(path);
  t.match(looked.text, /To create 2 .*To change 0 .*Refused 0/);
  t.match(looked.text, /line 2 create start .*line 3 create more/);
  t.match((await admin.get('/imports')).text, /Your files plans\.csv plans of acme checked/);
  t.strictSame(await listPlans.run(console.context, { broker: 'acme' }), [], 'nothing is written yet');

  const [first, second] = await Promise.all([admin.post(`${path}/run`), admin.post(`${path}/run`)]);
  t.strictSame([first.to, second.to], [path, path]);
  t.match((await admin.get(path)).text, /2 plans of acme were created, 0 changed/);
  t.equal((await listPlans.run(console.context, { broker: 'acme' })).length, 2);
  t.match(await listAudit(console.context, { action: 'plan.import' }), [
    { actor: admin.email, actor_kind: 'operator', client_ip: '127.0.0.1', after: { file: 'plans.csv', created: 2 } },
  ]);
  t.strictSame(console.files(), [], 'what is done needs no file any more');
  await admin.post(`${path}/run`);
  t.match((await admin.get(path)).text, /The import was not started/);

  const again = await console.send(`${ONE}more,Much more,20,monthly\nmost,Most,30,monthly\n`);
  t.match((await admin.get(again.to as string)).text, /create 1 .*change 2/);
  t.match((await admin.get(`${again.to}?only=update`)).text, /line 2 change start .*line 3 change more/);
  t.notMatch((await admin.get(`${again.to}?only=update`)).text, /most/);
});

t.test('a file with faults names each of them, and nothing of it can be taken', async (t) => {
  const console = await open(t);
  const { admin } = console;
  const { to } = await console.send(`${HEAD}ok,Fine,10,monthly\n"<script>alert(1)</script>",=cmd|x,ten,weekly\n`);
  const { text, body } = await admin.get(to as string);
  t.match(text, /Refused 1 so the file cannot be imported/);
  t.match(
    text,
    /line 3 refuse .*slug must be letters.*upgrade_rank must be a whole number.*billing_type must be one of/,
  );
  t.notMatch(body, /<script>alert/);
  t.notMatch(body, /\/run"/);
  await admin.post(`${to}/run`);
  t.strictSame(await listPlans.run(console.context, { broker: 'acme' }), []);
  const shapeless = await console.send('[5]', 'plans.json');
  t.match((await admin.get(shapeless.to as string)).body, /<li> ?must be an object<\/li>/, 'a fault of no field');
  await admin.post(`${shapeless.to}/drop`);
  t.equal((await admin.post(`${to}/drop`)).to, '/imports');
  t.match((await admin.get('/imports')).text, /The file was removed/);
  t.equal((await admin.get(to as string)).status, 404);
  t.strictSame(console.files(), []);
});

t.test('what came in between is found when it is done, and then nothing is', async (t) => {
  const console = await open(t);
  const { admin, context } = console;
  const services = 'service_number,client_name,plan\n5001,Ada,start\n';
  await admin.post(`${(await console.send(ONE)).to}/run`);
  const { to } = await console.send(services, 'services.csv', { kind: 'services', broker: 'acme' });
  t.match((await admin.get(to as string)).text, /To create 1/);
  await createBroker.run(context, { ...BROKER, slug: 'other' });
  const { importPlans } = await import('../../src/operator/plans.ts');
  const { importServices } = await import('../../src/operator/services.ts');
  const file = (content: string) => ({ name: 'f.csv', content: Buffer.from(content) });
  await importPlans(context, { broker: 'other', file: file(ONE) });
  await importServices(context, { broker: 'other', file: file(services) });
  await admin.post(`${to}/run`);
  const refused = await admin.get(to as string);
  t.match([refused.status, refused.text], [422, /Nothing was imported.*1 of 1 records are faulty/]);
});

t.test('files that are none of ours are refused in a sentence', async (t) => {
  const console = await open(t);
  const { admin } = console;
  const refused: Array<[title: string, content: string | Buffer, name: string, said: RegExp]> = [
    ['an empty one', '', 'plans.csv', /the file is empty/],
    ['a header alone', HEAD, 'plans.csv', /The file has no records/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0]), 'plans.csv', /is not UTF-8 text/],
    ['one of another encoding', Buffer.from(`\uFEFF${ONE}`, 'utf16le'), 'plans.csv', /is not UTF-8 text/],
    ['a table of another program', ONE, 'plans.xlsx', /must end in \.json or \.csv/],
    ['half a JSON', '[{"slug":', 'plans.json', /not valid JSON/],
    ['a deep one', '['.repeat(200_000), 'plans.json', /not valid JSON/],
    ['other columns', 'slug,colour\na,red\n', 'plans.csv', /unknown column &quot;colour&quot;/],
    ['a column twice', 'slug,slug\na,b\n', 'plans.csv', /appears twice/],
    [
      'many columns',
      Array.from({ length: 400_000 }, (_, at) => `c${at}`).join(),
      'plans.csv',
      /line 1 is longer than 100000 bytes/,
    ],
    ['one huge line', `${HEAD}${'x'.repeat(4_000_000)},X,1,monthly\n`, 'plans.csv', /line 2 is longer/],
    ['an open quote', `${HEAD}"a,b\n`, 'plans.csv', /not valid CSV/],
    ['a NUL', `${HEAD}a\0b,X,1,monthly\n`, 'plans.csv', /must be letters/],
    [
      'many unknown fields',
      JSON.stringify([Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, 1]))]),
      'p.json',
      /f9 is no known field/,
    ],
  ];
  for (const [title, content, name, said] of refused) {
    const { status, to } = await console.send(content, name);
    t.equal(status, 303, title);
    const page = await admin.get(to as string);
    t.match(page.text, said, title);
    t.ok(page.body.length < 100_000, `${title}: ${page.body.length} bytes`);
    t.notMatch(page.body, /\/run"/, title);
    await admin.post(`${to}/drop`);
  }
  const marked = await console.send(`\uFEFF${ONE}`);
  t.match((await admin.get(marked.to as string)).text, /To create 1/, 'a byte order mark is no fault');
});

t.test('what is too large, has no file, or comes from elsewhere, is refused and leaves nothing behind', async (t) => {
  const console = await open(t);
  const { admin } = console;
  const large = Buffer.alloc(MAX_UPLOAD_BYTES + 1, 'x');
  t.match(await console.send(large), { status: 413, text: /The limit is 5 MB/ });
  t.match(await console.send(Buffer.alloc(MAX_UPLOAD_BYTES + 100_000, 'x')), { status: 413 });
  t.match(await admin.upload('/imports', plans, null), { status: 422, text: /Choose a file first/ });
  t.match(await console.send(ONE, ''), { status: 422, text: /Choose a file first/ });
  t.match(await console.send(ONE, 'p.csv', { kind: 'plans', broker: 'nobody' }), { status: 422, text: /no broker/ });
  t.match(await console.send(ONE, 'p.csv', { kind: 'secrets', broker: 'acme' }), {
    status: 422,
    text: /Choose plans, services or invoices/,
  });
  t.match(await console.send(ONE, 'p.csv', { kind: 'plans' }), {
    status: 422,
    text: /Choose plans, services or invoices/,
  });
  t.match(await admin.post('/imports'), { status: 415 });
  await admin.get('/imports');
  const file = { name: 'plans.csv', content: ONE };
  const forged: Array<[Record<string, string>, Record<string, string>]> = [
    [{ form_token: '' }, { 'sec-fetch-site': 'same-origin' }],
    [{ form_token: 'A'.repeat(43) }, { 'sec-fetch-site': 'same-origin' }],
    [{}, { 'sec-fetch-site': 'cross-site' }],
    [{}, { origin: 'https://evil.example' }],
  ];
  for (const [fields, headers] of forged) {
    t.equal((await admin.upload('/imports', { ...fields, ...plans }, file, headers)).status, 403);
  }
  const late = '----boundary';
  const payload = [
    `--${late}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${ONE}\r\n`,
    `--${late}\r\nContent-Disposition: form-data; name="form_token"\r\n\r\n${admin.token()}\r\n--${late}--\r\n`,
  ].join('');
  const headers = { 'content-type': `multipart/form-data; boundary=${late}`, 'sec-fetch-site': 'same-origin' };
  t.equal((await admin.send({ method: 'POST', url: '/imports', headers, payload })).status, 403, 'the file came first');
  const nameless = [
    `--${late}\r\nContent-Disposition: form-data; name="form_token"\r\n\r\n${admin.token()}\r\n`,
    `--${late}\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream\r\n\r\n${ONE}\r\n`,
    `--${late}--\r\n`,
  ].join('');
  t.match(await admin.send({ method: 'POST', url: '/imports', headers, payload: nameless }), {
    status: 422,
    text: /Choose a file first/,
  });
  const empty = await admin.send({ method: 'POST', url: '/imports', headers, payload: `--${late}--\r\n` });
  t.equal(empty.status, 403, 'a form without anything');
  const cut = await admin.send({ method: 'POST', url: '/imports', headers, payload: payload.slice(0, 90) });
  t.ok(cut.status >= 400 && cut.status < 500, `half a form: ${cut.status}`);
  t.strictSame(console.files(), []);
  t.strictSame(await listPlans.run(console.context, { broker: 'acme' }), []);
});

t.test('a file’s name is shown as text, and is never used as a path', async (t) => {
  const console = await open(t);
  const { to } = await console.send(ONE, '../../etc/\u202E<img src=x>plans.csv');
  const { body } = await console.admin.get(to as string);
  t.match(body, /&lt;img src=x&gt;plans\.csv/);
  t.notMatch(body, /\u202E|etc\//);
  t.strictSame(console.files(), ['1']);
});

t.test(
  'three files of a person wait, for an hour; twelve of all people; and none is shown to another person',
  async (t) => {
    const console = await open(t);
    const { admin, clock } = console;
    const sent = [await console.send(ONE), await console.send(ONE), await console.send(ONE)];
    t.match(await console.send(ONE), { status: 429, text: /Each operator can have 3 files/ });
    const path = sent[0]?.to as string;
    const other = await console.signedIn('admin');
    await other.get('/imports');
    for (const answer of [await other.get(path), await other.post(`${path}/run`)]) t.equal(answer.status, 404);
    await other.get('/imports');
    await other.post(`${path}/drop`);
    t.equal((await admin.get(path)).status, 200);
    for (let people = 0; people < 3; people += 1) {
      const person = await console.signedIn('admin');
      await person.get('/imports');
      for (let times = 0; times < 3; times += 1)
        await person.upload('/imports', plans, { name: 'p.csv', content: ONE });
    }
    t.equal(console.files().length, 12);
    t.equal((await other.upload('/imports', plans, { name: 'p.csv', content: ONE })).status, 429);
    clock.advance(60 * 60_000);
    t.equal((await admin.get(path)).status, 404);
    t.strictSame(console.files(), []);
    await console.app.close();
    t.notOk(folders().includes(console.folder.slice(tmpdir().length + 1)));
  },
);

t.test('a file that cannot be imported, or has been, waits for nothing and blocks nothing', async (t) => {
  const console = await open(t);
  const { admin } = console;
  const sent = [await console.send('a;b\n1;2\n'), await console.send('slug,colour\na,red\n'), await console.send(ONE)];
  await admin.post(`${sent[2]?.to}/run`);
  for (const { to } of sent) t.match((await admin.get(to as string)).text, /Nothing was imported|Imported/);
  const checked = await console.send(ONE);
  t.match((await admin.get(checked.to as string)).text, /To create/);
  t.equal(console.files().length, 1);
  await console.send(ONE);
  await console.send(ONE);
  t.equal((await console.send(ONE)).status, 429, 'those that can still be imported wait as before');
});

t.test('files that are over, of however many people, keep no person from bringing another', async (t) => {
  const console = await open(t);
  for (let people = 0; people < 4; people += 1) {
    const person = await console.signedIn('admin');
    await person.get('/imports');
    const unreadable = { name: 'p.csv', content: 'a;b\n1;2\n' };
    for (let times = 0; times < 3; times += 1) await person.upload('/imports', plans, unreadable);
  }
  const { to } = await console.send(ONE);
  t.match((await console.admin.get(to as string)).text, /To create/);
});

t.test('a viewer and support see the page, and nothing that they could do', async (t) => {
  const console = await open(t);
  const { to } = await console.send(ONE);
  for (const role of ['viewer', 'support']) {
    const person = await console.signedIn(role);
    const { body, status } = await person.get('/imports');
    t.equal(status, 200);
    t.notMatch(body, /type="file"/);
    t.equal((await person.upload('/imports', plans, { name: 'p.csv', content: ONE })).status, 403);
    for (const path of ['run', 'drop']) t.equal((await person.post(`${to}/${path}`)).status, 403);
    t.equal((await person.get(to as string)).status, 403);
  }
  const empty = await createTestConsole();
  t.teardown(() => empty.close());
  t.match((await (await empty.signedIn('admin')).get('/imports')).text, /There are no brokers yet/);
});

t.test('what takes long shows how far it is, one after the other; what breaks says so', async (t) => {
  const console = await open(t);
  const { admin, imports } = console;
  const here = imports.run;
  let release: (outcome: ImportOutcome | Promise<never>) => void = () => undefined;
  let tell: (done: number, total: number) => void = () => undefined;
  const slowly = () => {
    imports.run = (_task, onProgress) =>
      new Promise((resolve) => {
        tell = onProgress;
        release = resolve;
      });
  };
  slowly();
  const { to } = await console.send(ONE);
  const path = to as string;
  const checking = await admin.get(path);
  t.match(checking.text, /The file is being read/);
  t.match(checking.body, new RegExp(`hx-get="${path}" hx-trigger="every 1s"`));
  release({ preview: { broker: 'acme', dry_run: true, created: 30, updated: 0, refused: 0, records: [] } });
  await until('it was looked at', async () => /To create 30/.test((await admin.get(path)).text));
  slowly();
  await admin.post(`${path}/run`);
  t.match((await admin.get(path)).text, /The file is being imported 0 of 30/);
  tell(20, 30);
  t.match((await admin.get(path)).text, /20 of 30/);
  await admin.post(`${path}/drop`);
  t.match((await admin.get(path)).text, /cannot be removed/);
  release({ report: { broker: 'acme', import_id: 'aud_1', imported: 30, created: 30, updated: 0 } });
  await until('it is done', async () => /30 plans of acme were created/.test((await admin.get(path)).text));

  imports.run = async () => {
    throw new Error('the thread died');
  };
  const broken = await console.send(ONE);
  t.match(await admin.get(broken.to as string), { status: 422, text: /the server’s log has the details/ });

  slowly();
  const waiting = await console.send(ONE);
  imports.run = here;
  release(Promise.reject(new Error('ended')) as never);
  t.equal(waiting.status, 303);
});

t.test('a file whose turn has not come when the console ends is not begun', async (t) => {
  const begun: string[] = [];
  let release: (outcome: ImportOutcome) => void = () => undefined;
  const uploads = new Uploads({
    clock: createTestClock(),
    log: { error: () => undefined },
    run: ({ name }) => {
      begun.push(name);
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  });
  for (const name of ['first.csv', 'second.csv']) {
    const file = { kind: 'plans' as const, broker: 'acme', name, path: uploads.newPath(), bytes: 1, sha256: '' };
    uploads.take('ada', AN_OPERATOR, file);
  }
  await until('the first one is looked at', async () => begun.length === 1);
  const ended = uploads.close();
  release({ refusal: 'ended' });
  await ended;
  t.strictSame(begun, ['first.csv']);
});

t.test('of a long file so many lines are told, in pages, and all are counted', async (t) => {
  const console = await open(t);
  const lines = Array.from({ length: RECORDS_TOLD + 50 }, (_, at) => `p${at},Plan ${at},ten,monthly`);
  const { to } = await console.send(`${HEAD}${lines.join('\n')}\ngood,Good,10,monthly\n`);
  const { text, body } = await console.admin.get(to as string);
  t.match(text, /To create 1 .*Refused 1,050/);
  t.match(text, /50 more are not shown/);
  t.match(body, /page=2" rel="next"/);
  t.match((await console.admin.get(`${to}?only=create`)).text, /line 1052 create good/);
  t.match((await console.admin.get(`${to}?page=11`)).text, /line 1052/);
});
