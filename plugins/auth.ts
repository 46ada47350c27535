import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Access, Authenticate } from '../src/access/authenticate.ts';
import type { Clock } from '../src/clock.ts';
import { addressBucket, normaliseAddress } from '../src/rules/ip-rules.ts';
import type { KeyUse, Recorder } from '../src/traffic/recorder.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller: set by gate 1, available in every later hook and handler. */
    access: Access;
    /** The caller's address in normal form; empty where the proxy sent something that is not an address. */
    clientIp: string;
    /** The key's previous use, as far as this process knows. */
    lastUse: KeyUse | undefined;
    /** When authentication began, in monotonic milliseconds; undefined where the request was refused before. */
    startedAt: number | undefined;
  }
}

export interface AuthOptions {
  authenticate: Authenticate;
  recorder: Pick<Recorder, 'lastUse'>;
  clock: Clock;
}

/** Gate 1: the bearer key (contract, sections 2 and 5). Refuses with 401 before the body is read. */
export default fp<AuthOptions>(
  async (app, { authenticate, recorder, clock }) => {
    app.decorateRequest('access');
    app.decorateRequest('clientIp', '');
    app.decorateRequest('lastUse', undefined);
    app.decorateRequest('startedAt', undefined);

    function admit(request: FastifyRequest, access: Access): void {
      request.access = access;
      request.lastUse = recorder.lastUse(access.key.id);
    }

    const refuse = (request: FastifyRequest, error: unknown, done: (error?: Error) => void) =>
      void app.countAuthFailure(request, error as Error).then(done, done);

    app.addHook('onRequest', (request, _reply, done) => {
      request.startedAt = clock.monotonic();
      request.clientIp = normaliseAddress(request.ip) ?? '';
      let access: Access | Promise<Access>;
      try {
        access = authenticate(authorizationHeaders(request.raw.rawHeaders), addressBucket(request.clientIp));
      } catch (error) {
        return refuse(request, error, done);
      }
      if (!(access instanceof Promise)) {
        admit(request, access);
        return done();
      }
      access.then(
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
