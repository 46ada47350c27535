import type { IncomingMessage } from 'node:http';

declare module 'node:http' {
  interface IncomingMessage {
    /** Why the request is malformed and cannot be routed; undefined where it can. */
    malformed?: string;
  }
}

/** A longer URL is refused without being parsed; none of its segments meets a limit of the router that is as large. */
export const MAX_URL_LENGTH = 8192;

/** A host name or IPv4 address of at most 255 characters, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]{1,255}|\[[\da-f:.]{2,45}\])(?::\d{0,5})?$/i;

/**
 * The path and query that a request is routed by. A malformed request is marked as such and routed to `/`, where
 * it is refused.
 * @param maxSegmentLength in code points; a longer path segment is malformed
 */
export const routeWithin =
  (maxSegmentLength: number) =>
  (request: IncomingMessage): string => {
    const url = request.url as string;
    const [, authority, path = ''] = ABSOLUTE.exec(url) ?? [];
    const fault = findMalformation(request, maxSegmentLength) ?? findFaultyAuthority(authority);
    if (fault !== undefined) {
      request.malformed = fault;
      return '/';
    }
    if (authority === undefined) return url;
    return path.startsWith('/') ? path : `/${path}`;
  };

/** A target in absolute form (RFC 9112, 3.2.2): the authority, and what follows it. */
const ABSOLUTE = /^https?:\/\/([^/?]*)(.*)$/i;

function findFaultyAuthority(authority: string | undefined): string | undefined {
  if (authority === undefined || (HOST.test(authority) && URL.canParse(`http://${authority}`))) return undefined;
  return 'The host of the URL cannot be read';
}

/**
 * Why a request is malformed, as a message, or undefined (contract, section 1). Node's parser accepts these faults. They
 * are refused before any gate, because a proxy and this server could interpret such a request differently.
 */
function findMalformation(
  { url = '', httpVersion, headers, rawHeaders }: IncomingMessage,
  maxSegmentLength: number,
): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The HTTP version is not supported';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'The transfer coding is not supported';
  return findFaultyHost(headers.host, rawHeaders, httpVersion) ?? findFaultyUrl(url, maxSegmentLength);
}

function findFaultyHost(
  host: string | undefined,
  rawHeaders: readonly string[],
  httpVersion: string,
): string | undefined {
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'The request names no host';
  if (!HOST.test(host)) return 'The Host header is malformed';
  // Of two Host headers Node takes the first; a proxy may take the second.
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? 'The request names two hosts' : undefined;
}

function findFaultyUrl(url: string, maxSegmentLength: number): string | undefined {
  if (url.length > MAX_URL_LENGTH) return 'The URL is too long';
  if (url.includes('#')) return 'The URL has a fragment';
  try {
    if (url.includes('%')) decodeURIComponent(url);
  } catch {
    return 'The URL cannot be decoded';
  }
  if (url.length <= maxSegmentLength) return undefined;
  const [path = ''] = url.split('?', 1);
  const isTooLong = path.split('/').some((segment) => [...decodeURIComponent(segment)].length > maxSegmentLength);
  return isTooLong ? 'A segment of the path is too long' : undefined;
}

/** Whether the client disconnected before the request had arrived in full. */
export const isCutOff = ({ destroyed, complete }: IncomingMessage): boolean => destroyed && !complete;
