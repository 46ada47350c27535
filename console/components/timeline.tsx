import type { Child } from 'hono/jsx';
import type { Tone } from './badge.tsx';
import { Time } from './timestamp.tsx';

export interface Event {
  title: Child;
  date: string;
  detail: Child;
  /** A text by an operator, a broker or a client. */
  note: string | null;
  tone?: Tone;
}

/** Events in the order given. */
export function Timeline({ events }: { events: Event[] }) {
  return (
    <ol class="timeline">
      {events.map(({ title, date, detail, note, tone }) => (
        <li class={tone}>
          <div>{title}</div>
          <div class="quiet">
            <Time at={date} /> · {detail}
          </div>
          {note ? (
            <blockquote dir="auto" class="quote">
              {note}
            </blockquote>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
