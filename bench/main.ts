import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { benches } from './benches.ts';
import { CONNECTIONS } from './load.ts';
import { stopAll } from './processes.ts';

/*
 * Speed, as ratios within one run. The server, what it is held against and the load each have a process of their own;
 * the server is the built one, started as users start it. Both sides of a ratio are measured by turns, and a ratio is
 * the median of its rounds. Beside the throughput stands the processor time for an answer, which a busy machine and
 * the load generator's own wake-ups bend less.
 *
 * It needs wrk.
 *
 *   npm run bench                       all of them
 *   npm run bench -- auth-check start   those named
 *   BENCH_AGAINST=FOLDER npm run bench -- turns   beside another built clone
 */
const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: choose among ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const changed = execFileSync('git', ['status', '--porcelain', '-uno'], { encoding: 'utf8' }) !== '';
console.log(
  `Commit ${commit}${changed ? ' with changes on top' : ''}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ` +
    `${Math.round(totalmem() / 2 ** 30)} GiB, wrk with ${CONNECTIONS} connections, ${new Date().toISOString().slice(0, 10)}`,
);
for (const [name, bench] of Object.entries(benches)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'broker-bench-'));
  try {
    console.log(`\n## ${name}\n`);
    await bench(folder, console.log);
  } finally {
    await stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}
