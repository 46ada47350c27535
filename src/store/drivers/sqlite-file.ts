import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The error code for an open file that is no longer the one at its path. */
export const FILE_GONE = 'DATABASE_FILE_GONE';

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Creates the file if needed, and restricts it and its log to the owner, whatever the umask (contract, section 10). SQLite
 * gives the files that it creates the database's mode. Throws one clear line when the file cannot be written, or is open
 * to others and has another owner.
 * @param access throws unless a path can be written
 */
export function prepareFile(file: string, access: (path: string, mode: number) => void = accessSync): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // For appending: keeps the file where another process was faster.
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ALONE));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0) chmodSync(path, OWNER_ALONE);
  }
  // By name: closing a second descriptor would release this process's locks on the database.
  for (const path of [file, dirname(file)]) {
    try {
      access(path, constants.W_OK);
    } catch (cause) {
      throw new Error(`${path} cannot be written`, { cause });
    }
  }
}

/** Makes an empty file for its owner alone. Throws `EEXIST` where there is one. */
export const makePrivateFile = (file: string): void => closeSync(openSync(file, 'wx', OWNER_ALONE));

export interface OpenFile {
  /**
   * Throws `FILE_GONE` unless the paths of the file and its log still lead to the open files. Returns the length of the
   * log in bytes.
   */
  check(): number;
}

/**
 * Remembers the identity of an open database file. Writes to a file that was deleted or replaced succeed, and are lost at
 * the next start.
 */
export function watchFile(file: string): OpenFile {
  const log = `${realpathSync(file)}-wal`;
  const opened = { file: identityOf(file), log: identityOf(log) };
  return {
    check() {
      const now = { file: identityOf(file), log: identityOf(log) };
      if (!isSame(now.file, opened.file) || !isSame(now.log, opened.log)) {
        throw Object.assign(new Error('the database file was removed or replaced since the start'), {
          code: FILE_GONE,
        });
      }
      return now.log.size;
    },
  };
}

interface Identity {
  dev: number;
  ino: number;
  size: number;
}

const NOTHING: Identity = { dev: -1, ino: -1, size: 0 };

const identityOf = (path: string): Identity => statSync(path, { throwIfNoEntry: false }) ?? NOTHING;

const isSame = (one: Identity, other: Identity): boolean => one.dev === other.dev && one.ino === other.ino;
