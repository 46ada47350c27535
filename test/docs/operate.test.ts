import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { GATES } from '../../src/errors.ts';
import { packageFile } from '../../src/runtime/paths.ts';
import { blocksOf, has } from '../support/guides.ts';
import { freePort } from '../support/redis.ts';
import { createDatabase, services } from '../support/services.ts';
import { startScriptedSmtp } from '../support/smtp-script.ts';
import { makeCertificate } from '../support/tls.ts';

const SYSTEMCTL = packageFile('dist.test/test/support/systemctl.js');

/** What the guide's machine has and this one need not have, or what a test must not do to it. */
const STAND_INS: Record<string, string> = {
  sudo: 'exec "$@"',
  // The real ones are tried by `.ci/full`; they take minutes.
  npm: 'exit 0',
  useradd: 'exit 0',
  chown: 'exit 0',
  runuser: 'shift 3; exec "$@"',
  // Without the owner, who is no user of this machine.
  install:
    'while [ $# -gt 0 ]; do case $1 in -o|-g) shift 2;; *) args="$args $1"; shift;; esac; done; exec /usr/bin/install $args',
  systemctl: `exec "${process.execPath}" "${SYSTEMCTL}" "$@"`,
};

/** A machine below a folder of its own: the guide's paths and ports lead into it. */
async function createMachine(t: Test) {
  const root = mkdtempSync(join(tmpdir(), 'broker-machine-'));
  const at = (path: string) => join(root, path);
  t.teardown(() => {
    for (const name of readdirSync(at('run')).filter((name) => name.endsWith('.pid'))) {
      try {
        process.kill(Number(readFileSync(at(`run/${name}`), 'utf8')), 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const folder of ['run', 'tmp', 'stand-ins', 'release', 'etc/nginx/conf.d', 'etc/caddy', 'etc/ssl/broker']) {
    mkdirSync(at(folder), { recursive: true });
  }
  for (const folder of ['etc/systemd/system', 'usr/local/bin', 'var/lib']) mkdirSync(at(folder), { recursive: true });

  const mail = await startScriptedSmtp(t, {
    // Bob's provider takes his message and says nothing about it.
    message: (socket) => mail.messages.at(-1)?.includes('bob@client.example') || socket.write('250 2.0.0 queued\r\n'),
  });
  const ports = new Map<string, number>();
  for (const port of ['3000', '3001', '3002', '9100', '9102', '80', '443']) ports.set(port, await freePort());
  const own = (text: string): string =>
    text
      .replaceAll(/(?<![\w.])\/(opt\/broker|etc\/|var\/|tmp\/|usr\/local\/bin)/g, `${root}/$1`)
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll(/(?<!\d)(3000|3001|3002|9100|9102)(?!\d)/g, (port) => String(ports.get(port)))
      .replaceAll(/listen (80|443)/g, (_line, port) => `listen 127.0.0.1:${ports.get(port)}`)
      .replaceAll(/^ *listen \[::\].*\n/gm, '')
      .replace('smtp.example.com:587', `127.0.0.1:${mail.port}`)
      .replace("NODE_ENV='production'", "NODE_ENV='production'\nMAIL_TIMEOUT_SECONDS='1'")
      .replace(
        'auto_https disable_redirects',
        `auto_https disable_redirects\nadmin off\nlocal_certs\nskip_install_trust\nhttp_port ${ports.get('80')}\nhttps_port ${ports.get('443')}`,
      );

  cpSync('deploy', at('release/deploy'), { recursive: true });
  for (const path of readdirSync(at('release/deploy'), { recursive: true, encoding: 'utf8' })) {
    const file = at(`release/deploy/${path}`);
    if (statSync(file).isFile()) writeFileSync(file, own(readFileSync(file, 'utf8')));
  }
  for (const name of ['bin', 'dist', 'node_modules', 'package.json']) symlinkSync(resolve(name), at(`release/${name}`));

  const standIns = {
    ...STAND_INS,
    // The guide's name leads to the proxy on this machine, whose authority is believed; Caddy makes its own.
    curl: `cp "$ROOT/data/caddy/pki/authorities/local/root.crt" "$ROOT/ca.pem" 2>/dev/null || true
exec ${which('curl')} --connect-to api.acme.example:443:127.0.0.1:${ports.get('443')} --cacert "$ROOT/ca.pem" "$@"`,
  };
  for (const [name, script] of Object.entries(standIns)) {
    writeFileSync(at(`stand-ins/${name}`), `#!/bin/sh\n${script}\n`);
    chmodSync(at(`stand-ins/${name}`), 0o755);
  }
  const { certFile } = makeCertificate(at('etc/ssl/broker'), 'api.acme.example', 'console.acme.example');
  cpSync(certFile, at('ca.pem'));
  writeFileSync(
    at('nginx.conf'),
    `daemon off; pid ${at('nginx.pid')}; error_log ${at('nginx.log')};
     events {}
     http { access_log off; include ${at('etc/nginx/conf.d')}/*.conf;
       client_body_temp_path ${at('tmp/body')}; proxy_temp_path ${at('tmp/proxy')}; fastcgi_temp_path ${at('tmp/f')};
       uwsgi_temp_path ${at('tmp/u')}; scgi_temp_path ${at('tmp/s')}; }`,
  );
  return { root, at, own, ports };
}

const which = (name: string): string => execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();

/** What the reader of the guide does or meets between its commands, by words of the block that follows. */
const MEANWHILE: Array<[before: string, command: string]> = [
  ['current\nsudo cp -r /opt/broker/current', 'cp -r /opt/broker/1.2.0 /opt/broker/1.3.0'],
  [
    'emails list --unknown',
    `curl --silent --output /dev/null -w '%{http_code}\\n' http://127.0.0.1:3000/api/v1/services/1002/cancellation-warning \\
       -H "Authorization: Bearer $KEY" -H 'X-Forwarded-Proto: https' -H 'Content-Type: application/json' \\
       -d '{"warningReason": "unpaid"}' | grep 500`,
  ],
  ['/metrics | grep', 'curl --fail --silent http://127.0.0.1:9100/metrics > "$ROOT/figures"'],
];

t.test('the operator’s guide works as it is written, command by command', async (t) => {
  const machine = await createMachine(t);
  const { root, at, own } = machine;
  const database =
    (await services(t, 'PostgreSQL')) && has('pg_dump') ? await createDatabase({ migrated: true }) : null;
  const restored = database && (await createDatabase({ migrated: false }));
  t.teardown(() => Promise.all([database?.drop(), restored?.drop()]));

  const there: Record<string, boolean> = { nginx: has('nginx'), caddy: has('caddy'), postgres: database !== null };
  const written = ['docs/operate.md', 'docs/recipes.md'].flatMap(blocksOf);
  t.ok(written.length >= 17, 'the guide has commands');
  const blocks = written.filter(({ needs }) => {
    const missing = needs.find((need) => !there[need]);
    if (missing) t.pass(`${missing} IS NOT INSTALLED, so its part of the guide is NOT TESTED`, { skip: true });
    return missing === undefined;
  });
  const script = blocks.flatMap(({ code, needs }, index) => {
    const meanwhile = MEANWHILE.filter(([before]) => code.includes(before)).map(([, command]) => own(command));
    const lines = [`echo "@@ ${index}"`, ...meanwhile, own(code)];
    // One proxy after the other has the ports.
    if (needs.includes('nginx')) lines.push(own(PROXIED('nginx')));
    if (needs.includes('caddy')) lines.push(own(PROXIED('caddy')));
    return lines;
  });
  writeFileSync(at('guide.sh'), `set -euo pipefail\ncd "$ROOT/release"\n${script.join('\n')}\necho "@@ end"\n`);

  const bash = spawn('bash', [at('guide.sh')], {
    env: {
      PATH: `${at('stand-ins')}:${at('usr/local/bin')}:/usr/sbin:${process.env.PATH}`,
      ROOT: root,
      HOME: root,
      XDG_DATA_HOME: at('data'),
      HTTP_PORT: String(machine.ports.get('80')),
      ...(database && restored && { DATABASE_URL: database.url, RESTORED_URL: restored.url }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [bash.stdout, bash.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (said += chunk));
  const [code] = await once(bash, 'close');
  const reached = Number(/.*@@ (\d+)/s.exec(said)?.[1]);
  if (code !== 0) t.fail(`${blocks[reached]?.code}\n\n${said.slice(-3000)}`);
  t.match(said, /@@ end/);
  t.match(said, /https:\/\/console\.example\.com\/\S+/, 'a link of the console was made');
  t.match(said, /plan_not_available/, 'the call that a caller quotes is found');
  t.match(said, /^broker_requests_overdue_seconds 0$/m);
  t.equal(statSync(at('var/lib/broker/broker.db')).mode & 0o077, 0, 'records are their owner’s alone');

  const figures = readFileSync(at('figures'), 'utf8');
  const rules: Array<{ expr: string }> = parse(readFileSync('deploy/alerts.yaml', 'utf8')).groups[0].rules;
  for (const { expr } of rules) {
    for (const [name] of expr.matchAll(/\b[a-z]+(_[a-z]+)+\b(?=[{[)])/g))
      t.match(figures, `\n# TYPE ${name.replace(/_bucket$/, '')} `);
    for (const [, gate] of expr.matchAll(/gate="(\w+)"/g)) t.ok((GATES as readonly unknown[]).includes(gate));
  }
});

t.test('systemd takes the units as they are, and finds them hardened', async (t) => {
  if (!has('systemd-analyze'))
    return void t.pass('systemd IS NOT INSTALLED, so its units are NOT TESTED', { skip: true });
  const folder = t.testdir({});
  cpSync('deploy/systemd', folder, { recursive: true });
  const analyze = (...args: string[]) =>
    execFileSync('systemd-analyze', args, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, SYSTEMD_UNIT_PATH: `${folder}:` },
    });
  const units = ['broker-server@3000.service', 'broker-worker@1.service', 'broker-backup.service'];
  if (existsSync('/usr/bin/node')) t.equal(analyze('verify', ...units, 'broker-backup.timer'), '');
  for (const unit of units) {
    const [, exposure] = /Overall exposure level.*: ([\d.]+)/.exec(analyze('security', '--offline=true', unit)) ?? [];
    t.ok(Number(exposure) <= 1.4, `${unit}: ${exposure}`);
  }
});

/** A true answer, one over plain HTTP, and one when no server is there, all in the API's envelope. */
const PROXIED = (proxy: string): string => `
  curl --silent http://127.0.0.1:$HTTP_PORT/api/v1/plans -H 'Host: api.acme.example' -H 'Authorization: Bearer x' | grep https_required
  curl --silent https://api.acme.example/api/v1/plans -H 'Authorization: Bearer x' | grep authentication_failed
  systemctl stop broker-server@3000 broker-server@3002
  curl --silent https://api.acme.example/api/v1/plans -H 'Authorization: Bearer x' | grep '"code":"server_error"'
  systemctl start broker-server@3000 broker-server@3002
  systemctl stop ${proxy}`;
