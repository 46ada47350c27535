/** A key from a file or a variable often ends with a line break. The error does not show it: it may end in a log. */
export function checkedKey(apiKey: string | null | undefined): string {
  const key = (apiKey ?? '').trim();
  if (!/^[!-~]+$/.test(key)) throw new TypeError('apiKey is empty or holds a character that no key has');
  return key;
}
