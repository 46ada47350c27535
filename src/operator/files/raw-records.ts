import { OperatorError, type RecordFault } from '../use-case/errors.ts';

/* What the readers of JSON and CSV files have in common. */

/** The fields that a record gives, or why it could not be taken apart. */
export type RawFields =
  | { fields: ReadonlyMap<string, unknown>; fault?: undefined }
  | { fields?: undefined; fault: RecordFault };

/** A record as the file has it: the line where it begins, or its place among the records, and its fields. */
export type RawRecord = RawFields & { at: number };

/**
 * Records without a fault take a kilobyte of memory each, which a file of the shortest ones would not show. So they are
 * counted before the first one is read.
 */
const MAX_RECORDS = 1_000_000;

/** The longest fields come to a fraction of that. Bytes. */
export const MAX_RECORD_BYTES = 100_000;

/**
 * The paths below the first halves of paths such as `price.amount`, which are objects in JSON; an object of names that no
 * declaration knows has its own path alone.
 */
export type Groups = ReadonlyMap<string, readonly string[]>;

export const unreadableFile = (message: string) => new OperatorError('invalid', message);

export const tooLong = (where: string): string => `${where} is longer than ${MAX_RECORD_BYTES} bytes`;

export function refuseTooMany(name: string, count: number): void {
  if (count > MAX_RECORDS) {
    throw unreadableFile(`${name}: the file has ${count} records, at most ${MAX_RECORDS} can be; import it in parts`);
  }
}

export const byteOf = (letter: string): number => letter.charCodeAt(0);
export const QUOTE = byteOf('"');

/** Of what a file makes up, a message names so much. */
export const MAX_NAMED = 10;
const MAX_NAME_LENGTH = 60;

export const shortenText = (text: string): string =>
  text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text;

export function columnOf(path: string): string {
  return path.replace('.', '_');
}
