import { randomUUID } from 'node:crypto';
import { RECORDS_ARE_OLD, REPLACED } from '../lifecycle/replaced.ts';
import {
  type ListedMachine,
  type MachinePage,
  type MachineSource,
  type OperationLog,
  RecordsAreOld,
} from '../ports.ts';
import { readAddresses } from '../rules/access.ts';
import type { Configuration } from '../rules/options.ts';
import { type Content, contentOf, type Endpoint, outcomeOf, post } from './provisioner-http.ts';

export interface HttpMachinesOptions extends Endpoint {
  log: Pick<OperationLog, 'warn'>;
  /** Milliseconds from connecting to the answer's last byte. */
  timeoutMs?: number;
}

/** As of work: a page of a thousand machines may take the provisioner as long. */
const LIST_TIMEOUT_MS = 10_000;
/** Machines of a page. */
export const MACHINES_AT_ONCE = 1_000;
const MAX_TEXT = 255;
/** More than any plan has options. */
const MAX_VALUES = 100;

/** Asks the operator's endpoint for its machines, page by page and signed like work (contract, section 15.7). */
export function createHttpMachines({
  log,
  timeoutMs = LIST_TIMEOUT_MS,
  ...endpoint
}: HttpMachinesOptions): MachineSource {
  return {
    async list({ after, broker, history }, signal) {
      const id = randomUUID();
      const content = { question_id: id, type: 'list', after, limit: MACHINES_AT_ONCE, broker, history };
      const { answer } = await post(endpoint, { id, content, timeoutMs, signal });
      if (!answer) return 'no_answer';
      const said = contentOf(answer.body);
      const outcome = outcomeOf(answer, said);
      if (outcome?.outcome === 'retry' && outcome.reason === RECORDS_ARE_OLD) throw new RecordsAreOld(REPLACED);
      if (outcome?.outcome === 'failed') return 'not_known';
      if (outcome?.outcome !== 'done' || !said) return 'no_answer';
      // One that does not know the question takes it for work, and may say that it is done.
      return Array.isArray(said.machines) ? pageOf(said.machines, said.after, log) : 'not_known';
    },
  };
}

function pageOf(given: readonly unknown[], after: unknown, log: HttpMachinesOptions['log']): MachinePage | 'no_answer' {
  const next = after ?? null;
  if (next !== null && !isText(next)) return 'no_answer';
  const machines = given.slice(0, MACHINES_AT_ONCE).flatMap((each) => machineOf(each) ?? []);
  const left = given.length - machines.length;
  // Whose machines these are is not known: what they are like is no reason to show a difference.
  if (left > 0) log.warn({ machines: left }, 'machines of a list have no service number, or are too many for a page');
  return { machines, after: next };
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT && value.isWellFormed();
const textOf = (value: unknown): string | null => (isText(value) ? value : null);

function machineOf(given: unknown): ListedMachine | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const machine = given as Content;
  const { service_number: number, suspended, ip_addresses: addresses } = machine;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) return undefined;
  return {
    service_number: number,
    service_uid: textOf(machine.service_uid),
    reference: textOf(machine.reference),
    suspended: typeof suspended === 'boolean' ? suspended : null,
    ip_addresses: readAddresses(addresses)?.addresses ?? null,
    broker: textOf(machine.broker),
    plan: textOf(machine.plan),
    configuration: configurationOf(machine.configuration),
  };
}

function configurationOf(given: unknown): Configuration | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const values = Object.entries(given).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(values.slice(0, MAX_VALUES)) as Configuration;
}
