/** The base address in the samples of the repository's files: that of a server on the reader's machine. */
export const SAMPLES_BASE_URL = 'http://127.0.0.1:3000/api';

/** What texts call the server where they mean any. */
const ANY_BASE_URL = 'https://your-host/api';

const WRITTEN = new RegExp([SAMPLES_BASE_URL, ANY_BASE_URL].map((url) => url.replaceAll('.', '\\.')).join('|'));

/** A host name or address with an optional port: nothing else of a `Host` header reaches a page. */
const HOST = /^([\w.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i;

/**
 * The base address that the reader's own calls need: the configured one, or else the one of the request.
 * @param request as Fastify gives it: forwarded headers count where they come from a trusted proxy
 */
export function baseUrlOf(request: { protocol: string; host: string }, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return `${publicUrl}/api`;
  return HOST.test(request.host) ? `${request.protocol}://${request.host}/api` : SAMPLES_BASE_URL;
}

/** The text between the places where the reader's base address stands in place of the written ones. */
export const splitAtBaseUrl = (text: string): string[] => text.split(WRITTEN);
