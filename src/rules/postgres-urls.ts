/** Which session a connection must have, in the words of PostgreSQL's own clients. */
export const SESSION_TARGETS = ['read-write', 'primary', 'any'] as const;
export type SessionTarget = (typeof SESSION_TARGETS)[number];

export interface PostgresServers {
  /** One URL for each host, in the order in which they are tried. */
  urls: string[];
  target: SessionTarget;
  /** Without the password and the query, for operators. */
  name: string;
}

const TARGET = 'target_session_attrs';

/**
 * Reads `postgres://user:password@host1:5432,host2/database?target_session_attrs=read-write` (contract, section 10). With
 * several hosts the target is `read-write` unless it is given, with one it is `any`. Null where this is no such URL: the
 * reason must not repeat a text with a password in it.
 */
export function readPostgresUrl(text: string): PostgresServers | null {
  const [, scheme, user = '', hosts, rest] = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/s.exec(text) ?? [];
  if (scheme === undefined || hosts === undefined || rest === undefined) return null;
  const names = hosts.split(',');
  if (names.length > 1 && names.includes('')) return null;
  const urls = names.map((host) => `${scheme}${user}${host}${rest}`);
  const parsed = urls.map((url) => (URL.canParse(url) ? new URL(url) : null));
  const [first] = parsed;
  if (!first || parsed.includes(null)) return null;
  const given = first.searchParams.get(TARGET) ?? (urls.length > 1 ? 'read-write' : 'any');
  const target = SESSION_TARGETS.find((each) => each === given);
  const { protocol, username, pathname } = first;
  const name = `${protocol}//${username && `${username}@`}${hosts}${pathname}`;
  return target ? { urls, target, name } : null;
}
