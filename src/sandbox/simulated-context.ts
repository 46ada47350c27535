import type { Clock } from '../clock.ts';
import type { Context } from '../context/context.ts';
import type { NewId } from '../ids.ts';
import { type Mailer, MailFailure, type TemplateRenderer } from '../ports.ts';
import type { RecipientRow } from '../store/brokers.ts';
import type { Store } from '../store/store.ts';
import { CREATED_NUMBER, type Fault } from './seed-data.ts';

/** What is particular to one call: for warnings what goes wrong on purpose, for reports the broker's verified list. */
export interface Circumstances {
  fault?: Fault | undefined;
  recipients?: RecipientRow[];
}

/** What operations work with here: the fleet's records, a mailer that sends nothing, and the faults of this call. */
export const simulatedContext = (
  fleet: Store,
  circumstances: Circumstances,
  parts: { templates: TemplateRenderer; clock: Clock; newId: NewId },
): Context => ({
  ...parts,
  store: withFaults(fleet, circumstances),
  mailer: (circumstances.fault && FAILING_MAILERS[circumstances.fault]) ?? silentMailer,
  log: { error() {}, warn() {} },
});

const silentMailer: Mailer = { maxMessageBytes: 10_000_000, send: async () => ({ messageId: 'simulated' }) };

const failingMailer = (failure: () => MailFailure): Mailer => ({
  ...silentMailer,
  send: () => Promise.reject(failure()),
});

const FAILING_MAILERS: Partial<Record<Fault, Mailer>> = {
  mail_fails: failingMailer(
    () => new MailFailure('rejected', 'the simulated provider refuses', { providerCode: '406' }),
  ),
  mail_unknown: failingMailer(() => new MailFailure('outcome_unknown', 'the simulated provider does not answer')),
};

function withFaults(fleet: Store, { fault, recipients }: Circumstances): Store {
  const { templates, brokers } = fleet.read;
  return {
    ...fleet,
    read: {
      ...fleet.read,
      templates: fault === 'no_template' ? { ...templates, findActive: async () => null } : templates,
      brokers: recipients ? { ...brokers, listRecipients: async () => recipients } : brokers,
    },
    tx: (work) =>
      fleet.tx((tx) =>
        work({
          ...tx,
          requests: fault === 'history_fails' ? { ...tx.requests, insert: refuseHistory } : tx.requests,
          sequences: { ...tx.sequences, nextServiceNumber: async () => CREATED_NUMBER },
        }),
      ),
  };
}

const refuseHistory = async () => {
  throw new Error('the sandbox was asked for this');
};
