import { type Static, Type } from '@sinclair/typebox';
import { Id, Nullable, OneOf, Shown, Timestamp } from '../../../schemas/atoms.ts';
import { fold } from '../../rules/search-text.ts';
import type { OperatorRole, OperatorRow } from '../../store/queries/operators.ts';
import type { Reads, Tx } from '../../store/store.ts';
import type { ChangeDeps, ReadDeps } from '../use-case/dependencies.ts';
import { refused, refusedAt, unknown } from '../use-case/errors.ts';
import { exportCsv, type Pieces } from '../use-case/exports.ts';
import { flag, line, mailbox, named, oneOf } from '../use-case/fields.ts';
import { recordOf } from '../use-case/record.ts';
import { refuseStale } from '../use-case/stale.ts';
import { useCase } from '../use-case/use-case.ts';

/** From the one that may least to the one that may all. */
export const ROLES = ['viewer', 'support', 'admin'] as const satisfies readonly OperatorRole[];

/** What a person, or a key of the operator's API, may do. */
export const ROLE = oneOf<OperatorRole>(ROLES, {
  title: 'Role',
  choices: {
    viewer: 'viewer: reads',
    support: 'support: also decides reviews, edits services, settles emails',
    admin: 'admin: everything',
  },
});

const FIELDS = { name: line(200, { title: 'Name' }), role: ROLE };

const OPERATOR = recordOf<OperatorRow>()('Operator', (field) => ({
  operator_id: field(Id('opr', 'The person’s id'), 'id'),
  email: field(Shown(254, 'Receives sign-in links'), 'email'),
  name: field(Shown(200, 'The person’s name'), 'name'),
  role: field(OneOf(ROLES, { description: 'What they may do' }), 'role'),
  active: field(Type.Boolean({ description: 'Whether they are let in' }), 'active'),
  created_date: field(Timestamp('When they were added.'), 'createdAt'),
  updated_date: field(Timestamp('When they were last changed.'), 'updatedAt'),
  last_sign_in_date: field(Nullable(Timestamp('Null: never.')), 'lastSignInAt'),
}));

export const operatorRecord = OPERATOR.of;

/** The person that a use case acts on. */
export const PERSON = { email: named('email', 'The person’s address, without case') };

/** People are shown and searched at once, so they are no more than that. */
const MAX_OPERATORS = 1_000;

/** Whether an operator with the role `held` may do what needs the role `needed`. */
export const mayAct = (held: OperatorRole, needed: OperatorRole): boolean =>
  ROLES.indexOf(held) >= ROLES.indexOf(needed);

/** Lets a person into the console. Contract, section 11. */
export const addOperator = useCase({
  name: 'operators add',
  role: 'admin',
  action: 'operator.add',
  title: 'Add an operator',
  description: 'Let a person into the console',
  example: 'operators add --email ada@example.com --name "Ada Example" --role support',
  input: Type.Object({ email: mailbox({ title: 'Email', description: 'Receives sign-in links' }), ...FIELDS }),
  done: ({ name }: OperatorRecord) => `${name} was added. They sign in with a link: create one next.`,
  async change(tx, { clock, newId }: ChangeDeps, { email, name, role }) {
    const now = clock.now();
    const row: OperatorRow = {
      id: newId('opr', now),
      email,
      emailFolded: fold(email),
      name,
      role,
      active: true,
      createdAt: now,
      updatedAt: now,
      lastSignInAt: null,
    };
    const listed = await tx.operators.list();
    if (listed.length >= MAX_OPERATORS) throw refused(`There can be ${MAX_OPERATORS} operators at most`);
    if (listed.some(({ emailFolded }) => emailFolded === row.emailFolded)) {
      throw refusedAt({ field: 'email', message: `there is an operator "${email}" already` });
    }
    await tx.operators.insert(row);
    return { record: operatorRecord(row), about: aboutOperator(row), after: operatorRecord(row) };
  },
});

