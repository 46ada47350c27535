import { oneLine } from '../rules/one-line.ts';

/** Where a command's words go. Standard output holds the answer alone, so that it can be piped on. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Whether somebody watches standard error. */
  watched: boolean;
}

/** A record as lines of `name: value`; what is nested is named by its path. */
export function fieldsOf(record: object): string {
  const lines = entriesOf(record, '');
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${value}`.trimEnd()).join('\n');
}

/** Records as a table; each column is a path into the record. */
export function tableOf(records: readonly object[], columns: readonly string[]): string {
  if (records.length === 0) return 'None.';
  const rows = records.map((record) => {
    const values = new Map(entriesOf(record, ''));
    return columns.map((column) => values.get(column) ?? '-');
  });
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] as string).length)),
  );
  return [columns, ...rows]
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function entriesOf(record: object, prefix: string): Array<[string, string]> {
  return Object.entries(record).flatMap(([name, value]) => {
    const path = prefix + name;
    if (typeof value === 'object' && value !== null && !isListOfTexts(value)) return entriesOf(value, `${path}.`);
    return [[path, shown(value)] as [string, string]];
  });
}

const isListOfTexts = (value: object): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object');

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return Array.isArray(value) ? value.join(', ') || '-' : oneLine(String(value));
}
