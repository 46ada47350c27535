import { createHash } from 'node:crypto';
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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

/**
 * Makes files that differ in one value, which is inserted between the parts. The parts are compressed here, once: a file
 * with another value costs a copy, not a compression.
 * @returns makes the file with a value, which has at most 65,535 bytes
 */
export function templateFile(
  type: string,
  parts: readonly string[],
  headers: Record<string, string> = {},
): (value: string) => StaticFile {
  const chunks = parts.map((part) => ({
    plain: Buffer.from(part),
    // Ends at a whole byte, and refers to no other chunk.
    deflated: deflateRawSync(part, { finishFlush: constants.Z_FULL_FLUSH }),
  }));
  const version = etagOf(parts.join('\0'));
  const allPlain = chunks.map(({ plain }) => plain);
  const allDeflated = chunks.map(({ deflated }) => deflated);
  return (value) => {
    const content = () => interleaved(allPlain, Buffer.from(value));
    const compressed = () => interleaved(allDeflated, storedBlock(value));
    return {
      type,
      headers,
      zipped: {
        etag: etagOf(`gzip ${version} ${value}`),
        bytes: () => Buffer.concat([GZIP_HEADER, ...compressed(), LAST_BLOCK, gzipTrailer(content())]),
      },
      plain: { etag: etagOf(`plain ${version} ${value}`), bytes: () => Buffer.concat(content()) },
    };
  };
}

const interleaved = (parts: readonly Buffer[], value: Buffer): Buffer[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [value, part]));

/** RFC 1952: deflate, without a name and a time, of an unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** RFC 1951: an empty block, marked as the last one. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** RFC 1951, 3.2.4: a block without compression, with its length and the complement of it. */
function storedBlock(value: string): Buffer {
  const content = Buffer.from(value);
  const header = Buffer.alloc(5);
  header.writeUInt16LE(content.length, 1);
  header.writeUInt16LE(0xffff - content.length, 3);
  return Buffer.concat([header, content]);
}

/** The checksum and length of the content, which is given in pieces. */
function gzipTrailer(content: readonly Buffer[]): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(
    content.reduce((crc, piece) => crc32(piece, crc), 0),
    0,
  );
  trailer.writeUInt32LE(
    content.reduce((length, piece) => length + piece.length, 0),
    4,
  );
  return trailer;
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
