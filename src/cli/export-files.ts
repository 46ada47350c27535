import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Manifest, WriteFile } from '../operator/brokers/export.ts';
import { CommandError } from './errors.ts';

/**
 * Writes an export into a directory that is empty or not there yet, the manifest last: where it is missing, the export is
 * not whole. Only its owner can read the files. Throws a `CommandError` that names the directory.
 */
export async function writeExport(directory: string, make: (write: WriteFile) => Promise<Manifest>): Promise<Manifest> {
  const present = await mkdir(directory, { recursive: true, mode: 0o700 })
    .then(() => readdir(directory))
    .catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`--to: ${directory} cannot be used (${error.code})`);
    });
  if (present.length > 0) throw new CommandError(`--to: ${directory} is not empty`);
  const options = { flags: 'wx', mode: 0o600 };
  const manifest = await make(async (file, lines) => {
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const text of lines) {
        hash.update(text);
        yield text;
      }
    }
    await pipeline(hashed, createWriteStream(join(directory, file), options));
    return hash.digest('hex');
  });
  await writeFile(join(directory, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, options);
  return manifest;
}
