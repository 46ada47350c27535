import t from 'tap';
import { exportUsage, listUsage, tableOfUsage } from '../../../src/operator/calls/usage.ts';
import { type Pieces, readPages } from '../../../src/operator/use-case/exports.ts';
import { createOperatorContext } from '../../support/operator-context.ts';
import { aBroker, aKey, aUsageRow } from '../../support/rows.ts';

const HOUR = 3_600_000;

/** The lines of each piece. */
async function linesOf(pieces: Pieces): Promise<string[][]> {
  const all: string[][] = [];
  for await (const piece of pieces) all.push(String(piece).trimEnd().split('\r\n'));
  return all;
}

t.test('usage of any length is exported in pieces, every sum once, newest first, as the list adds it up', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  const { store, clock } = context;
  const brokers = [aBroker({ slug: 'acme' }), aBroker({ slug: 'zeta' })];
  const keys = brokers.flatMap((broker) => Array.from({ length: 8 }, () => aKey(broker)));
  const last = clock.now() - (clock.now() % HOUR);
  // 200 hours with nine days of silence between them, over the end of a month.
  const hours = Array.from({ length: 200 }, (_, ago) => last - (ago + (ago < 100 ? 0 : 216)) * HOUR);
  const rows = hours.flatMap((fromAt, hour) =>
    keys.map(({ id: keyId, brokerId }, key) => aUsageRow(brokerId, fromAt, { keyId, calls: 1 + ((hour + key) % 7) })),
  );
  await store.tx(async (tx) => {
    for (const broker of brokers) await tx.brokers.insert(broker);
    for (const key of keys) await tx.keys.insert(key);
    for (let from = 0; from < rows.length; from += 800) await tx.usage.count(rows.slice(from, from + 800));
  });
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  for (const by of ['hour', 'day', 'month', undefined]) {
    const input = { since: '60d', by };
    const [header, ...pieces] = await linesOf(await exportUsage(context, input));
    const ends = 'mode,calls,answered,refused,failed';
    t.strictSame(header, [`\uFEFFline,from_date,until_date,broker,broker_name,key_prefix,${ends}`]);
    for (const piece of pieces) t.ok(piece.length <= 500, 'what is held in memory');
    const [cells, totals] = ['key', 'total'].map((kind) =>
      pieces.flatMap((piece) =>
        piece.map((line) => line.split(',')).flatMap(([line, ...rest]) => (line === kind ? [rest] : [])),
      ),
    ) as [string[][], string[][]];
    t.strictSame(totals.map(([, , broker]) => broker).sort(), ['acme', 'zeta'], 'and a total of each broker');
    const positions = cells.map(([from, , , , key]) => `${from} ${key}`);
    t.equal(new Set(positions).size, positions.length, `no sum twice by ${by}`);
    const dates = cells.map(([from]) => String(from));
    t.strictSame(dates, dates.toSorted().reverse(), 'newest first');
    t.equal(
      cells.reduce((sum, [, , , , , , of]) => sum + Number(of), 0),
      calls,
      `every call by ${by}`,
    );
    t.equal(
      totals.reduce((sum, [, , , , , , of]) => sum + Number(of), 0),
      calls,
    );
    const listed = await listUsage(context, { ...input, limit: '1000000' });
    t.strictSame(
      listed.rows.map(({ from_date, key_prefix, calls }) => `${from_date} ${key_prefix} ${calls}`).sort(),
      cells.map(([from, , , , key, , of]) => `${from} ${key} ${of}`).sort(),
    );
  }
  const [, ...ofOne] = await linesOf(await exportUsage(context, { since: '60d', by: 'hour', key: keys[3]?.id }));
  t.equal(ofOne.flat().length, 201, 'of one key, and the total');
  const operations = { since: '60d', by: 'hour', byOperation: true, limit: '3200' };
  t.equal((await linesOf(await tableOfUsage(context, operations))).flat().length, 3_201);
  await t.rejects(linesOf(await tableOfUsage(context, { ...operations, limit: '3199' })), {
    message: /^The limit has cut/,
  });
  await t.rejects(exportUsage(context, { by: 'year' }), { name: 'OperatorError' }, 'before its first piece');
  await t.rejects(exportUsage(context, { key: 'none' }), { name: 'OperatorError' });
});

t.test('a list is read from the position of its last row, until a page is not full', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  const asked: Array<number | undefined> = [];
  const pages: number[][] = [];
  const load = async (_: unknown, limit: number, last = 0) => {
    asked.push(last);
    return Array.from({ length: Math.min(limit, 5 - last) }, (__, index) => last + index + 1);
  };
  for await (const page of readPages<number>(context, load, 2)) pages.push(page);
  t.strictSame(pages, [[1, 2], [3, 4], [5]]);
  t.strictSame(asked, [0, 2, 4]);
});
