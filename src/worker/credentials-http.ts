import { randomUUID } from 'node:crypto';
import { fail } from '../errors.ts';
import { RECORDS_ARE_OLD, REPLACED } from '../lifecycle/replaced.ts';
import { SlotQueue } from '../limits/slot-queue.ts';
import {
  type Credential,
  type CredentialsQuestion,
  type CredentialsSource,
  type OperationLog,
  RecordsAreOld,
} from '../ports.ts';
import { readCredentialList } from '../rules/credentials.ts';
import { contentOf, type Endpoint, logUnreadable, outcomeOf, post } from './provisioner-http.ts';

export interface HttpCredentialsOptions extends Endpoint {
  log: Pick<OperationLog, 'warn'>;
  /** Milliseconds from connecting to the answer's last byte: a caller waits for them. */
  timeoutMs?: number;
}

export const CREDENTIALS_TIMEOUT_MS = 5_000;

/** Each open question is a caller and a connection that wait, in this process; what comes beyond waits with its caller. */
export const CREDENTIALS_SLOTS = {
  atOnce: 20,
  atOnceOfOne: 5,
  waiting: 0,
  waitingOfOne: 0,
  patienceMs: CREDENTIALS_TIMEOUT_MS,
  retryAfterSeconds: 5,
};

/**
 * Asks the operator's endpoint for the credentials of a service (contract, section 12.7), once and signed like work. Each
 * question has an id of its own, which the answer repeats, so that no answer to another one is taken for it: neither one
 * that the endpoint kept, nor one of an endpoint that does not know the question.
 */
export function createHttpCredentials({
  log,
  timeoutMs = CREDENTIALS_TIMEOUT_MS,
  ...endpoint
}: HttpCredentialsOptions): CredentialsSource {
  const slots = new SlotQueue(CREDENTIALS_SLOTS);

  async function ask(question: CredentialsQuestion): Promise<readonly Credential[] | null> {
    const id = randomUUID();
    const asked = { question_id: id, type: 'credentials', ...question };
    const { answer, connected } = await post(endpoint, { id, content: asked, timeoutMs });
    if (!connected) throw unanswered('The provisioner could not be reached with a credentials question');
    if (!answer) throw unanswered('No answer of the provisioner to a credentials question came in time');
    const content = contentOf(answer.body);
    const outcome = outcomeOf(answer, content, question.service);
    if (!outcome) logUnreadable(log, answer, { service_number: question.service_number });
    if (outcome?.outcome === 'failed') return null;
    if (outcome?.outcome === 'retry' && outcome.reason === RECORDS_ARE_OLD) throw new RecordsAreOld(REPLACED);
    if (outcome?.outcome !== 'done' || !content)
      throw unanswered(`The provisioner answered ${answer.status} to a credentials question`);
    const isRepeated = content.question_id === id && content.service_number === question.service_number;
    const credentials = isRepeated ? readCredentialList(content.credentials) : null;
    if (!credentials) {
      const fault = isRepeated ? 'has none that are valid' : 'does not repeat the question';
      log.warn({ service_number: question.service_number }, `the answer to a credentials question ${fault}`);
    }
    return credentials;
  }

  return { read: (caller, question) => slots.take(caller, () => ask(question)) };
}

const unanswered = (why: string) => fail.unavailable(CREDENTIALS_SLOTS.retryAfterSeconds, new Error(why));
