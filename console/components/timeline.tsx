import type { Child } from 'hono/jsx';
import { Timestamp } from './timestamp.tsx';

export interface Event {
  title: Child;
  date: string;
  /** Stands behind the age. */
  detail: Child;
  /** What somebody wrote. */
  note: string | null;
  tone?: 'good' | 'bad' | 'warn';
}

/** What happened, in the order given. */
export function Timeline({ events }: { events: Event[] }) {
  return (
    <ol class="timeline">
      {events.map(({ title, date, detail, note, tone }) => (
        <li class={tone}>
          <div>{title}</div>
          <div class="quiet">
            <Timestamp at={date} /> · {detail}
          </div>
          {note ? (
            <blockquote dir="auto" class="said">
              {note}
            </blockquote>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
