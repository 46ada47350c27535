export interface RedisServers {
  /** One Redis; undefined where sentinels name it. It may have a password in it. */
  url?: string;
  sentinels?: Array<{ host: string; port: number }>;
  /** What the sentinels call the group of servers. */
  group?: string;
  username?: string;
  password?: string;
  /** Without user and password, for operators. */
  name: string;
}

const SENTINEL_PORT = 26_379;

/**
 * Reads `redis://host:port`, `rediss://...` or `redis+sentinel://host:port,host:port/NAME` (contract, section 10). A user and
 * a password are those of Redis; the sentinels are asked without. Null where this is no such URL: the reason must not
 * repeat a text with a password in it.
 */
export function readRedisUrl(text: string): RedisServers | null {
  if (/^rediss?:\/\/./.test(text) && URL.canParse(text)) {
    const { protocol, host } = new URL(text);
    return { url: text, name: `${protocol}//${host}` };
  }
  const [, user = '', hosts = '', group = ''] =
    /^redis\+sentinel:\/\/([^/?#]*@)?([^/?#@]+)\/([\w.-]+)$/.exec(text) ?? [];
  const urls = hosts.split(',').map((host) => `redis://${user}${host}`);
  if (group === '' || hosts.split(',').includes('') || !urls.every((url) => URL.canParse(url))) return null;
  const parsed = urls.map((url) => new URL(url));
  const [{ username, password }] = parsed as [URL];
  try {
    return {
      sentinels: parsed.map(({ hostname, port }) => ({
        // Only a URL puts an IPv6 address in brackets.
        host: hostname.replace(/^\[(.*)\]$/, '$1'),
        port: Number(port || SENTINEL_PORT),
      })),
      group,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      name: `redis+sentinel://${hosts}/${group}`,
    };
  } catch {
    return null;
  }
}
