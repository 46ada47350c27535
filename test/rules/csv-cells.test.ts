import t from 'tap';
import { defuse, undefuse } from '../../src/rules/csv-cells.ts';

t.test('a cell that begins like a formula becomes text', async (t) => {
  for (const cell of [
    '=1+1',
    '+1',
    '-1+1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\nx',
    ' =1+1',
    '\u00a0=1+1',
    '＝1+1',
    '＋1',
    '－1',
    '＠x',
    '-',
    '-1e5',
    '-1.',
    '-１',
    '-1\n=1+1',
  ]) {
    t.equal(defuse(cell), `'${cell}`, JSON.stringify(cell));
  }
});

t.test('plain numbers and ordinary texts are left as they are', async (t) => {
  for (const cell of [
    '',
    '0',
    '-12.50',
    '-7',
    '12.50',
    'Acme = fine',
    'a-b',
    'user@example.com',
    ' padded',
    "'quoted",
  ]) {
    t.equal(defuse(cell), cell, JSON.stringify(cell));
  }
});

t.test('what was kept from running is read as the text that it was, and any other cell as it is', async (t) => {
  for (const text of [
    '=1+1',
    "'=1+1",
    "''=1+1",
    ' =1',
    '-',
    '＝1',
    '\tx',
    "'quoted",
    '-12.50',
    "'",
    '',
    'plain',
    "'-5",
  ]) {
    t.equal(undefuse(defuse(text)), text, JSON.stringify(text));
  }
  t.equal(undefuse("'-5"), "'-5", 'a number in front of which no apostrophe was put');
});
