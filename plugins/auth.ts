import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Authenticate, KeyHolder } from '../src/access/authenticate.ts';
import { addressBucket, normaliseAddress } from '../src/rules/ip-rules.ts';
import type { Clock } from '../src/runtime/clock.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, as far as the gates need it: set by gate 1. Each API adds what its handlers need (`admit`). */
    keyHolder: KeyHolder;
    /** The caller's address in normal form; empty where the proxy sent something that is not an address. */
    clientIp: string;
    /** When authentication began, in monotonic milliseconds; undefined where the request was refused before. */
    startedAt: number | undefined;
  }
}

/** `KeyHolder`: the kind of caller that `authenticate` finds. */
export interface AuthOptions<C extends KeyHolder = KeyHolder> {
  authenticate: Authenticate<C>;
  clock: Clock;
  /** Keeps what the API's handlers need of the caller. */
  admit(request: FastifyRequest, holder: C): void;
}

/** Gate 1: the bearer key (contract, sections 2 and 5). Refuses with 401 before the body is read. */
export default fp<AuthOptions>(
  async (app, { authenticate, clock, admit: keep }) => {
    app.decorateRequest('keyHolder');
    app.decorateRequest('clientIp', '');
    app.decorateRequest('startedAt', undefined);

    function admit(request: FastifyRequest, holder: KeyHolder): void {
      request.keyHolder = holder;
      keep(request, holder);
    }

    const refuse = (request: FastifyRequest, error: unknown, done: (error?: Error) => void) =>
      void app.countAuthFailure(request, error as Error).then(done, done);

    app.addHook('onRequest', (request, _reply, done) => {
      request.startedAt = clock.monotonic();
      request.clientIp = normaliseAddress(request.ip) ?? '';
      let holder: KeyHolder | Promise<KeyHolder>;
      try {
        holder = authenticate(authorizationHeaders(request.raw.rawHeaders), addressBucket(request.clientIp));
      } catch (error) {
        return refuse(request, error, done);
      }
      if (!(holder instanceof Promise)) {
        admit(request, holder);
        return done();
      }
      holder.then(
        (found) => {
          admit(request, found);
          done();
        },
        (error) => refuse(request, error, done),
      );
    });
  },
  {
    name: 'auth',
    dependencies: ['transport', 'auth-failures'],
    decorators: { fastify: ['countAuthFailure'] },
    fastify: '5.x',
  },
);

/** All Authorization headers: Node keeps only the first in `headers`, but a request with two keys must be refused. */
function authorizationHeaders(rawHeaders: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') found.push(rawHeaders[i + 1] as string);
  }
  return found;
}
