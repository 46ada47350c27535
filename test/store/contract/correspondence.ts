import type { Test } from 'tap';
import { createIds } from '../../../src/runtime/ids.ts';
import { ABANDONED_AFTER_MS, type EmailFilter, type EmailRow } from '../../../src/store/queries/emails.ts';
import { anEmail, next, stock, T0 } from '../../support/rows.ts';
import type { Opened } from '../contract.ts';

/** Templates and the log of emails. */
export async function correspondenceContract(t: Test, { store }: Opened): Promise<void> {
  const { read } = store;

  await t.test('a template is set anew under its kind, and is active only where it says so', async (t) => {
    const { broker } = await stock(store);
    const { broker: other } = await stock(store);
    const template = (kind: string, active: boolean, text = 'Hello') => ({
      brokerId: broker.id,
      kind,
      subject: 'Subject',
      html: '<p>Hello</p>',
      text,
      active,
      updatedAt: T0,
    });
    await store.tx(async (tx) => {
      await tx.templates.upsert(template('b-kind', true));
      await tx.templates.upsert(template('a-kind', true));
      await tx.templates.upsert({ ...template('b-kind', false, 'other'), brokerId: other.id });
      await tx.templates.upsert(template('a-kind', false, 'Bye'));
    });
    t.strictSame(await read.templates.find(broker.id, 'a-kind'), template('a-kind', false, 'Bye'));
    t.equal(await read.templates.findActive(broker.id, 'a-kind'), null);
    t.strictSame(await read.templates.findActive(broker.id, 'b-kind'), template('b-kind', true));
    t.equal(await read.templates.findActive(other.id, 'b-kind'), null);
    t.equal(await read.templates.find(other.id, 'a-kind'), null);
    t.equal(await read.templates.findActive(other.id, 'a-kind'), null);
    t.strictSame(
      (await read.templates.list(broker.id)).map(({ kind }) => kind),
      ['a-kind', 'b-kind'],
    );
  });

  await t.test('of a template so many versions are kept as told, each broker’s and kind’s for itself', async (t) => {
    const { broker } = await stock(store);
    const { broker: other } = await stock(store);
    const version = (number: number, brokerId = broker.id, kind = 'a-kind') => ({
      brokerId,
      kind,
      version: number,
      subject: `Subject ${number}`,
      html: '<p>Hello</p>',
      text: 'Hello',
      actor: number === 1 ? null : 'ada',
      createdAt: T0 + number,
    });
    const template = { kind: 'a-kind', subject: 'S', html: 'H', text: 'T', active: true, updatedAt: T0 };
    await store.tx(async (tx) => {
      await tx.templates.upsert({ ...template, brokerId: other.id });
      await tx.templates.insertVersion(version(1, other.id), 3);
      await tx.templates.insertVersion(version(1, broker.id, 'b-kind'), 3);
      for (const number of [1, 2, 3, 4, 5]) await tx.templates.insertVersion(version(number), 3);
    });
    const { html: _html, text: _text, ...line } = version(5);
    const kept = await read.templates.listVersions(broker.id, 'a-kind');
    t.strictSame(kept[0], line);
    t.strictSame(
      kept.map(({ version }) => version),
      [5, 4, 3],
    );
    t.strictSame(await read.templates.findVersion(broker.id, 'a-kind'), version(5));
    t.strictSame(await read.templates.findVersion(broker.id, 'a-kind', 3), version(3));
    t.equal(await read.templates.findVersion(broker.id, 'a-kind', 2), null);
    t.equal((await read.templates.listVersions(other.id, 'a-kind')).length, 1);
    t.match(await read.templates.listOf([broker.id, other.id]), [{ brokerId: other.id, kind: 'a-kind', active: true }]);
  });

  await t.test('emails are listed newest first, ties by id, of one broker or of all', async (t) => {
    const { broker } = await stock(store);
    const { broker: other } = await stock(store);
    const tail = next();
    const at = T0 + 1_000_000_000;
    const emails = [
      anEmail(broker, { createdAt: at, id: `eml_a${tail}`, status: 'sent' }),
      anEmail(broker, { createdAt: at, id: `eml_b${tail}`, status: 'sent' }),
      anEmail(broker, { createdAt: at + 1, status: 'failed', failureReason: 'rejected', providerCode: '406' }),
      anEmail(other, { createdAt: at + 2, status: 'sent', serviceNumber: 5, requestId: 'req_1' }),
    ];
    await store.tx(async (tx) => {
      for (const email of emails) await tx.emails.insert(email);
    });
    const list = { now: at + 5, limit: 9 };
    t.strictSame(await read.emails.list({ ...list, brokerId: broker.id }), [emails[2], emails[1], emails[0]]);
    t.strictSame((await read.emails.list(list)).slice(0, 4), emails.toReversed());
    t.strictSame(await read.emails.list({ ...list, limit: 1 }), [emails[3]]);
  });

  await t.test('an email that was left open counts as of unknown outcome once it is old enough', async (t) => {
    const { broker } = await stock(store);
    const now = T0 + ABANDONED_AFTER_MS;
    const abandoned = anEmail(broker, { createdAt: T0 - 1 });
    const open = anEmail(broker, { createdAt: T0 });
    const unknown = anEmail(broker, { createdAt: T0 - 2, status: 'unknown' });
    const sent = anEmail(broker, { createdAt: T0 - 3, status: 'sent' });
    await store.tx(async (tx) => {
      for (const email of [abandoned, open, unknown, sent]) await tx.emails.insert(email);
    });
    const seen = { ...abandoned, status: 'unknown' };
    t.strictSame(await read.emails.list({ brokerId: broker.id, now, limit: 9 }), [open, seen, unknown, sent]);
    t.strictSame(await read.emails.list({ brokerId: broker.id, status: 'unknown', now, limit: 9 }), [seen, unknown]);
    t.strictSame(
      await read.emails.list({ brokerId: broker.id, status: 'unknown', now, limit: 1 }),
      [seen],
      'one that is on its way takes no place on the list',
    );
  });

  await t.test(
    'the log comes page by page, narrowed by what is asked for, and is counted no further than told',
    async (t) => {
      const { broker } = await stock(store);
      const { broker: other } = await stock(store);
      const at = T0 + 2_000_000_000;
      const ids = createIds();
      const write = (index: number, fields: Partial<EmailRow>) =>
        anEmail(index % 2 ? other : broker, {
          id: ids('eml', at + index),
          createdAt: at + index,
          status: 'sent',
          ...fields,
        });
      const emails = [
        write(0, { recipient: 'Ada_%@Example.com' }),
        write(1, { recipient: 'adaxx@example.com', kind: 'service-created' }),
        write(2, { status: 'failed' }),
        write(3, { status: 'open' }),
        write(4, { status: 'open' }),
      ];
      await store.tx(async (tx) => {
        for (const email of emails) await tx.emails.insert(email);
      });
      const now = at + 3 + ABANDONED_AFTER_MS + 1;
      // Ids that other tests made up would stand above all.
      const these = { since: at, until: at + 10, now };
      const found = async (filter: Partial<EmailFilter>, page = { limit: 9, offset: 0 }) =>
        (await read.emails.page({ ...these, ...filter }, page)).map(({ id }) =>
          emails.findIndex((email) => email.id === id),
        );
      t.strictSame(await found({}), [4, 3, 2, 1, 0]);
      t.strictSame(await found({}, { limit: 2, offset: 1 }), [3, 2]);
      t.strictSame(await found({ brokerId: broker.id }), [4, 2, 0]);
      t.strictSame(await found({ status: 'unknown' }), [3]);
      t.strictSame(await found({ status: 'open' }), [4]);
      t.strictSame(await found({ status: 'failed' }), [2]);
      t.strictSame(await found({ kind: 'service-created' }), [1]);
      t.strictSame(await found({ recipient: 'aDA_%' }), [0], 'nothing in it is a wildcard');
      t.strictSame(await found({ since: at + 1, until: at + 3 }), [2, 1]);
      const [line] = await read.emails.page({ ...these, status: 'unknown' }, { limit: 1, offset: 0 });
      const { html: _html, text: _text, ...rest } = emails[3] as EmailRow;
      t.strictSame(line, { ...rest, status: 'unknown' }, 'without the bodies, and as it is known now');
      t.match(await read.emails.find(emails[3]?.id as string, now), { status: 'unknown', html: '<p>Hello</p>' });
      t.equal(await read.emails.countUpTo(these, 9), 5);
      t.equal(await read.emails.countUpTo(these, 3), 3);
    },
  );

  await t.test('an email’s outcome is written by its own broker alone', async (t) => {
    const { broker } = await stock(store);
    const { broker: other } = await stock(store);
    const email = anEmail(broker);
    const outcome = { status: 'sent' as const, providerMessageId: 'm', completedAt: T0 + 1, requestId: 'req_1' };
    await store.tx((tx) => tx.emails.insert(email));
    await store.tx((tx) => tx.emails.complete(other.id, email.id, { status: 'failed' }));
    await store.tx((tx) => tx.emails.complete(broker.id, email.id, outcome));
    t.strictSame(await read.emails.list({ brokerId: broker.id, now: T0, limit: 1 }), [{ ...email, ...outcome }]);
  });

  await t.test('old emails lose addresses and bodies in steps and keep the rest', async (t) => {
    const { broker } = await stock(store);
    // Long before what other tests write.
    const at = 1_000_000;
    const old = Array.from({ length: 5 }, (_, index) => anEmail(broker, { createdAt: at + index, status: 'sent' }));
    const young = anEmail(broker, { createdAt: at + 10 });
    await store.tx(async (tx) => {
      for (const email of [...old, young]) await tx.emails.insert(email);
    });
    const erase = () => store.tx((tx) => tx.emails.erase(at + 10, T0, 2));
    const erased = { recipient: null, subject: null, html: null, text: null, erasedAt: T0 };
    t.equal(await erase(), 2);
    const half = await read.emails.list({ brokerId: broker.id, now: T0, limit: 9 });
    t.strictSame(
      half.map(({ erasedAt }) => erasedAt),
      [null, null, null, null, T0, T0],
      'the oldest first',
    );
    t.strictSame([await erase(), await erase(), await erase()], [2, 1, 0]);
    t.strictSame(await read.emails.list({ brokerId: broker.id, now: at, limit: 9 }), [
      young,
      ...old.toReversed().map((email) => ({ ...email, ...erased })),
    ]);
  });
}
