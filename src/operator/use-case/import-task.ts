import type { Actor } from '../../audit/audit.ts';
import type { FailureKind, Fault, FaultyRecord, RecordFault } from './errors.ts';

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

/** What looks damaged in records that are imported all the same. */
export interface ImportWarnings {
  /** Records with a warning. */
  warned?: number;
  /** The first warnings, with the places of their records. */
  warnings?: Array<PreviewedFault & { where: string }>;
}

/** What an import has done. */
export interface ImportReport extends ImportWarnings {
  broker: string;
  /** What the audit trail calls it. */
  import_id: string;
  imported: number;
  created: number;
  updated: number;
  /** Of services without a number of their own, in their order. */
  issued_service_numbers?: number[];
}

/** What an import would do: nothing of it, as long as a record is refused. */
export interface ImportPreview {
  broker: string;
  dry_run: true;
  created: number;
  updated: number;
  refused: number;
  /** Of consumption: records that are older than what is stored. */
  skipped?: number;
  /** Records with a warning. */
  warned: number;
  /** Of services: new ones without an email. */
  without_email?: number;
  /** In the file's order, of the refused ones the first. */
  records: PreviewedRecord[];
}

export interface PreviewedRecord {
  where: string;
  action: 'create' | 'update' | 'skip' | 'refuse';
  /** What the file calls the record by, where that could be read. */
  subject: string | number | null;
  /** What describes the record to a person, as the file has it: a service's label, client and plan. */
  summary: Record<string, unknown>;
  /** The fields of an existing record that get another value. */
  changes: Array<{ field: string; before: unknown; after: unknown }>;
  /** What does not keep a record from being imported. */
  warnings: PreviewedFault[];
  faults: PreviewedFault[];
}

export type PreviewedFault = Pick<RecordFault, 'field' | 'message'>;

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

/** Called while an import writes. */
export type OnProgress = (done: number, total: number) => void;

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
