import t, { type Test } from 'tap';
import { MAX_UPLOAD_BYTES } from '../../console/plugins/files.ts';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import { RECORDS_LISTED } from '../../src/operator/imports/run.ts';
import { importPlans, listPlans } from '../../src/operator/plans/plans.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { setService } from '../../src/operator/services/services.ts';
import { recordImport } from '../../src/operator/use-case/dependencies.ts';
import type { ImportOutcome } from '../../src/operator/use-case/import-task.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import { createTestConsole, formOf } from '../support/console.ts';
import { BROKER } from '../support/operator-context.ts';
import { until } from '../support/until.ts';

const HEAD = 'slug,display_name,upgrade_rank,billing_type\n';
const ONE = `${HEAD}start,Start,10,monthly\n`;
const plans = { kind: 'plans', broker: 'acme' };

async function open(t: Test) {
  const console = await createTestConsole();
  t.teardown(() => console.close());
  await createBroker.run(console.context, BROKER);
  const admin = await console.signedIn('admin');
  await admin.get('/imports');
  const preview = (content: string | Buffer, name = 'plans.csv', fields: Record<string, string> = plans) =>
    admin.upload('/imports', fields, { name, content });
  return {
    ...console,
    admin,
    preview,
    /** Previews a file and imports it. */
    async bring(content: string, name = 'plans.csv', fields: Record<string, string> = plans) {
      const previewed = previewedOf((await preview(content, name, fields)).body);
      return admin.upload('/imports', { ...fields, previewed }, { name, content });
    },
  };
}

/** What the page of a preview sends back with the import. */
const previewedOf = (body: string): string => /name="previewed" value="(\d+\/[0-9a-f]{64})"/.exec(body)?.[1] ?? 'none';

t.test('an import of services is taken back from its page, unless something has happened on one of them', async (t) => {
  const { admin, context, store, signedIn } = await open(t);
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
  t.match(page.text, /s\.csv 1 service of acme created, 0 changed/);
  t.notMatch((await (await signedIn('viewer')).get('/imports')).text, /Take back/);
  t.match((await admin.get(pathOf(used))).text, new RegExp(`none can be removed: ${number} has changed since`));
  t.match(await admin.post(`${pathOf(used)}/remove`), { status: 422, text: /Nothing was removed/ });
  const one = (await store.read.brokers.findBySlug(broker)) as BrokerRow;
  const file = { name: 'later.csv', content: Buffer.from('') };
  await store.tx(async (tx) => {
    for (let left = 501; left > 0; left -= 1) {
      await recordImport(context, tx, 'plan.import', one, file, { imported: 1, updated: 0 });
    }
  });
  const { text } = await admin.get(pathOf(unused));
  t.match(text, /1 service of acme The import of s\.csv .* Remove them/, 'by its file, however many came later');
  t.match(await admin.post(`${pathOf(unused)}/remove`), { status: 303, to: '/imports' });
  const after = await admin.get('/imports');
  t.match(after.text, /1 service was removed/);
  t.match(after.text, /taken back/);
  t.notMatch(after.body, new RegExp(`href="${pathOf(unused)}"`), 'what was taken back is not offered again');
  t.match(await admin.get(pathOf(unused)), { status: 404, text: /created are removed/ }, 'the way back says so');
  t.match(await admin.post(`${pathOf(unused)}/remove`), { status: 404, text: /created are removed/ });
});

