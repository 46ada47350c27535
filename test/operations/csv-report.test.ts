import { parse } from 'csv-parse/sync';
import t from 'tap';
import { type Columns, writeCsv } from '../../src/operations/csv-report.ts';

interface Row {
  name: string | null;
  amount: number;
}

const columns: Columns<Row> = { name: ({ name }) => name, amount: ({ amount }) => amount };
const ROOM = 10_000;

async function* batchesOf(...batches: Row[][]) {
  yield* batches;
}

const textOf = async (...rows: Row[]) => {
  const csv = await writeCsv(columns, batchesOf(rows), ROOM);
  return csv?.content.toString();
};

t.test('a file of no rows is its header line, ended as RFC 4180 ends lines', async (t) => {
  const csv = await writeCsv(columns, batchesOf(), ROOM);
  t.equal(csv?.content.toString(), 'name,amount\r\n');
  t.equal(csv?.rowCount, 0);
});

t.test('rows of all batches follow one another, null as an empty cell', async (t) => {
  const csv = await writeCsv(
    columns,
    batchesOf([{ name: 'one', amount: 1 }], [], [{ name: null, amount: -2.5 }], [{ name: 'three', amount: 3 }]),
    ROOM,
  );
  t.equal(csv?.content.toString(), 'name,amount\r\none,1\r\n,-2.5\r\nthree,3\r\n');
  t.equal(csv?.rowCount, 3);
});

t.test('whatever stands in a text, a reader gets it back in one cell', async (t) => {
  for (const name of [
    'a,b',
    'say "hi"',
    'two\nlines',
    'two\r\nlines',
    'old\rMac',
    ' ends ',
    "it's",
    'a;b',
    'a\tb',
    '"',
  ]) {
    const text = (await textOf({ name, amount: 1 })) ?? '';
    t.same(parse(text, { record_delimiter: '\r\n' })[1], [name, '1'], JSON.stringify(name));
    t.match(text, /\r\n"/, 'it is quoted');
  }
});

t.test('a text that a spreadsheet would run is defused in every column, numbers are not touched', async (t) => {
  t.equal(await textOf({ name: '=1+1', amount: -1 }), `name,amount\r\n"'=1+1",-1\r\n`);
  t.equal(await textOf({ name: '@SUM("A1")', amount: -1 }), `name,amount\r\n"'@SUM(""A1"")",-1\r\n`);
  t.equal(await textOf({ name: '-12.50', amount: -1 }), 'name,amount\r\n-12.50,-1\r\n');
});

t.test('a byte order mark leads a file with letters beyond ASCII and no other', async (t) => {
  t.equal(await textOf({ name: 'Müller', amount: 1 }), '\uFEFFname,amount\r\n"Müller",1\r\n');
  t.equal(await textOf({ name: 'Mueller', amount: 1 }), 'name,amount\r\nMueller,1\r\n');
});

t.test('the limit is met to the byte, the mark included, and nothing is read beyond it', async (t) => {
  let read = 0;
  async function* rows() {
    for (; read < 10; read += 1) yield [{ name: 'é', amount: read }];
  }
  // Mark 3, header 13, then `"é",0` and a line break: 8 bytes a row.
  const fits = await writeCsv(columns, batchesOf([{ name: 'é', amount: 0 }]), 24);
  t.equal(fits?.content.length, 24);
  t.equal(await writeCsv(columns, rows(), 3 + 13 + 8 * 4 - 1), null);
  t.equal(read, 3, 'the fourth row was the last one read');
});

t.test('other work has its turn between two batches', async (t) => {
  const order: string[] = [];
  async function* rows() {
    order.push('first batch');
    setImmediate(() => order.push('other work'));
    yield [{ name: 'one', amount: 1 }];
    order.push('second batch');
    yield [{ name: 'two', amount: 2 }];
  }
  await writeCsv(columns, rows(), ROOM);
  t.same(order, ['first batch', 'other work', 'second batch']);
});
