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

/** Some fifty thousand services; what is larger is imported with the command, beside the server. Bytes. */
export const MAX_UPLOAD_BYTES = 5_000_000;

/** A file waits for its person to read what would become of it, and to decide. */
const LIFE_MS = 60 * 60_000;

/** Files of one person that wait, and of all people: what a file takes is a part of the disk, and a list in memory. */
export const MAX_PER_OPERATOR = 3;
export const MAX_TOTAL = 12;

/** How often files are looked for that nobody came back for. */
const SWEEP_MS = 60_000;

/** How far an upload has come. */
export type Progress =
  | { step: 'checking' }
  | { step: 'checked'; preview: ImportPreview }
  | { step: 'importing'; done: number; total: number }
  | { step: 'done'; report: ImportReport }
  /** The file cannot be imported as it is, or could not be in the end: nothing of it was. */
  | { step: 'refused'; message: string }
  | { step: 'broken' };

/** Nothing more will come of it: it was imported, or cannot be. */
const isOver = ({ step }: Progress): boolean => step === 'done' || step === 'refused' || step === 'broken';

export interface Upload {
  kind: ImportKind;
  broker: string;
  name: string;
  path: string;
  bytes: number;
  sha256: string;
  progress: Progress;
}

interface Parts {
  clock: Clock;
  run: ImportRunner;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * Files between their upload and their import. They lie in a folder of this process that nobody else may read, and what
 * is imported is what was looked at: nobody sends a file twice. One at a time is read or imported.
 */
export class Uploads {
  private readonly parts: Parts;
  private readonly held: TemporaryItems<Upload>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'broker-console-'));
  private readonly sweeping: NodeJS.Timeout;
  private readonly ending = new AbortController();
  private turn: Promise<void> = Promise.resolve();
  private files = 0;

  constructor(parts: Parts) {
    this.parts = parts;
    const onGone = ({ path }: Upload) => rmSync(path, { force: true });
    this.held = new TemporaryItems({
      clock: parts.clock,
      lifeMs: LIFE_MS,
      each: MAX_PER_OPERATOR,
      all: MAX_TOTAL,
      onGone,
    });
    this.sweeping = setInterval(() => this.held.sweep(), SWEEP_MS).unref();
  }

  /** Where a file may be put that is on its way. */
  newPath(): string {
    this.files += 1;
    return join(this.folder, String(this.files));
  }

  /** Whether the person may bring one more; what is over of those before, also of other people's, gives way to it. */
  reserve(owner: string): boolean {
    return this.held.reserve(owner, ({ progress }) => isOver(progress));
  }

  /** Takes a file that is whole, and begins to look at it. `checked` resolves when that is done. */
  take(owner: string, actor: Actor, file: Omit<Upload, 'progress'>): { id: string; checked: Promise<void> } {
    const upload: Upload = { ...file, progress: { step: 'checking' } };
    const id = this.held.put(owner, upload);
    return { id, checked: this.work(upload, actor, true) };
  }

  /** Removes a file that is not taken after all. */
  forget({ path }: Pick<Upload, 'path'>): void {
    rmSync(path, { force: true });
  }

  find(owner: string, id: string): Upload | undefined {
    return this.held.get(owner, id);
  }

  list(owner: string) {
    return this.held.list(owner);
  }

  /** Begins the import. False unless it was looked at and nothing of it is refused: two clicks import once. */
  begin(upload: Upload, actor: Actor): Promise<void> | false {
    const { progress } = upload;
    if (progress.step !== 'checked' || progress.preview.refused > 0) return false;
    upload.progress = { step: 'importing', done: 0, total: progress.preview.created + progress.preview.updated };
    return this.work(upload, actor, false);
  }

  /** Forgets a file, unless it is being imported. */
  drop(owner: string, id: string): boolean {
    if (this.find(owner, id)?.progress.step === 'importing') return false;
    this.held.remove(owner, id);
    return true;
  }

  /** Ends what is under way, of which then nothing is imported, and removes the files. */
  async close(): Promise<void> {
    clearInterval(this.sweeping);
    this.ending.abort();
    await this.turn;
    this.held.clear();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private work(upload: Upload, actor: Actor, dryRun: boolean): Promise<void> {
    this.turn = this.turn.then(() => this.run(upload, { ...upload, actor, dryRun }));
    return this.turn;
  }

  private async run(
    upload: Upload,
    { kind, broker, name, path, dryRun, actor }: Upload & Pick<ImportTask, 'dryRun' | 'actor'>,
  ) {
    if (this.ending.signal.aborted) return;
    const onProgress = (done: number, total: number) => {
      upload.progress = { step: 'importing', done, total };
    };
    try {
      const task = { kind, broker, name, path, dryRun, actor };
      const outcome = await this.parts.run(task, onProgress, this.ending.signal);
      if ('preview' in outcome) upload.progress = { step: 'checked', preview: outcome.preview };
      else if ('report' in outcome) upload.progress = { step: 'done', report: outcome.report };
      else upload.progress = { step: 'refused', message: outcome.refusal };
    } catch (error) {
      upload.progress = { step: 'broken' };
      if (!this.ending.signal.aborted) this.parts.log.error({ err: error }, 'an import in the console broke');
    }
    if (upload.progress.step !== 'checked') rmSync(path, { force: true });
  }
}

/** Counts and hashes what goes by. */
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
