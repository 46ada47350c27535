import type { Config } from '../config.ts';
import type { Context } from '../context/context.ts';
import { createHttpProvisioner } from './provisioner-http.ts';
import { recordsProvisioner } from './provisioner-records.ts';
import { createThrottle } from './throttle.ts';
import { createWorker, type Worker } from './worker.ts';

/** Beside callers and without an endpoint the bound is how long a common commit may take: some milliseconds. */
const CONCURRENCY_BESIDE = 32;

/**
 * In a process of its own, where the mailer allows it, two full claims are under way while two are completed
 * (src/requests/completions.ts). As many mails go to Postmark at once, and none waits for another: a process has to end
 * within the time of one.
 */
const CONCURRENCY_ALONE = 256;

type WorkerConfig = Pick<Config, 'provisioner' | 'emailLogDays' | 'callLogDays' | 'auditDays'>;

/**
 * The worker as the environment asks for it: with the operator's endpoint, or on the records alone.
 * @param beside whether callers are served in the same process
 */
export const composeWorker = (
  { provisioner, emailLogDays, callLogDays, auditDays }: WorkerConfig,
  context: Context,
  { beside = false } = {},
): Worker => {
  const throttle = createThrottle({ clock: context.clock });
  return createWorker({
    ...(beside
      ? { context: { ...context, store: throttle.timed(context.store) }, yieldToCallers: throttle.yieldToCallers }
      : { context }),
    ...(provisioner
      ? { provisioner: createHttpProvisioner({ ...provisioner, clock: context.clock }) }
      : {
          provisioner: recordsProvisioner,
          concurrency: Math.min(
            beside ? CONCURRENCY_BESIDE : CONCURRENCY_ALONE,
            context.mailer.maxConcurrency ?? Number.POSITIVE_INFINITY,
          ),
        }),
    keptDays: { emails: emailLogDays, calls: callLogDays, audit: auditDays },
  });
};
