import fp from 'fastify-plugin';
import type { Authenticate } from '../src/access/authenticate.ts';
import type { BrokerAccess } from '../src/access/broker-keys.ts';
import type { Clock } from '../src/runtime/clock.ts';
import type { RecordedUse, Recorder } from '../src/traffic/recorder.ts';
import auth, { type AuthOptions } from './auth.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The broker and the key that call: set by gate 1, available in every later hook and handler of v1. */
    access: BrokerAccess;
    /** The key's previous use, as far as this process knows. */
    lastUse: RecordedUse | undefined;
  }
}

export interface BrokerKeysOptions {
  authenticate: Authenticate<BrokerAccess>;
  recorder: Pick<Recorder, 'lastUse'>;
  clock: Clock;
}

/** Gate 1 of v1: the key is one of a broker. */
export default fp<BrokerKeysOptions>(
  async (app, { authenticate, recorder, clock }) => {
    app.decorateRequest('access');
    app.decorateRequest('lastUse', undefined);
    const options: AuthOptions<BrokerAccess> = {
      authenticate,
      clock,
      admit(request, access) {
        request.access = access;
        request.lastUse = recorder.lastUse(access.key.id);
      },
    };
    await app.register(auth, options as AuthOptions);
  },
  { name: 'broker-keys', fastify: '5.x' },
);
