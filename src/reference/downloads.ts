import { VERSION } from '../version.ts';

/** A build product for integrators, served below `/api/docs`. */
export interface Download {
  /** The path below `/api/docs`, with its first slash. */
  readonly path: string;
  readonly type: string;
  /** The file, by its path in this package. */
  readonly file: string;
}

/** Everything that can be downloaded below `/api/docs`: a line here is all that a new file needs. */
export const DOWNLOADS: readonly Download[] = [
  { path: '/client.tgz', type: 'application/gzip', file: `dist/broker-api-client-${VERSION}.tgz` },
  { path: '/examples/broker.php', type: 'text/plain; charset=utf-8', file: 'docs/examples/broker.php' },
  { path: '/examples/broker.py', type: 'text/plain; charset=utf-8', file: 'docs/examples/broker.py' },
];
