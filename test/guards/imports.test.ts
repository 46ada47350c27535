import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import t from 'tap';
import ts from 'typescript';

const below = (folder: string) => (name: string) => (name === folder ? folder : folder + name);

/** Every module, from the top down: a file imports of its own module and of those below it, never from above. */
const MODULES = [
  'src/server.ts',
  'src/cli/',
  'src/process/',
  'src/app.ts',
  ...['console/', 'pages/', 'lists/', 'forms/', 'plugins/', 'components/', 'http/'].map(below('console/')),
  'src/operator-api/',
  'conformance/',
  'client/',
  'src/demo/',
  'src/operator/',
  ...['trail/', 'notices/', 'people/', 'system/', 'imports/', 'mail/', 'access/'].map(below('src/operator/')),
  ...['brokers/', 'services/', 'requests/', 'calls/', 'billing/', 'plans/'].map(below('src/operator/')),
  ...['files/', 'audit/', 'use-case/'].map(below('src/operator/')),
  'src/compose.ts',
  'src/clock-keeper.ts',
  'plugins/',
  'routes/',
  'src/document/',
  'src/reference/',
  'src/fields/',
  'src/sandbox/',
  'src/worker/',
  'src/broker/',
  'src/machines/',
  'src/lifecycle/',
  'src/mail/',
  'src/config.ts',
  'src/http/',
  'schemas/',
  'src/access/',
  'src/traffic/',
  'src/history/',
  'src/audit/',
  'src/ports.ts',
  'src/records.ts',
  'src/store/drivers/',
  'src/store/',
  'src/store/queries/',
  'src/store/session/',
  'drizzle/',
  'src/limits/',
  'src/runtime/',
  'src/kinds/',
  'src/rules/',
  'src/errors.ts',
];

/** What is below and yet not theirs: each layer goes through the next one. */
const CLOSED: [from: RegExp, to: RegExp][] = [
  [/^(?!src\/(app\.ts|process\/)|src\/operator-api\/)/, /^(plugins\/|routes\/v1\/index\.ts)/],
  [/^(?!src\/process\/serve\.ts)/, /^(src\/app|console\/listen)\.ts/],
  [/^(routes|schemas|console)\//, /^(src\/store|drizzle)\//],
  [/^console\//, /^src\/(broker|lifecycle)\//],
  [/^conformance\//, /^(?!conformance)/],
];

/** Packages of which one place alone knows. */
const PACKAGES: [name: string, place: RegExp][] = [
  ['better-sqlite3', /^src\/store\/drivers\/(sqlite-client|reader-thread)\.ts/],
  ['pg', /^src\/store\/drivers\/postgres-client\.ts/],
  ['drizzle-orm', /^(src\/store|drizzle)\//],
  ['ioredis', /^src\/limits\/redis-window\.ts/],
  ['postmark', /^src\/mail\/postmark\.ts/],
  ['nodemailer', /^src\/mail\//],
  ['commander', /^src\/cli\//],
  ['hono', /^(console|src\/reference)\//],
];

const CLOCKS = /^(src\/runtime\/clock|conformance\/command)\.ts/;
const PRESENT_TIME = /\b(Date|performance)\.now\b|\bnew Date(\(\)|;)|\bhrtime\b/;

const moduleOf = (path: string): number => {
  const depths = MODULES.map((place) => (path.startsWith(place) ? place.length : 0));
  return Math.max(...depths) === 0 ? -1 : depths.indexOf(Math.max(...depths));
};

/** What a file does against the rules above, a sentence each. */
function violations(path: string, code: string): string[] {
  const found = moduleOf(path) < 0 ? [`${path} is in no module`] : [];
  for (const { fileName: name } of ts.preProcessFile(code, true, true).importedFiles) {
    if (name.startsWith('.')) {
      const target = posix.join(posix.dirname(path), name);
      const isAbove = moduleOf(target) < moduleOf(path);
      const isClosed = CLOSED.some(
        ([from, to]) => from.test(path) && to.test(target) && moduleOf(path) !== moduleOf(target),
      );
      if (isAbove || isClosed) found.push(`${path} imports ${target}`);
    } else {
      const [, place] = PACKAGES.find(([one]) => name === one || name.startsWith(`${one}/`)) ?? [];
      if (place && !place.test(path)) found.push(`${path} imports ${name}`);
    }
  }
  const withoutComments = code.replace(/^\s*(\/\/|\/?\*).*|\/\/ .*$/gm, '');
  if (PRESENT_TIME.test(withoutComments) && !CLOCKS.test(path)) found.push(`${path} reads the time`);
  return found;
}

t.test('every import goes down, and each driver and the time are read in one place', async (t) => {
  const roots = ['src', 'plugins', 'routes', 'schemas', 'console', 'drizzle', 'conformance'];
  const files = roots
    .flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => posix.join(root, path)))
    .filter((path) => /\.tsx?$/.test(path));
  t.ok(files.length > 20, 'the sources are found');
  t.strictSame(
    files.flatMap((path) => violations(path, readFileSync(path, 'utf8'))),
    [],
  );
});

t.test('the rules refuse what they are there to refuse', async (t) => {
  for (const [path, code] of [
    ['src/process/serve.ts', "import auth from '../plugins/auth.ts';"],
    ['plugins/auth.ts', "import type { Seed } from '../src/cli/run.ts';"],
    ['routes/v1/plans/list.ts', "export { plans } from '../../../drizzle/tables.ts';"],
    ['src/broker/submit-request.ts', "const late = await import('../app.ts');"],
    ['src/rules/scopes.ts', "import { readConfig } from '../config.ts';"],
    ['src/kinds/creation.ts', "import type { PlanRow } from '../store/plans.ts';"],
    ['conformance/run.ts', "import { fail } from '../src/errors.ts';"],
    ['console/pages/plan.tsx', "import { findPlan } from '../../src/store/queries/plans.ts';"],
    ['src/store/drivers/sqlite.ts', "import 'better-sqlite3';"],
    ['src/worker/worker.ts', 'const at = new Date();'],
    ['elsewhere/a.ts', ''],
  ] as const) {
    t.not(violations(path, code).length, 0, `${path}: ${code}`);
  }
  t.strictSame(violations('src/worker/worker.ts', 'const at = new Date(0); // Date.now()'), []);
});

t.test('no test file touches the file-wide runner, because the tests of a folder share one process', async (t) => {
  const shared = /^(?:\S.*=\s*|void |await )?t\.(?:beforeEach|afterEach|testdir|plan|end|bailout|jobs|autoend)\b/m;
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'));
  t.strictSame(
    files.filter((path) => shared.test(readFileSync(posix.join('test', path), 'utf8'))),
    [],
  );
});
