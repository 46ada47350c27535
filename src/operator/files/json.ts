import { isNestedDeeper, TOO_DEEP } from '../../rules/nesting.ts';
import {
  byteOf,
  type Groups,
  MAX_RECORD_BYTES,
  QUOTE,
  type RawRecord,
  refuseTooMany,
  shortenText,
  tooLong,
  unreadableFile,
} from './raw-records.ts';

/* Takes a JSON array of records apart. */

/** Each record is parsed by itself: all of them as objects would take many times the file's size. */
export function eachJsonRecord(name: string, bytes: Buffer, groups: Groups, take: (record: RawRecord) => void): void {
  let count = 0;
  for (const _ of elementsOf(name, bytes)) count += 1;
  refuseTooMany(name, count);
  let at = 0;
  for (const { start, end } of elementsOf(name, bytes)) {
    at += 1;
    const item = readJson(name, at, bytes.toString('utf8', start, end));
    const deep = isObject(item) ? Object.keys(item).find((field) => isNestedDeeper(item[field])) : undefined;
    if (deep !== undefined) take({ at, fault: { field: shortenText(deep), message: TOO_DEEP, rule: 'range' } });
    else if (isObject(item)) take({ at, fields: takeApart(item, groups) });
    else take({ at, fault: { field: null, message: 'must be an object', rule: 'type' } });
  }
}

const BACKSLASH = byteOf('\\');
const COMMA = byteOf(',');
const OPEN = byteOf('[');
const CLOSE = byteOf(']');

const OPENING = new Set(Buffer.from('[{'));
const CLOSING = new Set(Buffer.from(']}'));
const BLANK = new Set(Buffer.from(' \t\r\n'));

export function skipBlanks(bytes: Buffer, from: number): number {
  let place = from;
  while (BLANK.has(bytes[place] as number)) place += 1;
  return place;
}

/** Where the elements of a JSON array begin and end; whether each is JSON is for its parser to say. */
function* elementsOf(name: string, bytes: Buffer): Generator<{ start: number; end: number }> {
  let place = skipBlanks(bytes, 0);
  if (place === bytes.length) throw unreadableFile(`${name}: not valid JSON: it is empty`);
  if (bytes[place] !== OPEN) throw unreadableFile(`${name}: the file must hold a JSON array of records`);
  place = skipBlanks(bytes, place + 1);
  if (bytes[place] !== CLOSE) {
    for (let at = 1; ; at += 1) {
      const end = endOfElement(bytes, place);
      if (end === bytes.length) throw unreadableFile(`${name}: not valid JSON: it ends within record ${at}`);
      if (end - place > MAX_RECORD_BYTES) throw unreadableFile(`${name}: ${tooLong(`record ${at}`)}`);
      yield { start: place, end };
      place = end;
      if (bytes[place] === CLOSE) break;
      if (bytes[place] !== COMMA)
        throw unreadableFile(`${name}: not valid JSON: a bracket stands in place of a comma (record ${at})`);
      place += 1;
    }
  }
  if (skipBlanks(bytes, place + 1) < bytes.length)
    throw unreadableFile(`${name}: not valid JSON: something follows the array`);
}

/**
 * Where the comma or bracket stands that ends an element, or `end` in their place; the end of the file where none does.
 */
export function endOfElement(bytes: Buffer, from: number, end?: number): number {
  let depth = 0;
  for (let place = from; place < bytes.length; place += 1) {
    const byte = bytes[place] as number;
    if (byte === QUOTE) {
      place += 1;
      while (place < bytes.length && bytes[place] !== QUOTE) place += bytes[place] === BACKSLASH ? 2 : 1;
    } else if (depth === 0 && (end === undefined ? byte === COMMA || CLOSING.has(byte) : byte === end)) return place;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
  }
  return bytes.length;
}

function readJson(name: string, at: number, text: string): unknown {
  let kept = 0;
  let value: unknown;
  try {
    value = JSON.parse(text, function (this: unknown, _key: string, each: unknown, context?: { source?: string }) {
      if (!Array.isArray(this)) kept += 1;
      return typeof each === 'number' ? new WrittenNumber(context?.source ?? String(each)) : each;
    });
  } catch (error) {
    // A reviver calls itself for each level.
    if (error instanceof RangeError) throw unreadableFile(`${name}: record ${at} ${TOO_DEEP}`);
    throw unreadableFile(`${name}: not valid JSON: ${(error as Error).message} (record ${at})`);
  }
  const written = text.match(STRING)?.filter((string) => string.endsWith(':')).length ?? 0;
  // The reviver is called once more, for the whole text.
  if (written > kept - 1)
    throw unreadableFile(`${name}: not valid JSON: a field stands twice in one object (record ${at})`);
  return value;
}

/** A string in valid JSON, with the colon behind it where it names a field. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?/g;

/** A number of a file as its text: parsed, a long one would be rounded. */
export class WrittenNumber {
  constructor(readonly text: string) {}
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);

/** Takes `{ price: { amount } }` apart into `price.amount`; a group that is null has fields that are null. */
function takeApart(item: Record<string, unknown>, groups: Groups): Map<string, unknown> {
  const into = new Map<string, unknown>();
  for (const [key, value] of Object.entries(item)) {
    // A dot belongs to our own names of nested fields; one that is written in a file names no field.
    if (key.includes('.')) into.set(`"${key}"`, value);
    else if (value === null && groups.has(key)) for (const path of groups.get(key) ?? []) into.set(path, null);
    else if (!groups.has(key) || !isObject(value)) into.set(key, value);
    else for (const [inner, innerValue] of Object.entries(value)) into.set(`${key}.${inner}`, innerValue);
  }
  return into;
}

/** What was read of a JSON file, as any parser would have read it. */
export const plainJson = (value: unknown): unknown => JSON.parse(jsonText(value));

/** What was read of a JSON file, as JSON again; a number beyond every range is a text there. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, each) => {
    if (!(each instanceof WrittenNumber)) return each;
    const number = Number(each.text);
    return Number.isFinite(number) ? number : each.text;
  });
