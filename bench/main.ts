import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
 *   npm run bench -- --write            all, into bench/RESULTS.md
 */
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const write = process.argv.includes('--write');
const unknown = named.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: choose among ${Object.keys(benches).join(', ')}`);
  process.exit(1);
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const changed = execFileSync('git', ['status', '--porcelain', '-uno'], { encoding: 'utf8' }) !== '';
const lines = [
  '# Results of the benchmarks',
  '',
  `Commit ${commit}${changed ? ' with changes on top' : ''}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ` +
    `${Math.round(totalmem() / 2 ** 30)} GiB, wrk with ${CONNECTIONS} connections, ` +
    `${new Date().toISOString().slice(0, 10)}. \`npm run bench -- --write\` makes this page anew.`,
];
const say = (line: string) => {
  lines.push(line);
  console.log(line);
};
for (const line of lines) console.log(line);
for (const [name, bench] of Object.entries(benches)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const folder = mkdtempSync(join(tmpdir(), 'broker-bench-'));
  try {
    say(`\n## ${name}\n`);
    await bench(folder, say);
  } finally {
    await stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}
if (write) {
  const page = 'bench/RESULTS.md';
  writeFileSync(page, `${lines.join('\n')}\n`);
  console.log(`\n${page}: ${statSync(page).size} bytes`);
}
