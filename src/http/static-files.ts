import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** A file as it is served: in memory, so that no answer opens anything that a caller who leaves could leave open. */
export interface StaticFile {
  readonly type: string;
  readonly body: Buffer;
  /** A strong validator in its quotes. */
  readonly etag: string;
  /** Further headers, such as a page's content security policy. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a file out of its content; all that an answer needs is computed here, once. */
export function staticFile(type: string, content: Buffer | string, headers: Record<string, string> = {}): StaticFile {
  const body = Buffer.isBuffer(content) ? content : Buffer.from(content);
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`, headers };
}

/**
 * Serves files under their exact paths, to GET alone and without parts of them: a `Range` is answered with the whole.
 * A copy may be kept and is asked about each time, because an update of the server changes the files under their names.
 */
export function serveStatic(
  app: FastifyInstance,
  files: Readonly<Record<string, () => StaticFile | Promise<StaticFile>>>,
): void {
  for (const [path, find] of Object.entries(files)) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const { type, body, etag, headers = {} } = await find();
      reply.headers(headers).header('etag', etag).revalidate();
      return isKnown(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.type(type).send(body);
    });
  }
}

/** Whether a caller has this version already (weak comparison, as the header asks for). */
const isKnown = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) === true;
