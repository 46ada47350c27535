import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { Command } from 'commander';
import t, { type Test } from 'tap';
import { printRecord, printTable } from '../../src/cli/output.ts';
import { run } from '../../src/cli/run.ts';
import { DEMO_KEYS } from '../../src/demo/demo.ts';
import { IMPORTS } from '../../src/operator/imports/kinds.ts';
import { REQUEST_TYPES } from '../../src/operator/requests/views.ts';
import { IMPORT_KINDS } from '../../src/operator/use-case/import-task.ts';
import { oneLine } from '../../src/rules/text.ts';
import { programFile } from '../../src/runtime/paths.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import type { BrokerRow } from '../../src/store/queries/brokers.ts';
import { copyDemo } from '../support/demo.ts';
import { PLANS } from '../support/operator-context.ts';
import { anEmail } from '../support/rows.ts';

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** A terminal of its own, on a database of its own. */
function terminal(t: Test, more: NodeJS.ProcessEnv = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'broker-cli-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const env: NodeJS.ProcessEnv & { DATABASE_URL: string } = {
    DATABASE_URL: `file:${join(directory, 'data/broker.db')}`,
    MAIL_OUTBOX_DIR: join(directory, 'outbox'),
    ...more,
  };
  const broker = async (args: string[], watched = false): Promise<Ran> => {
    const ran: Ran = { code: -1, out: '', err: '' };
    const io = {
      out: (written: string) => {
        ran.out += written;
      },
      err: (written: string) => {
        ran.err += written;
      },
      watched,
    };
    ran.code = await run(args, io, env);
    return ran;
  };
  async function failure(expected: number, line: string, args: string[]): Promise<string> {
    const { code, out, err } = await broker([...line.split(' '), ...args]);
    t.strictSame([code, out], [expected, ''], line);
    t.match(err, /^[^\n]+\n$/, line);
    return err.trimEnd();
  }

  return {
    env,
    broker,
    /** Succeeds in silence but for its one JSON document, which this returns. */
    async json(line: string, ...args: string[]) {
      const { code, out, err } = await broker([...line.split(' '), ...args, '--json']);
      t.strictSame([code, err], [0, ''], line);
      return JSON.parse(out);
    },
    /** Succeeds, and what it prints is no JSON. */
    async lines(line: string, ...args: string[]): Promise<string> {
      const { code, out, err } = await broker([...line.split(' '), ...args]);
      t.strictSame([code, err], [0, ''], line);
      t.throws(() => JSON.parse(out));
      return out;
    },
    /** A dry run that refuses records: it prints its one JSON document and fails with 3. */
    async faulty(line: string, ...args: string[]) {
      const { code, out, err } = await broker([...line.split(' '), ...args, '--json']);
      const answer = JSON.parse(out);
      t.strictSame([code, err], [3, `${answer.refused} records would be refused\n`], line);
      return answer;
    },
    /** Fails with nothing on standard output and one line on standard error, which this returns. */
    refusal: (line: string, ...args: string[]) => failure(1, line, args),
    /** The same for a command that was called wrongly. */
    misuse: (line: string, ...args: string[]) => failure(2, line, args),
    /** Fills the database as `broker demo` does. */
    async demo(): Promise<void> {
      mkdirSync(join(directory, 'data'), { recursive: true });
      await copyDemo(join(directory, 'data/broker.db'));
    },
    path: (name: string) => join(directory, name),
    write(name: string, content: unknown): string {
      const path = join(directory, name);
      writeFileSync(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
      return path;
    },
  };
}

const CREATE = ['--slug', 'acme', '--name', 'Acme', '--contact', 'c@example.com', '--sender', 's@example.com'];

