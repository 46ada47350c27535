import { parentPort, workerData } from 'node:worker_threads';
import { composeParts } from '../../compose.ts';
import { systemClock } from '../../runtime/clock.ts';
import { type ImportMessage, type ImportThreadData, runImport } from './run.ts';

/* What the thread of an import does: one task, on a connection to the database of its own. */

/** Progress is sent this often at most: the page polls once a second. */
const REPORT_EVERY_MS = 250;

const { config, task } = workerData as ImportThreadData;
const report = (message: ImportMessage) => parentPort?.postMessage(message);
const parts = await composeParts(config, () => undefined, { isCommand: true, migrating: 'never' });
try {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const outcome = await runImport(parts, task, (done, total) => {
    const now = systemClock.monotonic();
    /* c8 ignore next -- whether batches come faster than that depends on the machine */
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    report({ done, total });
  });
  report(outcome);
} finally {
  await parts.close();
}
