/** A build product for integrators, served below `/api/docs`. */
export interface Download {
  /** The path below `/api/docs`, with its first slash. */
  readonly path: string;
  readonly type: string;
  /** The file, relative to the folder `plugins/docs-downloads`. */
  readonly file: string;
}

/** Everything that can be downloaded below `/api/docs`: a line here is all that a new file needs. */
export const DOWNLOADS: readonly Download[] = [
  { path: '/client.tgz', type: 'application/gzip', file: 'client.tgz' },
  { path: '/conformance.tgz', type: 'application/gzip', file: 'conformance.tgz' },
  { path: '/collections/postman.json', type: 'application/json; charset=utf-8', file: 'postman.json' },
  { path: '/collections/bruno.zip', type: 'application/zip', file: 'bruno.zip' },
  { path: '/examples/broker.php', type: 'text/plain; charset=utf-8', file: 'broker.php' },
  { path: '/examples/broker.py', type: 'text/plain; charset=utf-8', file: 'broker.py' },
];