t.test('an installation can be set up from nothing with these commands', async (t) => {
  const { broker, env, json, misuse, path, refusal, write } = terminal(t);
  t.match(await json('brokers create', ...CREATE), { slug: 'acme', broker_status: 'active' });
  t.match(await json('brokers list'), [{ slug: 'acme' }]);
  t.match(await json('brokers set acme --name', 'Acme Hosting'), { name: 'Acme Hosting' });
  t.match(await json('brokers set --broker acme --contact d@example.com'), { contact_email: 'd@example.com' });
  t.match(await json('brokers suspend acme --yes'), { broker_status: 'suspended' });
  t.match(await json('brokers resume --broker acme'), { broker_status: 'active' });
  t.match(await json('brokers recipients add books@example.com --broker acme'), {
    report_recipients: ['books@example.com'],
  });
  t.match(await json('brokers recipients remove books@example.com --broker acme'), { report_recipients: [] });

  const key = await json('keys create --broker acme --name Shop --mode live --scopes admin:full --rate-limit 9');
  t.match(key, { key: /^sk_live_/, key_prefix: /^sk_live_.{8}$/, rate_limit: 9 });
  t.match(await json('keys create --broker acme --name None --mode test --expires 2031-01-01 --scopes', ''), {
    scopes: [],
  });
  t.match(await json(`keys set ${key.key_id} --scopes plans:read`), { scopes: ['plans:read'] });
  t.match(await json(`keys set ${key.key_id} --rate-limit default --expires none`), { rate_limit: null });
  const rotated = await json(`keys rotate ${key.key_id} --overlap 0 --yes`);
  t.match(rotated, { key: /^sk_live_/, rotated_from: { key_id: key.key_id } });
  t.match(await json(`keys revoke ${rotated.key_id} --yes`), { key_status: 'revoked' });
  t.equal((await json('keys list --broker acme')).length, 3);

  t.match(await json('firewall enable --broker acme --yes'), { ip_restriction_enabled: true });
  t.match(await json('firewall check 192.0.2.9 --broker acme'), { let_in: false, matched_rule: null });
  t.match(await json('firewall allow 192.0.2.0/24 --broker acme --note office'), { rules: [{ note: 'office' }] });
  t.match(await json('firewall list --broker acme'), { rules: [{ rule: '192.0.2.0/24' }] });
  t.match(await json('firewall remove 192.0.2.0/24 --broker acme --yes'), { rules: [] });
  t.match(await json('firewall disable --broker acme'), { ip_restriction_enabled: false });

  t.match(await json(`plans import ${write('plans.json', PLANS)} --broker acme`), { imported: 2 });
  t.match(await json('plans set start --broker acme --inactive --review'), {
    active: false,
    requires_operator_review: true,
  });
  t.match(await json('plans set start --broker acme --active'), { active: true, requires_operator_review: true });
  t.match(await json('plans set start --broker acme --no-review'), { active: true, requires_operator_review: false });
  t.equal((await json('plans list --broker acme')).length, 2);
  t.match(
    await json('plans create tiny --broker acme --name Tiny --rank 1 --billing hourly --price 0.012345 --currency EUR'),
    { slug: 'tiny', price: { amount: '0.012345', currency: 'EUR' }, specifications: null },
  );
  const { out: preview } = await broker('plans preview tiny --broker acme --price none --vcpu 2'.split(' '));
  t.match(
    preview,
    /^field +before +after\nspecifications\.vcpu +- +2\nprice\.amount +\S+ +-\nprice\.currency +\S+ +-\n\n/,
  );
  t.match(preview, /Services on it: 0, ended: 0\. Open requests to it: 0\.\n$/);
  const nothing = await broker('plans preview tiny --broker acme --active'.split(' '));
  t.match(nothing.out, /^Nothing would change\.\n/);
  const options = JSON.stringify([{ name: 'host', display_name: 'Host', type: 'text', format: 'hostname' }]);
  const written = write('options.json', options);
  t.match(await json(`plans set tiny --broker acme --options ${written} --credentials`), {
    options: [{ name: 'host', max_length: 255 }],
    has_credentials: true,
  });
  t.match(await json('plans set tiny --broker acme --options none --no-credentials'), {
    options: [],
    has_credentials: false,
  });
  t.match(
    await misuse(`plans set tiny --broker acme --actions ${write('actions.json', '[{"name":"a"}]')}`),
    /actions\.0\.display_name: is required/,
  );
  t.match(await json('plans set tiny --broker acme --price none --vcpu 2'), {
    price: null,
    specifications: { vcpu: 2 },
  });
  t.match(await json('plans show tiny --broker acme'), { services: 0, open_requests: 0 });
  t.match(await json('plans remove tiny --broker acme --yes'), { slug: 'tiny' });

  const services = write('services.csv', 'service_number,client_name,plan\n5,Ada,start\n,Ben,start\n');
  t.match(await json(`services import ${services} --broker acme`), { issued_service_numbers: [1000001] });
  t.match(await json('services show 5'), { broker: 'acme', client: { name: 'Ada', email: null } });
  t.match(await refusal('services show 6'), 'There is no service 6');
  const changed = await json(
    'services set 5 --broker acme --status suspended --review --client-name Cid --client-email none --renewal 2031-01-01',
  );
  t.match(changed, { service_status: 'suspended', requires_operator_review: true, client: { name: 'Cid' } });
  t.match(await json('services set 5 --no-review'), { requires_operator_review: false });
  t.equal((await json('services list --broker acme --status active --limit 5 --offset 0')).length, 1);

  const invoices = write(
    'invoices.csv',
    'invoice_number,service_number,amount,currency,invoice_status,issued_date\nI-1,5,1.00,EUR,open,2026-01-01\n',
  );
  t.match(await json(`invoices import ${invoices} --broker acme`), { created: 1 });
  const [invoice] = await json('invoices list --broker acme --status open --limit 1');
  t.match(invoice, { invoice_number: /./, amount: /^\d+\.\d+$/, due_date: null });
  t.strictSame(await json('invoices show', invoice.invoice_number, '--broker', 'acme'), invoice);
  t.strictSame(await json(`invoices list --broker acme --service ${invoice.service_number}`), [invoice]);

  const which = '--broker acme --kind cancellation-warning';
  const parts = ['--html', write('w.html', '<p>{{ client_name }}</p>'), '--text', write('w.txt', '{{ client_name }}')];
  t.match(await json(`templates set ${which} --inactive --subject Hello`, ...parts), { active: false });
  t.match(await json(`templates set ${which} --subject Hello`, ...parts), { active: true, warnings: [] });
  const foreign = await json(`templates set ${which} --subject {$client_name}`, ...parts);
  t.match(foreign.warnings, [/^subject: \{\$client_name\} is no value here/]);
  t.match((await broker(['templates', 'preview', ...which.split(' ')])).out, /^subject: \{\$client_name\} is no value/);
  await json(`templates set ${which} --subject Hello`, ...parts);
  t.match(await json(`templates preview ${which}`), { subject: 'Hello', text: 'Ada Example' });
  const draft = ['--subject', 'Draft', ...parts];
  t.match(await json(`templates preview ${which}`, ...draft), { subject: 'Draft', text: 'Ada Example' });
  t.match(await json(`templates preview ${which} --version 1`), { subject: 'Hello' });
  t.match(await misuse(`templates preview ${which} --subject Draft`), /^Give all of --subject, --html and --text/);
  t.match(await json(`templates restore ${which} --version 1`), { subject: 'Hello', active: true });
  const mail = await json(`templates send-test ${which} --to me@example.com`);
  t.strictSame(readdirSync(path('outbox')), [mail.message_id]);
  t.match(await json('emails list --broker acme'), [{ kind: 'template-test', email_status: 'sent' }]);
  t.match(await json('emails list --unknown --limit 5'), []);

  t.match(await json('requests list --broker acme --type cancellation --status pending --service 5 --limit 5'), []);
  t.match(await json('status'), { unknown_emails: 0, failing_brokers: [] });
  t.strictSame(await json('migrate'), {
    database: 'sqlite',
    up_to_date: true,
    oldest_release: '1.2.0',
    waits_for_finish: [],
  });
  t.strictSame(await json(`backup ${path('copy.db')}`), { backup: path('copy.db'), in_audit_trail: true });
  t.match(await json('audit list --limit 1'), [{ subject: 'database', after: { file: path('copy.db') } }]);
  const original = await json('brokers list');
  env.DATABASE_URL = `file:${path('copy.db')}`;
  t.strictSame(await json('brokers list'), original);
});

