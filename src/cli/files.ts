import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { OperatorError } from '../operator/errors.ts';
import type { ImportSource } from '../operator/import-file.ts';

/** A file to import. Throws an `OperatorError` that names it when it cannot be read. */
export const readImport = async (path: string): Promise<ImportSource> => ({
  name: basename(path),
  content: await readBytes(path),
});

/** A file's text, which must be UTF-8. */
export async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError(`${path}: the file is not UTF-8 text`);
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new OperatorError(`${path}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
