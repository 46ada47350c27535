import { parse } from 'csv-parse/sync';
import t from 'tap';
import { CSV_BATCH_ROWS, csvOf } from '../../../src/store/session/csv.ts';

type Row = [name: string | null, amount: number];

const columns = ['name', 'amount'];
const ROOM = 100_000;

const textOf = (...rows: Row[]) => csvOf(columns, rows, ROOM)?.content.toString();

t.test('a file of no rows is its header line, ended as RFC 4180 ends lines', async (t) => {
  const file = csvOf(columns, [], ROOM);
  t.equal(file?.content.toString(), 'name,amount\r\n');
  t.equal(file?.rowCount, 0);
});

t.test('every row has its line, null as an empty cell, whatever the number of rows', async (t) => {
  t.equal(textOf(['one', 1], [null, -2.5], ['three', 3]), 'name,amount\r\none,1\r\n,"-2.5"\r\nthree,3\r\n');
  for (const count of [CSV_BATCH_ROWS - 1, CSV_BATCH_ROWS, CSV_BATCH_ROWS + 1, 3 * CSV_BATCH_ROWS]) {
    const rows = Array.from({ length: count }, (_, index): Row => ['row', index]);
    const file = csvOf(columns, rows, ROOM);
    t.equal(file?.rowCount, count);
    t.strictSame(
      parse(file?.content ?? '').slice(1),
      rows.map(([name, amount]) => [name, String(amount)]),
    );
  }
});

t.test('a timestamp stands where the header ends in _date, whatever type a driver gives it', async (t) => {
  const rows = [
    [0, 0],
    ['86400000', '1'],
    [null, null],
  ];
  const lines = csvOf(['paid_date', 'date'], rows, ROOM)?.content.toString();
  t.equal(lines, 'paid_date,date\r\n1970-01-01T00:00:00.000Z,0\r\n1970-01-02T00:00:00.000Z,1\r\n,\r\n');
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
    const text = textOf([name, 1]) ?? '';
    t.same(parse(text, { record_delimiter: '\r\n' })[1], [name, '1'], JSON.stringify(name));
    t.match(text, /\r\n"/, 'it is quoted');
  }
});

t.test('a text that a spreadsheet would run is defused in every column, numbers are not touched', async (t) => {
  t.equal(textOf(['=1+1', -1]), `name,amount\r\n"'=1+1","-1"\r\n`);
  t.equal(textOf(['@SUM("A1")', -1]), `name,amount\r\n"'@SUM(""A1"")","-1"\r\n`);
  t.equal(textOf(['-12.50', -1]), 'name,amount\r\n"-12.50","-1"\r\n');
});

t.test('a byte order mark leads a file with letters beyond ASCII and no other', async (t) => {
  t.equal(textOf(['Müller', 1]), '\uFEFFname,amount\r\n"Müller",1\r\n');
  t.equal(textOf(['Mueller', 1]), 'name,amount\r\nMueller,1\r\n');
});

t.test('the limit is met to the byte, the mark included, and nothing is read beyond it', async (t) => {
  let read = 0;
  function* rows(): Generator<Row> {
    for (; read < 10_000; read += 1) yield ['é', read % 10];
  }
  // Mark 3, header 13, then `"é",0` and a line break: 8 bytes a row.
  t.equal(csvOf(columns, [['é', 0]], 24)?.content.length, 24);
  t.equal(csvOf(columns, [['é', 0]], 23), null);
  t.equal(csvOf(columns, rows(), 24), null);
  t.equal(read, CSV_BATCH_ROWS - 1, 'the first batch was the last one read');
});
