import type { IncomingMessage } from 'node:http';

declare module 'node:http' {
  interface IncomingMessage {
    /** Why the request is malformed and cannot be routed; undefined where it can. */
    malformed?: string;
  }
}

/** A longer URL is refused without being parsed. */
const MAX_URL_LENGTH = 8192;

/** In code points. A longer path segment is refused before routing. */
const MAX_SEGMENT_LENGTH = 1000;

/** A host name or IPv4 address of at most 255 characters, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{0,5})?$/i;

/**
 * Why a request is malformed, as a message, or undefined (contract, section 1). Node's parser accepts these faults. They
 * are refused before any gate, because a proxy and this server could interpret such a request differently.
 */
export function findMalformation({ url = '', httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The HTTP version is not supported';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'The transfer coding is not supported';
  return findFaultyHost(headers.host, rawHeaders, httpVersion) ?? findFaultyUrl(url);
}

/** The latest valid Host header: most servers only ever see one, so its check is skipped. */
let latestHost: string | undefined;

function findFaultyHost(
  host: string | undefined,
  rawHeaders: readonly string[],
  httpVersion: string,
): string | undefined {
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'The request names no host';
  if (host !== latestHost) {
    if (!HOST.test(host)) return 'The Host header is malformed';
    latestHost = host;
  }
  // Of two Host headers Node takes the first; a proxy may take the second.
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? 'The request names two hosts' : undefined;
}

function findFaultyUrl(url: string): string | undefined {
  if (url.length > MAX_URL_LENGTH) return 'The URL is too long';
  if (url.includes('#')) return 'The URL has a fragment';
  let path = url;
  if (url.includes('%')) {
    try {
      decodeURIComponent(url);
    } catch {
      return 'The URL cannot be decoded';
    }
  }
  if (url.length <= MAX_SEGMENT_LENGTH) return undefined;
  const query = url.indexOf('?');
  if (query >= 0) path = url.slice(0, query);
  const isTooLong = path.split('/').some((segment) => [...decodeURIComponent(segment)].length > MAX_SEGMENT_LENGTH);
  return isTooLong ? 'A segment of the path is too long' : undefined;
}

/** Whether the client disconnected before the request had arrived in full. */
export const isCutOff = ({ destroyed, complete }: IncomingMessage): boolean => destroyed && !complete;
