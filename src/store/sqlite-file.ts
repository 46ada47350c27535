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

/** What is thrown when the file that is open is no longer the one at its path. */
export const FILE_GONE = 'DATABASE_FILE_GONE';

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Makes the file where there is none, and takes it and its log away from everybody but its owner, whatever the umask
 * (contract, section 10). SQLite gives files that it makes beside a database the database's own mode.
 * Throws one clear line when the file cannot be written, or belongs to somebody else and is open to others.
 * @param access throws unless a path can be written
 */
export function prepareFile(file: string, access: (path: string, mode: number) => void = accessSync): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Opened for appending, it is left alone where another process was faster.
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ALONE));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0) chmodSync(path, OWNER_ALONE);
  }
  // Asked by name: to close a second descriptor of a database would release this process's locks on it.
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

/** The open file, by its identity. */
export interface OpenFile {
  /**
   * Throws `FILE_GONE` unless the path and its log still lead to what is open; costs two looks at the file system.
   * Returns the length of the log in bytes.
   */
  check(): number;
}

/**
 * Remembers what a database's path leads to. A file that is deleted or replaced under an open connection takes every
 * write without a word, and all of them are gone at the next start.
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
