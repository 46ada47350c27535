import t from 'tap';
import { isBlank } from '../../src/rules/text.ts';

const codesOf = (text: string) => Array.from(text, (letter) => letter.codePointAt(0)?.toString(16)).join(' ');

t.test('a text of characters that show nothing is blank', async (t) => {
  const invisible = [
    '',
    ' ',
    '\t\n',
    '\u0085',
    '\u00a0',
    '\u00ad',
    '\u115f',
    '\u1160',
    '\u180e',
    '\u200b',
    '\u200d',
    '\u2028',
  ].concat([
    '\u202e',
    '\u2060',
    '\u2800',
    '\u3000',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\u{e0020}',
    '\0',
    '\u001b',
  ]);
  for (const text of [...invisible, invisible.join('')]) t.equal(isBlank(text), true, codesOf(text));
  for (const text of ['a', '\u200bA', 'a\u3164', '-', '\u0301', '\u{1f600}', '한']) {
    t.equal(isBlank(text), false, codesOf(text));
  }
});
