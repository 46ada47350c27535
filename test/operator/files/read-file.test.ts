import t from 'tap';
import { FAULTS_KEPT, optional, readImportFile, required } from '../../../src/operator/files/read-file.ts';
import type { ImportError } from '../../../src/operator/use-case/errors.ts';
import { planSlug, text } from '../../../src/operator/use-case/fields.ts';

const SHAPE = { slug: required(planSlug()) };
const read = (name: string, content: string) => readImportFile({ name, content: Buffer.from(content) }, SHAPE, 'slug');

t.test('a fault that a check finds again, because its transaction ran again, is reported once', async (t) => {
  const file = readImportFile(
    { name: 'plans.json', content: Buffer.from('[{"slug": "start"}]') },
    { slug: required(planSlug()) },
    'slug',
  );
  for (const record of file.records) for (const _run of [1, 2]) record.fault('slug', 'is taken');
  const refused = t.throws(() => file.refuseFaulty()) as unknown as ImportError;
  t.strictSame(
    refused.records.map(({ faults }) => faults),
    [[{ field: 'slug', message: 'is taken' }]],
  );
});

t.test('the first thousand faulty records are named, those that a check finds too, and all are counted', async (t) => {
  const lines = Array.from({ length: FAULTS_KEPT - 1 }, () => '-');
  const file = read('p.csv', `slug\n${['a', 'b', 'c', ...lines].join('\n')}`);
  const faulty = () => t.throws(() => file.refuseFaulty()) as unknown as ImportError;
  t.equal(faulty().lines.length, FAULTS_KEPT - 1);
  for (const record of file.records.slice(1, 3)) for (const _run of [1, 2]) record.fault('slug', 'is taken');
  const { lines: reported, message, more } = faulty();
  t.equal(message, `p.csv: ${FAULTS_KEPT + 1} of ${FAULTS_KEPT + 2} records are faulty; nothing was imported`);
  t.equal(more, 1);
  t.strictSame(
    [reported[0], reported[1], reported.at(-1)],
    ['line 3: slug: is taken', 'line 4: slug: is taken', 'and 1 more faulty records'],
  );
  const { records, refused, created } = file.preview('acme', file.records, { summary: [], replaced: () => null });
  t.match(
    { refused, created, length: records.length },
    { refused: FAULTS_KEPT + 1, created: 1, length: FAULTS_KEPT + 1 },
  );
  t.match(records, [
    { where: 'line 2', action: 'create' },
    { where: 'line 3', action: 'refuse', subject: 'b' },
  ]);
});

t.test('each record of a JSON file is read by itself, whatever stands between and in them', async (t) => {
  const json = ' [ {"slug":"a,]}\\"" , "slug2" : 1 } ,\n{"slug":"b"}\t, [[1],{}] , null,"]" ] \n';
  const file = read('p.json', json);
  t.strictSame(
    file.records.map(({ where, values }) => [where, values]),
    [
      ['record 1', { slug: undefined }],
      ['record 2', { slug: 'b' }],
    ],
  );
  const { records } = t.throws(() => file.refuseFaulty()) as unknown as ImportError;
  t.strictSame(
    records.map(({ where, faults }) => [where, faults[0]?.message.slice(0, 17)]),
    [
      ['record 1', 'must be letters, '],
      ['record 3', 'must be an object'],
      ['record 4', 'must be an object'],
      ['record 5', 'must be an object'],
    ],
  );
  t.equal(read('p.json', '\uFEFF[]').records.length, 0);
  const refused = [
    '[',
    '[1',
    '[{"slug":"a]',
    '["a\\',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[{"a":1]]',
    '[{]}]',
    '[1]]',
    '[1],',
    '[] x',
    '',
  ];
  for (const broken of refused)
    t.throws(() => read('p.json', broken), { message: /^p\.json: not valid JSON: / }, broken);
});

t.test('a record that is longer than any is refused, before it is taken apart', async (t) => {
  const long = 'x'.repeat(100_100);
  t.throws(() => read('p.json', `[{"slug":"a"},["${long}"]]`), {
    message: 'p.json: record 2 is longer than 100000 bytes',
  });
  t.throws(() => read('p.csv', `slug\na\n${long}\n`), { message: 'p.csv: line 3 is longer than 100000 bytes' });
});