t.test('a file is previewed, and then imported by the same form, as it was previewed', async (t) => {
  const console = await open(t);
  const { admin, context, preview, bring } = console;
  const content = `${ONE}more,More,20,monthly\n`;
  const previewed = await preview(content);
  t.equal(previewed.status, 200);
  t.match(previewed.text, /Refused 0 .*To change 0 .*To create 2/);
  t.match(previewed.text, /line 2 start Start .*line 3 more More/);
  t.match(previewed.text, /2 plans of acme would be created and 0 changed/);
  t.strictSame((await listPlans.run(context, { broker: 'acme' })).records, [], 'a preview writes nothing');

  const hash = previewedOf(previewed.body);
  const other: Array<[string, string, Record<string, string>]> = [
    ['plans.csv', ONE, plans],
    ['other.csv', content, plans],
    ['plans.csv', content, { ...plans, kind: 'services' }],
    ['plans.csv', content, { ...plans, broker: 'other' }],
  ];
  for (const [name, another, fields] of other) {
    const answer = await admin.upload('/imports', { ...fields, previewed: hash }, { name, content: another });
    t.match(answer, { status: 422, text: /Nothing was imported: .* is not the one of the preview/ });
  }
  t.strictSame(
    (await listPlans.run(context, { broker: 'acme' })).records,
    [],
    'nothing else is imported than what was previewed',
  );

  const imported = await bring(content);
  t.match(imported, { status: 303, to: /^\/imports\?done=aud_/ });
  const done = await admin.get(imported.to as string);
  t.match(done.text, /plans\.csv : 2 plans of acme were created, 0 changed/);
  t.match(done.body, /href="\/plans\?broker=acme"/, 'what was imported is one click away');
  t.equal((await listPlans.run(context, { broker: 'acme' })).records.length, 2);
  const twice = await admin.upload('/imports', { ...plans, previewed: hash }, { name: 'plans.csv', content });
  t.equal(twice.to, imported.to, 'the same form, sent again, leads to the import that it was');
  t.match(await listAudit(context, { action: 'plan.import' }), [
    { actor: admin.email, actor_kind: 'operator', client_ip: '127.0.0.1', after: { file: 'plans.csv', created: 2 } },
  ]);
});

t.test('consumption is previewed, imported and listed like the rest; what is older is counted', async (t) => {
  const { admin, context, preview, bring } = await open(t);
  const file = (name: string, text: string) => ({ broker: 'acme', file: { name, content: Buffer.from(text) } });
  await importPlans(context, file('plans.csv', ONE));
  await importServices(context, file('s.csv', 'service_number,client_name,plan\n7,Ada,start\n8,Eve,start\n'));
  const consumption = { kind: 'consumption', broker: 'acme' };
  const head = 'service_number,measured_date,disk_gb_used\n';
  const first = await bring(`${head}7,2030-01-02,1\n`, 'c.csv', consumption);
  t.match((await admin.get(String(first.to))).text, /c\.csv : 1 measurement of acme was created, 0 changed\./);
  const next = `${head}7,2030-01-01,5\n8,2030-01-02,2.5\n`;
  const { text } = await preview(next, 'd.csv', consumption);
  t.match(text, /1 measurement of acme would be created and 0 changed, 1 older than what is stored skipped\./);
  t.match(text, /Skipped 1 older than what is stored/);
  t.match(text, /line 3 8 2030-01-02T00:00:00\.000Z/);
  await bring(next, 'd.csv', consumption);
  t.match(
    (await admin.get('/imports')).text,
    /d\.csv 1 measurement of acme created, 0 changed, 1 older than what is stored skipped, .*c\.csv 1 measurement/,
  );
  const same = await preview(`${head}7,2030-01-01,5\n`, 'e.csv', consumption);
  t.match(same.text, /e\.csv : every record is older than what is stored: there is nothing to import\./);
});

