import fc from 'fast-check';
import t from 'tap';
import { asStoredNumber, parseServiceNumber } from '../../src/rules/service-number.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

t.test('every integer of int64 is read exactly, with any number of leading zeros', async (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), fc.nat(50), (value, zeros) => {
      const digits = (value < 0n ? -value : value).toString();
      return parseServiceNumber(`${value < 0n ? '-' : ''}${'0'.repeat(zeros)}${digits}`) === value;
    }),
  );
  t.equal(parseServiceNumber('9223372036854775807'), INT64_MAX);
  t.equal(parseServiceNumber('-9223372036854775808'), INT64_MIN);
  t.equal(parseServiceNumber('0'), 0n);
  t.equal(parseServiceNumber('-0'), 0n);
  t.equal(parseServiceNumber('0'.repeat(1000)), 0n);
  t.equal(parseServiceNumber(`${'0'.repeat(999)}7`), 7n);
});

t.test('whatever is beyond int64 is not read', async (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: INT64_MAX + 1n, max: 2n ** 200n }), (value) => {
      return parseServiceNumber(`${value}`) === undefined && parseServiceNumber(`${-value - 1n}`) === undefined;
    }),
  );
  t.equal(parseServiceNumber('9223372036854775808'), undefined);
  t.equal(parseServiceNumber('-9223372036854775809'), undefined);
  t.equal(parseServiceNumber('9'.repeat(1000)), undefined);
});

t.test('whatever is not written in plain ASCII digits is not read', async (t) => {
  const texts = ['', '-', '--1', '+1', '1.0', '1e3', '0x10', '0b1', '1n', '1_000', ' 1', '1 ', '1\n', '- 1', '−1'];
  for (const text of [...texts, '١٢٣', '１２', 'NaN', 'Infinity', 'abc', `${'0'.repeat(999)}x`]) {
    t.equal(parseServiceNumber(text), undefined, JSON.stringify(text));
  }
});

t.test('no value is rounded to a number that another service has', async (t) => {
  t.equal(asStoredNumber(1n), 1);
  t.equal(asStoredNumber(9007199254740991n), 9007199254740991);
  for (const value of [0n, -1n, 9007199254740992n, 9007199254740993n, INT64_MAX, INT64_MIN]) {
    t.equal(asStoredNumber(value), undefined, `${value}`);
  }
});
