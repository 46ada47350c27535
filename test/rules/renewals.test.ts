import fc from 'fast-check';
import t from 'tap';
import { anchorOf, NO_RENEWAL, nextRenewal, renewalAsOf, renewalOf } from '../../src/rules/renewals.ts';
import { isEnded, SERVICE_STATUSES } from '../../src/rules/words.ts';

/** A calendar of its own, without the platform's: days of months by the Gregorian rule, counted out one by one. */
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number) =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] as number;
const DAY = 86_400_000;

function atNoon(year: number, month: number, day: number, ms = 0): number {
  let days = 0;
  for (let y = 1970; y < year; y += 1) days += isLeap(y) ? 366 : 365;
  for (let m = 0; m < month; m += 1) days += daysIn(year, m);
  return (days + day - 1) * DAY + ms;
}

/** The dates of a term that was given once: as many as are asked for, month by month. */
function* terms(year: number, month: number, day: number, ms: number) {
  for (let index = month; ; index += 1) {
    const [y, m] = [year + Math.floor(index / 12), index % 12];
    yield atNoon(y, m, Math.min(day, daysIn(y, m)), ms);
  }
}

const date = fc
  .record({ year: fc.integer({ min: 1970, max: 2420 }), month: fc.nat(11), day: fc.integer({ min: 1, max: 31 }) })
  .filter(({ year, month, day }) => day <= daysIn(year, month));
const ofDay = fc.oneof(fc.constantFrom(0, 1, DAY - 1), fc.nat(DAY - 1));

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const from = (text: string) => Date.parse(text);

t.test('a date that was given once rolls as a plain calendar counts, from every moment on', async (t) => {
  fc.assert(
    fc.property(date, ofDay, fc.nat(30), fc.integer({ min: -1, max: 1 }), ({ year, month, day }, ms, months, shift) => {
      const calendar = terms(year, month, day, ms);
      const given = calendar.next().value as number;
      let last = given;
      for (let index = 0; index < months; index += 1) last = calendar.next().value as number;
      const next = calendar.next().value as number;
      // At the moment itself the next term runs already; a millisecond before, not yet.
      const now = shift < 0 ? last : shift > 0 ? next - 1 : Math.floor((last + next) / 2);
      return nextRenewal(anchorOf(given), now) === next;
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

t.test('the end of January rolls over February, over leap years and over the end of the year', async (t) => {
  const rolled = (given: string, count: number) => {
    const dates = [from(given)];
    while (dates.length <= count) dates.push(nextRenewal(anchorOf(from(given)), dates.at(-1) as number));
    return dates.map(iso);
  };
  t.strictSame(rolled('2031-01-31', 3), ['2031-01-31', '2031-02-28', '2031-03-31', '2031-04-30']);
  t.strictSame(rolled('2032-01-31', 2), ['2032-01-31', '2032-02-29', '2032-03-31']);
  t.strictSame(rolled('2032-02-29', 13).at(-1), '2033-03-29');
  t.strictSame(rolled('2100-01-29', 1), ['2100-01-29', '2100-02-28'], 'no leap year');
  t.strictSame(rolled('2030-11-30', 3), ['2030-11-30', '2030-12-30', '2031-01-30', '2031-02-28']);
});

t.test(
  'what goes on renews in the future and never before the date that was given; what ended keeps its last',
  async (t) => {
    const dateTime = fc.tuple(date, ofDay).map(([{ year, month, day }, ms]) => atNoon(year, month, day, ms));
    fc.assert(
      fc.property(dateTime, dateTime, fc.constantFrom(...SERVICE_STATUSES), (given, now, status) => {
        const stored = { status, renewalAt: given, renewalAnchor: anchorOf(given) };
        const shown = renewalAsOf(stored, now) as number;
        if (isEnded(status)) return shown === given;
        // What a worker has moved on rolls like what none has touched.
        const moved = renewalAsOf({ ...stored, renewalAt: shown }, now + 40 * DAY);
        return shown > now && shown >= given && moved === renewalAsOf(stored, now + 40 * DAY);
      }),
    );
    t.equal(renewalAsOf({ status: 'active', ...NO_RENEWAL }, 5), null);
  },
);

t.test(
  'a service that is written anew renews as given, else as it stood, else counted from its creation',
  async (t) => {
    const now = from('2031-05-10');
    const monthly = { billingType: 'monthly', status: 'active', createdAt: from('2031-01-31T10:00:00Z') } as const;
    const dateOf = ({ renewalAt }: { renewalAt: number | null }) => renewalAt && new Date(renewalAt).toISOString();
    const before = {
      status: 'active',
      renewalAt: from('2031-04-20'),
      renewalAnchor: anchorOf(from('2031-04-20')),
    } as const;

    t.equal(dateOf(renewalOf(monthly, { now })), '2031-05-31T10:00:00.000Z');
    t.equal(
      dateOf(renewalOf(monthly, { given: null, before: { status: 'active', ...NO_RENEWAL }, now })),
      '2031-05-31T10:00:00.000Z',
    );
    t.equal(
      dateOf(renewalOf({ ...monthly, createdAt: from('2031-12-31') }, { now })),
      '2032-01-31T00:00:00.000Z',
      'created ahead',
    );
    t.equal(dateOf(renewalOf(monthly, { before, now })), '2031-05-20T00:00:00.000Z');
    t.equal(dateOf(renewalOf(monthly, { given: from('2035-02-01'), before, now })), '2035-02-01T00:00:00.000Z');
    t.equal(dateOf(renewalOf(monthly, { given: from('2030-12-31'), before, now })), '2031-05-31T00:00:00.000Z');

    const ended = { ...monthly, status: 'cancelled' } as const;
    t.strictSame(renewalOf(ended, { now }), NO_RENEWAL);
    t.equal(dateOf(renewalOf(ended, { given: from('2030-12-31'), now })), '2030-12-31T00:00:00.000Z');
    t.equal(dateOf(renewalOf(ended, { before, now })), '2031-05-20T00:00:00.000Z', 'what readers saw last');
    t.equal(
      dateOf(renewalOf(monthly, { before: { ...before, status: 'cancelled' }, now })),
      '2031-05-20T00:00:00.000Z',
    );
    t.strictSame(
      renewalOf({ ...monthly, billingType: 'hourly' }, { given: from('2035-02-01'), before, now }),
      NO_RENEWAL,
    );
  },
);

t.test('at the very moment of its renewal a service shows the next date', async (t) => {
  const renewalAt = from('2030-01-31');
  const service = { status: 'active', renewalAt, renewalAnchor: anchorOf(renewalAt) } as const;
  t.equal(iso(Number(renewalAsOf(service, renewalAt - 1))), '2030-01-31');
  t.equal(iso(Number(renewalAsOf(service, renewalAt))), '2030-02-28');
});
