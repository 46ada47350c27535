/** The innermost cause of an error in one line. */
export function innermost(error: unknown): string {
  let cause = error as Error & { code?: string };
  while (cause.cause instanceof Error) cause = cause.cause;
  return (cause.message || cause.code || cause.name).replace(/\s+/g, ' ').trim();
}