t.test('a preview names what each record would change, and what a service would lack', async (t) => {
  const { context, bring, preview } = await open(t);
  await bring(`${ONE}more,More,20,monthly\n`);
  await bring('slug,display_name,upgrade_rank,billing_type,active\nold,Old,5,monthly,false\n');
  const plan = await preview(`${ONE}more,Much more,20,monthly\nmost,Most,30,monthly\n`);
  t.match(plan.text, /To change \(2\).*start Start nothing .*more Much more display_name More → Much more/);
  t.match(plan.text, /To create \(1\).*line 4 most Most/);

  const services = { kind: 'services', broker: 'acme' };
  await bring('service_number,client_name,plan,label\n5001,Ada,start,web-1\n', 's.csv', services);
  const changed =
    'service_number,client_name,client_email,plan,label\n5001,Eve,ada(at)example.com,more,web-1\n5002,Bob,,old,db\n';
  const { text } = await preview(changed, 's.csv', services);
  t.match(text, /With a warning 2 imported all the same/);
  t.match(text, /1 new service has no email: the client gets none\./, 'no warning of its own for each');
  t.match(
    text,
    /5001 web-1 Eve more client_name Ada → Eve .*client_email – → ada\(at\)example\.com .*plan start → more/,
  );
  t.match(text, /client_email &quot;ada\(at\)example\.com&quot; is no email address: the client gets no email/);
  t.match(text, /line 3 5002 db Bob old plan &quot;old&quot; is no longer sold/);
  const without = (rows: string) => preview(`client_name,client_email,plan\n${rows}`, 'n.csv', services);
  const some = await without('Cy,,start\nDi,,start\nEd,ed@example.com,start\n');
  t.notMatch(some.text, /With a warning/);
  t.match(some.text, /2 new services have no email: their clients get none\./);
  t.notMatch((await without('Ed,ed@example.com,start\n')).text, /no email/);

  const invoices = { kind: 'invoices', broker: 'acme' };
  const invoice = (status: string) =>
    `invoice_number,service_number,amount,currency,invoice_status,issued_date\nR-1,5001,9.50,EUR,${status},2029-12-31\n`;
  await bring(invoice('open'), 'i.csv', invoices);
  t.match((await preview(invoice('paid'), 'i.csv', invoices)).text, /R-1 5001 9\.50 EUR invoice_status open → paid/);
  t.equal((await listPlans.run(context, { broker: 'acme' })).records.length, 3);
});

t.test(
  'an import whose records look damaged names them when it is done, also those that no preview shows',
  async (t) => {
    const { admin, bring, preview, store } = await open(t);
    await bring(ONE);
    const services = { kind: 'services', broker: 'acme' };
    const damaged = 'service_number,client_name,plan,label\n5001,MÃ¼ller,start,1.23457E+11\n5002,Ada,start,web\n';
    t.match((await preview(damaged, 's.csv', services)).text, /With a warning 1 imported all the same/);
    const done = await bring(damaged, 's.csv', services);
    t.match(done, { status: 200, text: /s\.csv : 2 services of acme were created, 0 changed/ });
    t.match(done.text, /1 service was imported with a warning\./);
    t.match(done.text, /line 2 client_name looks like UTF-8 that was read in another encoding/);
    t.match(done.text, /line 2 label &quot;1\.23457E\+11&quot; looks like a number that a spreadsheet rounded/);
    const [line] = await store.read.audit.list({ action: 'service.import' }, 1);
    t.match(done.body, `data-shown-at="/imports?done=${line?.id}"`, 'a reload leads to the import');
    t.notMatch((await admin.get(`/imports?done=${line?.id}`)).text, /Warnings/);
    const many = Array.from({ length: 120 }, (_, at) => `${6000 + at},Ada,start,#N/A\n`);
    const all = await bring(`service_number,client_name,plan,label\n${many.join('')}`, 'many.csv', services);
    t.match(
      all.text,
      /120 services were imported with a warning\..*line 101.* 20 more records have one and are not shown/,
    );
  },
);

