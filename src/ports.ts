import type { ReasonOf } from './errors.ts';
import type { RequestType } from './kinds/index.ts';
import type { SlotOwner } from './limits/slot-queue.ts';
import type { PlanRecord, ServiceRecord } from './records.ts';
import type { Access } from './rules/access.ts';
import type { PlanOffer } from './rules/offers.ts';
import type { Configuration } from './rules/options.ts';
import type { CancellationType } from './rules/words.ts';
import type { Clock } from './runtime/clock.ts';
import type { NewId } from './runtime/ids.ts';
import type { Store } from './store/store.ts';

/** The external services that the operations use. Implementations are injected at start-up. */

export interface MailAttachment {
  name: string;
  contentType: string;
  content: Buffer;
}

export interface MailMessage {
  /** The id of the email log's entry; travels along as metadata so that both sides can be compared. */
  id: string;
  /** Exactly one mailbox, like `to`. */
  from: string;
  /** The sender's name as people read it. */
  fromName: string;
  to: string;
  subject: string;
  html?: string;
  text: string;
  attachments?: MailAttachment[];
}

export interface MailReceipt {
  /** The provider's id of the accepted message, or the name of the file in the outbox folder. */
  messageId: string;
}

/**
 * Sends one message to the provider, once. Resolves only when the provider has confirmed in full that it accepted it.
 * Rejects with a `MailFailure` in every other case, a stalled provider included; never retries.
 */
export interface Mailer {
  /** The largest message that the provider takes, with headers and encoded attachments. */
  readonly maxMessageBytes: number;
  /** How many messages it sends at once at most; as many as it is given where undefined. */
  readonly maxConcurrency?: number;
  /** The folder that messages are written to, where there is no provider. */
  readonly outbox?: string;
  send(message: MailMessage): Promise<MailReceipt>;
  /** Removes what it keeps of these messages (ids of the email log); only where it keeps them. */
  forget?(emailIds: readonly string[]): Promise<void>;
}

export type MailFailureReason = ReasonOf<'email_send_error'>;

/** Why a message was not accepted, as far as that is known. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  readonly reason: MailFailureReason;
  /** The provider's own error code as it writes it, where its answer held one: `406`, `550 5.1.1`. */
  readonly providerCode: string | null;
  /** Whether the same call may succeed later without any change. Never true where the outcome is unknown. */
  readonly retryable: boolean;

  constructor(
    reason: MailFailureReason,
    message: string,
    extra: { providerCode?: string | null; retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.reason = reason;
    this.providerCode = extra.providerCode ?? null;
    this.retryable = extra.retryable ?? false;
  }
}

/** Logs failures that do not change the answer. Never given bodies, addresses or keys. */
export interface OperationLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Whose machine a call of the provisioner is about, in wire form (contract, section 15.3). */
export interface MachineOwner {
  /** Unique in time, other than the number. */
  service_uid: string;
  /** The broker's slug. */
  broker: string;
  /** The number of history; 0 before the records ever went back. */
  history: number;
}

/** One accepted request as the provisioner gets it: in wire form, because it is sent to the operator's endpoint. */
export interface Work extends MachineOwner {
  request_id: string;
  /** Any type but a warning, which is done when it is submitted. */
  type: RequestType;
  /** Counts from 1, and again after each `in_progress`. A repeat has the same `request_id`; the work must not be done twice. */
  attempt: number;
  /** The token of the last `in_progress` outcome; null before. */
  token: string | null;
  broker_id: string;
  service_number: number;
  submitted_date: string;
  effective_date: string | null;
  /** The service before the work. */
  service: ServiceRecord;
  /** The provisioner's own id of the service, from an earlier `done`; null: none was given. */
  reference: string | null;
  /** What was chosen for the service; of an action its own. */
  configuration: Configuration;
  action: { name: string } | null;
  /** The service's plan. */
  plan: ProvisionedPlan;
  /** Plan changes only. */
  current_plan: ProvisionedPlan | null;
  /** Plan changes and creations. */
  new_plan: ProvisionedPlan | null;
  cancellation_type: CancellationType | null;
}

/** A plan with what the operator has set for the provisioner, which no broker sees. */
export type ProvisionedPlan = PlanRecord & { provisioning: PlanOffer['provisioning'] };

