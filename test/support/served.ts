import type { Test } from 'tap';
import { createWorld, type WorldOptions } from './world.ts';

/** A world with a broker, its key, a plan and a service, for tests of the whole pipeline. */
export async function served(t: Test, options: WorldOptions = {}) {
  const world = await createWorld(options);
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker);
  const plan = await world.addPlan(broker);
  const service = await world.addService(broker, plan);
  return { ...world, broker, key, plan, service };
}

/** Stops every key's look-up until it is released. */
export function holdReads(store: { read: { keys: { listAccess(publicIds: readonly string[]): Promise<unknown> } } }) {
  const { keys } = store.read;
  const { listAccess } = keys;
  let release: () => void = () => undefined;
  let reach: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  keys.listAccess = async (publicIds) => {
    reach();
    await released;
    return listAccess(publicIds);
  };
  return { reached, release: () => release() };
}
