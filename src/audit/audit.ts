import type { NewId } from '../runtime/ids.ts';
import type { AuditRow } from '../store/queries/audit.ts';
import type { Tx } from '../store/store.ts';

/** Who makes a change. */
export interface Actor {
  kind: AuditRow['actorKind'];
  /** An operator's email, the user who ran the command, or a key's id. */
  name: string;
  clientIp: string | null;
}

/** What is changed, in the words of the wire: never a secret, a body or a token. */
export interface Audited {
  /** Noun and verb: `key.revoke`. */
  action: string;
  brokerId: string | null;
  /** The row's id, where other records name it. */
  id?: string;
  /** What is changed, as `<kind>/<name>`: `service/1000001`. */
  subject: string;
  /** Fields as they were; of those that stand in both, the ones that are equal are left out. */
  before?: object | undefined;
  after?: object | undefined;
}

/** Private values: the trail says only that they changed. */
const PERSONAL: readonly string[] = [
  'client_name',
  'client_email',
  'recipient_email',
  'configuration',
  'access',
  'provisioning',
];
const CHANGED = 'changed';

/**
 * Writes a row of the audit trail, in the transaction of the change that it records (contract, section 11). What turns
 * out to have changed nothing leaves none.
 * @returns whether there is a row
 */
export async function audit(
  { tx, newId, now }: { tx: Pick<Tx, 'audit'>; newId: NewId; now: number },
  { kind, name, clientIp }: Actor,
  { action, brokerId, id = newId('aud', now), subject, before, after }: Audited,
): Promise<boolean> {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  // Moves with every change, and says nothing that the row does not.
  for (const fields of [was, is]) fields.delete('updated_date');
  if (before && after) {
    for (const [field, value] of was) {
      if (JSON.stringify(value) !== JSON.stringify(is.get(field))) continue;
      was.delete(field);
      is.delete(field);
    }
    if (was.size + is.size === 0) return false;
  }
  for (const field of PERSONAL) {
    // What a new record does not have was not changed.
    if (!before && is.get(field) === null) is.delete(field);
    if (is.has(field)) is.set(field, CHANGED);
    was.delete(field);
  }
  await tx.audit.insert({
    id,
    at: now,
    actorKind: kind,
    actor: name,
    clientIp,
    action,
    brokerId,
    subject,
    before: textOf(was),
    after: textOf(is),
  });
  return true;
}

const fieldsOf = (values: object | undefined): Map<string, unknown> => new Map(Object.entries(values ?? {}));

const textOf = (fields: Map<string, unknown>): string | null =>
  fields.size === 0 ? null : JSON.stringify(Object.fromEntries(fields));
