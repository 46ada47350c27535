import t from 'tap';
import type { ImportError } from '../../src/operator/errors.ts';
import { planSlug } from '../../src/operator/fields.ts';
import { FAULTS_KEPT, readImportFile, required } from '../../src/operator/import-file.ts';

const SHAPE = { slug: required(planSlug()) };
const read = (name: string, text: string) => readImportFile({ name, content: Buffer.from(text) }, SHAPE);

t.test('a fault that a check finds again, because its transaction ran again, is told once', async (t) => {
  const file = readImportFile(
    { name: 'plans.json', content: Buffer.from('[{"slug": "start"}]') },
    { slug: required(planSlug()) },
  );
  for (const record of file.records) for (const _run of [1, 2]) record.fault('slug', 'is taken');
  const refused = t.throws(() => file.refuseFaulty()) as unknown as ImportError;
  t.strictSame(
    refused.records.map(({ faults }) => faults),
    [[{ field: 'slug', message: 'is taken' }]],
  );
});

t.test('the first thousand faulty records are named, those that a check finds too, and all are counted', async (t) => {
  const lines = Array.from({ length: FAULTS_KEPT - 1 }, () => ',');
  const file = read('p.csv', `slug\n${['a', 'b', 'c', ...lines].join('\n')}`);
  t.match(file.records, { length: 3 });
  const faulty = () => t.throws(() => file.refuseFaulty()) as unknown as ImportError;
  t.equal(faulty().lines.length, FAULTS_KEPT - 1);
  for (const record of file.records.slice(1)) for (const _run of [1, 2]) record.fault('slug', 'is taken');
  const { lines: told, message, more } = faulty();
  t.equal(message, `p.csv: ${FAULTS_KEPT + 1} of ${FAULTS_KEPT + 2} records are faulty; nothing was imported`);
  t.equal(more, 1);
  t.strictSame(
    [told[0], told[1], told.at(-1)],
    ['line 3: slug: is taken', 'line 4: slug: is taken', 'and 1 more faulty records'],
  );
  const { records, refused, created } = file.preview('acme', { key: 'slug', summary: [], replaced: () => null });
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
  const text = ' [ {"slug":"a,]}\\"" , "slug2" : 1 } ,\n{"slug":"b"}\t, [[1],{}] , null,"]" ] \n';
  const file = read('p.json', text);
  t.strictSame(
    file.records.map(({ where, values }) => [where, values]),
    [['record 2', { slug: 'b' }]],
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
