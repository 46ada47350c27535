import { resourceLimits, threadId } from 'node:worker_threads';
import type { ReadTask } from '../../../src/store/drivers/reader-thread.ts';

/** A reader thread that dies when it is asked to, and else shows which thread it is or what heap it may have. */
export default function read({ params }: ReadTask): { rows: unknown[][] } {
  if (params.includes('die')) process.exit(1);
  const value = params.includes('heap') ? resourceLimits.maxOldGenerationSizeMb : threadId;
  return { rows: [[value, value]] };
}
