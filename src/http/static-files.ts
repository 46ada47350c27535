import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** A file as it is served: in memory, so that no answer opens anything that a caller who leaves could leave open. */
export interface StaticFile {
  readonly type: string;
  /** Further headers, such as a page's content security policy. */
  readonly headers: Readonly<Record<string, string>>;
  /** Compressed, as nearly every caller takes it. */
  readonly zipped: Form;
  /** As it is, for the others. */
  plain(): Form;
}

interface Form {
  readonly body: Buffer;
  /** A strong validator in its quotes. */
  readonly etag: string;
}

/** Makes a file out of its content; all that an answer needs is computed here, once. */
export function staticFile(type: string, content: Buffer | string, headers: Record<string, string> = {}): StaticFile {
  const plain = formOf(Buffer.from(content));
  return { type, headers, zipped: formOf(gzipSync(content)), plain: () => plain };
}

/** A file that is stored compressed. It is unpacked for the first caller who wants that, and kept for the next ones. */
export function zippedFile(type: string, zipped: Buffer): StaticFile {
  let plain: Form | undefined;
  return {
    type,
    headers: {},
    zipped: formOf(zipped),
    plain() {
      plain ??= formOf(gunzipSync(zipped));
      return plain;
    },
  };
}

const formOf = (body: Buffer): Form => ({
  body,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
});

/**
 * Serves files under their exact paths, to GET alone and without parts of them: a `Range` is answered with the whole.
 * A copy may be kept and is asked about each time, because an update of the server changes the files under their names.
 */
export function serveStatic(
  app: FastifyInstance,
  files: Readonly<Record<string, () => StaticFile | Promise<StaticFile>>>,
): void {
  for (const [path, find] of Object.entries(files)) {
    app.get(path, async (request, reply) => {
      const { type, headers, zipped, plain } = await find();
      const zips = takesGzip(request.headers['accept-encoding']);
      const { body, etag } = zips ? zipped : plain();
      reply.headers(headers).header('vary', 'accept-encoding').header('etag', etag).revalidate();
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
      if (zips) reply.header('content-encoding', 'gzip');
      return reply.type(type).send(body);
    });
  }
}

/** Whether a caller named the coding, and not in order to refuse it. */
const takesGzip = (header: string | string[] | undefined): boolean =>
  /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(String(header ?? ''));

/** Whether a caller has this version already (weak comparison, as the header asks for). */
const isKnown = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) === true;
