import type { Actor } from '../audit/audit.ts';
import type { FailureKind, Fault, FaultyRecord } from './errors.ts';
import type { ImportPreview, ImportReport, OnProgress } from './import-file.ts';

export const IMPORT_KINDS = ['plans', 'services', 'invoices', 'consumption'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Whose import it is, where that can end while it waits: a key of the operator's API, or a person at the console. */
export type Importer = { keyId: string } | { operatorId: string };

/** A file, and what is to be done with it. */
export interface ImportTask {
  kind: ImportKind;
  broker: string;
  /** What the operator calls the file; its extension determines the format. */
  name: string;
  content: Uint8Array;
  /** The content is the body of a call: an object with the records and, perhaps, `dry_run`. */
  isBody?: boolean;
  /** Writes nothing, and says what would be created, updated and refused. */
  dryRun: boolean;
  /** The operator who imports it, for the audit trail. */
  actor: Actor;
  /** Looked at again when the import begins and in the transaction that commits it. */
  importer?: Importer;
}

export type ImportOutcome =
  | { preview: ImportPreview }
  | { report: ImportReport }
  /** The importer may not import any more; nothing was imported. `expiredAt` in epoch milliseconds, of a key that expired. */
  | { refusal: string; endedImporter: true; expiredAt?: number }
  /** Why nothing was imported: in words, and by the records or fields that are at fault. */
  | {
      refusal: string;
      kind?: FailureKind;
      records?: readonly FaultyRecord[];
      more?: number;
      faults?: readonly Fault[];
    };

/**
 * Does one task; rejects for unexpected errors. `signal` ends it, and then nothing of it is imported. `onBegin`: it waits
 * for no other one any more.
 */
export type ImportRunner = (
  task: ImportTask,
  onProgress: OnProgress,
  signal?: AbortSignal,
  onBegin?: () => void,
) => Promise<ImportOutcome>;
