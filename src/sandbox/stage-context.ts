import type { Clock } from '../clock.ts';
import type { NewId } from '../ids.ts';
import { type Context, createContext } from '../operations/context.ts';
import { type Mailer, MailFailure, type TemplateRenderer } from '../operations/ports.ts';
import type { BrokerRow, RecipientRow } from '../store/brokers.ts';
import type { Store } from '../store/store.ts';
import { CREATED_NUMBER, type Fault } from './fleet.ts';

/** What is particular to one call: for warnings what goes wrong on purpose, for reports the broker's real addresses. */
export interface Scene {
  fault?: Fault | undefined;
  broker?: BrokerRow | null;
  recipients?: RecipientRow[];
}

export interface StageParts {
  templates: TemplateRenderer;
  clock: Clock;
  newId: NewId;
}

/** What operations work with on the stage: its records, a mailer that sends nothing, and the scene's faults. */
export const createStageContext = (staged: Store, scene: Scene, parts: StageParts): Context =>
  createContext({
    ...parts,
    store: withFaults(staged, scene),
    mailer: scene.fault === 'mail_fails' ? refusingMailer : silentMailer,
    log: { error() {}, warn() {} },
  });

const silentMailer: Mailer = { send: async () => ({ messageId: 'simulated' }) };

const refusingMailer: Mailer = {
  async send() {
    throw new MailFailure('rejected', 'the simulated provider refuses', { providerCode: 406 });
  },
};

function withFaults(staged: Store, { fault, broker, recipients }: Scene): Store {
  const { templates, brokers } = staged.read;
  return {
    ...staged,
    read: {
      ...staged.read,
      templates: fault === 'no_template' ? { ...templates, findActive: async () => null } : templates,
      brokers: {
        ...brokers,
        ...(broker && { find: async () => broker }),
        ...(recipients && { listRecipients: async () => recipients }),
      },
    },
    tx: (work) =>
      staged.tx((tx) =>
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