t.test('a file is read as spreadsheets write it', async (t) => {
  const shape = { slug: required(planSlug()), label: optional(text(100), null) };
  const valuesOf = (csv: string) => {
    const file = readImportFile({ name: 'p.csv', content: Buffer.from(csv) }, shape, 'slug');
    file.refuseFaulty();
    return file.records.map(({ where, values }) => [where, values.slug, values.label]);
  };
  const plain = [
    ['line 2', 'a', 'A'],
    ['line 3', 'b', null],
  ];
  t.strictSame(valuesOf('slug,label\na,A\nb,\n'), plain);
  t.strictSame(valuesOf('slug,label\r\na,A\r\nb,\r\n'), plain);
  t.strictSame(valuesOf('slug,label\na,A\r\nb,\r\n'), plain, 'a header of another program');
  t.strictSame(valuesOf('slug,label,\na,A,\nb,,\n'), plain, 'a last column without a name');
  t.strictSame(valuesOf('slug,label\na,A,\nb,,, \n,,\n,\n"",\n'), plain, 'cells and rows without a value');
  t.strictSame(
    valuesOf('\uFEFFsep=;\r\nslug;label\r\na;A\r\n"b";""\r\n'),
    plain.map(([, ...values], index) => [`line ${index + 3}`, ...values]),
  );
  t.strictSame(valuesOf('"sep=\t"\nslug\tlabel\na\tA,B\n'), [['line 3', 'a', 'A,B']]);
  t.strictSame(
    valuesOf('slug,label\na,"one\r\ntwo\r\n\r\nthree"\r\n\r\nb,"one\ntwo"\nc,\n'),
    [
      ['line 2', 'a', 'one\r\ntwo\r\n\r\nthree'],
      ['line 7', 'b', 'one\ntwo'],
      ['line 9', 'c', null],
    ],
    'each end of a line counts once',
  );
  t.strictSame(
    valuesOf('slug,label\n="004711", ="1,5"\na,"=""0""""1"""\nb,"x,=""y"" ="""\nc,="" \n').map(
      ([, ...values]) => values,
    ),
    [
      ['004711', '1,5'],
      ['a', '0"1'],
      ['b', 'x,="y" ="'],
      ['c', null],
    ],
  );
});

t.test('what is wrong with a CSV file is named by its line', async (t) => {
  const refused: Array<[csv: string, message: string]> = [
    [
      '"slug";"label"\n"a";"A"\n',
      'line 1: fields are separated by commas, not by semicolons or tabs, unless the line before',
    ],
    ['sep=;\nslug,label\n', 'line 2: unknown column "slug,label"; known are slug'],
    ['sep=;\n\n"slug"x\n', 'not valid CSV: line 3: a cell'],
    ['sep=,\nslug\tlabel\n', 'line 2: fields are separated by commas, not'],
    ['slug\r\n"a\r\nb"\r\nc"d\r\n', 'not valid CSV: line 4: a cell with a quote must be quoted as a whole'],
    ['slug\n"a" b\n', 'not valid CSV: line 2: a cell with a quote must be quoted as a whole'],
    ['slug\r\n"a\r\nb"\r\n"c ""d""\r\ne\r\n', 'not valid CSV: line 4: a cell with a quote'],
  ];
  for (const [csv, message] of refused) {
    const thrown = t.throws(() => read('p.csv', csv)) as unknown as Error;
    t.equal(thrown.message.slice(0, `p.csv: ${message}`.length), `p.csv: ${message}`);
  }
  const file = read('p.csv', 'slug\na,b\n');
  t.match(
    t.throws(() => file.refuseFaulty()),
    { lines: ['line 2: has 2 cells in place of 1'] },
  );
});

t.test('a file of too many records is refused before the first one is read', async (t) => {
  const message = /: the file has 1000001 records, at most 1000000 can be; import it in parts$/;
  // Neither header nor records could be read.
  t.throws(() => read('p.csv', `none\n${'?\r\n,,\r\n'.repeat(1_000_001)}`), { message });
  t.throws(() => read('p.json', `[${'{'.concat('},{'.repeat(1_000_000))}}]`.replace('{', '{"a"')), { message });
  // A spreadsheet's rows without a value are none.
  t.equal(read('p.csv', `slug\na\n${', \r\n'.repeat(1_048_576)}`).records.length, 1);
});
