import { performance } from 'node:perf_hooks';
import Sqlite from 'better-sqlite3';

type Run = (this: unknown, ...args: unknown[]) => unknown;

/** From now on adds up what SQLite's statements take in this process; the answer says how many milliseconds so far. */
export function timeStatements(): () => { ms: number } {
  const db = new Sqlite(':memory:');
  const statements = Object.getPrototypeOf(db.prepare('select 1')) as Record<string, Run>;
  db.close();
  let ms = 0;
  for (const name of ['run', 'get', 'all']) {
    const run = statements[name] as Run;
    statements[name] = function (...args) {
      const from = performance.now();
      try {
        return run.apply(this, args);
      } finally {
        ms += performance.now() - from;
      }
    };
  }
  return () => ({ ms });
}
