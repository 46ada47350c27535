import type { Test } from 'tap';
import { isUniqueViolation } from '../../../src/store/session/session.ts';
import { invoiceLines } from '../../support/reports.ts';
import { aBroker, aKey, anEmail, anInvoice, aRequest, next, stock, T0 } from '../../support/rows.ts';
import type { Opened } from '../contract.ts';

/** Brokers with their recipients, keys, firewall rules; settings. */
export async function accountContract(t: Test, { store }: Opened): Promise<void> {
  await t.test('a broker is found as it was written, by id and by slug, and changed by its id alone', async (t) => {
    const broker = aBroker({ name: 'Ünïcode “Hosting” ’; --', ipRestrictionEnabled: true });
    const other = aBroker();
    await store.tx(async (tx) => {
      await tx.brokers.insert(broker);
      await tx.brokers.insert(other);
    });
    t.strictSame(await store.read.brokers.find(broker.id), broker);
    t.strictSame(await store.read.brokers.findBySlug(broker.slug), broker);
    t.equal(await store.read.brokers.find('brk_nobody'), null);
    t.equal(await store.read.brokers.findBySlug(broker.slug.toUpperCase()), null);
    const changed = { ...broker, status: 'suspended' as const, updatedAt: T0 + 1 };
    t.strictSame(
      await store.tx((tx) => tx.brokers.update(broker.id, { status: 'suspended', updatedAt: T0 + 1 })),
      changed,
    );
    t.strictSame(await store.read.brokers.find(broker.id), changed);
    t.strictSame(await store.read.brokers.find(other.id), other);
    t.equal(await store.tx((tx) => tx.brokers.update('brk_nobody', { name: 'Nobody' })), null);
  });

  await t.test('brokers are listed by slug in byte order', async (t) => {
    const tail = next();
    const slugs = ['B', 'a', '_', 'é', 'b'].map((letter) => `${letter}-${tail}`);
    await store.tx(async (tx) => {
      for (const slug of slugs) await tx.brokers.insert(aBroker({ slug }));
    });
    const listed = (await store.read.brokers.list()).map(({ slug }) => slug).filter((slug) => slugs.includes(slug));
    t.strictSame(
      listed,
      ['B', '_', 'a', 'b', 'é'].map((letter) => `${letter}-${tail}`),
    );
  });

  await t.test('a recipient stands on its own broker’s list, once', async (t) => {
    const { broker } = await stock(store);
    const { broker: other } = await stock(store);
    const recipient = (brokerId: string, email: string) => ({
      brokerId,
      email,
      emailFolded: email.toLowerCase(),
      createdAt: T0,
    });
    const add = (row: ReturnType<typeof recipient>) => store.tx((tx) => tx.brokers.addRecipient(row));
    t.equal(await add(recipient(broker.id, 'Zoe@example.com')), true);
    t.equal(await add(recipient(broker.id, 'ada@example.com')), true);
    t.equal(await add(recipient(broker.id, 'zoe@example.com')), false, 'the same without case');
    t.equal(await add(recipient(other.id, 'zoe@example.com')), true);
    t.strictSame(await store.read.brokers.listRecipients(broker.id), [
      recipient(broker.id, 'ada@example.com'),
      recipient(broker.id, 'Zoe@example.com'),
    ]);
    const remove = () => store.tx((tx) => tx.brokers.removeRecipient(broker.id, 'zoe@example.com'));
    t.strictSame([await remove(), await remove()], [true, false]);
    t.equal((await store.read.brokers.listRecipients(other.id)).length, 1);
  });

  await t.test('a removed broker takes everything of its own along, and nothing of another one', async (t) => {
    const furnish = async () => {
      const { broker, plan, service } = await stock(store, 3);
      const key = aKey(broker);
      const request = aRequest(service, { currentPlanId: plan.id });
      const idempotency = { brokerId: broker.id, mode: 'live' as const, namespace: 'action' as const, key: 'k' };
      await store.tx(async (tx) => {
        await tx.keys.insert(key);
        await tx.firewall.insert({ id: `fwr-${next()}`, brokerId: broker.id, rule: '::/0', note: null, createdAt: T0 });
        await tx.brokers.addRecipient({ brokerId: broker.id, email: 'a@b', emailFolded: 'a@b', createdAt: T0 });
        await tx.requests.insert(request);
        await tx.requests.addHistory({
          id: `evt-${next()}`,
          brokerId: broker.id,
          requestId: request.id,
          status: 'pending',
          at: T0,
          actor: 'client',
          note: null,
        });
        const parts = { subject: 's', html: 'h', text: 't', active: true, updatedAt: T0 };
        await tx.templates.upsert({ brokerId: broker.id, kind: 'k', ...parts });
        await tx.emails.insert(anEmail(broker));
        await tx.invoices.upsert([anInvoice(service)]);
        const claimed = { ...idempotency, fingerprint: 'f', createdAt: T0, expiresAt: null };
        await tx.idempotency.claim(claimed);
        await tx.idempotency.complete(claimed, { statusCode: 200, body: '{}' });
      });
      return { broker, plan, service, key, request, idempotency };
    };
    type Furnished = Awaited<ReturnType<typeof furnish>>;
    const found = async ({ broker, plan, key, request, idempotency }: Furnished) => {
      const { read } = store;
      const [invoice] = await invoiceLines(store, broker.id);
      const claimed = await store
        .tx(async (tx) => {
          const standing = await tx.idempotency.claim({ ...idempotency, fingerprint: '', createdAt: 1, expiresAt: 2 });
          throw Object.assign(new Error('only a look'), { standing });
        })
        .catch((error: { standing?: unknown }) => error.standing);
      return [
        await read.brokers.find(broker.id),
        await read.keys.find(key.id),
        await read.plans.find(broker.id, plan.id),
        await read.requests.findOwner(request.id),
        (await read.firewall.list(broker.id))[0],
        (await read.brokers.listRecipients(broker.id))[0],
        (await read.requests.listHistory(broker.id, request.id))[0],
        (await read.templates.list(broker.id))[0],
        (await read.emails.list({ brokerId: broker.id, now: T0, limit: 9 }))[0],
        (await read.services.page(broker.id, {}, { limit: 9, offset: 0 }))[0],
        (await read.services.page(broker.id, { search: 'ada' }, { limit: 9, offset: 0 }))[0],
        invoice,
        (await read.counters.total(broker.id, 'services')) > 0 || null,
        (await read.counters.total(broker.id, 'requests')) > 0 || null,
        claimed,
      ].map((value) => (value === undefined || value === null ? 'gone' : 'there'));
    };
    const one = await furnish();
    const other = await furnish();
    const all = await found(one);
    t.strictSame(new Set(all), new Set(['there']));
    // A record at a time, as it may be after a kill between two of them.
    while (await store.tx((tx) => tx.owned.removeSome(one.broker.id, 1)));
    t.strictSame(new Set(await found(one)), new Set(['gone']));
    t.strictSame(await found(other), all);
  });

  await t.test('a key is found by its public part together with its broker', async (t) => {
    const { broker } = await stock(store);
    const key = aKey(broker, {
      mode: 'test',
      rateLimit: 1_000_000,
      expiresAt: T0 + 5,
      lastUsedAt: T0,
      lastUsedIp: '2001:db8::1',
      rotatedFromId: 'key_before',
    });
    await store.tx((tx) => tx.keys.insert(key));
    t.strictSame(await store.read.keys.findAccess(key.publicId), { key, broker });
    t.strictSame(await store.read.keys.find(key.id), key);
    t.equal(await store.read.keys.findAccess('nobody00'), null);
    t.strictSame(await store.read.keys.listAccess(['nobody00', key.publicId, key.publicId]), [{ key, broker }]);
    t.equal(await store.read.keys.find('key_nobody'), null);
    const revoked = await store.tx((tx) => tx.keys.update(key.id, { status: 'revoked' }));
    t.strictSame(revoked, { ...key, status: 'revoked' });
    t.equal(await store.tx((tx) => tx.keys.update('key_nobody', { name: 'x' })), null);
    await t.rejects(
      store
        .tx((tx) => tx.keys.insert(aKey(broker, { publicId: key.publicId })))
        .catch((error) => {
          throw isUniqueViolation(error) ? new Error('unique') : error;
        }),
      { message: 'unique' },
    );
  });

  await t.test(
    'a broker’s keys are listed oldest first, ties by id, and the active ones among some named',
    async (t) => {
      const { broker } = await stock(store);
      const { broker: other } = await stock(store);
      const keys = [
        aKey(broker, { createdAt: T0 + 2 }),
        aKey(broker, { createdAt: T0 + 1, id: `key_z${next()}` }),
        aKey(broker, { createdAt: T0 + 1, id: `key_a${next()}`, status: 'revoked' }),
      ];
      const stranger = aKey(other);
      await store.tx(async (tx) => {
        for (const key of [...keys, stranger]) await tx.keys.insert(key);
      });
      t.strictSame(await store.read.keys.list(broker.id), [keys[2], keys[1], keys[0]]);
      const named = await store.read.keys.listActive([...keys, stranger].map((key) => key.publicId));
      t.strictSame(new Set(named.map(({ id }) => id)), new Set([keys[0]?.id, keys[1]?.id, stranger.id]));
      t.strictSame(await store.read.keys.listActive([]), []);
    },
  );

  await t.test('firewall rules stand in the order of their making, each once a broker', async (t) => {
    const { broker } = await stock(store);
    const { broker: other } = await stock(store);
    const rule = (brokerId: string, text: string, createdAt: number, id = `fwr_${next()}`) => ({
      id,
      brokerId,
      rule: text,
      note: 'a note',
      createdAt,
    });
    const rules = [
      rule(broker.id, '192.0.2.0/24', T0 + 1),
      rule(broker.id, '198.51.100.1', T0, `fwr_b${next()}`),
      rule(broker.id, '2001:db8::/32', T0, `fwr_a${next()}`),
    ];
    for (const each of rules) t.equal(await store.tx((tx) => tx.firewall.insert(each)), true);
    t.equal(await store.tx((tx) => tx.firewall.insert(rule(broker.id, '198.51.100.1', T0 + 9))), false);
    t.equal(await store.tx((tx) => tx.firewall.insert(rule(other.id, '198.51.100.1', T0))), true);
    t.strictSame(await store.read.firewall.list(broker.id), [rules[2], rules[1], rules[0]]);
    const remove = () => store.tx((tx) => tx.firewall.remove(broker.id, '198.51.100.1'));
    t.strictSame([await remove(), await remove()], [true, false]);
    t.equal((await store.read.firewall.list(other.id)).length, 1);
  });

  await t.test('the secret of the sandboxes is made once and is long enough', async (t) => {
    t.match(await store.read.settings.find('sandbox_secret'), /^[0-9a-f]{64}$/);
    t.equal(await store.read.settings.find('nothing'), null);
  });
}
