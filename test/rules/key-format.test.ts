import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { composeKey, hashKey, keyPrefix, newKeyParts, parseBearer, parseKey } from '../../src/rules/key-format.ts';
import type { Mode } from '../../src/rules/words.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = (length: number) =>
  fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: length, maxLength: length });
const mode = fc.constantFrom<Mode>('live', 'test');
const parts = fc.record({ mode, publicId: base62(8), secret: base62(32) });

/** CRC-32 as its definition has it, bit by bit. */
function crc32ByHand(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const valueOfBase62 = (digits: string) => [...digits].reduce((value, digit) => value * 62 + ALPHABET.indexOf(digit), 0);

t.test('a composed key has its documented shape and shows its mode and public id', async () => {
  fc.assert(
    fc.property(parts, (key) => {
      const text = composeKey(key);
      const parsed = parseKey(text);
      return (
        text.startsWith(`sk_${key.mode}_${key.publicId}_${key.secret}`) &&
        text.length === 55 &&
        text.startsWith(`${keyPrefix(key.mode, key.publicId)}_`) &&
        parsed?.mode === key.mode &&
        parsed.publicId === key.publicId
      );
    }),
  );
});

t.test('the checksum is the CRC-32 of all characters before it in six digits of base 62', async (t) => {
  fc.assert(
    fc.property(parts, (key) => {
      const text = composeKey(key);
      return valueOfBase62(text.slice(-6)) === crc32ByHand(text.slice(0, -6));
    }),
  );
  t.equal(crc32ByHand('123456789'), 0xcbf43926, 'the check value of the CRC catalogue');
});

t.test('a checksum of few digits is padded with zeros', async (t) => {
  let secret = 0;
  let text = '';
  do text = composeKey({ mode: 'test', publicId: '00000000', secret: `${secret++}`.padStart(32, '0') });
  while (crc32ByHand(text.slice(0, -6)) >= 62 ** 5);
  t.equal(text.length, 55);
  t.equal(text.charAt(49), '0');
  t.ok(parseKey(text));
});

t.test('one mistyped character makes a key malformed', async () => {
  fc.assert(
    fc.property(parts, fc.nat(54), fc.constantFrom(...ALPHABET), (key, at, typo) => {
      const text = composeKey(key);
      const mistyped = text.slice(0, at) + typo + text.slice(at + 1);
      return mistyped === text || parseKey(mistyped) === undefined;
    }),
  );
});

t.test('a text of another shape is no key', async (t) => {
  const key = composeKey({ mode: 'live', publicId: 'abcdEFGH', secret: 'x'.repeat(32) });
  for (const text of [
    '',
    'sk_live_',
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    key.replace('live', 'LIVE'),
  ]) {
    t.equal(parseKey(text), undefined, JSON.stringify(text));
  }
});

t.test('new key parts are of base 62 and differ each time', async (t) => {
  const made = Array.from({ length: 200 }, () => newKeyParts(randomBytes));
  const wrong = made.filter(
    ({ publicId, secret }) => !/^[0-9A-Za-z]{8}$/.test(publicId) || !/^[0-9A-Za-z]{32}$/.test(secret),
  );
  t.strictSame(wrong, []);
  t.equal(new Set(made.map(({ secret }) => secret)).size, made.length);
});

t.test('bytes that would favour some characters are drawn again', async (t) => {
  const drawn: number[] = [];
  const everyByte = Array.from({ length: 256 }, (_, i) => 255 - i);
  const { publicId, secret } = newKeyParts((n) => {
    drawn.push(n);
    return Buffer.from(everyByte.splice(0, n));
  });
  t.equal(publicId + secret, `${'zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONM'}`, 'the eight bytes above 247 are left out');
  t.same(drawn, [40, 8], 'no more are drawn than are missing');
});

t.test('a key is stored as its SHA-256', async (t) => {
  t.equal(hashKey('sk_test_x'), createHash('sha256').update('sk_test_x').digest('hex'));
});

t.test('the bearer scheme is matched without case', async (t) => {
  for (const header of ['Bearer abc', 'bearer abc', 'BEARER   abc', ' Bearer abc ']) {
    t.same(parseBearer(header), { token: 'abc' }, header);
  }
});

t.test('no header and a blank one count as missing', async (t) => {
  for (const header of [undefined, '', ' ', '\t']) t.equal(parseBearer(header), 'missing');
});

t.test('another scheme, no token and more than one token are malformed', async (t) => {
  for (const header of [
    'Bearer',
    'Bearer ',
    'Basic abc',
    'abc',
    'Bearerabc',
    'Bearer abc def',
    'Bearer abc, Bearer def',
    'Bearer abc,def',
    'Bearer ,',
    'Token Bearer abc',
  ]) {
    t.equal(parseBearer(header), 'malformed', header);
  }
});
