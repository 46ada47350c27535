import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

/** A file to serve, in memory: a caller that disconnects cannot leave a file descriptor open. */
export interface StaticFile {
  readonly type: string;
  /** Further headers, such as a page's content security policy; a `cache-control` takes the place of the usual one. */
  readonly headers: Readonly<Record<string, string>>;
  /** Compressed with gzip, for nearly every caller; undefined for what is compressed already. */
  readonly zipped: Form | undefined;
  /** Uncompressed, for the others. */
  readonly plain: Form;
}

interface Form {
  /** A strong validator, with its quotes. */
  readonly etag: string;
  /** Not called where the caller has this version already. */
  bytes(): Buffer;
}

/** Makes a file from its content; compression and ETags are computed here, once. */
export function staticFile(type: string, content: Buffer | string, headers: Record<string, string> = {}): StaticFile {
  return { type, headers, zipped: formOf(gzipSync(content)), plain: formOf(Buffer.from(content)) };
}

/** A file that is compressed already, such as an archive. */
export function archiveFile(type: string, content: Buffer): StaticFile {
  return { type, headers: {}, zipped: undefined, plain: formOf(content) };
}

const formOf = (body: Buffer): Form => ({ etag: etagOf(body), bytes: () => body });

const etagOf = (content: Buffer | string): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

/** Compressed forms of a template that are kept: a server has few addresses, but callers choose the `Host`. */
const MAX_KEPT_VALUES = 8;

/**
 * Makes files that differ in one value, which is inserted between the parts.
 * @returns makes the file with a value
 */
export function templateFile(
  type: string,
  parts: readonly string[],
  headers: Record<string, string> = {},
): (value: string) => StaticFile {
  const version = etagOf(parts.join('\0'));
  const zipped = new LRUCache<string, Buffer>({ max: MAX_KEPT_VALUES });
  return (value) => ({
    type,
    headers,
    zipped: {
      etag: etagOf(`gzip ${version} ${value}`),
      bytes() {
        const kept = zipped.get(value) ?? gzipSync(parts.join(value));
        zipped.set(value, kept);
        return kept;
      },
    },
    plain: { etag: etagOf(`plain ${version} ${value}`), bytes: () => Buffer.from(parts.join(value)) },
  });
}

/**
 * Serves files under their exact paths, to GET only. A `Range` header is ignored. Clients
 * may keep a copy and must revalidate it each time, because an update of the server changes the files without changing their names.
 */
export function serveStatic(
  app: FastifyInstance,
  files: Readonly<Record<string, () => StaticFile | Promise<StaticFile>>>,
): void {
  for (const [path, find] of Object.entries(files)) {
    app.get(path, async (request, reply) => sendFile(request, reply, await find()));
  }
}

/** Answers with a file, or with 304 where the client has it. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  const { type, headers, zipped, plain } = file;
  const zips = zipped !== undefined && takesGzip(request.headers['accept-encoding']);
  const { bytes, etag } = zips ? zipped : plain;
  reply.header('etag', etag).revalidate().headers(headers).vary('accept-encoding');
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (zips) reply.header('content-encoding', 'gzip');
  return reply.type(type).send(bytes());
}

/** Whether the header names gzip without `q=0`. */
export const takesGzip = (header: string | string[] | undefined): boolean =>
  /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(String(header ?? ''));

/** Whether the caller has this version already (weak comparison, as required for If-None-Match). */
const isKnown = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) === true;
