import t from 'tap';
import { showKeyUse } from '../../../src/operator/access/key-use.ts';
import { createKey } from '../../../src/operator/access/keys.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import type { BrokerRow } from '../../../src/store/queries/brokers.ts';
import type { KeyRow } from '../../../src/store/queries/keys.ts';
import { BROKER, createOperatorContext } from '../../support/operator-context.ts';
import { aCall, aUsageRow } from '../../support/rows.ts';

const HOUR = 3_600_000;

t.test(
  "a key's use is that of the last day unless another span is named, and belongs to its own broker alone",
  async (t) => {
    const context = await createOperatorContext();
    t.teardown(context.close);
    const { broker_id: brokerId } = await createBroker.run(context, BROKER);
    await createBroker.run(context, { ...BROKER, slug: 'other' });
    const { key_id: keyId } = await createKey.run(context, { broker: 'acme', name: 'Shop', mode: 'live', scopes: '' });
    const now = context.clock.now();
    await context.store.tx((tx) =>
      tx.usage.count([
        aUsageRow(brokerId, now - HOUR, { keyId, calls: 3 }),
        aUsageRow(brokerId, now - HOUR, { keyId, calls: 2, outcome: 'rate_limit_exceeded', gate: 3 }),
        aUsageRow(brokerId, now - 2 * HOUR, { keyId, calls: 4 }),
        aUsageRow(brokerId, now - 30 * HOUR, { keyId, calls: 7 }),
      ]),
    );
    const busiest_minute = { date: new Date(now - HOUR).toISOString(), calls: 5 };
    t.match(await showKeyUse(context, { broker: 'acme', keyId }), { traffic: { calls: 9 }, busiest_minute });
    const week = { traffic: { span: '7d', calls: 16 }, busiest_minute: null };
    t.match(await showKeyUse(context, { broker: 'acme', keyId, span: '7d' }), week);
    await t.rejects(showKeyUse(context, { broker: 'other', keyId }), { message: `"other" has no key "${keyId}"` });
    await t.rejects(showKeyUse(context, { broker: 'acme', keyId: 'key_none' }), {
      message: 'There is no key "key_none"',
    });
  },
);

t.test(
  'equal neighbours of its latest calls are one line, which say where they go on beyond the rows that were read',
  async (t) => {
    const context = await createOperatorContext();
    t.teardown(context.close);
    const { broker_id: brokerId } = await createBroker.run(context, BROKER);
    const { key_id: keyId } = await createKey.run(context, { broker: 'acme', name: 'Shop', mode: 'live', scopes: '' });
    const now = context.clock.now();
    const made = (count: number, since: number, fields: { status: number; code: string }) =>
      Array.from({ length: count }, (_, n) =>
        aCall({ id: brokerId } as BrokerRow, { id: keyId } as KeyRow, { at: now - since - n, ...fields }),
      );
    const [limited, missing] = [
      { status: 429, code: 'rate_limit_exceeded' },
      { status: 404, code: 'not_found' },
    ];
    await context.store.tx((tx) => tx.calls.insert(made(300, 0, limited)));
    await context.store.tx((tx) => tx.calls.insert(made(150, 1_000, missing)));
    const lines = async () =>
      (await showKeyUse(context, { broker: 'acme', keyId })).calls.map((line) => [
        line.code,
        line.calls.length,
        line.goes_on,
      ]);
    t.strictSame(await lines(), [
      ['rate_limit_exceeded', 300, false],
      ['not_found', 150, false],
    ]);
    // More rows than are looked at.
    await context.store.tx((tx) => tx.calls.insert(made(100, 2_000, missing)));
    t.strictSame(await lines(), [
      ['rate_limit_exceeded', 300, false],
      ['not_found', 200, true],
    ]);
  },
);
