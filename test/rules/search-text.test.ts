import fc from 'fast-check';
import t from 'tap';
import { fold, searchText } from '../../src/rules/search-text.ts';

t.test('every letter of Unicode folds like its upper and its lower case, and to no capital of ASCII', async (t) => {
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const letter = String.fromCodePoint(codePoint);
    if (!/\p{L}|\p{Changes_When_Casemapped}/u.test(letter)) continue;
    const folded = fold(letter);
    const sameInAnyCase = [letter.toUpperCase(), letter.toLowerCase(), folded].every((other) => fold(other) === folded);
    if (!sameInAnyCase || /[A-Z]/.test(folded)) wrong.push(codePoint.toString(16));
  }
  t.same(wrong, []);
});

t.test('sigmas and sharp s fold alike wherever they stand', async (t) => {
  t.equal(fold('ΟΔΟΣ'), fold('οδος'));
  t.equal(fold('οδοσ'), fold('οδος'));
  t.equal(fold('STRASSE'), fold('straße'));
  t.equal(fold('STRAẞE'), fold('straße'));
});

t.test('composed and decomposed letters fold alike, and the Turkish İ as an i', async (t) => {
  for (const text of ['Renée', 'ŞIŞLI', 'Ångström', 'Việt', '한글', 'ΐ']) {
    t.equal(fold(text.normalize('NFD')), fold(text.normalize('NFC')), text);
    t.equal(fold(text.normalize('NFD').toUpperCase()), fold(text), text);
  }
  for (const text of ['İpek', 'I\u0307pek', 'i̇pek', 'IPEK']) t.equal(fold(text), 'ipek', text);
  t.equal(fold(fold('ΐ')), fold('ΐ'));
});

t.test('a part of a text is found in its folded whole, in whatever case it is written', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 8 });
  fc.assert(
    fc.property(text, text, text, (before, part, after) => {
      const whole = fold(before + part + after);
      return [part, part.toUpperCase(), part.toLowerCase()].every((term) => whole.includes(fold(term)));
    }),
  );
});

t.test('fields that are null are left out, and none matches across two fields', async (t) => {
  const text = searchText(['Web Zone', null, 'ACME']);
  t.ok(text.includes(fold('ZONE')));
  t.ok(text.includes(fold('acme')));
  for (const term of ['zoneacme', 'zone acme', 'zoneZacme', 'ZONEZACME', 'zone\nacme']) {
    t.notOk(text.includes(fold(term)), JSON.stringify(term));
  }
  t.equal(searchText([null, null]), '');
});
