import type { Config } from '../config.ts';
import type { Context } from '../context/context.ts';
import { createHttpProvisioner } from './provisioner-http.ts';
import { recordsProvisioner } from './provisioner-records.ts';
import { createThrottle } from './throttle.ts';
import { createWorker, type Worker } from './worker.ts';

/**
 * Without an endpoint to ask, the bound is how long a commit that they share may take, some milliseconds, and how many
 * mails there are at once: an SMTP server takes a connection for each, Postfix fifty from one address.
 */
const CONCURRENCY_ON_RECORDS = 32;

/**
 * In a process of its own, and without SMTP, two full claims are under way while two are completed
 * (src/requests/completions.ts). As many mails go to Postmark at once, and none waits for another: a process has to end
 * within the time of one.
 */
const CONCURRENCY_ALONE = 256;

/**
 * The worker as the environment asks for it: with the operator's endpoint, or on the records alone.
 * @param beside whether callers are served in the same process
 */
export const composeWorker = (
  { provisioner, mail, callLogDays, auditDays }: Pick<Config, 'provisioner' | 'mail' | 'callLogDays' | 'auditDays'>,
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
          concurrency: beside || mail.smtp ? CONCURRENCY_ON_RECORDS : CONCURRENCY_ALONE,
        }),
    keptDays: { emails: mail.logDays, calls: callLogDays, audit: auditDays },
  });
};
