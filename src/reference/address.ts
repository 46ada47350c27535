import type { Api } from './api.ts';

/** What texts call the server where they mean any. */
const ANY_BASE_URL = 'https://your-host';

const writtenIn = ({ baseUrl, prefix }: Address): RegExp =>
  new RegExp([baseUrl, ANY_BASE_URL + prefix].map((url) => url.replaceAll('.', '\\.')).join('|'));

/** The base address in the samples of the repository's files, that of a server on the reader's machine, and its path. */
export type Address = Pick<Api, 'baseUrl' | 'prefix'>;

/** A host name or address with an optional port: nothing else of a `Host` header reaches a page. */
const HOST = /^([\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i;

/**
 * The base address that the reader's own calls need: the configured one, or else the one of the request.
 * @param request as Fastify gives it: forwarded headers count where they come from a trusted proxy
 */
export function baseUrlOf(
  { prefix, baseUrl }: Address,
  request: { protocol: string; host: string },
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl + prefix;
  return HOST.test(request.host) ? `${request.protocol}://${request.host}${prefix}` : baseUrl;
}

/** The text between the places where the reader's base address stands in place of the written ones. */
export const splitAtBaseUrl = (api: Address, text: string): string[] => text.split(writtenIn(api));
