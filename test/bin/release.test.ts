import { type ExecFileSyncOptionsWithStringEncoding, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t from 'tap';
import { freePort } from '../support/redis.ts';
import { until } from '../support/until.ts';

/** A packed release, unpacked; its packages are those of this tree, which has the same lock. */
const folder = mkdtempSync(join(tmpdir(), 'broker-release-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const release = join(folder, 'package');
const quiet: ExecFileSyncOptionsWithStringEncoding = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };

t.before(() => {
  writeFileSync('dist/chunk-OF-AN-EARLIER-BUILD.js', '');
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', folder], quiet));
  execFileSync('tar', ['xzf', join(folder, packed.filename), '-C', folder]);
  symlinkSync(resolve('node_modules'), join(release, 'node_modules'));
});

t.test('a release has all that it runs with and nothing that only a clone needs', async (t) => {
  t.strictSame(readdirSync(release).sort(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'bin',
    'compose.yaml',
    'console',
    'deploy',
    'dist',
    'docs',
    'drizzle',
    'integrations',
    'node_modules',
    'npm-shrinkwrap.json',
    'package.json',
    'plugins',
    'src',
  ]);
  t.strictSame(JSON.parse(readFileSync(join(release, 'npm-shrinkwrap.json'), 'utf8')).packages[''].dependencies, {
    ...JSON.parse(readFileSync('package.json', 'utf8')).dependencies,
  });
  t.notOk(existsSync('npm-shrinkwrap.json'), 'the clone keeps its own lock');
  const programs = readdirSync(join(release, 'dist'), { recursive: true, encoding: 'utf8' });
  t.strictSame(
    programs.filter((file) => /\.map$|EARLIER|\.build/.test(file)),
    [],
  );
});

t.test('an unpacked release starts by npm start, without a build, and serves the client', async (t) => {
  const port = await freePort();
  const server = spawn('npm', ['start'], {
    cwd: release,
    env: { PATH: process.env.PATH, PORT: String(port), CONSOLE_PORT: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm's shell ends alone when npm is stopped: a group is stopped as a whole.
    detached: true,
  });
  const ended = once(server, 'exit');
  t.teardown(async () => {
    process.kill(-(server.pid as number), 'SIGTERM');
    await ended;
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk));
  const base = `http://127.0.0.1:${port}`;
  await until('it is ready', async () => {
    if (server.exitCode !== null) throw new Error(output);
    return (await fetch(`${base}/health/ready`).catch(() => undefined))?.ok;
  });
  const files = ['client.tgz', 'examples/broker.php', 'integrations/whmcs.tar.gz'].map((name) => `/api/docs/${name}`);
  for (const path of ['/api/docs', ...files, '/api/openapi.json'])
    t.equal((await fetch(base + path)).status, 200, path);
  t.match(execFileSync(process.execPath, [join(release, 'bin/broker.mjs'), '--version'], quiet), /^\d+\.\d+\.\d+\n$/);
});
