import { copyFile } from 'node:fs/promises';
import { createDemo } from '../../src/demo/demo.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { createIds } from '../../src/runtime/ids.ts';
import type { Store } from '../../src/store/store.ts';
import { AN_OPERATOR, createTestClock, makeTemplate, openCopy } from './world.ts';

/** A file with the demo's records as of this clock; each process makes it once, which takes half a second. */
function demoAsOf(clock: Clock): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= makeTemplate((store) => createDemo({ store, clock, newId: createIds(), actor: AN_OPERATOR }));
    return made;
  };
}

const demoOfNow = demoAsOf(systemClock);
const demoOfTests = demoAsOf(createTestClock());

/** Makes a SQLite file with the demo's records for programs, which have the machine's clock. */
export const copyDemo = async (file: string): Promise<void> => copyFile(await demoOfNow(), file);

/** Opens a database with the demo's records as of the test clock's start. */
export const openDemo = async (file: string, clock: Clock): Promise<Store> =>
  openCopy(await demoOfTests(), file, clock);