t.test('without --json every answer is made to be read', async (t) => {
  const { lines, write } = terminal(t);
  t.match(await lines('demo'), new RegExp(`^The demo data is there\\.\nlive: +${DEMO_KEYS.live}\n`));
  t.match(await lines('demo'), /was there already/);
  t.match(
    await lines('services list --broker demo'),
    /^service_number +broker +service_status +label [\s\S]*\n1000001 +demo +active +shop\./,
  );
  t.match(
    await lines('services show 1000001 --broker demo'),
    /^service_number: +1000001\n[\s\S]*client\.name: +Ada Example\n/,
  );
  t.match(await lines('requests list --broker demo-other'), /^None\.\n$/);
  t.match(await lines('services list --broker demo --limit 5 --offset 100'), /^0 of 25\.\n$/);
  t.match(await lines('services list --broker demo --limit 5'), /\n\n5 of 25\.\n$/);
  t.match(await lines('firewall allow 192.0.2.1 --broker demo'), /^The firewall of demo is disabled\.\nrule +note/);
  t.match(await lines('firewall enable --broker demo'), /is enabled/);
  t.match(
    await lines('templates preview --broker demo --kind service-created'),
    /^Subject: [\s\S]*--- text ---\n[\s\S]*--- html ---/,
  );
  t.match(
    await lines('keys create --broker demo --name x --mode test --scopes', ''),
    /scopes: +-\n[\s\S]*shown this once/,
  );
  t.match(await lines(`plans import ${write('none.json', [])} --broker demo`), /imported: +0\n/);
  const numbered = write('s.json', [{ client: { name: 'A' }, plan: 'starter' }]);
  t.match(await lines(`services import ${numbered} --broker demo`), /imported: +1\n[\s\S]*issued_numbers: +1\n$/);
  const damaged = write('d.json', [{ client: { name: 'A' }, plan: 'starter', label: '#N/A' }]);
  t.match(
    await lines(`services import ${damaged} --broker demo`),
    /^where +field +message\nrecord 1 +label +"#N\/A" looks like .*\n\nbroker: [\s\S]*warned: +1\n/,
  );
  t.match(await lines('demo --remove --yes'), /^The demo data is removed\.\n$/);
  t.match(await lines('demo --remove --yes'), /^There is no demo data\.\n$/);
});

t.test('choices in help come from the catalogue, and a key that ends with a date says when', async (t) => {
  const { broker, json, lines, misuse } = terminal(t);
  const help = (await broker(['calls', 'list', '--help'])).out.replace(/\s+/g, ' ');
  t.match(help, 'warning_limit');
  t.notMatch(help, 'plan_unknown');
  t.match((await broker(['requests', 'review', '--help'])).out.replace(/\s+/g, ' '), REQUEST_TYPES.join(', '));

  await json('brokers create', ...CREATE);
  t.match(await misuse('calls list --reason plan_unknown'), /must be one of .*plan_not_available/);
  const create = 'keys create --broker acme --name x --mode test --scopes plans:read';
  t.match(
    await lines(`${create} --expires 2099-12-31`),
    /The key ends 2099-12-31T00:00:00\.000Z, as that day begins \(UTC\)\.\n$/,
  );
  t.notMatch(await lines(`${create} --expires 2099-12-31T12:00:00Z`), /day begins/);
  const { key_id } = await json(create);
  t.match(await lines(`keys set ${key_id} --expires 2099-12-31`), /as that day begins/);
  t.notMatch(await lines(`keys set ${key_id} --expires none`), /as that day begins/);
});

t.test(
  'demo data is refused in production, asks beside other brokers, and its keys are listed without it',
  async (t) => {
    const { broker, env, json, lines, misuse, path, refusal } = terminal(t);
    const listed = { keys: DEMO_KEYS };
    t.strictSame(await json('demo --list'), listed);
    t.match(await lines('demo --list'), new RegExp(`^live: +${DEMO_KEYS.live}\n`));
    t.match(await misuse('demo --list --remove'), /Give either --list or --remove/);
    env.NODE_ENV = 'production';
    t.match(await refusal('demo --yes'), /^NODE_ENV is production: .* no demo data is added$/);
    t.strictSame(await json('demo --list'), listed);
    t.notOk(existsSync(path('data')), 'none of them made a database');

    env.NODE_ENV = 'development';
    await json('brokers create', ...CREATE);
    t.match(await misuse('demo'), /needs --yes/);
    t.equal((await json('brokers list')).length, 1);
    t.match(await json('demo --yes'), { created: true });
    t.match(await json('demo'), { created: false }, 'what is there already needs no yes');
    env.NODE_ENV = 'production';
    t.equal((await broker(['demo'])).code, 1);
    t.match(await json('demo --remove --yes'), { removed: true });
  },
);

t.test('records of strangers cannot speak to the terminal', async (t) => {
  t.equal(oneLine(' a\u001b[31m\nb\u2028c '), 'a [31m b c');
  t.equal(
    printTable([{ name: 'a\u0007b', list: ['x', 'y'], none: null }], ['name', 'list', 'none', 'no']),
    'name  list  none  no\na b   x, y  -     -',
  );
  t.equal(
    printRecord({ yes: true, no: false, list: [], deep: [{ a: 1 }] }),
    'yes:      yes\nno:       no\nlist:     -\ndeep.0.a: 1',
  );
});

t.test('the help of an import names the fields of its files, and which of them are required', async (t) => {
  const { broker } = terminal(t);
  for (const kind of IMPORT_KINDS) {
    const { out } = await broker([kind, 'import', '--help']);
    const rows = [...out.matchAll(/^ {2}([a-z_.]+)( \*)?\n {6}\S/gm)];
    t.strictSame(
      rows.map(([, field = '', star]) => ({ name: field.replace('.', '_'), required: star !== undefined })),
      // A column for each name in CSV is one field in JSON.
      IMPORTS[kind].columns.map(({ name, required }) => ({ name: name.replace(/_NAME$/, ''), required })),
      kind,
    );
  }
});

t.test('every command has help with an example and takes --json', async (t) => {
  const { broker } = terminal(t);
  const faults: string[] = [];
  const groups = (await broker(['--help'])).out.matchAll(/^ {2}([a-z][a-z-]*)\b/gm);
  const visit = async (path: string[]): Promise<void> => {
    const { code, out } = await broker([...path, '--help']);
    if (code !== 0) faults.push(`${path.join(' ')}: ${code}`);
    if (!/^Commands:$/m.test(out)) {
      if (!out.includes('--json')) faults.push(`${path.join(' ')}: no --json`);
      if (!out.includes(`Example:\n  broker ${path.join(' ')}`)) faults.push(`${path.join(' ')}: no example`);
      return;
    }
    for (const [, name] of out.split('Commands:')[1]?.matchAll(/^ {2}([a-z][a-z-]*)\b/gm) ?? []) {
      if (name && name !== 'help') await visit([...path, name]);
    }
  };
  let visited = 0;
  for (const [, name] of groups) {
    if (!name || name === 'help') continue;
    visited += 1;
    await visit([name]);
  }
  t.strictSame(faults, []);
  t.ok(visited >= 12);
});

