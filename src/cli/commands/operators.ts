import type { Command } from 'commander';
import { endSessions, listSessions } from '../../operator/console-access.ts';
import {
  addOperator,
  listOperators,
  ROLES,
  removeOperator,
  setOperator,
  showOperator,
} from '../../operator/operators.ts';
import {
  action,
  askingCommand,
  type CliContext,
  command,
  confirm,
  group,
  listAction,
  tableCommand,
} from '../context.ts';

const COLUMNS = ['email', 'name', 'role', 'active', 'last_sign_in_date', 'operator_id'];
const SESSION_COLUMNS = ['session_id', 'ip', 'user_agent', 'created_date', 'last_seen_date', 'expires_date'];
const ROLE_LIST = `${ROLES.slice(0, -1).join(', ')} or ${ROLES.at(-1)}`;

export function register(program: Command, context: CliContext): void {
  const operators = group(program, 'operators', 'The people who may use the console');

  command(
    operators,
    'add',
    'Let a person into the console',
    'operators add --email ada@example.com --name "Ada Example" --role support',
  )
    .requiredOption('--email <email>', 'where sign-in links are mailed')
    .requiredOption('--name <name>', 'how the person is shown')
    .requiredOption('--role <role>', ROLE_LIST)
    .action(action(context, addOperator));

  tableCommand(operators, 'list', 'List the people who may use the console', 'operators list').action(
    listAction(context, listOperators, COLUMNS),
  );

  command(
    operators,
    'set <email>',
    "Change a person's name or role, or whether they are let in",
    'operators set ada@example.com --role admin',
  )
    .option('--name <name>', 'how the person is shown')
    .option('--role <role>', ROLE_LIST)
    .option('--active', 'let them in again')
    .option('--inactive', 'let them in no longer, from the next click on')
    .action(
      action(context, (parts, { inactive, ...options }: Parameters<typeof setOperator>[1] & { inactive?: true }) =>
        setOperator(parts, { ...options, ...(inactive && { active: false }) }),
      ),
    );

  askingCommand(
    operators,
    'remove <email>',
    'Remove a person with all their sessions',
    'operators remove ada@example.com',
  ).action(
    action(context, async (parts, { email, yes }: { email: string; yes?: true }) => {
      await confirm(context, { yes }, async () => {
        const { name, role } = await showOperator(parts, { email });
        return `${name} (${email}, ${role}) is removed, and all their sessions end. Their changes stay in the audit trail.`;
      });
      return removeOperator(parts, { email });
    }),
  );

  tableCommand(
    operators,
    'sessions <email>',
    "List a person's sessions in the console",
    'operators sessions ada@example.com',
  ).action(listAction(context, listSessions, SESSION_COLUMNS));

  command(
    operators,
    'sign-out <email>',
    "End all of a person's sessions in the console",
    'operators sign-out ada@example.com',
  ).action(action(context, endSessions));
}
