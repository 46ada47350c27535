import { type Config, isLoopback } from '../config.ts';
import { fail } from '../errors.ts';
import type { RecordsKeeper } from '../history/keeper.ts';
import type { Context, CredentialsSource, MachineSource, Provisioner } from '../ports.ts';
import { createHttpCredentials } from './credentials-http.ts';
import type { DueSignal } from './due-signal.ts';
import { createHttpMachines } from './machines-http.ts';
import { createHttpProvisioner, type HttpProvisionerOptions } from './provisioner-http.ts';
import { type ObserveCall, watchProvisioner } from './provisioner-state.ts';
import { createWorker, type Worker } from './worker.ts';

/** In a process that also serves callers, the limit is how long a shared commit may take: some milliseconds. */
const CONCURRENCY_BESIDE = 32;

/**
 * In a process of its own and without SMTP. As many mails go to Postmark concurrently. No mail waits for another one,
 * because the process has to stop within the timeout of a single mail.
 */
const CONCURRENCY_ALONE = 64;

/** The provisioner of an installation without an endpoint: only the records change. */
export const recordsProvisioner: Provisioner = { fulfil: async () => ({ outcome: 'done' }) };

/** On SQLite a process of its own learns of another one's commits by looking, which costs some microseconds. */
const SQLITE_POLL_MS = 50;

const COPY_RETRY_SECONDS = 60;

type WorkerConfig = Pick<Config, 'database' | 'provisioner' | 'emailLogDays' | 'callLogDays' | 'auditDays'>;

/**
 * Makes the worker by the configuration: with the operator's endpoint, or changing the records only.
 * @param options `beside`: whether this process also serves callers, so that the worker has to yield to them; `due`: what
 *   wakes it; `observe`: is told of each call to the provisioner
 */
export const composeWorker = (
  { database, provisioner, emailLogDays, callLogDays, auditDays }: WorkerConfig,
  context: Context,
  { beside = false, due, observe }: { beside?: boolean; due?: DueSignal; observe?: ObserveCall | undefined } = {},
): Worker =>
  createWorker({
    context: { ...context, machines: context.machines ?? composeMachines({ provisioner }, context) },
    besideCallers: beside,
    due,
    ...(database.kind === 'sqlite' && !beside && { idleMs: SQLITE_POLL_MS }),
    ...(provisioner
      ? watchedEndpoint({ ...provisioner, clock: context.clock, log: context.log }, context, observe)
      : {
          provisioner: recordsProvisioner,
          concurrency: Math.min(
            beside ? CONCURRENCY_BESIDE : CONCURRENCY_ALONE,
            context.mailer.maxConcurrency ?? Number.POSITIVE_INFINITY,
          ),
        }),
    keptDays: { emails: emailLogDays, calls: callLogDays, audit: auditDays },
  });

function watchedEndpoint(
  endpoint: HttpProvisionerOptions,
  { store, clock }: Context,
  observe: ObserveCall | undefined,
) {
  const { provisioner, record } = watchProvisioner(createHttpProvisioner(endpoint), { store, clock, observe });
  return { provisioner, recordCalls: record };
}

/** The source of machines: the operator's endpoint. */
export const composeMachines = (
  { provisioner }: Pick<Config, 'provisioner'>,
  { clock, log }: Pick<Context, 'clock' | 'log'>,
): MachineSource | undefined => provisioner && createHttpMachines({ ...provisioner, clock, log });

/**
 * The source of credentials: the operator's endpoint, where the connection is encrypted or does not leave
 * this machine (contract, section 12.7).
 */
export function composeCredentials(
  { provisioner }: Pick<Config, 'provisioner'>,
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  recordsKeeper?: Pick<RecordsKeeper, 'info'>,
): CredentialsSource | undefined {
  if (!provisioner) return undefined;
  const { protocol, hostname } = new URL(provisioner.url);
  if (protocol !== 'https:' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))) return undefined;
  const source = createHttpCredentials({ ...provisioner, clock, log });
  return {
    async read(caller, question) {
      // A copy for trying asks the provisioner nothing at all (contract, section 15.5).
      if (recordsKeeper?.info().holding === 'copy') throw fail.unavailable(COPY_RETRY_SECONDS, 'a copy for trying');
      return source.read(caller, question);
    },
  };
}
