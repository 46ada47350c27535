import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';

/** `203.0.113.9:51234`, `[2001:db8::1]` and `[2001:db8::1]:443`: forms in which proxies write an address. */
const WITH_PORT_OR_BRACKETS = /^(?:([\d.]+):\d{1,5}|\[([\da-f:.]+)\](?::\d{1,5})?)$/i;

/**
 * Brings the headers of proxies into the one form that is read: `X-Forwarded-For` without ports and brackets, and
 * `X-Forwarded-Proto` with the last of its values, which the trusted proxy wrote, in lower case. What is no address stays
 * as it is and is refused; what is no protocol counts as http. Both are read only where a trusted proxy sends the request.
 */
export function normaliseForwarded(headers: IncomingHttpHeaders): void {
  const addresses = headers['x-forwarded-for'];
  if (typeof addresses === 'string' && addresses.includes(':')) {
    headers['x-forwarded-for'] = addresses
      .split(',')
      .map((entry) => bareAddress(entry.trim()))
      .join(', ');
  }
  const protocols = headers['x-forwarded-proto'];
  if (typeof protocols === 'string') {
    const last = protocols.slice(protocols.lastIndexOf(',') + 1).trim();
    headers['x-forwarded-proto'] = last.toLowerCase() === 'https' ? 'https' : 'http';
  }
}

function bareAddress(entry: string): string {
  const [, ipv4 = '', ipv6 = ''] = WITH_PORT_OR_BRACKETS.exec(entry) ?? [];
  if (isIPv4(ipv4)) return ipv4;
  return isIPv6(ipv6) ? ipv6 : entry;
}
