import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createSmtpMailer } from '../../src/mail/smtp.ts';
import { MailFailure } from '../../src/ports.ts';
import { programHere, startProgram } from '../support/programs.ts';
import { freePort } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { createTestClock } from '../support/world.ts';

/*
 * Postfix and Exim, of Debian: what each says where it refuses and hangs up, and what it keeps. They start as root, as they
 * do in service.
 */

interface MailServer {
  port: number;
  /** The messages that were delivered. */
  delivered(): string[];
}

/** Both drop these: a sender, a recipient, and what is sent to a recipient once DATA is said. */
const DROPPED = {
  mail: { from: 'dropped@example.com', to: 'ada@example.net' },
  rcpt: { from: 'broker@example.com', to: 'dropped@example.net' },
};

const folderOf = (t: Test): string => {
  const folder = mkdtempSync(join(tmpdir(), 'broker-mail-'));
  chmodSync(folder, 0o755);
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const idOf = (which: '-u' | '-g', user: string): string => String(execFileSync('id', [which, user])).trim();

const messagesIn = (folder: string) => (): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : [];

async function startPostfix(t: Test, postfix: string): Promise<MailServer> {
  const [folder, port] = [folderOf(t), await freePort()];
  for (const each of ['config', 'queue', 'data', 'mail']) mkdirSync(join(folder, each));
  execFileSync('chown', ['postfix', join(folder, 'data')]);
  execFileSync('chown', ['nobody', join(folder, 'mail')]);
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(folder, 'queue'),
    data_directory: join(folder, 'data'),
    multi_instance_name: 'postfix-broker-test',
    // The output of a child of Node is a socket, which cannot be opened by its path.
    maillog_file: join(folder, 'log'),
    maillog_file_prefixes: folder,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'mx.example.net',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    virtual_mailbox_domains: 'example.net',
    virtual_mailbox_maps: 'static:in/',
    virtual_mailbox_base: join(folder, 'mail'),
    virtual_uid_maps: `static:${idOf('-u', 'nobody')}`,
    virtual_gid_maps: `static:${idOf('-g', 'nobody')}`,
    virtual_minimum_uid: '1',
    smtpd_delay_reject: 'no',
    smtpd_sender_restrictions: 'check_sender_access inline:{{dropped@example.com = 521 5.7.1 not welcome}}',
    smtpd_recipient_restrictions:
      'check_recipient_access inline:{{dropped@example.net = 521 5.7.1 not welcome}}, permit_mynetworks, reject',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(join(folder, 'config/main.cf'), lines.join(''));
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'virtual unix - n n - - virtual',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'anvil unix - - n - 1 anvil',
    'proxymap unix - - n - - proxymap',
    'postlog unix-dgram n - n - 1 postlogd',
  ];
  writeFileSync(join(folder, 'config/master.cf'), `${services.join('\n')}\n`);
  await startProgram(t, port, [postfix, '-c', join(folder, 'config'), 'start-fg']);
  return { port, delivered: messagesIn(join(folder, 'mail/in/new')) };
}

async function startExim(t: Test, exim: string): Promise<MailServer> {
  const [folder, port] = [folderOf(t), await freePort()];
  mkdirSync(join(folder, 'mail'));
  execFileSync('chown', ['-R', 'Debian-exim', folder]);
  const drop = (condition: string) => `  drop ${condition}\n       message = 5.7.1 not welcome\n  accept\n`;
  writeFileSync(
    join(folder, 'exim.conf'),
    `primary_hostname = mx.example.net
exim_path = ${exim}
keep_environment =
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
local_interfaces = 127.0.0.1
tls_advertise_hosts =
acl_smtp_mail = mail
acl_smtp_rcpt = rcpt
acl_smtp_predata = predata
never_users =
begin acl
mail:
${drop('senders = dropped@example.com')}
rcpt:
  warn local_parts = late
       set acl_m_late = yes
${drop('local_parts = dropped')}
predata:
${drop('condition = $acl_m_late')}
begin routers
all:
  driver = accept
  transport = file
begin transports
file:
  driver = appendfile
  directory = ${folder}/mail/in
  maildir_format
  user = Debian-exim
`,
  );
  chmodSync(join(folder, 'exim.conf'), 0o644);
  const command = [exim, '-bdf', '-C', join(folder, 'exim.conf'), '-oX', `127.0.0.1:${port}`];
  await startProgram(t, port, [...command, '-oP', join(folder, 'pid')]);
  return { port, delivered: messagesIn(join(folder, 'mail/in/new')) };
}

const SERVERS: Array<[name: string, start: (t: Test, program: string) => Promise<MailServer>]> = [
  ['postfix', startPostfix],
  ['exim4', startExim],
];

const message = (id: string, addresses: { from: string; to: string }) => ({
  id,
  fromName: 'Acme',
  subject: 'About your service',
  text: 'It is suspended.',
  ...addresses,
});

for (const [name, start] of SERVERS) {
  t.test(`${name} refuses with a code and hangs up, and the code is reported`, async (t) => {
    const program = programHere(t, name);
    if (!program) return;
    if (process.getuid?.() !== 0) return t.pass('', { skip: 'mail servers start as root' });
    const { port, delivered } = await start(t, program);
    const mailer = createSmtpMailer({
      host: '127.0.0.1',
      port,
      secure: false,
      requireTls: false,
      timeoutMs: 20_000,
      clock: createTestClock(),
    });
    const late = { from: 'broker@example.com', to: 'late@example.net' };
    const refused = { ...DROPPED, ...(name === 'exim4' && { data: late }) };
    for (const [stage, addresses] of Object.entries(refused)) {
      const failure = await mailer.send(message('eml_1', addresses)).catch((error: unknown) => error);
      t.type(failure, MailFailure);
      t.match(
        failure,
        { reason: 'rejected', providerCode: name === 'postfix' ? '521 5.7.1' : '550 5.7.1', retryable: false },
        stage,
      );
    }
    await mailer.send(message('eml_2', { from: 'broker@example.com', to: 'ada@example.net' }));
    await until('the message is delivered', () => delivered().length > 0);
    const [mail = '', ...others] = delivered();
    t.strictSame(others, [], 'what was refused was not delivered, and what was accepted once');
    t.match(mail, 'From: Acme <broker@example.com>');
    t.match(mail, 'Auto-Submitted: auto-generated');
    t.notMatch(mail, /from \[127\S+ \((?!helo=[a-z])/, 'the machine is not named by its address');
  });
}
