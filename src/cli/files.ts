import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ImportSource, MAX_FILE_BYTES } from '../operator/files/read-file.ts';
import { CommandError } from './errors.ts';

/** A file to import. Throws a `CommandError` that names it when it cannot be read. */
export const readImportFileAt = async (path: string): Promise<ImportSource> => ({
  name: basename(path),
  content: await readBytes(path),
});

/** A file's text, which must be UTF-8. */
export async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${path}: the file is not UTF-8 text`);
  }
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES)
      throw new CommandError(`${path}: the file is larger than ${MAX_FILE_BYTES / 1_000_000} MB`);
    return await readFile(path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
