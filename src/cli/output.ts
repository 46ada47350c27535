import { cellOf, isListOfTexts } from '../operator/use-case/exports.ts';
import { oneLine } from '../rules/text.ts';
import { PLAIN, type Style } from './style.ts';

/** Where a command's words go. Standard output holds the answer alone, so that it can be piped on. */
export interface Io {
  /** May return a promise: resolves when the text is passed on, with false where its reader has left. */
  out(text: string): unknown;
  err(text: string): void;
  /** Whether standard error is a terminal. */
  watched: boolean;
  /** Which of the two are terminals that show colours; by default none. */
  colours?: { out: boolean; err: boolean };
  /** Asks the person at the terminal for a yes, or for these words; absent where there is no such person. */
  ask?(question: string, words?: string): Promise<boolean>;
}

/** A record as lines of `name: value`; what is nested is named by its path. */
export function printRecord(record: object, style: Style = PLAIN): string {
  const lines = entriesOf(record, '');
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines
    .map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${style.value(name, value)}`.trimEnd())
    .join('\n');
}

/** Records as a table; each column is a path into the record (`client.name`). Timestamps are cut to the minute, in UTC. */
export function printTable(records: readonly object[], columns: readonly string[], style: Style = PLAIN): string {
  if (records.length === 0) return 'None.';
  const rows = records.map((record) => columns.map((column) => toTheMinute(shown(cellOf(record, column)))));
  const widths = columns.map((column, index) =>
    rows.reduce((widest, row) => Math.max(widest, (row[index] as string).length), column.length),
  );
  const last = columns.length - 1;
  const padded = (cells: readonly string[]) =>
    cells.map((cell, index) => (index === last ? cell : cell.padEnd(widths[index] as number)));
  return [
    style.heading(padded(columns).join('  ')),
    ...rows.map((row) =>
      padded(row)
        .map((cell, index) => style.value(columns[index] as string, cell))
        .join('  '),
    ),
  ].join('\n');
}

/** A table, and how many records there are in all, or that there are more where that was not counted. */
export function printList(
  {
    total,
    records,
    truncated = false,
  }: { total?: number | undefined; records: readonly object[]; truncated?: boolean },
  columns: readonly string[],
  style: Style = PLAIN,
): string {
  const all = total ?? (truncated ? 'more' : records.length);
  if (all === 0) return 'None.';
  const some = all === 'more' ? `The first ${records.length}; there are more.` : `${records.length} of ${all}.`;
  const summary = records.length === all ? `${all} in all.` : some;
  return records.length === 0 ? summary : `${printTable(records, columns, style)}\n\n${summary}`;
}

const toTheMinute = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{3}Z$/, (_, day, time) => `${day} ${time}Z`);

const entriesOf = (record: object, prefix: string): Array<[path: string, text: string]> =>
  valuesOf(record, prefix).map(([path, value]) => [path, shown(value)]);

/** What a record holds, by path. */
function valuesOf(record: object, prefix: string): Array<[path: string, value: unknown]> {
  return Object.entries(record).flatMap(([name, value]) => {
    const path = prefix + name;
    if (typeof value === 'object' && value !== null && !isListOfTexts(value)) return valuesOf(value, `${path}.`);
    return [[path, value] as [string, unknown]];
  });
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return Array.isArray(value) ? value.join(', ') || '-' : oneLine(String(value));
}
