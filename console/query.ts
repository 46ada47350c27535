import type { FastifyRequest } from 'fastify';

/** Longer than anything that is searched for. */
const MAX_VALUE = 200;

/** The page's query: each name once, trimmed; blank is the same as absent, which is what a form without a value sends. */
export function queryOf({ url }: FastifyRequest) {
  const { searchParams } = new URL(url, 'http://console');
  return {
    get: (name: string): string | undefined =>
      withoutNul(searchParams.get(name) ?? '')
        .trim()
        .slice(0, MAX_VALUE) || undefined,
    /** A page's number; the first where it is none. */
    page: (name = 'page'): number => {
      const text = searchParams.get(name) ?? '';
      return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1;
    },
  };
}

/** The value of a name that knows a few; anything else is as good as absent. */
export const oneOf = <T extends string>(value: string | undefined, known: readonly T[]): T | undefined =>
  known.find((word) => word === value);

/** A part of the path, which the route's pattern says is there. */
export const param = ({ params }: FastifyRequest, name: string): string =>
  withoutNul((params as Record<string, string>)[name] as string);

/** PostgreSQL takes no text that holds one, and nothing is called so. */
const withoutNul = (text: string): string => text.replaceAll('\0', '');
