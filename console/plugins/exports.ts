import { Readable } from 'node:stream';
import fp from 'fastify-plugin';
import type { Pieces } from '../../src/operator/use-case/exports.ts';
import { Problem } from '../http/problem.ts';

/** A file that is sent as it is made. */
interface Exported {
  name: string;
  /** Its content type. */
  type: string;
  /** Begins it; throws an `OperatorError` where there is nothing to send. */
  make(): Promise<Pieces>;
}

declare module 'fastify' {
  interface FastifyReply {
    /** Sends an export to the operator who is signed in. Throws a `Problem` where too many are being made. */
    sendExport(this: FastifyReply, exported: Exported): Promise<FastifyReply>;
  }
}

/** Exports at the same time; one for each operator. Each keeps a reader thread or a connection busy while it runs. */
const MAX_EXPORTS = 2;

/** Files of any length, made piece by piece as the browser takes them. */
export default fp(
  async (app) => {
    const exporting = new Set<string>();

    app.decorateReply('sendExport', async function ({ name, type, make }) {
      const { operator_id } = this.request.signedIn.operator;
      if (exporting.has(operator_id) || exporting.size >= MAX_EXPORTS) throw BUSY;
      exporting.add(operator_id);
      const release = () => void exporting.delete(operator_id);
      const pieces = await make().catch((error: unknown) => {
        release();
        throw error;
      });
      const file = Readable.from(releasing(pieces, release));
      // The generator does not start, and does not end, where the client disconnects before the first piece.
      file.once('close', release);
      return this.type(type).header('content-disposition', `attachment; filename="${name}"`).send(file);
    });
  },
  { name: 'console-exports', dependencies: ['console-sessions'], fastify: '5.x' },
);

async function* releasing(pieces: Pieces, release: () => void): Pieces {
  try {
    yield* pieces;
  } finally {
    release();
  }
}

const BUSY = new Problem(
  429,
  'An export is being made',
  'Each operator can export once at a time, and two exports run at most: wait until one has finished.',
  { to: '/', label: 'Back to the overview' },
  10,
);
