import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { composeParts } from '../src/compose.ts';
import { loadConfig } from '../src/config.ts';
import { startPostmarkServer } from './support/postmark-server.ts';
import { startScriptedSmtp } from './support/smtp-script.ts';

const message = {
  id: 'eml_1',
  from: 'sender@example.com',
  fromName: 'Zoë "Acme", Ltd',
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'Hello',
};

t.test('the parts are made from the configuration: a migrated database, and mail into the outbox', async (t) => {
  const directory = t.testdir({});
  const file = join(directory, 'broker.db');
  const outbox = join(directory, 'outbox');
  const config = loadConfig({ DATABASE_URL: `file:${file}`, MAIL_OUTBOX_DIR: outbox });
  const first = await composeParts(config, () => undefined);
  t.equal(first.created, true);
  t.equal(first.hasProvisioner, false);
  t.ok(existsSync(file));
  await t.resolves(first.store.ping());
  const { messageId } = await first.mailer.send(message);
  t.strictSame(readdirSync(outbox), [messageId]);
  t.match(first.newId('req', first.clock.now()), /^req_[0-9A-Z]{26}$/);
  await first.close();

  const provisioner = { url: 'https://work.example.com/', secret: 'a secret' };
  const again = await composeParts({ ...config, provisioner }, () => undefined);
  t.equal(again.created, false);
  t.equal(again.hasProvisioner, true);
  await again.close();
});

t.test('with a token, mail goes to the provider', async (t) => {
  const provider = await startPostmarkServer();
  t.teardown(() => provider.close());
  const { store, mailer } = await composeParts(
    loadConfig({
      DATABASE_URL: `file:${join(t.testdir({}), 'broker.db')}`,
      POSTMARK_SERVER_TOKEN: 'token',
      POSTMARK_API_URL: provider.url,
    }),
    () => undefined,
  );
  t.teardown(() => store.close());
  await mailer.send(message);
  t.match(provider.received, [{ headers: { 'x-postmark-server-token': 'token' }, message: { To: message.to } }]);
});

t.test('a PostgreSQL that does not answer stops the start', async (t) => {
  const config = loadConfig({ DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  await t.rejects(composeParts(config, () => undefined));
});

t.test('an outbox that stands already is made private at the start, and one that cannot be stops it', async (t) => {
  const directory = t.testdir({ 'a.eml': '', 'no-folder': '' });
  chmodSync(join(directory, 'a.eml'), 0o644);
  const configOf = (outbox: string) =>
    loadConfig({ DATABASE_URL: `file:${join(directory, 'broker.db')}`, MAIL_OUTBOX_DIR: outbox });
  const { store } = await composeParts(configOf(directory), () => undefined);
  await store.close();
  t.equal(statSync(join(directory, 'a.eml')).mode & 0o777, 0o600);
  await t.rejects(
    composeParts(configOf(join(directory, 'no-folder')), () => undefined),
    { message: /^MAIL_OUTBOX_DIR: / },
  );
});

t.test('with an SMTP server, mail goes there', async (t) => {
  const { port, messages } = await startScriptedSmtp(t);
  const file = join(t.testdir({}), 'broker.db');
  const config = loadConfig({ DATABASE_URL: `file:${file}`, SMTP_URL: `smtp://user:secret@127.0.0.1:${port}` });
  const { store, mailer } = await composeParts(config, () => undefined);
  t.teardown(() => store.close());
  t.strictSame(await mailer.send(message), { messageId: '<eml_1@example.com>' });
  t.equal(messages.length, 1);
  t.equal(mailer.maxConcurrency, 32, 'each message takes one of the connections that a server allows');
});
