import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../src/clock.ts';
import type {
  Actor,
  ImportKind,
  ImportPreview,
  ImportReport,
  ImportRunner,
  ImportTask,
} from '../src/operator/importing.ts';
import { TemporaryItems } from './temporary-items.ts';

/** About fifty thousand services; larger files are imported with the command. Bytes. */
export const MAX_UPLOAD_BYTES = 5_000_000;

/** How long a file is kept between its preview and its import. */
const LIFE_MS = 60 * 60_000;

/** Files kept for one operator, and in total: each takes disk space, and memory for its preview. */
export const MAX_PER_OPERATOR = 3;
export const MAX_TOTAL = 12;

/** How often expired files are removed. */
const SWEEP_MS = 60_000;

/** The state of an upload. */
export type Progress =
  | { step: 'checking' }
  | { step: 'checked'; preview: ImportPreview }
  | { step: 'importing'; done: number; total: number }
  | { step: 'done'; report: ImportReport }
  /** The file cannot be imported: none of it was. */
  | { step: 'refused'; message: string }
  | { step: 'broken' };

const isFinished = ({ step }: Progress): boolean => step === 'done' || step === 'refused' || step === 'broken';

export interface Upload {
  kind: ImportKind;
  broker: string;
  name: string;
  path: string;
  bytes: number;
  sha256: string;
  progress: Progress;
}

interface UploadsDeps {
  clock: Clock;
  run: ImportRunner;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * Files between their upload and their import, in a folder that only this process's user can read. The file that was
 * previewed is the one that is imported. One file at a time is read or imported.
 */
export class Uploads {
  private readonly deps: UploadsDeps;
  private readonly items: TemporaryItems<Upload>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'broker-console-'));
  private readonly sweepTimer: NodeJS.Timeout;
  private readonly closing = new AbortController();
  private queue: Promise<void> = Promise.resolve();
  private files = 0;

  constructor(deps: UploadsDeps) {
    this.deps = deps;
    const onRemove = ({ path }: Upload) => rmSync(path, { force: true });
    this.items = new TemporaryItems({
      clock: deps.clock,
      lifeMs: LIFE_MS,
      perOwner: MAX_PER_OPERATOR,
      total: MAX_TOTAL,
      onRemove,
    });
    this.sweepTimer = setInterval(() => this.items.sweep(), SWEEP_MS).unref();
  }

  /** A path for a new file. */
  newPath(): string {
    this.files += 1;
    return join(this.folder, String(this.files));
  }

  /** Whether the operator may upload one more; finished uploads, also of other operators, are removed for it. */
  reserve(owner: string): boolean {
    return this.items.reserve(owner, ({ progress }) => isFinished(progress));
  }

  /** Adds an uploaded file and starts its preview. `checked` resolves when that is done. */
  take(owner: string, actor: Actor, file: Omit<Upload, 'progress'>): { id: string; checked: Promise<void> } {
    const upload: Upload = { ...file, progress: { step: 'checking' } };
    const id = this.items.put(owner, upload);
    return { id, checked: this.enqueue(upload, actor, true) };
  }

  /** Removes a file that was not added. */
  discard({ path }: Pick<Upload, 'path'>): void {
    rmSync(path, { force: true });
  }

  find(owner: string, id: string): Upload | undefined {
    return this.items.get(owner, id);
  }

  list(owner: string) {
    return this.items.list(owner);
  }

  /** Starts the import. False unless the preview is done and refuses nothing: two clicks import once. */
  begin(upload: Upload, actor: Actor): Promise<void> | false {
    const { progress } = upload;
    if (progress.step !== 'checked' || progress.preview.refused > 0) return false;
    upload.progress = { step: 'importing', done: 0, total: progress.preview.created + progress.preview.updated };
    return this.enqueue(upload, actor, false);
  }

  /** Removes a file, unless it is being imported. */
  drop(owner: string, id: string): boolean {
    if (this.find(owner, id)?.progress.step === 'importing') return false;
    this.items.remove(owner, id);
    return true;
  }

  /** Aborts a running import, which then imports nothing, and removes the files. */
  async close(): Promise<void> {
    clearInterval(this.sweepTimer);
    this.closing.abort();
    await this.queue;
    this.items.clear();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private enqueue(upload: Upload, actor: Actor, dryRun: boolean): Promise<void> {
    this.queue = this.queue.then(() => this.run(upload, { ...upload, actor, dryRun }));
    return this.queue;
  }

  private async run(
    upload: Upload,
    { kind, broker, name, path, dryRun, actor }: Upload & Pick<ImportTask, 'dryRun' | 'actor'>,
  ) {
    if (this.closing.signal.aborted) return;
    const onProgress = (done: number, total: number) => {
      upload.progress = { step: 'importing', done, total };
    };
    try {
      const task = { kind, broker, name, path, dryRun, actor };
      const outcome = await this.deps.run(task, onProgress, this.closing.signal);
      if ('preview' in outcome) upload.progress = { step: 'checked', preview: outcome.preview };
      else if ('report' in outcome) upload.progress = { step: 'done', report: outcome.report };
      else upload.progress = { step: 'refused', message: outcome.refusal };
    } catch (error) {
      upload.progress = { step: 'broken' };
      if (!this.closing.signal.aborted) this.deps.log.error({ err: error }, 'an import in the console failed');
    }
    if (upload.progress.step !== 'checked') rmSync(path, { force: true });
  }
}

/** Counts and hashes the bytes of a stream. */
export function measured() {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async *through(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    },
    end: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}
