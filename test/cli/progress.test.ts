import t from 'tap';
import { progressBar } from '../../src/cli/progress.ts';

/** A terminal and a clock: what stands in the line after each step. */
function watch(watched = true) {
  let now = 0;
  let line = '';
  const io = {
    out: () => undefined,
    err: (text: string) => {
      line = text.replace('\r\u001b[K', '');
    },
    watched,
  };
  const bar = progressBar(io, { monotonic: () => now });
  return {
    bar,
    at(ms: number, done: number, total: number) {
      now = ms;
      bar?.(done, total);
      return line;
    },
  };
}

t.test('the bar shows how far the work is and, as soon as that can be estimated, what is left', async (t) => {
  const { at } = watch();
  t.equal(at(0, 0, 1000), '[------------------------] 0 %, 0 of 1000');
  t.equal(at(50, 40, 1000), '[------------------------] 0 %, 0 of 1000', 'too soon to draw again');
  t.equal(at(500, 100, 1000), '[##----------------------] 10 %, 100 of 1000');
  t.equal(at(10_000, 500, 1000), '[############------------] 50 %, 500 of 1000, 10 s left');
  t.equal(at(600_000, 500, 1000), '[############------------] 50 %, 500 of 1000, 10 min left');
  t.equal(at(9_000_000, 500, 1000), '[############------------] 50 %, 500 of 1000, 2 h 30 min left');
  t.equal(at(9_000_001, 1000, 1000), '', 'gone when the work is done');
});

t.test('there is none without a terminal', async (t) => {
  t.equal(watch(false).bar, undefined);
});
