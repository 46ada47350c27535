import type { Test } from 'tap';
import type { RunOptions } from '../../conformance/run.ts';
import { served } from './served.ts';
import { listen } from './wire.ts';

/** A server with sandbox keys of every kind, and the options of a run against it, whose waits move the server's clock. */
export async function preparedRun(t: Test, { rateLimit = 1_000_000, onFile = false } = {}) {
  const world = await served(t, onFile ? { onFile: true } : {});
  const { broker, clock } = world;
  const fields = { mode: 'test' as const };
  const { key } = await world.addKey(broker, ['admin:full'], { ...fields, rateLimit });
  const closed = await world.addBroker({ ipRestrictionEnabled: true });
  const otherKeys = {
    noScopes: (await world.addKey(broker, [], fields)).key,
    expired: (await world.addKey(broker, [], { ...fields, expiresAt: clock.now() - 1 })).key,
    revoked: (await world.addKey(broker, [], { ...fields, status: 'revoked' })).key,
    firewalled: (await world.addKey(closed, ['admin:full'], fields)).key,
    otherBroker: (await world.addKey(await world.addBroker(), ['admin:full'], fields)).key,
  };
  const port = await listen(world.app);
  const strict = await served(t, { config: { requireHttps: true } });
  const log: string[] = [];
  const options: RunOptions = {
    baseUrl: `http://127.0.0.1:${port}/api`,
    apiKey: key,
    otherKeys,
    plainUrl: `http://127.0.0.1:${await listen(strict.app)}/api`,
    document: await world.app.openapiDocument(),
    clock,
    wait: async (ms) => clock.advance(ms),
    log: (line) => log.push(line),
  };
  return { world, key, otherKeys, port, log, options };
}
