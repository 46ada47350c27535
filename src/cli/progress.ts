import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Io } from './output.ts';

/** Called after each step of a long operation. */
export type OnStep = (done: number, total: number) => void;

const WIDTH = 24;
/** Often enough to look alive, and too seldom to cost anything. */
const REDRAW_MS = 100;
/** Before this, what is left can only be guessed. */
const FIRST_ESTIMATE_MS = 1_000;

/** One bar on the terminal, with the time left; undefined without a terminal. It is removed at the end. */
export function progressBar(io: Io, clock: Pick<Clock, 'monotonic'> = systemClock): OnStep | undefined {
  if (!io.watched) return undefined;
  const startedAt = clock.monotonic();
  let drawnAt = Number.NEGATIVE_INFINITY;
  return (done, total) => {
    const now = clock.monotonic();
    if (done >= total) return io.err(CLEAR_LINE);
    if (now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    const full = Math.floor((done * WIDTH) / total);
    const bar = '#'.repeat(full).padEnd(WIDTH, '-');
    const elapsed = now - startedAt;
    const left = elapsed < FIRST_ESTIMATE_MS || done === 0 ? '' : `, ${span((elapsed * (total - done)) / done)} left`;
    io.err(`${CLEAR_LINE}[${bar}] ${Math.floor((done * 100) / total)} %, ${done} of ${total}${left}`);
  };
}

/** Back to the beginning of the line, which is emptied. */
export const CLEAR_LINE = '\r\u001b[K';

/** A length of time in its two largest units at most. */
function span(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
