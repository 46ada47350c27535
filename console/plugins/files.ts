import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import { MAX_UPLOAD_BYTES, measured } from '../uploads.ts';
import { FIELD, requireOwn } from './forms.ts';

/** A file that was sent along with a form, and lies where it was told to. */
export interface ReceivedFile {
  name: string;
  path: string;
  bytes: number;
  sha256: string;
}

/** What stands around the file in its form. Bytes. */
const MAX_AROUND = 20_000;

const MAX_NAME = 200;

/** Lets the routes of a scope take forms with a file; such a route says `files: true`. */
export const takeFiles = (app: FastifyInstance) =>
  app.register(multipart, {
    // Of a file that is too large `receiveFile` sees that it was cut off.
    throwFileSizeLimit: false,
    limits: { fileSize: MAX_UPLOAD_BYTES, files: 1, fields: 10, fieldSize: 1_000, parts: 11, headerPairs: 20 },
  });

/**
 * Reads a form with one file. The token comes first, so that nothing of a stranger's form is written down; the file is
 * readable by this process's user alone. Throws a `Problem`, and leaves no file behind then.
 * @param newPath where the file is put
 */
export async function receiveFile(
  request: FastifyRequest,
  newPath: () => string,
): Promise<{ fields: Map<string, string>; file: ReceivedFile }> {
  if (!request.isMultipart()) throw NO_FORM;
  if (Number(request.headers['content-length']) > MAX_UPLOAD_BYTES + MAX_AROUND) throw TOO_LARGE;
  const fields = new Map<string, string>();
  let isOwn = false;
  let file: ReceivedFile | undefined;
  try {
    for await (const part of request.parts()) {
      if (!isOwn) requireOwn(request, part.type === 'field' && part.fieldname === FIELD ? String(part.value) : '');
      isOwn = true;
      if (part.type === 'field') {
        fields.set(part.fieldname, String(part.value));
        continue;
      }
      const path = newPath();
      const { through, end } = measured();
      file = { name: nameOf(part.filename), path, bytes: 0, sha256: '' };
      await pipeline(part.file, through, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
      Object.assign(file, end());
      if (part.file.truncated) throw TOO_LARGE;
    }
    // A form without anything is nobody's.
    if (!isOwn) requireOwn(request, '');
    if (!file || file.name === '') throw NO_FILE;
    return { fields, file };
  } catch (error) {
    if (file) await rm(file.path, { force: true });
    throw error;
  }
}

/** What the browser calls the file: shown, and its ending tells the format; it is nobody's path. */
const nameOf = (given: string | undefined): string =>
  basename((given ?? '').replaceAll('\\', '/'))
    .replaceAll(/\p{C}/gu, '')
    .slice(-MAX_NAME);

const NEXT = { to: '/imports', label: 'Back to the imports' };
const NO_FORM = new Problem(415, 'This cannot be read', 'It is not the form of this page.', NEXT);
const NO_FILE = new Problem(422, 'There is no file', 'Choose a file first.', NEXT);
const TOO_LARGE = new Problem(
  413,
  'The file is too large',
  `Here it may have ${MAX_UPLOAD_BYTES / 1_000_000} MB. Cut it into parts, or use the command: broker services import FILE --broker SLUG.`,
  NEXT,
);
