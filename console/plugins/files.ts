import { basename } from 'node:path';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../http/problem.ts';
import { TOKEN_FIELD } from '../http/sent-forms.ts';
import { requireToken } from './forms.ts';

/** About fifty thousand services; larger files are imported with the command. Bytes. */
export const MAX_UPLOAD_BYTES = 5_000_000;

/** The form around the file. Bytes. */
const MAX_FORM_OVERHEAD = 20_000;

const MAX_NAME = 200;

/** Lets the routes of a scope take forms with a file; such a route says `files: true`. */
export const takeFiles = (app: FastifyInstance) =>
  app.register(multipart, {
    // `receiveFile` sees that a file was truncated.
    throwFileSizeLimit: false,
    limits: { fileSize: MAX_UPLOAD_BYTES, files: 1, fields: 10, fieldSize: 1_000, parts: 11, headerPairs: 20 },
  });

/** Reads a form with one file. The token is checked before the file is read. Throws a `Problem`. */
export async function receiveFile(
  request: FastifyRequest,
): Promise<{ fields: Map<string, string>; file: { name: string; content: Buffer } }> {
  if (!request.isMultipart()) throw NO_FORM;
  if (Number(request.headers['content-length']) > MAX_UPLOAD_BYTES + MAX_FORM_OVERHEAD) throw TOO_LARGE;
  const fields = new Map<string, string>();
  let isChecked = false;
  let file: { name: string; content: Buffer } | undefined;
  for await (const part of request.parts()) {
    if (!isChecked)
      requireToken(request, part.type === 'field' && part.fieldname === TOKEN_FIELD ? String(part.value) : '');
    isChecked = true;
    if (part.type === 'field') {
      fields.set(part.fieldname, String(part.value));
      continue;
    }
    file = { name: nameOf(part.filename), content: await part.toBuffer() };
    if (part.file.truncated) throw TOO_LARGE;
  }
  if (!isChecked) requireToken(request, '');
  if (!file || file.name === '') throw NO_FILE;
  return { fields, file };
}

/** The file's name in the browser: it is shown, and its extension gives the format. It is never used as a path. */
const nameOf = (given: string | undefined): string =>
  basename((given ?? '').replaceAll('\\', '/'))
    .replaceAll(/\p{C}/gu, '')
    .slice(-MAX_NAME);

const NEXT = { to: '/imports', label: 'Back to the imports' };
const NO_FORM = new Problem(415, 'This cannot be read', 'The request is not a form of this page.', NEXT);
const NO_FILE = new Problem(422, 'No file', 'Choose a file first.', NEXT);
const TOO_LARGE = new Problem(
  413,
  'The file is too large',
  `The limit is ${MAX_UPLOAD_BYTES / 1_000_000} MB. Split the file, or use the command: broker services import FILE --broker SLUG.`,
  NEXT,
);
