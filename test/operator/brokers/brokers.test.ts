import t from 'tap';
import { createKey, revokeKey } from '../../../src/operator/access/keys.ts';
import {
  addRecipient,
  createBroker,
  removeRecipient,
  resumeBroker,
  setBroker,
  suspendBroker,
} from '../../../src/operator/brokers/brokers.ts';
import { showOnboarding } from '../../../src/operator/brokers/onboarding.ts';
import { findSuspension, listBrokers, pageBrokers, showBroker } from '../../../src/operator/brokers/views.ts';
import { getStatus } from '../../../src/operator/system/status.ts';
import { BROKER, createOperatorContext } from '../../support/operator-context.ts';
import { ON_POSTGRES } from '../../support/services.ts';

t.test('a broker is made once, changed field by field, and stopped and resumed as a whole', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);

  const made = await createBroker.run(context, { ...BROKER, name: '  Acme Hosting ' });
  t.match(made, { slug: 'acme', name: 'Acme Hosting', broker_status: 'active', ip_restriction_enabled: false });
  t.strictSame(await createBroker.run(context, BROKER), made, 'made again as it stands it is the same one');
  await t.rejects(createBroker.run(context, { ...BROKER, name: 'Acme' }), {
    message: 'slug: there is a broker "acme" already',
  });

  context.clock.advance(1000);
  t.match(await setBroker.run(context, { broker: 'acme', name: 'Acme' }), {
    name: 'Acme',
    contact_email: BROKER.contact_email,
    updated_date: '2030-01-15T12:00:01.000Z',
  });
  const addresses = { broker: 'acme', contact_email: 'c@example.com', sender_email: 's@example.com' };
  t.match(await setBroker.run(context, addresses), {
    name: 'Acme',
    contact_email: 'c@example.com',
    sender_email: 's@example.com',
  });
  await t.rejects(setBroker.run(context, { broker: 'acme' }), { message: /Nothing to change/ });
  await t.rejects(setBroker.run(context, { broker: 'nobody', name: 'x' }), { message: 'There is no broker "nobody"' });

  const suspended = await suspendBroker.run(context, { broker: 'acme', reason: 'unpaid since March' });
  t.equal(suspended.broker_status, 'suspended');
  t.match(await findSuspension(context, suspended), { actor: context.actor.name, reason: 'unpaid since March' });
  t.equal((await resumeBroker.run(context, { broker: 'acme' })).broker_status, 'active');
});

t.test('a value that no broker can have is refused by its name', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  const refused: Array<[Partial<typeof BROKER>, string]> = [
    [{ slug: 'With Space' }, 'slug: must be small letters, digits, "-" and "_", at most 64'],
    [{ name: '   ' }, 'name: must not be blank'],
    [{ name: 'x'.repeat(201) }, 'name: must have at most 200 characters'],
    [{ name: 'two\nlines' }, 'name: must not hold control characters'],
    [{ name: 'half \ud800 pair' }, 'name: must not hold NUL or half a character'],
    [
      { contact_email: 'a@example.com, b@example.com' },
      'contact_email: must be one email address, not "a@example.com, b@example.com"',
    ],
    [
      { sender_email: 'a@exämple.com' },
      'sender_email: must be one email address, not "a@exämple.com": an internationalised domain is written in punycode (xn--...)',
    ],
    [{ sender_email: 'nobody' }, 'sender_email: must be one email address, not "nobody"'],
  ];
  for (const [fields, message] of refused)
    await t.rejects(createBroker.run(context, { ...BROKER, ...fields }), { message });
  // Two hundred characters, though twice as many units of JavaScript.
  await createBroker.run(context, { ...BROKER, name: '😀'.repeat(200) });
  t.equal((await listBrokers.run(context, {})).records.length, 1);
});

t.test('the verified list holds an address once, whatever its case', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, BROKER);

  const added = await addRecipient.run(context, { broker: 'acme', email: 'Books@example.com' });
  t.strictSame(added.report_recipients, ['Books@example.com']);
  await t.rejects(addRecipient.run(context, { broker: 'acme', email: 'BOOKS@example.com' }), { message: /already/ });
  t.strictSame((await listBrokers.run(context, {})).records[0]?.report_recipients, ['Books@example.com']);
  t.strictSame(
    (await removeRecipient.run(context, { broker: 'acme', email: 'books@EXAMPLE.com' })).report_recipients,
    [],
  );
  await t.rejects(removeRecipient.run(context, { broker: 'acme', email: 'books@example.com' }), {
    message: /not on the list/,
  });
});

t.test('the status of an empty installation shows that nothing waits', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  const none = { total: 0, oldest_submitted_date: null };
  t.strictSame(await getStatus(context), {
    provisioner: null,
    records_are_old: null,
    records: {
      history: 0,
      holding: null,
      lost_from: null,
      lost_until: null,
      place: null,
      unseen: ON_POSTGRES ? [] : ['a snapshot of the whole machine'],
    },
    machine_differences: null,
    pending_decisions: none,
    operator_reviews: none,
    queue: { ...none, overdue_seconds: 0 },
    unknown_emails: 0,
    workers: 0,
    last_backup_date: null,
    clock: 'steady',
    sandboxes: 0,
    shared_plan_names: [],
    failed_clean_ups: [],
    oldest_release: '1.2.0',
    waits_for_finish: [],
  });
});

t.test('a fault of the database is not mistaken for a name that is taken', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  const broken = { ...context, store: { ...context.store, tx: () => Promise.reject(new Error('disk full')) } };
  await t.rejects(createBroker.run(broken, BROKER), { message: 'disk full' });
});

t.test('a key that is revoked or has expired is not counted among the active ones', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, BROKER);
  const key = { broker: BROKER.slug, name: 'Shop', mode: 'live', scopes: '' };
  await createKey.run(context, { ...key, expires_date: '2030-01-16' });
  await createKey.run(context, { ...key, expires_date: '2030-01-17' });
  await revokeKey.run(context, { key_id: (await createKey.run(context, key)).key_id });
  const counted = async () => [
    (await showBroker.run(context, { broker: BROKER.slug })).active_keys,
    (await pageBrokers(context)).items[0]?.active_keys,
    (await showOnboarding(context))?.steps.find(({ name }) => name === 'key')?.done,
  ];
  t.strictSame(await counted(), [2, 2, true]);
  context.clock.advance(86_400_000);
  t.strictSame(await counted(), [1, 1, true]);
  context.clock.advance(86_400_000);
  t.strictSame(await counted(), [0, 0, false]);
});

t.test('a broker has fifty report recipients at most', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, BROKER);
  const add = (email: string) => addRecipient.run(context, { broker: 'acme', email });
  for (let index = 1; index <= 50; index += 1) await add(`books-${index}@example.com`);
  await t.rejects(add('one-more@example.com'), { message: 'A broker can have 50 report recipients at most' });
  await t.rejects(add('BOOKS-1@example.com'), { message: /on the list already/ });
  await removeRecipient.run(context, { broker: 'acme', email: 'books-7@example.com' });
  t.equal((await add('one-more@example.com')).report_recipients.length, 50);
});

t.test('a name that shows nothing is blank', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  for (const name of ['\u200b', '\u3164', ' \u2800 ']) {
    await t.rejects(createBroker.run(context, { ...BROKER, name }), { message: /name: must not be blank/ });
  }
});
