/** The value at a path such as `data.0.plan.slug`; undefined where there is none. */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

export type Item = Record<string, unknown>;

/** The list at a path; an empty one where there is none, which the document's schema reports. */
export const listAt = (value: unknown, path: string): Item[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};

/** Where a value differs from a part of it that is expected, a sentence each; an array has to be as long as expected. */
export function differences(value: unknown, expected: unknown, path: string): string[] {
  if (typeof expected !== 'object' || expected === null)
    return Object.is(value, expected) ? [] : [`${path} is ${shown(value)}, not ${shown(expected)}`];
  const sameKind = typeof value === 'object' && value !== null && Array.isArray(value) === Array.isArray(expected);
  if (!sameKind || (Array.isArray(value) && value.length !== (expected as unknown[]).length))
    return [`${path} is ${shown(value)}, not ${shown(expected)}`];
  return Object.entries(expected).flatMap(([name, inner]) =>
    differences((value as Item)[name], inner, `${path}.${name}`),
  );
}

const MAX_SHOWN = 120;

export function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