/** All operators, by email. */
export const listOperators = useCase({
  name: 'operators list',
  title: 'Operators',
  description: 'List the people who may use the console',
  example: 'operators list',
  input: Type.Object({}),
  columns: ['email', 'name', 'role', 'active', 'last_sign_in_date', 'operator_id'],
  run: async ({ store }: ReadDeps) => (await store.read.operators.list()).map(operatorRecord),
});

/** The same as a CSV file. */
export async function exportOperators(deps: ReadDeps): Promise<Pieces> {
  const records = await listOperators.run(deps, {});
  async function* pages() {
    yield records;
  }
  return exportCsv(listOperators.columns ?? [], pages(), { mark: true });
}

/** One of them, whatever the case of the address. */
export const showOperator = useCase({
  name: 'operators show',
  title: 'Operator',
  description: 'Show one of the people who may use the console',
  example: 'operators show ada@example.com',
  input: Type.Object(PERSON),
  on: ['email'],
  argument: 'email',
  answer: OPERATOR.schema,
  run: async ({ store }: ReadDeps, { email }) => operatorRecord(await requireOperator(store.read, email)),
});

/**
 * Changes what is given; it takes effect with the person's next click. Switching a person off ends their sessions and
 * links for good. The last active admin stays one.
 */
export const setOperator = useCase({
  name: 'operators set',
  role: 'admin',
  action: 'operator.set',
  title: 'Edit',
  description: "Change a person's name or role, or whether they are let in",
  example: 'operators set ada@example.com --role admin',
  input: Type.Object({
    ...PERSON,
    ...Type.Partial(
      Type.Object({
        ...FIELDS,
        active: flag({
          title: 'Can sign in',
          negative: 'inactive',
          description: 'No: their sessions and links end at once',
        }),
      }),
    ).properties,
  }),
  on: ['email'],
  argument: 'email',
  edit: true,
  done: ({ name }: OperatorRecord) => `${name} was changed. It takes effect with their next request.`,
  async change(tx, { clock }: ChangeDeps, { email, ...changes }, seen) {
    await tx.operators.lock();
    const operator = await requireOperator(tx, email);
    refuseStale(seen, operatorRecord(operator));
    const changed = { ...operator, ...changes, updatedAt: clock.now() };
    await keepAnAdmin(tx, operator, changed);
    await tx.operators.update(operator.id, { ...changes, updatedAt: changed.updatedAt });
    if (!changed.active) await tx.operators.removeAccess(operator.id);
    const after = operatorRecord(changed);
    return { record: after, about: aboutOperator(changed), before: operatorRecord(operator), after };
  },
});

/**
 * Removes an operator with all their sessions, but never the last active admin; a command may remove the only operator
 * there is.
 */
export const removeOperator = useCase({
  name: 'operators remove',
  role: 'admin',
  action: 'operator.remove',
  title: 'Remove',
  description: 'Remove a person with all their sessions',
  example: 'operators remove ada@example.com',
  input: Type.Object(PERSON),
  on: ['email'],
  argument: 'email',
  show: showOperator.run,
  confirm: ({ name, email, role }) =>
    `${name} (${email}, ${role}) is removed, and all their sessions end. Their changes stay in the audit trail.`,
  done: ({ name }: OperatorRecord) => `${name} was removed, with all sessions.`,
  async change(tx, { actor }: ChangeDeps, { email }) {
    // Read before the lock: of two who are removed at once, neither is the only one.
    const isOnly = (await tx.operators.list()).length === 1;
    await tx.operators.lock();
    const operator = await requireOperator(tx, email);
    if (!isOnly || actor.kind !== 'command') await keepAnAdmin(tx, operator, null);
    await tx.operators.remove(operator.id);
    const before = operatorRecord(operator);
    return { record: { ...before, removed: true }, about: aboutOperator(operator), before };
  },
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
export const aboutOperator = ({ email }: Pick<OperatorRow, 'email'>) => ({
  brokerId: null,
  subject: `operator/${email}`,
});

export type OperatorRecord = Static<typeof OPERATOR.schema>;
