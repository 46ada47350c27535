import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** What a server has seen of the records, beside a SQLite file and no part of a backup (contract, section 15.1). */
export interface Remembered {
  /** The next service number. */
  number: number;
  /** Epoch milliseconds. */
  heartbeat: number;
}

/** Null where there is none, or none that can be read: nothing follows then. */
export function readRemembered(file: string): Remembered | null {
  try {
    const { number, heartbeat } = JSON.parse(readFileSync(file, 'utf8')) as Remembered;
    return Number.isSafeInteger(number) && Number.isSafeInteger(heartbeat) ? { number, heartbeat } : null;
  } catch {
    return null;
  }
}

/** Writes it whole or not at all. */
export function writeRemembered(file: string, { number, heartbeat }: Remembered): void {
  const next = `${file}.${process.pid}`;
  writeFileSync(next, JSON.stringify({ number, heartbeat }), { mode: 0o600 });
  renameSync(next, file);
}
