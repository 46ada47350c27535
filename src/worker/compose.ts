import type { Config } from '../config.ts';
import type { Context } from '../operations/context.ts';
import { createHttpProvisioner } from './provisioner-http.ts';
import { recordsProvisioner } from './provisioner-records.ts';
import { createWorker, type Worker } from './worker.ts';

/** The worker as the environment asks for it: with the operator's endpoint, or on the records alone. */
export const composeWorker = ({ provisioner, mail }: Pick<Config, 'provisioner' | 'mail'>, context: Context): Worker =>
  createWorker({
    context,
    provisioner: provisioner ? createHttpProvisioner({ ...provisioner, clock: context.clock }) : recordsProvisioner,
    emailLogDays: mail.logDays,
  });
