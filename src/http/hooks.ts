/** A route's hooks of one kind as a list, for plugins that add their own. */
export const hooksOf = <T>(given: T | T[] | undefined): T[] => (given === undefined ? [] : ([given].flat() as T[]));
