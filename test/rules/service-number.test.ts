import fc from 'fast-check';
import t from 'tap';
import { NO_SERVICE, parseServiceNumber } from '../../src/rules/service-number.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Where services are numbered; every other integer of int64 is read as no service's. */
const read = (value: bigint) => (value >= 1n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : NO_SERVICE);

t.test(
  'every integer of int64 is read, with any number of leading zeros, and exactly where it can be a service',
  async (t) => {
    fc.assert(
      fc.property(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), fc.nat(50), (value, zeros) => {
        const digits = (value < 0n ? -value : value).toString();
        return parseServiceNumber(`${value < 0n ? '-' : ''}${'0'.repeat(zeros)}${digits}`) === read(value);
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) }), (value) => {
        return parseServiceNumber(`${value}`) === Number(value);
      }),
    );
    t.equal(parseServiceNumber('9223372036854775807'), NO_SERVICE);
    t.equal(parseServiceNumber('-9223372036854775808'), NO_SERVICE);
    t.equal(parseServiceNumber('0'), NO_SERVICE);
    t.equal(parseServiceNumber('-0'), NO_SERVICE);
    t.equal(parseServiceNumber('0'.repeat(1000)), NO_SERVICE);
    t.equal(parseServiceNumber(`${'0'.repeat(999)}7`), 7);
  },
);

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
  t.equal(parseServiceNumber('1'), 1);
  t.equal(parseServiceNumber('9007199254740991'), 9007199254740991);
  for (const value of [0n, -1n, 9007199254740992n, 9007199254740993n, INT64_MAX, INT64_MIN]) {
    t.equal(parseServiceNumber(`${value}`), NO_SERVICE, `${value}`);
  }
});
