import t from 'tap';
import { amountsApart } from '../../console/components/amounts.ts';
import { PlanChange } from '../../console/components/change.tsx';
import { Pager } from '../../console/components/pager.tsx';
import { age, span, Time } from '../../console/components/timestamp.tsx';
import { type View, ViewContext } from '../../console/components/view.ts';
import { MAX_COOKIE_LENGTH } from '../../console/http/cookies.ts';
import { flashCookie, readFlash } from '../../console/http/flash.ts';
import { browserOf } from '../../console/pages/sessions.tsx';
import { COUNTED_MOST, countedPage, windowOf } from '../../src/operator/use-case/pages.ts';

t.test('an age is said in the largest unit that says enough, before and after', async (t) => {
  const day = 86_400;
  const said = [0, 59, 60, 3599, 3600, day - 1, day, 2 * day, 60 * day, 61 * day, 400 * day, 731 * day, 1100 * day];
  t.strictSame(said.map(span), [
    '0 s',
    '59 s',
    '1 min',
    '59 min',
    '1 h',
    '23 h',
    '24 h',
    '2 days',
    '60 days',
    '2 months',
    '13 months',
    '2 years',
    '3 years',
  ]);
  t.strictSame([age(0, 999), age(0, 5000), age(5000, 0)], ['now', '5 s ago', 'in 5 s']);
  t.throws(() => String(<Time at="2030-01-15T12:00:00.000Z" />), /outside/, 'no part stands outside of a page');
});

t.test('two amounts’ difference is exact, whatever their decimals', async (t) => {
  t.strictSame(amountsApart('36.00', '129.00'), { text: '+93.00', more: true });
  t.strictSame(amountsApart('0.1', '0.30'), { text: '+0.20', more: true });
  t.strictSame(amountsApart('129', '36.005'), { text: '−92.995', more: false });
  t.strictSame(amountsApart('10', '9'), { text: '−1', more: false });
  t.equal(amountsApart('9.90', '9.9'), undefined);
  t.strictSame(amountsApart('9007199254740992', '9007199254740993.00'), { text: '+1.00', more: true });
});

const plan = (fields: object) => ({
  id: 'pln_1',
  slug: 'a',
  display_name: 'A',
  upgrade_rank: 1,
  billing_type: 'monthly' as const,
  description: null,
  requires_operator_review: false,
  specifications: null,
  price: null,
  ...fields,
});

t.test('a change names what is more and what is less, and leaves out what neither plan has', async (t) => {
  const small = plan({ specifications: { vcpu: 2, memory_mb: 2048, disk_gb: 40, transfer_gb: null } });
  const text = (element: unknown) =>
    String(element)
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
  const less = plan({
    display_name: 'B',
    billing_type: 'hourly',
    price: { amount: '0.01', currency: 'EUR' },
    specifications: { vcpu: 1, memory_mb: 512, disk_gb: null, transfer_gb: null },
  });
  t.match(
    text(<PlanChange from={small} to={less} />),
    /Plan A B vCPU 2 1 −1 Memory 2 GB 512 MB −1,536 MB Disk 40 GB – Price an hour – 0\.01 EUR/,
  );
  t.notMatch(text(<PlanChange from={small} to={less} />), /Transfer/);
  t.match(text(<PlanChange from={null} to={small} />), /Then Plan A vCPU 2 Memory 2 GB Disk 40 GB $/);
});

t.test('a browser is known by the most particular of its names', async (t) => {
  const names: Array<[string | null, string]> = [
    [null, 'unknown'],
    ['curl/8', 'curl/8'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605.1 Version/18 Safari/605.1', 'Safari on macOS'],
  ];
  for (const [given, name] of names) t.equal(browserOf(given), name);
});

t.test('what a browser kept of a sentence is that sentence or nothing', async (t) => {
  const kept = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const long = (character: string) => flashCookie({ tone: 'bad', text: character.repeat(400) });
  t.strictSame(readFlash(long('x')), { tone: 'bad', text: `${'x'.repeat(300)}…` });
  t.match(readFlash(long('😀')), { tone: 'bad', text: /^😀{50,}…$/u });
  t.ok(long('😀').length <= MAX_COOKIE_LENGTH, 'a cookie holds it');
  for (const value of [null, 5, {}, { tone: 'loud', text: 'x' }, { tone: 'good', text: 5 }])
    t.equal(readFlash(kept(value)), null);
  t.equal(readFlash('no JSON'), null);
});

t.test('where no counter knows how long a list is, its pages say that there is more, and what to do', async (t) => {
  const at = (page: number, counted: number) => {
    const { pagination } = countedPage(windowOf({ page, perPage: 100 }), counted);
    const view = { url: '/audit' } as View;
    const pager = (
      <ViewContext.Provider value={view}>
        <Pager pagination={pagination} noun="records" />
      </ViewContext.Provider>
    );
    return String(pager);
  };
  t.match(at(1, COUNTED_MOST + 1), /1 to 100 of more than 10,000 records/);
  t.match(at(101, COUNTED_MOST + 1), /There are more than 10,000 records: narrow them down to see these/);
  t.match(at(101, COUNTED_MOST), /Nothing here: there are 10,000 records/);
});

t.test('a page of a list has a number from 1 to 100,000', async (t) => {
  t.strictSame(windowOf({}), { limit: 50, offset: 0 });
  t.strictSame(windowOf({ page: 3, perPage: 100 }), { limit: 100, offset: 200 });
  for (const page of [0, 1.5, 100_001, Number.NaN]) t.throws(() => windowOf({ page }), /page: must be/);
});
