import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * As much of systemctl as docs/operate.md uses, below the folder ROOT in place of /: starts and stops what the installed
 * unit files say, with their environment files. What hardens a unit has no effect here; systemd-analyze looks at that.
 */
const root = process.env.ROOT as string;
const [verb = '', ...names] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const startsNow = verb !== 'enable' || process.argv.includes('--now');

const pidFile = (name: string) => join(root, 'run', `${name}.pid`);

/** Values of a unit by their name, with specifiers in place. */
function unitOf(name: string): Map<string, string[]> {
  const [, stem, instance = '', kind = '.service'] = /^([^@.]+)(?:@([^.]+))?(\.\w+)?$/.exec(name) as string[];
  const file = join(root, 'etc/systemd/system', `${stem}${instance && '@'}${kind}`);
  const values = new Map<string, string[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    const meant = value.replaceAll('%i', instance).replaceAll('%%', '%').replaceAll('$$', '$');
    if (key) values.set(key, [...(values.get(key) ?? []), meant]);
  }
  return values;
}

function environmentOf(unit: Map<string, string[]>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH };
  for (const entry of unit.get('EnvironmentFile') ?? []) {
    const file = entry.replace(/^-/, '');
    if (entry.startsWith('-') && !existsSync(file)) continue;
    for (const [, key = '', value = ''] of readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm)) {
      env[key] = value.replace(/^'(.*)'$/, '$1');
    }
  }
  return env;
}

const words = (line: string): string[] => (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map(unquoted);
const unquoted = (word: string): string => word.replace(/^(['"])(.*)\1$/, '$2');

function run(line: string, options: { env: NodeJS.ProcessEnv; cwd?: string | undefined }): void {
  const [program = '', ...args] = words(line);
  const { status } = spawnSync(program, args, { ...options, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${line} ended with ${status}`);
}

function start(name: string): void {
  const unit = unitOf(name);
  if (name.endsWith('.timer')) return;
  mkdirSync(join(root, 'var/lib/broker'), { recursive: true });
  mkdirSync(join(root, 'run'), { recursive: true });
  const options = { env: environmentOf(unit), cwd: unit.get('WorkingDirectory')?.[0] };
  const [command = ''] = unit.get('ExecStart') ?? [];
  if (unit.get('Type')?.[0] === 'oneshot') run(command, options);
  else {
    const log = openSync(join(root, 'run', `${name}.log`), 'a');
    const [program = '', ...args] = words(command);
    const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
    writeFileSync(pidFile(name), String(child.pid));
    child.unref();
  }
  for (const line of unit.get('ExecStartPost') ?? []) run(line, options);
}

async function stop(name: string): Promise<void> {
  if (!existsSync(pidFile(name))) return;
  const pid = Number(readFileSync(pidFile(name), 'utf8'));
  process.kill(pid, 'SIGTERM');
  while (isRunning(pid)) await sleep(20);
  rmSync(pidFile(name));
}

/** What has ended and waits to be asked about counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The proxies are not ours: their own packages have units for them. */
const PROXIES: Record<string, string> = {
  nginx: `nginx -p ${root} -c ${root}/nginx.conf`,
  caddy: `caddy run --adapter caddyfile --config ${root}/etc/caddy/Caddyfile`,
};

for (const name of names) {
  if (verb === 'reload') {
    const log = openSync(join(root, `${name}.log`), 'a');
    const [program = '', ...args] = words(PROXIES[name] as string);
    const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] });
    writeFileSync(pidFile(name), String(child.pid));
    child.unref();
    const asked = ['--silent', '--insecure', '--output', '/dev/null', 'https://api.acme.example/'];
    while (spawnSync('curl', asked).status !== 0) {
      if (!isRunning(child.pid as number)) throw new Error(readFileSync(join(root, `${name}.log`), 'utf8'));
      await sleep(50);
    }
  }
  if (verb === 'stop' || verb === 'restart') await stop(name);
  if (verb === 'start' || verb === 'restart' || (verb === 'enable' && startsNow)) start(name);
}