/** What finished work says of its service; what is left out stays as it is. */
export interface WorkResult {
  access?: Access | null;
  /** Values that the work settled. */
  configuration?: Configuration;
  reference?: string;
  /** Whether something of the answer was not valid, and was left out. */
  isPartlyInvalid?: boolean;
}

export interface WorkFailure {
  /** A stable word. */
  reason: string;
  message: string;
  /** Whether the client can go on using the service as it is. */
  serviceUsable: boolean;
  /** Whether the same request may succeed when it is made again. */
  retryable: boolean;
}

export type WorkOutcome =
  | ({ outcome: 'done' } & WorkResult)
  | ({ outcome: 'failed' } & WorkFailure)
  /**
   * The work goes on; poll again with the token after so many seconds, null: soon at first, then in growing intervals.
   * Costs no attempt.
   */
  | { outcome: 'in_progress'; token: string | null; checkAfterSeconds: number | null }
  /** Not now; `mayBeDone` unless it is certain that nothing of the work was begun. */
  | { outcome: 'retry'; reason: string; message: string; mayBeDone: boolean };

/** Does the work of an accepted request outside this service. Recognises a repeat by the request's id. */
export interface Provisioner {
  /** @param signal aborts when this process stops: the call is then aborted, and another process repeats it */
  fulfil(work: Work, signal?: AbortSignal): Promise<WorkOutcome>;
}

/** One login of a service, in its wire form: passed on to the caller, never stored and never logged. */
export interface Credential {
  readonly display_name: string;
  readonly username: string | null;
  readonly password: string | null;
  readonly private_key: string | null;
  readonly url: string | null;
}

/** Whose credentials are read, in wire form: it is sent to the operator's endpoint. */
export type CredentialsQuestion = Pick<
  Work,
  keyof MachineOwner | 'broker_id' | 'service_number' | 'service' | 'reference' | 'configuration' | 'plan'
>;

/** A machine as the provisioner lists it, in wire form; null: it does not know. */
export interface ListedMachine {
  readonly service_number: number;
  readonly service_uid: string | null;
  readonly reference: string | null;
  readonly suspended: boolean | null;
  readonly ip_addresses: readonly string[] | null;
  readonly broker: string | null;
  readonly plan: string | null;
  readonly configuration: Configuration | null;
}

/** Some machines; `after` asks for those behind them, null: there are none. */
export interface MachinePage {
  readonly machines: readonly ListedMachine[];
  readonly after: string | null;
}

/** Lists the machines of the operator's provisioner. */
export interface MachineSource {
  /**
   * @param question `after` of the page before, null for the first; `broker` is the one that is compared, null: all
   * @returns `not_known` where the provisioner cannot list them, `no_answer` where none came
   * Throws `RecordsAreOld`.
   */
  list(
    question: { after: string | null; broker: string | null; history: number },
    signal?: AbortSignal,
  ): Promise<MachinePage | 'not_known' | 'no_answer'>;
}

/** The provisioner works for another installation, whose records are later ones (contract, section 15.3). */
export class RecordsAreOld extends Error {
  override readonly name = 'RecordsAreOld';
}

/** Reads the credentials of services at each call. */
export interface CredentialsSource {
  /**
   * @returns null where it has none for the service
   * Throws `server_error` with `Retry-After` where no answer can be had now, and `RecordsAreOld`.
   */
  read(caller: SlotOwner, question: CredentialsQuestion): Promise<readonly Credential[] | null>;
}

/** The dependencies of every operation. */
export interface Context {
  store: Store;
  mailer: Mailer;
  clock: Clock;
  newId: NewId;
  /** Whether anything carries work out but the records themselves; no: unless set. */
  hasProvisioner?: boolean | undefined;
  /** Whether work waits since the records went back, as of the last look; unset: it does not. */
  isHeld?: (() => boolean) | undefined;
  /** None: there are no machines to compare with the records. */
  machines?: MachineSource | undefined;
  /** None: no service has credentials. */
  credentials?: CredentialsSource | undefined;
  log: OperationLog;
  /** Cancellation warnings that one service gets at most in 24 hours; none or 0: no limit (contract, section 6). */
  warningsPerService?: number | undefined;
}
