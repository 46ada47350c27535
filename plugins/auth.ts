import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Access, Authenticate } from '../src/access/authenticate.ts';
import type { KeyUse, NoteUse } from '../src/access/last-used.ts';
import type { Clock } from '../src/clock.ts';
import { normaliseAddress } from '../src/rules/ip-rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling: set by gate 1 and there in every later hook and handler. */
    access: Access;
    /** The caller's address in its normal form; empty where what a proxy sent is no address. */
    clientIp: string;
    /** The key's use before this one, as far as this process knows. */
    lastUse: KeyUse | undefined;
    /** When the key was looked at, in monotonic milliseconds; undefined where the request did not come as far. */
    startedAt: number | undefined;
  }
}

export interface AuthOptions {
  authenticate: Authenticate;
  noteUse: NoteUse;
  clock: Clock;
}

/** Gate 1: the bearer key (contract, sections 2 and 5). Refuses with 401 before the body is touched. */
export default fp<AuthOptions>(
  async (app, { authenticate, noteUse, clock }) => {
    app.decorateRequest('access');
    app.decorateRequest('clientIp', '');
    app.decorateRequest('lastUse', undefined);
    app.decorateRequest('startedAt', undefined);

    function admit(request: FastifyRequest, access: Access): void {
      request.access = access;
      // A caller without an address gets no further than the firewall and leaves nothing to show.
      if (request.clientIp !== '') {
        request.lastUse = noteUse({ keyId: access.key.id, atMs: clock.now(), ip: request.clientIp });
      }
    }

    const refuse = (request: FastifyRequest, error: unknown, done: (error?: Error) => void) =>
      void app.countAuthFailure(request, error as Error).then(done, done);

    app.addHook('onRequest', (request, _reply, done) => {
      request.startedAt = clock.monotonic();
      request.clientIp = normaliseAddress(request.ip) ?? '';
      let access: Access | Promise<Access>;
      try {
        access = authenticate(authorizationHeaders(request.raw.rawHeaders));
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

/** All of them: Node keeps only the first in `headers`, and two keys in one request are nobody's. */
function authorizationHeaders(rawHeaders: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 13 && name.toLowerCase() === 'authorization') found.push(rawHeaders[i + 1] as string);
  }
  return found;
}
