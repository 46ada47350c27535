/** A copy of a record without some of its fields. */
export function omit<R extends object, K extends keyof R>(record: R, ...names: readonly K[]): Omit<R, K> {
  const copy = { ...record };
  for (const name of names) delete copy[name];
  return copy;
}
