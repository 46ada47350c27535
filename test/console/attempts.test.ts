import t from 'tap';
import { createAttempts } from '../../console/plugins/attempts.ts';
import { createTestClock } from '../support/world.ts';

t.test(
  'attempts are counted for each name and over all, and a flood of names takes no more room than that',
  async (t) => {
    const clock = createTestClock();
    const attempts = createAttempts({ clock, windowMs: 60_000, perName: 2, total: 12_000 });
    t.strictSame(
      [1, 2, 3].map(() => attempts.take('a')),
      [0, 0, 60],
    );
    const waits = Array.from({ length: 11_998 }, (_, name) => attempts.take(`name ${name}`));
    t.strictSame(new Set(waits), new Set([0]));
    t.equal(attempts.take('b'), 60, 'the whole is full');
    clock.advance(30_000);
    t.equal(attempts.take('b'), 30);
    clock.advance(30_000);
    t.equal(attempts.take('a'), 0, 'a window that has ended begins anew');
  },
);
