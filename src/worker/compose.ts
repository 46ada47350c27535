import type { Config } from '../config.ts';
import type { Context } from '../context/context.ts';
import { createCourtesy } from './courtesy.ts';
import { createHttpProvisioner } from './provisioner-http.ts';
import { recordsProvisioner } from './provisioner-records.ts';
import { createWorker, type Worker } from './worker.ts';

/**
 * No endpoint is asked, so the only bound is how long a commit that they share may take. Beside callers some milliseconds;
 * a worker of its own does half as many requests again in a second with a claim under way while others are completed.
 */
const CONCURRENCY_ON_RECORDS = { beside: 32, alone: 128 };

/**
 * The worker as the environment asks for it: with the operator's endpoint, or on the records alone.
 * @param beside whether callers are served in the same process
 */
export const composeWorker = (
  { provisioner, mail, callLogDays, auditDays }: Pick<Config, 'provisioner' | 'mail' | 'callLogDays' | 'auditDays'>,
  context: Context,
  { beside = false } = {},
): Worker => {
  const courtesy = createCourtesy({ clock: context.clock });
  return createWorker({
    ...(beside
      ? { context: { ...context, store: courtesy.timed(context.store) }, giveWay: courtesy.giveWay }
      : { context }),
    ...(provisioner
      ? { provisioner: createHttpProvisioner({ ...provisioner, clock: context.clock }) }
      : {
          provisioner: recordsProvisioner,
          concurrency: beside ? CONCURRENCY_ON_RECORDS.beside : CONCURRENCY_ON_RECORDS.alone,
        }),
    keptDays: { emails: mail.logDays, calls: callLogDays, audit: auditDays },
  });
};
