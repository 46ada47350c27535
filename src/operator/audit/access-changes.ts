import { type GateName, gateOf } from '../../errors.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import type { AuditRow } from '../../store/queries/audit.ts';
import type { CallRow } from '../../store/queries/calls.ts';
import type { KeyRow } from '../../store/queries/keys.ts';

/* Which change of a key, a firewall, a limit or a service is behind calls that are refused. */

const OF_FIREWALL = ['firewall.enable', 'firewall.disable', 'firewall.allow', 'firewall.remove'];
const OF_KEYS = ['key.create', 'key.rotate', 'key.set', 'key.revoke'];
const LIMIT = 'broker.set';

/** All that decides whether a broker's calls are admitted. */
export const ACCESS_ACTIONS: readonly string[] = [...OF_FIREWALL, ...OF_KEYS, LIMIT, 'broker.suspend', 'broker.resume'];

/** What the audit trail calls changes of the rule by which a gate refuses. */
const ACTIONS: Partial<Record<GateName, readonly string[]>> = {
  firewall: OF_FIREWALL,
  rate_limit: [...OF_KEYS, LIMIT],
  scope: OF_KEYS,
};

/** The gate that refused a logged call; null where none did. */
export const gateOfCall = ({ gate }: Pick<CallRow, 'gate'>): GateName | null => (gate === null ? null : gateOf(gate));

interface Refused {
  slug: string;
  key: Pick<KeyRow, 'id' | 'rotatedFromId'>;
  serviceNumber: number | null;
}

/** The audit rows in which the rule of a gate may have been changed: their subjects and actions; null where it has none. */
export function accessChanges(gate: GateName, { slug, key, serviceNumber }: Refused) {
  const actions = ACTIONS[gate];
  if (actions) return { subjects: accessSubjects(slug, key), actions };
  return gate === 'rules' && serviceNumber !== null
    ? { subjects: [`service/${serviceNumber}`], actions: undefined }
    : null;
}

/** What the changes that decide whether a key's calls are admitted were made to; a rotation stands with the old key. */
export const accessSubjects = (slug: string, { id, rotatedFromId }: Refused['key']): string[] => [
  `broker/${slug}`,
  `key/${id}`,
  ...(rotatedFromId === null ? [] : [`key/${rotatedFromId}`]),
];

/** Whether a change is of the rule by which this gate refuses. */
export const isOfGate = ({ action }: AuditRow, gate: GateName): boolean => ACTIONS[gate]?.includes(action) === true;

/** Whether a row changed more than what a broker is called. */
export const changesAccess = ({ action, after }: AuditRow): boolean =>
  action !== LIMIT || after?.includes('"rate_limit"') === true;

/** A row of the audit trail by which a link names it. */
export const changeRecord = ({ id, at, action, actor, subject }: AuditRow) => ({
  audit_id: id,
  date: isoTimestamp(at),
  action,
  actor,
  subject,
});

export type ChangeRecord = ReturnType<typeof changeRecord>;
