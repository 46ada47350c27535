import t from 'tap';
import { BUCKETS, bucketOf, percentile } from '../../src/rules/histograms.ts';

const histogram = (durations: number[]): number[] => {
  const counts = new Array<number>(BUCKETS).fill(0);
  for (const ms of durations) counts[bucketOf(ms)] = (counts[bucketOf(ms)] as number) + 1;
  return counts;
};

t.test('every duration has a bucket, longer ones no earlier than shorter ones', async (t) => {
  const durations = [0, 0.05, 0.1, 0.11, 0.16, 0.17, 1, 10, 999, 10_000, 60_000, Number.POSITIVE_INFINITY];
  const buckets = durations.map(bucketOf);
  t.strictSame(
    buckets,
    buckets.toSorted((a, b) => a - b),
  );
  t.equal(buckets[0], 0);
  t.equal(buckets.at(-1), BUCKETS - 1);
});

t.test('what is read from the buckets lies within a factor of 1.6 of the truth', async (t) => {
  for (const typical of [0.3, 1, 7, 80, 900]) {
    const counts = histogram([...new Array(98).fill(typical), typical * 20, typical * 20]);
    const [half, most] = [percentile(counts, 0.5), percentile(counts, 0.98)] as [number, number];
    t.ok(half > typical / 1.6 && half < typical * 1.6, `${half} for ${typical}`);
    t.ok(most >= half && most < typical * 1.6);
    t.ok((percentile(counts, 0.99) as number) > typical * 5);
  }
});

t.test('nothing has no percentile, and of what took longest only the beginning is known', async (t) => {
  t.equal(percentile(histogram([]), 0.5), null);
  t.equal(percentile(histogram([0]), 0.5), 0.05);
  const longest = percentile(histogram([1e9]), 0.99) as number;
  t.ok(longest > 15_000 && longest < 25_000, `${longest}`);
});
