/** A build product for integrators, served below `/api/docs`. */
export interface Download {
  /** The path below `/api/docs`, with its first slash. */
  readonly path: string;
  readonly type: string;
  /** The file, relative to the folder `plugins/docs-downloads`. */
  readonly file: string;
}

/** The downloads that are the same for every caller; the example clients name the caller's address (plugins/docs-page.ts). */
export const DOWNLOADS: readonly Download[] = [
  { path: '/client.tgz', type: 'application/gzip', file: 'client.tgz' },
  { path: '/conformance.tgz', type: 'application/gzip', file: 'conformance.tgz' },
  { path: '/collections/postman.json', type: 'application/json; charset=utf-8', file: 'postman.json' },
  { path: '/collections/bruno.zip', type: 'application/zip', file: 'bruno.zip' },
];
