import type { Config } from '../config.ts';
import type { Context, Provisioner } from '../ports.ts';
import { createHttpProvisioner } from './provisioner-http.ts';
import { createWorker, type Worker } from './worker.ts';

/** In a process that also serves callers, the limit is how long a shared commit may take: some milliseconds. */
export const CONCURRENCY_BESIDE = 32;

/**
 * In a process of its own and without SMTP. As many mails go to Postmark concurrently. No mail waits for another one,
 * because the process has to stop within the timeout of a single mail.
 */
export const CONCURRENCY_ALONE = 64;

/** The provisioner of an installation without an endpoint: only the records change. */
export const recordsProvisioner: Provisioner = { fulfil: async () => ({ outcome: 'done' }) };

type WorkerConfig = Pick<Config, 'provisioner' | 'emailLogDays' | 'callLogDays' | 'auditDays'>;

/**
 * Makes the worker by the configuration: with the operator's endpoint, or changing the records only.
 * @param options `beside`: whether this process also serves callers, so that the worker has to yield to them
 */
export const composeWorker = (
  { provisioner, emailLogDays, callLogDays, auditDays }: WorkerConfig,
  context: Context,
  { beside = false } = {},
): Worker =>
  createWorker({
    context,
    besideCallers: beside,
    ...(provisioner
      ? { provisioner: createHttpProvisioner({ ...provisioner, clock: context.clock, log: context.log }) }
      : {
          provisioner: recordsProvisioner,
          concurrency: Math.min(
            beside ? CONCURRENCY_BESIDE : CONCURRENCY_ALONE,
            context.mailer.maxConcurrency ?? Number.POSITIVE_INFINITY,
          ),
        }),
    keptDays: { emails: emailLogDays, calls: callLogDays, audit: auditDays },
  });