t.test('a mistake is one line on standard error, and its exit code shows what kind of mistake', async (t) => {
  const { refusal, misuse, json, path, write } = terminal(t);
  await json('brokers create', ...CREATE);
  t.match(await misuse('nonsense'), /^unknown command 'nonsense'/);
  t.match(
    await misuse('plans create one --broker acme --name S --rank 1 --billing monthly --price 1.5.0'),
    /--price: must be a decimal number/,
  );
  t.match(await refusal('invoices show none --broker acme'), /"acme" has no invoice "none"/);
  t.match(await misuse('keys nonsense'), /^unknown command 'nonsense'/);
  t.match(
    await misuse('keys list --brokr acme --broker acme'),
    /^unknown option '--brokr' \(Did you mean --broker\?\)/,
  );
  t.match(await misuse('keys list'), /^required option '--broker <slug>' not specified/);
  t.match(await misuse('keys revoke'), /^missing required argument 'key_id'/);
  t.match(await misuse('status now'), /^too many arguments/);
  t.match(await misuse('keys'), /^A command is missing. Usage: broker keys /);
  t.match(await misuse('brokers set --name x'), /^Name the broker by its slug$/);
  t.match(await misuse('plans set start --broker acme --active --inactive'), /cannot be used with/);
  t.match(await refusal('keys list --broker nobody'), /^There is no broker "nobody"$/);
  t.match(
    await refusal('plans import nowhere.json --broker acme'),
    /^nowhere\.json: the file cannot be read \(ENOENT\)$/,
  );
  const huge = write('huge.csv', '');
  truncateSync(huge, 256_000_001);
  t.match(await refusal(`services import ${huge} --broker acme`), /huge\.csv: the file is larger than 256 MB$/);
  const binary = write('binary.txt', Buffer.from([0xff]));
  const template = `templates set --broker acme --kind service-created --subject x --html ${binary} --text ${binary}`;
  t.match(await refusal(template), /binary\.txt: the file is not UTF-8 text$/);
  t.match(await refusal(`backup ${write('there.db', '')}`), /the file exists already$/);
  t.match(await refusal(`backup ${path('no/where.db')}`), /^It failed: /);
  t.equal(await misuse('brokers suspend acme'), 'Without a terminal this needs --yes');
});

t.test('a refused import names each faulty record on a line of its own, then sums up', async (t) => {
  const { broker, json, write } = terminal(t);
  await json('brokers create', ...CREATE);
  const plans = write('plans.json', [PLANS[0], { slug: 'x\u0007y' }, {}]);
  const { code, out, err } = await broker(['plans', 'import', plans, '--broker', 'acme', '--json']);
  t.equal(code, 3);
  t.strictSame(JSON.parse(out).error.faults, err.trimEnd().split('\n').slice(0, -1));
  t.strictSame(
    err.split('\n').map((line) => line.slice(0, 30)),
    ['record 2: slug: must be letter', 'record 3: slug: is required; d', 'plans.json: 2 of 3 records are', ''],
  );
  t.strictSame(await json('plans list --broker acme'), []);
});

