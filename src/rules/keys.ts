/** The keys of a record that has no others than its type says: what the code declares, and nothing that was parsed. */
export const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>): K[] => Object.keys(record) as K[];
