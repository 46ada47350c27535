import t from 'tap';
import { createUsage } from '../../src/traffic/usage.ts';
import type { Buffer } from '../../src/traffic/write-behind.ts';

t.test('calls whose write failed are added to those that were counted meanwhile', async (t) => {
  let added: Buffer<{ calls: number; durations: number[] }> | undefined;
  const add = (buffer: unknown) => {
    added = buffer as typeof added;
  };
  createUsage({ add } as never, { now: () => 0, monotonic: () => 0 });
  t.match(added?.merge?.({ calls: 1, durations: [1, 0] }, { calls: 5, durations: [2, 3] }), {
    calls: 6,
    durations: [3, 3],
  });
});
