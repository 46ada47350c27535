import { Worker } from 'node:worker_threads';
import type { Config } from '../../config.ts';
import type { Clock } from '../../runtime/clock.ts';
import { programFile } from '../../runtime/paths.ts';
import { linesOf } from '../../store/session/csv.ts';
import type { Reads, Store } from '../../store/store.ts';
import { readImportBody } from '../files/body.ts';
import type { OperatorDeps } from '../use-case/dependencies.ts';
import { ImportError, OperatorError } from '../use-case/errors.ts';
import type {
  Importer,
  ImportOutcome,
  ImportPreview,
  ImportRunner,
  ImportTask,
  OnProgress,
  PreviewedRecord,
} from '../use-case/import-task.ts';
import { IMPORTS } from './kinds.ts';

/** A preview has this many records to create, and as many to update; the totals count all. */
export const RECORDS_LISTED = 200;

/** The longest list of faults. Characters. */
const MAX_FAULTS_CSV = 400_000;

/** The faults of a file as CSV, a line for each; no cell runs as a formula in a spreadsheet. */
export function faultsAsCsv(records: readonly PreviewedRecord[]): string {
  const rows = records.flatMap(({ where, subject, faults }) =>
    faults.map(({ field, message }) => [where, subject, field, message]),
  );
  const csv = String(linesOf([['line', 'record', 'field', 'fault'], ...rows]));
  return csv.length > MAX_FAULTS_CSV ? csv.slice(0, csv.lastIndexOf('\n', MAX_FAULTS_CSV) + 1) : csv;
}

/** The importer of a task may not import any more. */
class EndedImporter extends Error {
  constructor(readonly expiredAt?: number) {
    super('Your access has ended: nothing was imported');
  }
}

/** Throws an `EndedImporter` where a key was revoked or has expired, or a person may no longer import. */
async function requireImporter(
  { operatorKeys, operators }: Pick<Reads, 'operatorKeys' | 'operators'>,
  importer: Importer,
  clock: Clock,
): Promise<void> {
  if ('operatorId' in importer) {
    const operator = await operators.find(importer.operatorId);
    if (!operator?.active || operator.role !== 'admin') throw new EndedImporter();
    return;
  }
  const key = await operatorKeys.find(importer.keyId);
  if (key?.status !== 'active') throw new EndedImporter();
  if (key.expiresAt !== null && key.expiresAt <= clock.machine()) throw new EndedImporter(key.expiresAt);
}

/** The same store; each of its transactions commits only while the importer may import. */
const storeFor = (store: Store, importer: Importer, clock: Clock): Store => ({
  ...store,
  tx: (work) =>
    store.tx(async (tx) => {
      const result = await work(tx);
      // Whatever revokes the access takes this lock too: the trail shows it after the import, or there is no import.
      await ('keyId' in importer ? tx.operatorKeys : tx.operators).lock();
      await requireImporter(tx, importer, clock);
      return result;
    }),
});

/** Does the task here, on this thread. */
export async function runImport(
  parts: OperatorDeps,
  { kind, broker, name, content, isBody = false, dryRun, actor, importer }: ImportTask,
  onProgress: OnProgress,
): Promise<ImportOutcome> {
  const { clock } = parts;
  const store = importer ? storeFor(parts.store, importer, clock) : parts.store;
  try {
    if (importer) await requireImporter(parts.store.read, importer, clock);
    const body = isBody ? readImportBody(content) : { records: content, dryRun };
    const file = { name, content: body.records };
    if (body.dryRun) return { preview: shortened(await IMPORTS[kind].preview(parts, { broker, file })) };
    return { report: await IMPORTS[kind].run({ ...parts, store, actor }, { broker, file, onProgress }) };
  } catch (error) {
    if (error instanceof EndedImporter) {
      const { message, expiredAt } = error;
      return { refusal: message, endedImporter: true, ...(expiredAt !== undefined && { expiredAt }) };
    }
    if (error instanceof ImportError) return { refusal: error.message, records: error.records, more: error.more };
    if (error instanceof OperatorError) return { refusal: error.message, kind: error.kind, faults: error.faults };
    throw error;
  }
}

/** Keeps the first records of each action, and the refused ones, which have to be corrected. */
function shortened(preview: ImportPreview): ImportPreview {
  const taken = { create: 0, update: 0, skip: 0 };
  const records = preview.records.filter(({ action }) => {
    if (action === 'refuse') return true;
    taken[action] += 1;
    return taken[action] <= RECORDS_LISTED;
  });
  return { ...preview, records };
}

/** What a thread may hold: a file of a few megabytes with all its records. One that needs more ends alone. */
export const IMPORT_HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

const THREAD_MODULE = programFile('operator/imports/thread');

/** What a thread is started with. */
export interface ImportThreadData {
  config: Config;
  task: ImportTask;
}

/** The messages of the thread. */
export type ImportMessage = { done: number; total: number } | ImportOutcome;

/**
 * Does tasks in a thread with a connection of its own: a file of fifty thousand lines takes many seconds of processor
 * time, during which no call would be answered. One after the other: two would need twice the memory, and only one of
 * them can write.
 */
export function importInThread(config: Config, resourceLimits = IMPORT_HEAP): ImportRunner {
  let before: Promise<unknown> = Promise.resolve();
  return (task, onProgress, signal, onBegin) => {
    const work = before.then(() => {
      if (signal?.aborted) throw ended();
      onBegin?.();
      return inThread({ config, task }, resourceLimits, onProgress, signal);
    });
    before = work.catch(() => undefined);
    return work;
  };
}

const inThread = (
  workerData: ImportThreadData,
  resourceLimits: typeof IMPORT_HEAP,
  onProgress: OnProgress,
  signal: AbortSignal | undefined,
) =>
  new Promise<ImportOutcome>((resolve, reject) => {
    const { name } = workerData.task;
    const thread = new Worker(THREAD_MODULE, { workerData, resourceLimits });
    const end = () => void thread.terminate();
    signal?.addEventListener('abort', end);
    thread.on('message', (message: ImportMessage) => {
      if ('done' in message) onProgress(message.done, message.total);
      else resolve(message);
    });
    thread.once('error', (error) => {
      const { code } = error as { code?: string };
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ refusal: `${name}: the file has too many records` });
      else reject(error);
    });
    thread.once('exit', () => {
      signal?.removeEventListener('abort', end);
      // After an outcome or an error this says nothing new.
      reject(ended());
    });
  });

const ended = () => new Error('an import was ended before it was done');
