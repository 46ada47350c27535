import type { FastifyRequest } from 'fastify';

/** Characters of a query parameter that are read. */
export const MAX_VALUE = 200;

/** The request's query parameters, trimmed. A blank one, as a form sends it, counts as absent. */
export function readQuery({ url }: Pick<FastifyRequest, 'url'>) {
  const { searchParams } = new URL(url, 'http://console');
  return {
    get: (name: string): string | undefined =>
      [...withoutNul(searchParams.get(name) ?? '').trim()].slice(0, MAX_VALUE).join('') || undefined,
    /** All values of a parameter, such as checkboxes, whole. */
    all: (name: string): string[] => searchParams.getAll(name).map(withoutNul),
    /** A page number; 1 where it is not valid. */
    page: (name = 'page'): number => {
      const text = searchParams.get(name) ?? '';
      return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1;
    },
  };
}

/** A value if it is a known one; anything else counts as absent. */
export const readChoice = <T extends string>(value: string | undefined, known: readonly T[]): T | undefined =>
  known.find((word) => word === value);

/** A path parameter of the route. */
export const readParam = ({ params }: FastifyRequest, name: string): string =>
  withoutNul((params as Record<string, string>)[name] as string);

/** PostgreSQL refuses texts with a NUL. */
const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** Whether a text is an address of this site and of no other host, which a redirect can name. */
export const isOwnAddress = (text: string): boolean => /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text);
