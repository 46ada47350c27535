import { number } from '../components/card.tsx';
import { Problem } from '../http/problem.ts';

/** An import or removal that runs. */
export interface Job {
  /** Who started it. */
  email: string;
  title: string;
  done: number;
  total: number;
  /** For an import that the operator's API does: this process does one after the other. */
  waits: boolean;
}

/** Imports and removals: one at a time in this process. Nothing is kept of one that has ended. */
export class Jobs {
  current: Job | undefined;
  private readonly closing = new AbortController();

  /** Resolves as `work` does. Throws a `Problem` while another job runs, and where the server stops the work. */
  async run<T>(email: string, title: string, work: (job: Job, signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.current) throw busy(this.current);
    const job = { email, title, done: 0, total: 0, waits: false };
    this.current = job;
    try {
      return await work(job, this.closing.signal);
    } catch (error) {
      throw this.closing.signal.aborted ? STOPPED : error;
    } finally {
      this.current = undefined;
    }
  }

  /** Stops a running import, which then imports nothing. */
  close(): void {
    this.closing.abort();
  }
}

const NEXT = { to: '/imports', label: 'Back to the imports' };
const busy = ({ email, title }: Job) =>
  new Problem(429, 'Busy', `One file is read at a time. ${email}: ${title}. Try again in a moment.`, NEXT, 10);
const STOPPED = new Problem(
  503,
  'The console is restarting',
  'The import was stopped; “Earlier imports” shows whether it was completed.',
  NEXT,
  5,
);

/** The progress of the job. With scripts it appears a second after a form of the page was sent, and follows the job. */
export function Running({ job }: { job: Job | undefined }) {
  return (
    <div
      id="running"
      hx-get="/imports/running"
      hx-trigger={job ? 'every 1s' : 'submit from:body delay:1s'}
      hx-swap="outerHTML"
    >
      {job ? (
        <div class="card">
          <p role="status">
            {job.title} <span class="quiet">({job.email})</span>
          </p>
          <progress
            aria-label={job.title}
            value={job.total > 0 ? job.done : undefined}
            max={job.total || undefined}
          ></progress>
          {job.waits ? <p class="quiet">Waits for an import of the operator’s API to end.</p> : null}
          {job.total > 0 ? (
            <p class="quiet">
              {number(job.done)} of {number(job.total)}
            </p>
          ) : null}
          <p class="scriptless">
            <a href="/imports">Show the progress</a>
          </p>
        </div>
      ) : null}
    </div>
  );
}
