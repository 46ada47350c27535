import fc from 'fast-check';
import t from 'tap';
import { isoTimestamp, lastChangeAt, parseTimestamp, secondsUntil } from '../../src/rules/timestamps.ts';

const EARLIEST = '0000-01-01T00:00:00.000Z';
const LATEST = '9999-12-31T23:59:59.999Z';

t.test('every timestamp that is shown is read back', async () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.parse(EARLIEST), max: Date.parse(LATEST) }), (ms) => {
      return parseTimestamp(isoTimestamp(ms)) === ms;
    }),
  );
});

t.test('a timestamp is shown as the calendar of the platform has it, however many days are shown', async (t) => {
  const MOST = 8_640_000_000_000_000;
  fc.assert(
    fc.property(fc.integer({ min: -MOST, max: MOST }), (ms) => isoTimestamp(ms) === new Date(ms).toISOString()),
    { numRuns: 500 },
  );
  const shown = Array.from({ length: 2500 }, (_, index) => index * 39_999_999);
  t.strictSame(
    shown.map(isoTimestamp),
    shown.map((ms) => new Date(ms).toISOString()),
  );
  t.throws(() => isoTimestamp(Number.NaN), RangeError);
});

t.test('a timestamp is the same by any offset', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: -1439, max: 1439 }), (ms, minutes) => {
      const digits = (n: number) => String(n).padStart(2, '0');
      const ahead = Math.abs(minutes);
      const offset = `${minutes < 0 ? '-' : '+'}${digits(Math.floor(ahead / 60))}:${digits(ahead % 60)}`;
      return parseTimestamp(isoTimestamp(ms + minutes * 60_000).replace('Z', offset)) === ms;
    }),
  );
});

t.test('date-times and dates are read as RFC 3339 writes them', async (t) => {
  for (const [text, iso] of [
    ['2025-03-01', '2025-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2025-03-01T12:30:00Z', '2025-03-01T12:30:00.000Z'],
    ['2025-03-01t12:30:00z', '2025-03-01T12:30:00.000Z'],
    ['2025-03-01T00:30:00+01:00', '2025-02-28T23:30:00.000Z'],
    ['2025-03-01T00:30:00-05:30', '2025-03-01T06:00:00.000Z'],
    ['2025-03-01T00:00:00-00:00', '2025-03-01T00:00:00.000Z'],
    ['2025-03-01T12:30:00.5Z', '2025-03-01T12:30:00.500Z'],
    ['2025-03-01T12:30:00.9999999999Z', '2025-03-01T12:30:00.999Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['0000-01-01', EARLIEST],
    ['0050-01-01', '0050-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', LATEST],
  ] as const) {
    const ms = parseTimestamp(text);
    t.equal(ms === undefined ? undefined : isoTimestamp(ms), iso, text);
  }
});

t.test('what no calendar or clock has, and any other notation, is not read', async (t) => {
  for (const text of [
    '',
    'yesterday',
    '2025',
    '2025-03',
    '2025-3-1',
    '20250301',
    '2025-00-01',
    '2025-13-01',
    '2025-04-31',
    '2025-02-29',
    '1900-02-29',
    '2025-03-00',
    '2025-03-01T12:30:00',
    '2025-03-01T12:30Z',
    '2025-03-01 12:30:00Z',
    '2025-03-01T24:00:00Z',
    '2025-03-01T12:60:00Z',
    '2016-12-31T23:59:60Z',
    '2025-03-01T12:30:00.Z',
    '2025-03-01T12:30:00,5Z',
    '2025-03-01T12:30:00+24:00',
    '2025-03-01T12:30:00+01:60',
    '2025-03-01T12:30:00+0100',
    '2025-03-01T12:30:00 01:00',
    '2025-03-01Z',
    '+002025-03-01T00:00:00Z',
    '-0001-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '２０２５-03-01',
    ' 2025-03-01',
    '2025-03-01\n',
    '1740787200000',
  ]) {
    t.equal(parseTimestamp(text), undefined, JSON.stringify(text));
  }
});

t.test('a timestamp whose offset leads out of four-digit years is not read', async (t) => {
  t.equal(parseTimestamp('0000-01-01T00:00:00+00:01'), undefined);
  t.equal(parseTimestamp('9999-12-31T23:59:59-00:01'), undefined);
});

t.test('the wait for a date is a whole number of seconds that reaches it, 1 second to 1 hour', async (t) => {
  for (const [ms, seconds] of [
    [-5_000, 1],
    [0, 1],
    [1, 1],
    [1_001, 2],
    [3_599_001, 3600],
    [86_400_000, 3600],
  ] as const) {
    t.equal(secondsUntil(1_000_000 + ms, 1_000_000), seconds, `${ms} ms`);
  }
});

t.test('a change has the present as its date, and always a later one than the change before', async (t) => {
  t.equal(lastChangeAt(100, 200), 200);
  t.equal(lastChangeAt(200, 200), 201, 'within one millisecond');
  t.equal(lastChangeAt(300, 200), 301, 'while a clock is behind');
});