t.test('a file with faults names each of them first, as CSV too, and nothing of it can be imported', async (t) => {
  const { admin, context, preview } = await open(t);
  const content = `${HEAD}ok,Fine,10,monthly\n"<script>alert(1)</script>",=cmd|x,ten,weekly\n`;
  const { text, body } = await preview(content);
  t.match(text, /Refused 1 so the file cannot be imported/);
  t.match(
    text,
    /line 3 .*slug must be letters.*upgrade_rank must be a whole number.*billing_type must be one of.*line 2 ok/,
  );
  t.notMatch(body, /<script>alert/);
  t.equal(previewedOf(body), 'none');
  const { csv } = formOf(body, '/imports/faults.csv');
  const file = await admin.post('/imports/faults.csv', { csv: String(csv) });
  t.match(file.headers, { 'content-type': /^text\/csv/, 'content-disposition': 'attachment; filename="faults.csv"' });
  t.match(
    file.body,
    /^\uFEFFline,record,field,fault\r?\n"line 3",,slug,"must be letters.*\r?\n"line 3",,upgrade_rank,/,
  );
  const shapeless = await preview('[5]', 'plans.json');
  t.match(shapeless.body, /<li> ?must be an object<\/li>/, 'a fault of no field');
  t.strictSame((await listPlans.run(context, { broker: 'acme' })).records, []);
});

t.test('what came in between is found when it is imported, and then nothing is', async (t) => {
  const { admin, context, bring, preview } = await open(t);
  const services = 'service_number,client_name,plan\n5001,Ada,start\n';
  const fields = { kind: 'services', broker: 'acme' };
  await bring(ONE);
  const previewed = previewedOf((await preview(services, 'services.csv', fields)).body);
  await createBroker.run(context, { ...BROKER, slug: 'other' });
  const file = (content: string) => ({ name: 'f.csv', content: Buffer.from(content) });
  await importPlans(context, { broker: 'other', file: file(ONE) });
  await importServices(context, { broker: 'other', file: file(services) });
  const refused = await admin.upload('/imports', { ...fields, previewed }, { name: 'services.csv', content: services });
  t.match([refused.status, refused.text], [422, /1 of 1 records are faulty; nothing was imported/]);
});

t.test('files that are none of ours are refused in a sentence', async (t) => {
  const { preview } = await open(t);
  const refused: Array<[title: string, content: string | Buffer, name: string, said: RegExp]> = [
    ['an empty one', '', 'plans.csv', /the file is empty/],
    ['a header alone', HEAD, 'plans.csv', /the file has no records/],
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
    const page = await preview(content, name);
    t.match(page.text, said, title);
    t.ok(page.body.length < 100_000, `${title}: ${page.body.length} bytes`);
    t.equal(previewedOf(page.body), 'none', title);
  }
  t.match((await preview(`\uFEFF${ONE}`)).text, /To create 1/, 'a byte order mark is no fault');
});

