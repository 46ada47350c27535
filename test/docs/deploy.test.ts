import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { describeVariables, loadConfig } from '../../src/config.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const VARIABLES = new Set(describeVariables().match(/(?<=^ {2})[A-Z_]+(?= )/gm));
const environmentOf = (env: Record<string, unknown>): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value).replace(/\$\{.*\}/, 'x')]));

t.test('compose.yaml: every service that waits is checked, and what reaches the proxy is trusted as one', async (t) => {
  const { services, networks } = parse(read('compose.yaml'), { merge: true });
  for (const name of ['api-1', 'api-2', 'worker']) {
    t.notOk(services[name].healthcheck?.disable, `${name} can be waited for`);
    for (const variable of Object.keys(services[name].environment)) t.ok(VARIABLES.has(variable), variable);
  }
  t.strictSame(services.worker.healthcheck.test, ['CMD', 'broker', 'health', '--worker']);
  const subnets = networks.inside.ipam.config.map(({ subnet }: { subnet: string }) => subnet);
  const { TRUST_PROXY } = services['api-1'].environment;
  t.strictSame(loadConfig({ TRUST_PROXY }).trustedProxies, subnets);
  for (const [name, { cap_drop }] of Object.entries<{ cap_drop?: string[] }>(services))
    t.strictSame(cap_drop, ['ALL'], name);
});

t.test('compose.yaml: dumps of more than two weeks are deleted behind a new one, and kept while new ones fail', (t) => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const [, , script] = services.backup.command;
  const names = (dump: string) => {
    const folder = t.testdir({
      backups: { 'broker-2029-12-01.dump': '', 'other.dump': '' },
      bin: { pg_dump: dump, sleep: '#!/bin/sh\nkill $PPID\n' },
    });
    for (const program of ['pg_dump', 'sleep']) chmodSync(join(folder, 'bin', program), 0o755);
    const backups = join(folder, 'backups');
    for (const name of readdirSync(backups)) utimesSync(join(backups, name), 0, 0);
    spawnSync('sh', ['-c', script.replaceAll('$$', '$').replaceAll('/backups', backups)], {
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    });
    return readdirSync(backups).map((name) => name.replace(new Date().toISOString().slice(0, 10), 'today'));
  };
  t.strictSame(names('#!/bin/sh\nexit 1\n'), ['broker-2029-12-01.dump', 'other.dump']);
  const takesFile = '#!/bin/sh\nfor each; do case $each in --file=*) : >"$(echo "$each" | cut -c8-)" ;; esac; done\n';
  t.strictSame(names(takesFile), ['broker-today.dump', 'other.dump']);
  t.end();
});

t.test('kubernetes.yaml: pods have the time that they need, and its settings are settings', async (t) => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map((each) => each.toJS({ maxAliasCount: 0 }));
  const { data } = documents.find(({ kind }) => kind === 'ConfigMap');
  for (const name of Object.keys(data)) t.ok(VARIABLES.has(name), name);
  const config = loadConfig(environmentOf(data));
  const workloads = documents.filter(({ spec }) => spec?.template);
  t.equal(workloads.length, 3);
  for (const { kind, metadata, spec } of workloads) {
    const { template } = spec;
    const [container] = template.spec.containers;
    t.ok(template.spec.securityContext.runAsNonRoot, metadata.name);
    t.strictSame(
      container.envFrom.map((each: Record<string, { name: string }>) => Object.values(each)[0]?.name),
      ['broker', 'broker'],
    );
    if (kind === 'Deployment')
      t.match(template.metadata.labels, spec.selector.matchLabels, 'the selector finds its pods');
  }
  const server = workloads.find(({ metadata }) => metadata.name === 'broker-server').spec.template.spec;
  const before = Number(server.containers[0].lifecycle.preStop.exec.command[1]);
  const needed = before + (config.drainMs + config.mail.timeoutMs) / 1000 + 5;
  t.ok(server.terminationGracePeriodSeconds >= needed, `${needed} s`);
});

t.test('every alert has a severity', async (t) => {
  const { rules } = parse(read('deploy/alerts.yaml')).groups[0];
  for (const { alert, labels } of rules) t.ok(['critical', 'warning', 'info'].includes(labels?.severity), alert);
});

t.test('Kubernetes can check the user of the image, and the build needs no further image', async (t) => {
  const lines = read('Dockerfile').split('\n');
  t.ok(lines.some((line) => /^USER \d+:\d+$/.test(line)));
  t.notOk(lines.some((line) => line.startsWith('# syntax')));
});

t.test(
  'the workflow tests every Node that package.json names, with actions that are pinned by their commit',
  async (t) => {
    const { jobs } = parse(read('.github/workflows/ci.yml'));
    const ranges: string[] = JSON.parse(read('package.json')).engines.node.split('||');
    t.strictSame(
      jobs.ci.strategy.matrix.node,
      ranges.map((range) => Number(/\d+/.exec(range)?.[0])),
    );
    for (const file of ['ci.yml', 'release.yml']) {
      const uses = [...read(`.github/workflows/${file}`).matchAll(/uses: (.+)/g)].map(([, action]) => String(action));
      t.strictSame(
        uses.filter((action) => !/^\.\/|@[0-9a-f]{40} # v\d/.test(action)),
        [],
        file,
      );
    }
  },
);

t.test('the commands of the guide name services that compose.yaml has', async (t) => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const named = [
    ...read('docs/compose.md').matchAll(
      /docker compose (?:exec|logs|run|stop|up)((?: --?[a-z-]+)*)((?: [a-z0-9-]+)*)/g,
    ),
  ];
  t.ok(named.length > 8);
  const first = named.flatMap(([, , words = '']) => words.trim().split(' ').slice(0, 1)).filter((word) => word !== '');
  t.strictSame(
    first.filter((name) => !(name in services)),
    [],
  );
});
