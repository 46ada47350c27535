/** A file of an archive. */
export interface TarEntry {
  /** Of at most 100 bytes, without a slash at its beginning. */
  path: string;
  content: Buffer;
}

const BLOCK = 512;

/**
 * Makes a tar archive (POSIX ustar) of files that everyone may read.
 * @param mtime in seconds since 1970, of every file
 */
export function tarOf(entries: readonly TarEntry[], mtime: number): Buffer {
  const parts = entries.flatMap(({ path, content }) => [
    header(path, content.length, mtime),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ]);
  // Two empty blocks end an archive.
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Numbers are octal and end with a NUL; the checksum counts itself as blanks. */
function header(path: string, size: number, mtime: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new RangeError(`the path is too long for a tar archive: ${path}`);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const block = Buffer.alloc(BLOCK);
  const fields: Array<[offset: number, text: string]> = [
    [0, path],
    [100, octal(0o644, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(size, 12)],
    [136, octal(mtime, 12)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ];
  for (const [offset, text] of fields) block.write(text, offset);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
