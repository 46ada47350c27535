import { useView } from './view.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.44 * DAY;
const YEAR = 365.25 * DAY;

/** A duration in its largest useful unit: "4 s", "2 min", "47 h", "2 days", "14 months", "3 years". */
export function span(seconds: number): string {
  if (seconds < MINUTE) return `${Math.floor(seconds)} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h`;
  if (seconds < 2 * MONTH) return counted(Math.floor(seconds / DAY), 'day');
  if (seconds < 2 * YEAR) return counted(Math.floor(seconds / MONTH), 'month');
  return counted(Math.floor(seconds / YEAR), 'year');
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** "2 min ago", "in 3 days", "now". */
export function age(atMs: number, nowMs: number): string {
  const seconds = (nowMs - atMs) / 1000;
  if (Math.abs(seconds) < 1) return 'now';
  return seconds < 0 ? `in ${span(-seconds)}` : `${span(seconds)} ago`;
}

/** 2030-01-15 12:00:00 UTC */
export const exact = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** 2030-01-15 12:00 UTC */
export const toTheMinute = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** A timestamp as its age; the exact time shows on hover. `never` is shown for null. */
export function Time({ at, never = '–' }: { at: string | null; never?: string }) {
  const { now } = useView();
  if (at === null) return <span class="quiet">{never}</span>;
  return (
    <time datetime={at} title={exact(at)} data-age>
      {age(Date.parse(at), now)}
    </time>
  );
}

/** A timestamp to the minute: for what is compared with others. */
export const Minute = ({ at }: { at: string }) => (
  <time datetime={at} title={exact(at)}>
    {toTheMinute(at)}
  </time>
);

/** A timestamp as its day and its age. */
export function Day({ at, never = '–' }: { at: string | null; never?: string }) {
  const { now } = useView();
  if (at === null) return <span class="quiet">{never}</span>;
  return (
    <span class="line" title={exact(at)}>
      {at.slice(0, 10)}{' '}
      <time datetime={at} class="quiet" data-age>
        {age(Date.parse(at), now)}
      </time>
    </span>
  );
}