t.test('an import shows one bar in a terminal, and nothing in a pipe', async (t) => {
  const { broker, json, write } = terminal(t);
  await json('brokers create', ...CREATE);
  const many = Array.from({ length: 1000 }, (_, index) => ({
    ...PLANS[0],
    slug: `s${index}`,
    display_name: `n${index}`,
  }));
  const args = ['plans', 'import', write('plans.json', many), '--broker', 'acme', '--json'];
  t.match(await broker(args), { code: 0, err: '' });
  const watched = await broker(args, true);
  t.match(watched, { code: 0, err: /\[#{12}-{12}\] 50 %, 500 of 1000/ });
  t.ok(watched.err.endsWith('\r\u001b[K'), 'gone when the work is done');
  t.match(JSON.parse(watched.out), { imported: 1000, updated: 1000 });
});

t.test('a dry run says what an import would create, update and refuse, and writes nothing', async (t) => {
  const { broker, json, faulty, write } = terminal(t);
  await json('brokers create', ...CREATE);
  const dry = ['--broker', 'acme', '--dry-run'];
  const plans = write('plans.json', [...PLANS, { slug: 'odd' }, { ...PLANS[0], display_name: 'Again' }]);
  t.match(await faulty(`plans import ${plans}`, ...dry), {
    broker: 'acme',
    dry_run: true,
    created: 2,
    updated: 0,
    refused: 2,
    records: [
      { where: 'record 1', action: 'create', subject: 'start', faults: [] },
      { where: 'record 2', action: 'create', subject: 'more', faults: [] },
      { where: 'record 3', action: 'refuse', subject: 'odd', faults: [{ field: 'display_name' }, {}, {}] },
      { where: 'record 4', action: 'refuse', subject: 'start', faults: [{ field: 'slug' }] },
    ],
  });
  t.strictSame(await json('plans list --broker acme'), []);

  await json(`plans import ${write('plans.json', PLANS)} --broker acme`);
  const services = write('s.csv', 'service_number,client_name,plan\n5,Ada,start\n,Ben,more\n');
  t.match(await json(`services import ${services}`, ...dry), { created: 2, updated: 0, refused: 0 });
  t.match(await json(`services import ${services} --broker acme`), { issued_service_numbers: [1000001] });
  t.match(await json(`services import ${services}`, ...dry), {
    created: 1,
    updated: 1,
    records: [{ subject: 5, action: 'update' }, { subject: null }],
  });
  t.equal((await json('services list --broker acme')).length, 2);

  const header = 'invoice_number,service_number,amount,currency,invoice_status,issued_date\n';
  const invoices = write('i.csv', `${header}I-1,5,1.00,EUR,open,2026-01-01\nI-2,6,1.00,EUR,open,2026-01-01\n`);
  const { code, out: reported } = await broker(['invoices', 'import', invoices, ...dry]);
  t.equal(code, 3);
  t.match(reported, /^line 2 +create +I-1 +-$/m);
  t.match(reported, /^line 3 +refuse +I-2 +service_number: "acme" has no service 6$/m);
  t.match(reported, /created: +1\nupdated: +0\nrefused: +1\nwarned: +0\n$/);
  await json(`invoices import ${write('ok.csv', `${header}I-1,5,1.00,EUR,open,2026-01-01\n`)} --broker acme`);
  t.match(await faulty(`invoices import ${invoices}`, ...dry), { created: 0, updated: 1, refused: 1 });
  const paid = await broker([
    'invoices',
    'import',
    write('p.csv', `${header}I-1,5,1.00,EUR,paid,2026-01-01\n`),
    ...dry,
  ]);
  t.match(paid.out, /^line 2 +update +I-1 +invoice_status: open → paid$/m, 'an update names what it changes');
  const noAddress = write('w.csv', 'client_name,client_email,plan\nAda,nowhere,start\n');
  const warned = await broker(['services', 'import', noAddress, ...dry]);
  t.match([warned.code, warned.out], [0, /client_email: "nowhere" is no email address/]);

  const many = Array.from({ length: 150 }, (_, index) => ({
    ...PLANS[0],
    slug: `s${index}`,
    display_name: `${index}`,
  }));
  const { out } = await broker(['plans', 'import', write('many.json', [...many, 7]), ...dry]);
  t.match(out, /and 50 more, all of which would be taken\n/);
  t.match(out, /^where.*\nrecord 151 +refuse +- +must be an object$/m, 'what has to be mended stands first');
});

t.test('a client whose services have ended is erased, with the files of the outbox', async (t) => {
  const { demo, env, json, misuse, path, refusal } = terminal(t);
  await demo();
  const erase = (number: number) => `clients erase --broker demo --email client-${number}@example.com`;
  t.equal(await refusal(`${erase(1000001)} --yes`), 'Nothing was erased: these services have not ended: 1000001');
  await json('services set 1000002 --broker demo --status terminated --yes');
  t.match(await misuse(erase(1000002)), /needs --yes/);
  const [email] = (await json('clients export --broker demo --email client-1000002@example.com')).emails as Array<{
    email_id: string;
  }>;
  mkdirSync(path('outbox'), { recursive: true });
  for (const id of [email?.email_id, 'eml_other'])
    writeFileSync(join(path('outbox'), `20300101T000000.000Z-${id}.eml`), '');
  t.match(await json(`${erase(1000002)} --yes`), {
    broker: 'demo',
    services: 1,
    remains: /^Backups and exports made before still hold the client/,
  });
  t.strictSame(readdirSync(env.MAIL_OUTBOX_DIR as string), ['20300101T000000.000Z-eml_other.eml']);
  t.match(await json('services show 1000002 --broker demo'), { client: { name: 'erased', email: 'erased' } });
  t.match(await refusal(`${erase(1000002)} --yes`), /has no client/);
});

t.test('on a terminal what cannot be taken back names what it will hit and asks', async (t) => {
  const { demo, env, json, write } = terminal(t);
  await demo();
  const asked: string[] = [];
  let answer = false;
  const at = async (line: string) => {
    let err = '';
    const io = {
      out: () => undefined,
      err: (text: string) => {
        err += text;
      },
      watched: false,
      ask: async (question: string) => {
        asked.push(question);
        return answer;
      },
    };
    return { code: await run(line.split(' '), io, env), err };
  };
  const [key] = await json('keys list --broker demo');
  const cases: Array<[line: string, question: RegExp]> = [
    [
      `keys revoke ${key.key_id}`,
      /^The key “Demo key .*” \(sk_live_DemoLive\) of demo, last used on [-\d]+, ends for good/,
    ],
    [`keys rotate ${key.key_id} --overlap 0`, /of demo, last used on [-\d]+, ends for good/],
    ['services set 1000001 --broker demo --status cancelled', /^Service 1000001 of Ada Example .* becomes cancelled/],
    ['services set 1000001 --broker demo --status terminated', /becomes terminated/],
    ['firewall enable --broker demo', /^The firewall of demo would admit no address/],
    [
      'clients erase --broker demo --email client-1000013@example.com',
      /^The client client-1000013@example\.com is erased for good: .* 1 ended service, .* Backups and exports/,
    ],
    ['brokers suspend demo', /^Demo Hosting is suspended: its \d active keys are refused/],
    ['operators remove operator@example.com', /^Demo operator \(operator@example\.com, admin\) is removed, and all/],
    ['numbers skip 100', /^The next 100 service numbers are never issued/],
    ['demo --remove', /deleted with all their records/],
  ];
  for (const [line, question] of cases) {
    t.strictSame(await at(line), { code: 1, err: 'Nothing was changed\n' });
    t.match(asked.at(-1), question, line);
  }
  t.match(await json('brokers list'), [{ broker_status: 'active', ip_restriction_enabled: false }, {}]);
  t.match(await json('services show 1000001 --broker demo'), { service_status: 'active' });

  const used = await openSqlite({ file: env.DATABASE_URL?.slice('file:'.length) ?? '', monotonic: () => 0 });
  await used.tx((tx) => tx.keys.update(key.key_id, { lastUsedAt: Date.UTC(2030, 0, 1) }));
  await used.close();
  await at(`keys revoke ${key.key_id}`);
  t.match(asked.at(-1), /of demo, last used on 2030-01-01, ends for good/);

  const before = asked.length;
  for (const line of [
    'services set 1000001 --broker demo --status suspended',
    'firewall allow 192.0.2.1 --broker demo',
    'firewall allow 192.0.2.2 --broker demo',
    'firewall enable --broker demo',
    'firewall remove 192.0.2.2 --broker demo',
    `services import ${write('none.json', [])} --broker demo`,
    `keys revoke ${key.key_id} --yes`,
    'services set 1000002 --broker demo --status terminated --yes',
  ]) {
    t.equal((await at(line)).code, 0, line);
  }
  t.equal(asked.length, before, 'no question about what can be taken back, nor with --yes');

  answer = true;
  t.equal((await at('firewall remove 192.0.2.1 --broker demo')).code, 0);
  t.match(asked.at(-1), /would admit no address/);
  t.match(await json('firewall list --broker demo'), { ip_restriction_enabled: true, rules: [] });
});

t.test('colours are for terminals alone, and change no column', async (t) => {
  const { demo, env, lines } = terminal(t);
  await demo();
  let out = '';
  let err = '';
  const io = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    watched: true,
    colours: { out: true, err: true },
  };
  const line = 'services list --broker demo --limit 30';
  t.equal(await run(line.split(' '), io, env), 0);
  t.ok(out.startsWith('\u001b[1mservice_number '));
  t.ok(out.includes('  \u001b[32mactive '));
  t.equal(stripVTControlCharacters(out), await lines(line));
  t.equal(await run(['keys', 'list', '--broker', 'nobody'], io, env), 1);
  t.equal(err, '\r\u001b[K\u001b[31mThere is no broker "nobody"\u001b[39m\n');
});

t.test('no command but those that make a database leaves one behind by looking', async (t) => {
  const { broker, refusal, json, path } = terminal(t);
  for (const line of ['status', 'brokers list', 'worker', `backup ${path('b.db')}`, 'services show 5 --broker acme']) {
    t.match(await refusal(line), /^DATABASE_URL: there is no .*broker\.db; "broker migrate" makes an empty database$/);
  }
  t.notOk(existsSync(path('data')));
  t.equal((await broker(['brokers', 'create', ...CREATE])).code, 0);
  t.match(await json('status'), { database: `file:${path('data/broker.db')}`, version: /^\d+\.\d+\.\d+/ });
});

t.test('a failure with --json is one document on standard output as well', async (t) => {
  const { broker, json } = terminal(t);
  await json('migrate');
  for (const [line, expected, message] of [
    ['keys list --broker nobody', 1, 'There is no broker "nobody"'],
    ['keys list', 2, "required option '--broker <slug>' not specified (see --help)"],
    ['services list --broker x --limit 0', 2, '--limit: must be a whole number from 1 to 1000000'],
  ] as const) {
    const { code, out, err } = await broker([...line.split(' '), '--json']);
    t.strictSame([code, err], [expected, `${message}\n`]);
    t.strictSame(JSON.parse(out), { error: { message } });
  }
});

t.test('the program shows its version', async (t) => {
  const { broker } = terminal(t);
  t.match(await broker(['--version']), { code: 0, out: /^\d+\.\d+\.\d+\n$/, err: '' });
  const option = await broker(['brokers', 'list', '--version']);
  t.match(option, { code: 2, out: '', err: /unknown option '--version'/ }, 'it is an option of the program alone');
});

t.test('a request is shown with its client, its plans and its history', async (t) => {
  const { demo, json, lines, refusal } = terminal(t);
  await demo();
  const [review] = await json('requests list --broker demo --status operator_review');
  t.match(await json(`requests show ${review.request_id}`), {
    broker: 'demo',
    request_status: 'operator_review',
    current_plan: { slug: String, price: {} },
    new_plan: { slug: String, specifications: {} },
    client: { name: String, email: String },
    service: { service_status: 'active' },
    history: [{ request_status: 'operator_review' }],
  });
  t.match(await lines(`requests show ${review.request_id}`), /\nclient\.name: [\s\S]*\n\ndate +request_status +/);
  t.match(await refusal('requests show req_none'), /^There is no request "req_none"$/);
  for (const { request_id, type } of await json('requests list --broker demo')) {
    t.match(await json(`requests show ${request_id}`), { type });
  }
});

t.test('reviews are decided together, each by itself; those that are refused are named', async (t) => {
  const { demo, env, json, lines, misuse, refusal } = terminal(t);
  await demo();
  const waiting = await json('requests list --broker demo --status operator_review');
  t.match(await misuse('requests review --all'), /Give either --accept or --deny/);
  t.match(await misuse('requests review --accept'), /Give either <request-id> or --all/);
  t.match(await misuse('requests review req_1 --all --accept'), /Give either <request-id> or --all/);
  t.match(await misuse('requests review req_1 --type plan-upgrade --accept'), /belong to --all/);
  t.match(await misuse('requests review --all --accept'), /needs --yes/);
  let said = '';
  const long = ['requests', 'review', '--all', '--yes', '--accept', '--reason', 'x'.repeat(1001)];
  t.equal(await run(long, { out: () => undefined, err: (text) => (said += text), watched: false }, env), 1);
  for (const { request_id } of waiting) t.match(said, `${request_id}: reason: must have at most 1000 characters`);
  t.match(await lines('requests review --all --broker demo-other --deny --yes'), /^0 decided\./);
  const excluded = waiting.map(({ request_id }: { request_id: string }) => request_id).join(',');
  t.match(await lines(`requests review --all --except ${excluded} --deny --yes`), /^0 decided\./);
  t.match(await refusal('requests review --all --except req_1 --deny --yes'), /^"req_1" is not among the requests/);
  const asked: string[] = [];
  const io = {
    out: () => undefined,
    err: () => undefined,
    watched: false,
    ask: async (question: string) => asked.push(question) > 1,
  };
  const all = ['requests', 'review', '--all', '--type', waiting[0].type, '--broker', 'demo', '--deny'];
  t.equal(await run(all, io, env), 1);
  t.match(asked[0], new RegExp(`${waiting[0].request_id}[\\s\\S]*All of these are denied`));
  t.equal(await run(all, io, env), 0);
  const left = waiting.filter(({ type }: { type: string }) => type !== waiting[0].type).length;
  t.equal((await json('requests list --broker demo --status operator_review')).length, left);
  t.equal((await json('requests review --all --accept --yes')).decided.length, left);
});

t.test('an import of services is taken back by its id, or some of its services by their numbers', async (t) => {
  const { demo, json, lines, misuse, refusal, write } = terminal(t);
  await demo();
  const services = write('s.csv', 'service_number,client_name,plan\n5,Ada,starter\n6,Ben,starter\n7,Eve,starter\n');
  const { import_id: id } = await json(`services import ${services} --broker demo`);
  t.match(await lines('imports list'), new RegExp(`${id} +\\S+ \\S+ +demo +services +s\\.csv +3 +0 `));
  const remove = `services remove --import ${id} --broker demo`;
  t.match(await json(`${remove} --dry-run`), { dry_run: true, services: 3, used_services: 0, used: [] });
  t.match(await misuse(remove), /needs --yes/);
  t.match(await misuse(`${remove} 5`), /either numbers or --import/);
  t.match(await json('services remove 5 6 --broker demo --yes'), { removed: 2, stayed: [] });
  t.match(await json('services list --broker demo --search Eve'), []);
  await json('requests submit --broker demo --service 7 --type cancellation');
  t.equal(await refusal(remove), 'Nothing was removed: 1 of 1 services cannot be: 7 has a request');
  t.match(await refusal('services remove 5 --broker demo --yes'), /has no service 5/);
});

t.test('a broker is exported into an empty directory, and removed by typing its name', async (t) => {
  const { demo, env, json, lines, misuse, path, refusal } = terminal(t);
  await demo();
  const to = path('export/demo');
  t.match(await lines('brokers export demo --to', to), /^file +records +sha256\nbrokers\.jsonl +1 +[0-9a-f]{64}\n/);
  t.match(await refusal('brokers export demo --to', to), /^--to: .* is not empty$/);
  t.match(await refusal('brokers export demo --to', join(to, 'plans.jsonl')), /cannot be used \(E\w+\)$/);
  const manifest = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'));
  for (const { file, sha256, records } of manifest.files) {
    const bytes = readFileSync(join(to, file));
    t.equal(createHash('sha256').update(bytes).digest('hex'), sha256, file);
    t.equal(bytes.toString().split('\n').length - 1, records);
    t.equal(statSync(join(to, file)).mode & 0o777, 0o600);
  }

  t.match(await refusal('brokers remove demo --yes'), /once it has been suspended for a day/);
  await json('brokers suspend demo --yes');
  const store = await openSqlite({ file: String(env.DATABASE_URL).slice('file:'.length), monotonic: () => 0 });
  const id = String((await store.read.brokers.findBySlug('demo'))?.id);
  await store.tx((tx) => tx.brokers.update(id, { updatedAt: Date.now() - 86_400_000 }));
  t.match(await misuse('brokers remove demo'), /needs --yes/);
  const asked: unknown[] = [];
  const ask = async (...question: unknown[]) => asked.push(question) > 1;
  const io = { out: () => undefined, err: () => undefined, watched: false, ask };
  t.equal(await run(['brokers', 'remove', 'demo'], io, env), 1);
  t.match(asked[0], [/^Demo Hosting is removed for good, with \d+ services, .*Type demo to go on: $/, 'demo']);
  t.equal((await store.read.brokers.find(id))?.id, id);
  t.equal(await run(['brokers', 'remove', 'demo'], io, env), 0);
  t.equal(await store.read.brokers.find(id), null);
  await store.close();
});

t.test(
  'every list is printed as CSV with the columns of its table first, and no cell of it runs as a formula',
  async (t) => {
    const { broker, demo, json, write } = terminal(t);
    await demo();
    const services = write('s.csv', 'client_name,client_email,plan,label\n=1+1,a@example.com,starter,"a,b"\n');
    const {
      issued_service_numbers: [number],
    } = await json(`services import ${services} --broker demo`);
    const lists = 'plans services keys invoices templates requests emails calls audit'.split(' ');
    for (const list of ['brokers', 'operators', ...lists].map((name) => [name, 'list']).concat([['usage']])) {
      const args = lists.includes(String(list[0])) ? [...list, '--broker', 'demo'] : list;
      const csv = await broker([...args, '--csv']);
      t.strictSame([csv.code, csv.err], [0, ''], list.join(' '));
      const [header = '', ...rows] = csv.out.trimEnd().split('\r\n');
      const [columns = ''] = stripVTControlCharacters((await broker(args)).out).split('\n');
      const shown = columns.split(/ {2,}/);
      t.strictSame(header.replace('\uFEFF', '').split(',').slice(0, shown.length), shown);
      t.ok(rows.length > 0);
    }
    const { out } = await broker(['services', 'list', '--broker', 'demo', '--search', '=1+1', '--csv']);
    t.match(out, /,"a,b","'=1\+1",a@example\.com,/);
    const options = write('o.json', '[{"name": "image", "display_name": "Image", "type": "text"}]');
    await json(`plans set starter --broker demo --options ${options}`);
    const [header = '', ...plans] = (await broker(['plans', 'list', '--broker', 'demo', '--csv'])).out.split('\r\n');
    t.match(header, /,price\.currency,description,.*,options,actions,has_credentials$/);
    t.match(
      plans.join('\n'),
      /^starter,Starter,10,monthly,true,false,6\.00,EUR,.*"\[\{""name"":""image"",.*\]",.*,true$/m,
    );

    await json(`services set ${number} --hostname shop.example.com --ip-addresses 192.0.2.1,2001:db8::1`);
    const csv = (await broker(['services', 'list', '--broker', 'demo', '--search', 'shop.example.com', '--csv'])).out;
    t.match(
      csv,
      /,configuration,access\.hostname,access\.ip_addresses,.*,expected\.service_status,expected\.plan\.slug,/,
    );
    t.match(csv, /,"\{\}",shop\.example\.com,"192\.0\.2\.1 2001:db8::1",/);
  },
);

t.test('templates are listed by kind', async (t) => {
  const { demo, json, lines } = terminal(t);
  await demo();
  t.match(await json('templates list --broker demo'), [
    { kind: 'cancellation-completed', active: true },
    {},
    {},
    {},
    {},
    {},
  ]);
  t.match(await lines('templates list --broker demo'), /^kind +active +subject +updated_date\n[\s\S]*\n6 in all\.\n$/);
});

t.test('an email of unknown outcome is settled once, either way', async (t) => {
  const { json, refusal, misuse, env } = terminal(t);
  const made = await json('brokers create', ...CREATE);
  const file = env.DATABASE_URL?.slice('file:'.length) ?? '';
  const store = await openSqlite({ file, monotonic: () => 0 });
  const email = (id: string, fields: object) => ({ ...anEmail({ id: made.broker_id } as BrokerRow), id, ...fields });
  await store.tx(async (tx) => {
    await tx.emails.insert(email('eml_1', { status: 'unknown', failureReason: 'outcome_unknown' }));
    await tx.emails.insert(email('eml_2', { status: 'open', createdAt: Date.now() - 3_600_000 }));
    await tx.emails.insert(email('eml_3', { status: 'sent' }));
  });
  await store.close();
  t.equal((await json('emails list --unknown')).length, 2);
  t.match(await json('emails settle eml_1 --arrived --note', 'seen in the log'), {
    email_status: 'sent',
    failure_reason: null,
    settled_note: 'seen in the log',
    settled_date: String,
  });
  t.match(await json('emails settle-unknown --broker acme --lost --yes --note', 'the log has none'), { settled: 1 });
  t.match(await json('emails show eml_2'), { email_status: 'failed', settled_note: 'the log has none' });
  t.strictSame(await json('emails list --unknown'), []);
  t.match(await json('status'), { unknown_emails: 0 });
  t.match(await refusal('emails settle eml_1 --lost --note x'), /^The email is sent; only one of unknown outcome/);
  t.match(await refusal('emails settle eml_3 --lost --note x'), /^The email is sent; only one of unknown outcome/);
  t.match(await refusal('emails settle eml_4 --lost --note x'), /^There is no email "eml_4"$/);
  t.match(await misuse('emails settle eml_1 --note x'), /^Give either --arrived or --lost$/);
  t.match(
    await misuse('emails settle eml_1 --arrived --lost --note x'),
    /'--lost' cannot be used with option '--arrived'/,
  );
  t.match(await misuse('emails settle eml_1 --arrived --note', ' '), /^--note: must not be blank$/);
});

t.test('a faulty environment and a database that is away are one line too', async (t) => {
  t.match(await terminal(t, { DATABASE_URL: 'mysql://x' }).refusal('status'), /^DATABASE_URL: /);
  const away = await terminal(t, { DATABASE_URL: 'postgres://127.0.0.1:1/broker' }).refusal('status');
  t.match(away, /^DATABASE_URL: cannot be opened: .*ECONNREFUSED/);
});

t.test('an unexpected error is reported by its innermost cause, in one line', async (t) => {
  const { broker } = terminal(t);
  const failures: Array<[Error, string]> = [
    [new Error('query', { cause: new Error('first\nsecond') }), 'It failed: first second\n'],
    [Object.assign(new Error(''), { code: 'ECODE' }), 'It failed: ECODE\n'],
    [new TypeError(''), 'It failed: TypeError\n'],
  ];
  const { parseAsync } = Command.prototype;
  t.teardown(() => {
    Command.prototype.parseAsync = parseAsync;
  });
  for (const [failure, err] of failures) {
    Command.prototype.parseAsync = () => Promise.reject(failure);
    t.match(await broker(['status']), { code: 1, err });
  }
});

t.test('the program is a process: its answer on standard output, its exit code, and no more', async (t) => {
  const { env } = terminal(t);
  const program = pathToFileURL(programFile('cli/main')).href;
  const start = async (...args: string[]) => {
    const script = `await (await import(${JSON.stringify(program)})).main()`;
    const child = spawn(process.execPath, [...process.execArgv, '--input-type=module', '-e', script, '--', ...args], {
      env: { ...process.env, ...env },
    });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { out, err, code };
  };
  // `node -e` has no script in its arguments, so the first one stands in for it.
  t.equal((await start('script', 'migrate')).code, 0);
  const made = await start('script', 'brokers', 'list', '--json');
  t.strictSame([made.code, made.err, made.out], [0, '', '[]\n']);
  const refused = await start('script', 'keys', 'list', '--broker', 'nobody');
  t.strictSame([refused.code, refused.err, refused.out], [1, 'There is no broker "nobody"\n', '']);
});

t.test('people are let into the console by commands, and get a link that works once', async (t) => {
  const { json, lines, refusal, misuse } = terminal(t, { CONSOLE_URL: 'https://console.example.com' });
  await json('migrate');
  const ada = await json('operators add --email Ada@example.com --role admin --name', 'Ada Example');
  t.match(ada, { email: 'Ada@example.com', role: 'admin', active: true, last_sign_in_date: null });
  await json('operators add --email bob@example.com --role viewer --name Bob');
  t.match(await refusal('operators add --email BOB@example.com --role viewer --name Bob'), /already/);
  t.match(await misuse('operators add --email carl@example.com --role boss --name Carl'), /must be one of/);
  t.match(await lines('operators list'), /Ada Example/);
  t.match(await json('operators set bob@example.com --role support --inactive'), { role: 'support', active: false });
  t.match(await json('operators set bob@example.com --active'), { active: true });
  t.match(await misuse('operators set bob@example.com'), /Nothing to change/);
  t.match(await refusal('operators set ada@example.com --role viewer'), /last active admin/);
  const link = await json('console link --operator ada@example.com');
  t.match(link.url, /^https:\/\/console\.example\.com\/sign-in\/[\w-]{43}$/);
  t.ok(Date.parse(link.expires_date) > 0);
  t.match(await refusal('console link --operator nobody@example.com'), /There is no operator/);
  t.strictSame(await json('operators sessions bob@example.com'), []);
  t.strictSame(await json('operators sign-out bob@example.com'), { email: 'bob@example.com', sessions_ended: 0 });
  t.match(await json('operators remove bob@example.com --yes'), { removed: true });
  t.match(await json('operators remove ada@example.com --yes'), { removed: true }, 'the last operator may go');
});

t.test('a link needs a console to lead to', async (t) => {
  const { json, refusal } = terminal(t, { CONSOLE_PORT: 'off' });
  await json('migrate');
  await json('operators add --email ada@example.com --role admin --name Ada');
  t.match(await refusal('console link --operator ada@example.com'), /CONSOLE_PORT/);
});

t.test('what the state of things refuses exits with 1, a value that cannot be with 2', async (t) => {
  const { demo, misuse, refusal } = terminal(t);
  await demo();
  t.equal(
    await refusal('services set 1000001 --broker demo --renewal none'),
    '--renewal: a monthly service always has one',
  );
  t.match(await refusal('plans set starter --broker demo --billing hourly'), /^--billing: cannot change: /);
  t.match(await refusal('plans set starter --broker demo --name Business'), /^--name: is that of "business"/);
  t.match(
    await misuse('plans set starter --broker demo --rank -1 --price x'),
    /^--rank: must be .*; --price: must be /,
  );
  t.match(await misuse('plans set starter --broker demo --currency none'), /^--price: a price needs/);
});
