import type { FieldFault } from '../../errors.ts';
import {
  ACCESS_FIELDS,
  type Access,
  accessColumn,
  accessOf,
  MAX_LOGIN_URL,
  MAX_NOTES,
  MAX_USERNAME,
  NO_ACCESS,
  readAccess,
} from '../../rules/access.ts';
import { keysOf } from '../../rules/keys.ts';
import { mailboxAdvice } from '../../rules/mailbox.ts';
import { configurationOf, configure, type Option } from '../../rules/options.ts';
import { SERVICE_STATUSES } from '../../rules/words.ts';
import { Cell } from '../files/read-file.ts';
import { addresses, flag, folded, hostname, line, loginUrl, oneOf, parseFlag, text } from '../use-case/fields.ts';

/* What operators write of a service: in a form, a command or a file. */

export const STATUS = oneOf(SERVICE_STATUSES, { title: 'Status', option: 'status' });
export const CLIENT_NAME = folded(200, { title: 'Client’s name', option: 'client-name' });
/** Any one line: an address that no mail can go to is stored too, and shows when a mail is due. */
export const CLIENT_EMAIL = line(254, {
  title: 'Client’s email',
  option: 'client-email',
  description: 'Without a valid one no warnings can be sent',
});
export const REVIEW = flag({
  title: 'Plan changes',
  option: 'review',
  negative: 'no-review',
  description: 'Every change of its plan waits for an operator',
  choices: { true: 'all reviewed', false: 'reviewed where the plan requires it' },
});

export const noEmailTo = (email: string): string =>
  `"${email}" is no email address: the client gets no email${mailboxAdvice(email)}`;

/* How it is reached and what was chosen for it (contract, section 12). */

/** By their paths in the record. */
export const ACCESS_INPUT = {
  'access.hostname': hostname({ title: 'Host name', option: 'hostname', description: 'Its name in the network' }),
  'access.ip_addresses': addresses({
    title: 'Addresses',
    option: 'ip-addresses',
    description: 'IPv4 and IPv6, separated by blanks or commas',
    inJson: 'IPv4 and IPv6 addresses',
  }),
  'access.username': line(MAX_USERNAME, { title: 'User', option: 'username', description: 'To sign in with' }),
  'access.login_url': loginUrl(MAX_LOGIN_URL, { title: 'Login', option: 'login-url', description: 'Where to sign in' }),
  'access.notes': text(MAX_NOTES, {
    title: 'Access notes',
    option: 'access-notes',
    description: 'What else the client has to know; no password',
    multiline: true,
  }),
};

export const ACCESS_PATHS = keysOf(ACCESS_INPUT);

/** A null is a field that is empty. */
export type AccessValues = {
  [P in `access.${keyof Access}`]: (P extends `access.${infer F extends keyof Access}` ? Access[F] : never) | null;
};

/** A stored access as these values. */
export function accessValues(stored: string | null): AccessValues {
  const access = accessOf(stored) ?? NO_ACCESS;
  const empty = (value: unknown) => (Array.isArray(value) && value.length === 0 ? null : value);
  return Object.fromEntries(
    ACCESS_FIELDS.map((field) => [`access.${field}`, empty(access[field])]),
  ) as unknown as AccessValues;
}

/** The column for these values, each of which is valid. */
export const accessFrom = (values: AccessValues): string | null =>
  accessColumn(
    readAccess(Object.fromEntries(ACCESS_FIELDS.map((field) => [field, values[`access.${field}`] ?? null]))).access,
  );

/** Values by the names of options; null takes one away, and all of them where it stands for the object. */
export type GivenConfiguration = Readonly<Record<string, unknown>> | null;

/**
 * A service's configuration with what is given of it. Names and values are checked against the options, required or not;
 * what is not given stays as it is stored, and what is given as it is stored passes whatever the options are.
 * @returns the column, and every fault by its path
 */
export function configurationFrom(
  options: readonly Option[],
  column: string | null,
  given: GivenConfiguration,
): { column: string | null; faults: FieldFault[] } {
  if (given === null) return { column: null, faults: [] };
  const stored = configurationOf(column);
  const byName = new Map(options.map((option) => [option.name, option]));
  const readCell = (name: string, { text }: Cell) =>
    Object.hasOwn(stored, name) && String(stored[name]) === text ? stored[name] : typedAs(byName.get(name), text);
  const typed = Object.entries(given).map(
    ([name, value]) => [name, value instanceof Cell ? readCell(name, value) : value] as const,
  );
  const kept = typed.filter(([, value]) => value !== null);
  const { values, faults } = configure(options, Object.fromEntries(kept), 'configuration', { complete: false, stored });
  const emptied = new Set(typed.flatMap(([name, value]) => (value === null ? [name] : [])));
  const all = Object.entries({ ...stored, ...values }).filter(([name]) => !emptied.has(name));
  return { column: all.length === 0 ? null : JSON.stringify(Object.fromEntries(all)), faults };
}

function typedAs(option: Option | undefined, text: string): unknown {
  if (text === '') return null;
  if (option?.type === 'number') return /^-?\d{1,16}$/.test(text) ? Number(text) : text;
  return option?.type === 'boolean' ? (parseFlag(text) ?? text) : text;
}
