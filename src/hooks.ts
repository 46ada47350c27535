/** A route's hooks of one kind as a list, however they were given: for plugins that add their own to them. */
export const hooksOf = <T>(given: T | T[] | undefined): T[] => (given === undefined ? [] : ([given].flat() as T[]));
