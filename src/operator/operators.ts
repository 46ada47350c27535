import { fold } from '../rules/search-text.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { OperatorRole, OperatorRow } from '../store/operators.ts';
import { isUniqueViolation } from '../store/session.ts';
import type { Reads, Tx } from '../store/store.ts';
import { type ChangeDeps, note, type ReadDeps } from './dependencies.ts';
import { nothingToChange, refused, unknown } from './errors.ts';
import { line, mailbox, oneOf, read } from './fields.ts';
import { refuseStale, type Seen } from './stale.ts';

/** From the one that may least to the one that may all. */
export const ROLES = ['viewer', 'support', 'admin'] as const satisfies readonly OperatorRole[];

const NAME = line(200);
const ROLE = oneOf<OperatorRole>(ROLES);

/** People are shown and searched at once, so they are no more than that. */
export const MAX_OPERATORS = 1_000;

/** Whether an operator with the role `held` may do what needs the role `needed`. */
export const mayAct = (held: OperatorRole, needed: OperatorRole): boolean =>
  ROLES.indexOf(held) >= ROLES.indexOf(needed);

/** Lets a person into the console. Contract, section 11. */
export async function addOperator(
  parts: ChangeDeps,
  input: { email: string; name: string; role: string },
): Promise<OperatorRecord> {
  const { store, clock, newId } = parts;
  const now = clock.now();
  const email = read('email', mailbox, input.email);
  const row: OperatorRow = {
    id: newId('opr', now),
    email,
    emailFolded: fold(email),
    name: read('name', NAME, input.name),
    role: read('role', ROLE, input.role),
    active: true,
    createdAt: now,
    updatedAt: now,
    lastSignInAt: null,
  };
  try {
    return await store.tx(async (tx) => {
      if ((await tx.operators.list()).length >= MAX_OPERATORS) {
        throw refused(`There can be ${MAX_OPERATORS} operators at most`);
      }
      await tx.operators.insert(row);
      await note(parts, tx, { action: 'operator.add', ...about(row), after: operatorRecord(row) });
      return operatorRecord(row);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? refused(`There is an operator "${email}" already`) : error;
  }
}

/** All operators, by email. */
export const listOperators = async ({ store }: ReadDeps) => (await store.read.operators.list()).map(operatorRecord);

/** One of them, whatever the case of the address. Throws an `OperatorError` where there is none. */
export const showOperator = async ({ store }: ReadDeps, { email }: { email: string }) =>
  operatorRecord(await requireOperator(store.read, email));

/**
 * Changes what is given; it takes effect with the person's next click. Switching a person off ends their sessions and
 * links for good. The last active admin stays one.
 */
export async function setOperator(
  parts: ChangeDeps,
  input: {
    email: string;
    name?: string | undefined;
    role?: string | undefined;
    active?: boolean | undefined;
    seen?: Seen | undefined;
  },
): Promise<OperatorRecord> {
  const changes: Partial<OperatorRow> = {
    ...(input.name !== undefined && { name: read('name', NAME, input.name) }),
    ...(input.role !== undefined && { role: read('role', ROLE, input.role) }),
    ...(input.active !== undefined && { active: input.active }),
  };
  if (Object.keys(changes).length === 0) throw nothingToChange('name', 'role', 'active');
  return parts.store.tx(async (tx) => {
    await tx.operators.lock();
    const operator = await requireOperator(tx, input.email);
    refuseStale(input.seen, operatorRecord(operator));
    const after = { ...operator, ...changes, updatedAt: parts.clock.now() };
    await keepAnAdmin(tx, operator, after);
    await tx.operators.update(operator.id, { ...changes, updatedAt: after.updatedAt });
    if (!after.active) await tx.operators.removeAccess(operator.id);
    await note(parts, tx, {
      action: 'operator.set',
      ...about(after),
      before: operatorRecord(operator),
      after: operatorRecord(after),
    });
    return operatorRecord(after);
  });
}

/**
 * Removes an operator with all their sessions, but never the last active admin; a command may remove the only operator
 * there is.
 */
export const removeOperator = (parts: ChangeDeps, input: { email: string }) =>
  parts.store.tx(async (tx) => {
    // Asked before the lock: of two who are removed at once, neither is the only one.
    const isOnly = (await tx.operators.list()).length === 1;
    await tx.operators.lock();
    const operator = await requireOperator(tx, input.email);
    if (!isOnly || parts.actor.kind !== 'command') await keepAnAdmin(tx, operator, null);
    await tx.operators.remove(operator.id);
    await note(parts, tx, { action: 'operator.remove', ...about(operator), before: operatorRecord(operator) });
    return { ...operatorRecord(operator), removed: true };
  });

/** The person with this address, whatever its case. Throws an `OperatorError` where there is none. */
export async function requireOperator(reads: Pick<Reads, 'operators'>, email: string): Promise<OperatorRow> {
  const operator = await reads.operators.findByEmail(fold(email.trim()));
  if (!operator) throw unknown(`There is no operator "${email}"`);
  return operator;
}

/** Without an admin, operators could be added by the command line alone. Needs the lock. */
async function keepAnAdmin(tx: Tx, before: OperatorRow, after: OperatorRow | null): Promise<void> {
  if (!isAdmin(before) || (after && isAdmin(after))) return;
  if (!(await tx.operators.list()).some((row) => row.id !== before.id && isAdmin(row))) {
    throw refused(`"${before.email}" is the last active admin; make another operator one first`);
  }
}

const isAdmin = ({ role, active }: OperatorRow): boolean => role === 'admin' && active;

/** What the audit trail calls a person. */
export const about = ({ email }: Pick<OperatorRow, 'email'>) => ({ brokerId: null, subject: `operator/${email}` });

export const operatorRecord = (row: OperatorRow) => ({
  operator_id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  active: row.active,
  created_date: isoTimestamp(row.createdAt),
  updated_date: isoTimestamp(row.updatedAt),
  last_sign_in_date: row.lastSignInAt === null ? null : isoTimestamp(row.lastSignInAt),
});

export type OperatorRecord = ReturnType<typeof operatorRecord>;