t.test('what is too large, has no file, or comes from elsewhere, is refused', async (t) => {
  const console = await open(t);
  const { admin } = console;
  const large = Buffer.alloc(MAX_UPLOAD_BYTES + 1, 'x');
  t.match(await console.preview(large), { status: 413, text: /The limit is 5 MB/ });
  t.match(await console.preview(Buffer.alloc(MAX_UPLOAD_BYTES + 100_000, 'x')), { status: 413 });
  t.match(await admin.upload('/imports', plans, null), { status: 422, text: /Choose a file first/ });
  t.match(await console.preview(ONE, ''), { status: 422, text: /Choose a file first/ });
  t.match(await console.preview(ONE, 'p.csv', { kind: 'plans', broker: 'nobody' }), { status: 422, text: /no broker/ });
  t.match(await console.preview(ONE, 'p.csv', { kind: 'secrets', broker: 'acme' }), {
    status: 422,
    text: /Choose what the file holds/,
  });
  t.match(await console.preview(ONE, 'p.csv', { kind: 'plans' }), {
    status: 422,
    text: /Choose what the file holds/,
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
  t.strictSame((await listPlans.run(console.context, { broker: 'acme' })).records, []);
});

t.test('a file’s name is shown as text, without its folders', async (t) => {
  const { preview } = await open(t);
  const { body } = await preview(ONE, '../../etc/\u202E<img src=x>plans.csv');
  t.match(body, /&lt;img src=x&gt;plans\.csv/);
  t.notMatch(body, /\u202E|etc\//);
});

t.test('a viewer and support see the page, and nothing that they could do', async (t) => {
  const console = await open(t);
  for (const role of ['viewer', 'support']) {
    const person = await console.signedIn(role);
    const { body, status } = await person.get('/imports');
    t.equal(status, 200);
    t.notMatch(body, /type="file"/);
    t.equal((await person.upload('/imports', plans, { name: 'p.csv', content: ONE })).status, 403);
    t.equal((await person.post('/imports/faults.csv', { csv: 'a' })).status, 403);
  }
  const empty = await createTestConsole();
  t.teardown(() => empty.close());
  t.match((await (await empty.signedIn('admin')).get('/imports')).text, /There are no brokers yet/);
});

t.test('a running import shows its progress to everybody, and another file waits until it has ended', async (t) => {
  const { admin, imports, preview, signedIn } = await open(t);
  const other = await signedIn('admin');
  await other.get('/imports');
  const here = imports.run;
  let end: (outcome: ImportOutcome | Promise<never>) => void = () => undefined;
  let report: (done: number, total: number) => void = () => undefined;
  let begin: () => void = () => undefined;
  imports.run = (_task, onProgress, _signal, onBegin) => {
    report = onProgress;
    begin = onBegin as () => void;
    return new Promise((resolve) => {
      end = resolve;
    });
  };
  t.notMatch((await admin.get('/imports/running')).body, /<progress/);
  const running = preview(ONE);
  const progress = async () => (await admin.get('/imports/running')).text;
  await until('it runs', async () => /Reading plans of acme: plans\.csv/.test(await progress()));
  t.match(await progress(), /Waits for an import of the operator’s API to end/);
  begin();
  t.notMatch(await progress(), /Waits for/);
  report(20, 30);
  t.match(await progress(), new RegExp(`${admin.email}.*20 of 30`));
  t.match((await (await signedIn('viewer')).get('/imports')).text, /Reading plans of acme: plans\.csv .*20 of 30/);
  const second = await other.upload('/imports', plans, { name: 'p.csv', content: ONE });
  t.match(second, { status: 429, headers: { 'retry-after': '10' }, text: /One file is read at a time/ });
  end({ preview: { broker: 'acme', dry_run: true, created: 30, updated: 0, refused: 0, warned: 0, records: [] } });
  t.match((await running).text, /30 plans of acme would be created/);

  imports.run = async () => {
    throw new Error('the thread died');
  };
  t.match(await preview(ONE), { status: 500, text: /The server’s log has the details/ });
  imports.run = here;
  t.match((await preview(ONE)).text, /To create 1/, 'a failed import does not block the next one');
});

t.test('the end of the console stops a running import, and its page says so', async (t) => {
  const { app, imports, preview } = await open(t);
  let begun = false;
  imports.run = (_task, _onProgress, signal) =>
    new Promise((_resolve, reject) => {
      begun = true;
      signal?.addEventListener('abort', () => reject(new Error('ended')));
    });
  const running = preview(ONE);
  await until('it runs', async () => begun);
  await app.close();
  t.match(await running, { status: 503, text: /shows whether it was completed/ });
});

t.test('of a long file the first records of each action are shown, and all are counted', async (t) => {
  const { preview } = await open(t);
  const faulty = Array.from({ length: 1_050 }, (_, at) => `p${at},Plan ${at},ten,monthly`);
  const { text, body } = await preview(`${HEAD}${faulty.join('\n')}\ngood,Good,10,monthly\n`);
  t.match(
    text,
    new RegExp(`Refused 1,050 .*To create 1 .*${1_050 - RECORDS_LISTED} more are not shown.*line 1052 good`),
  );
  const csv = String(formOf(body, '/imports/faults.csv').csv);
  t.equal(csv.trimEnd().split('\n').length, 1 + 1_000);
  const sound = Array.from({ length: RECORDS_LISTED + 50 }, (_, at) => `p${at},Plan ${at},10,monthly`);
  t.match((await preview(`${HEAD}${sound.join('\n')}\n`)).text, /To create 250 .*line 201 .*50 more are not shown/);
});
