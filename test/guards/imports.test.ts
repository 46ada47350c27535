import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, posix } from 'node:path';
import t from 'tap';

// The runner starts every test in the package's root, whether it is compiled or not.
const roots = ['src', 'plugins', 'routes', 'schemas', 'console', 'drizzle', 'conformance'];

/** What every module may import. */
const ground = ['src/clock.ts', 'src/config.ts', 'src/errors.ts', 'src/hooks.ts', 'src/ids.ts', 'src/version.ts'];

/** The use cases and all that they are made of. */
const below = [
  ...ground,
  'src/operations/',
  'src/ports.ts',
  'src/requests/',
  'src/audit/',
  'src/context/',
  'src/mail/templates.ts',
  'src/records.ts',
  'src/rules/',
  'src/store/',
];

/**
 * Who may import what of our own; the first line whose `from` begins the file's path decides. Every entry is a file,
 * or a folder with all that is in it. A file may import its own folder only where the line says so.
 */
const map: { from: string; may: string[] }[] = [
  { from: 'src/server.ts', may: ['src/', 'console/listen.ts'] },
  {
    from: 'console/',
    may: [...ground, 'console/', 'src/http/', 'src/limits/slot-queue.ts', 'src/operator/', 'src/rules/ip-rules.ts'],
  },
  // Both put the parts together: what the program is made of, and the pipeline of a request.
  {
    from: 'src/compose.ts',
    may: [
      ...ground,
      'drizzle/sandbox.ts',
      'src/audit/',
      'src/context/clock-keeper.ts',
      'src/mail/',
      'src/ports.ts',
      'src/rules/',
      'src/store/',
    ],
  },
  { from: 'src/app.ts', may: ['plugins/', 'routes/v1/index.ts', 'routes/health.ts', 'schemas/', 'src/'] },
  {
    from: 'src/cli/',
    may: [
      ...below,
      'src/compose.ts',
      'src/log.ts',
      'src/metrics.ts',
      'src/cli/',
      'conformance/src/command.ts',
      'conformance/src/run.ts',
      'src/demo/',
      'src/operator/',
      'src/mail/',
      'src/worker/',
    ],
  },
  // It knows a deployment from outside alone: nothing of src/, and of the client its types and words.
  { from: 'conformance/', may: ['conformance/', 'client/src/errors.ts', 'client/src/generated/schema.ts'] },
  { from: 'src/operator/', may: [...below, 'src/compose.ts', 'src/operator/', 'src/mail/'] },
  { from: 'src/demo/', may: [...below, 'src/demo/', 'src/operator/'] },
  { from: 'src/metrics.ts', may: [...ground, 'src/http/', 'src/ports.ts', 'src/rules/ip-rules.ts', 'src/store/'] },
  { from: 'src/audit/', may: [...ground, 'src/rules/', 'src/store/'] },
  { from: 'src/traffic/', may: [...ground, 'src/traffic/', 'src/rules/', 'src/store/'] },
  { from: 'src/worker/', may: [...below, 'src/worker/', 'src/http/', 'src/mail/'] },
  { from: 'plugins/sandbox.ts', may: [...ground, 'src/context/', 'src/operations/', 'src/sandbox/'] },
  {
    from: 'plugins/',
    may: [
      ...ground,
      'schemas/',
      'src/access/',
      'src/context/outcome.ts',
      'src/document/',
      'src/fields/',
      'src/http/',
      'src/limits/',
      'src/operations/',
      'src/reference/',
      'src/rules/',
      'src/store/',
      'src/traffic/',
    ],
  },
  {
    from: 'routes/',
    may: ['routes/', 'schemas/', 'src/errors.ts', 'src/operations/', 'src/rules/', 'src/sandbox/scenarios.ts'],
  },
  { from: 'schemas/', may: ['schemas/', 'src/errors.ts', 'src/ids.ts', 'src/requests/kinds/', 'src/rules/'] },
  { from: 'src/document/', may: [...ground, 'schemas/', 'src/document/', 'src/rules/'] },
  { from: 'src/sandbox/', may: [...below, 'src/limits/', 'src/sandbox/'] },
  { from: 'src/operations/', may: [...below, 'src/access/'] },
  // The table of request types: schemas, tables and queries are derived from it, so it knows the rules alone.
  { from: 'src/requests/kinds/', may: ['src/errors.ts', 'src/requests/kinds/', 'src/rules/'] },
  { from: 'src/requests/', may: below.filter((place) => place !== 'src/operations/') },
  {
    from: 'src/context/',
    may: [...ground, 'src/audit/', 'src/context/', 'src/ports.ts', 'src/records.ts', 'src/rules/', 'src/store/'],
  },
  { from: 'src/access/', may: [...ground, 'src/access/', 'src/limits/', 'src/rules/', 'src/store/', 'src/traffic/'] },
  { from: 'src/records.ts', may: ['src/rules/', 'src/store/'] },
  {
    from: 'src/store/',
    may: [...ground, 'src/store/', 'src/limits/', 'src/requests/kinds/', 'src/rules/', 'src/ports.ts', 'drizzle/'],
  },
  { from: 'src/mail/', may: [...ground, 'src/http/', 'src/limits/', 'src/mail/', 'src/rules/', 'src/ports.ts'] },
  { from: 'src/http/', may: ['src/http/'] },
  { from: 'src/fields/', may: ['src/errors.ts', 'src/fields/', 'src/rules/'] },
  // It reads the published document.
  { from: 'src/reference/', may: ['src/reference/'] },
  { from: 'src/limits/', may: [...ground, 'src/limits/', 'src/rules/'] },
  { from: 'src/rules/', may: ['src/rules/', 'src/errors.ts'] },
  { from: 'src/ports.ts', may: [...ground, 'src/records.ts', 'src/requests/kinds/', 'src/rules/'] },
  { from: 'src/', may: [...ground, 'src/rules/'] },
  { from: 'drizzle/', may: ['drizzle/', 'src/requests/kinds/', 'src/rules/words.ts'] },
];

/** Entry points with named importers, whatever the map says of the folder around them. */
const reserved: { target: string; only: string[] }[] = [
  { target: 'plugins/', only: ['src/app.ts'] },
  { target: 'routes/v1/index.ts', only: ['src/app.ts'] },
  { target: 'src/app.ts', only: ['src/server.ts'] },
  { target: 'console/listen.ts', only: ['src/server.ts'] },
  { target: 'src/server.ts', only: [] },
];

/** Packages that belong to one module. */
const packages: { name: string; only: string[] }[] = [
  { name: 'drizzle-orm', only: ['drizzle/', 'src/store/'] },
  { name: 'better-sqlite3', only: ['src/store/'] },
  { name: 'pg', only: ['src/store/'] },
  { name: 'postmark', only: ['src/mail/'] },
  { name: 'nodemailer', only: ['src/mail/'] },
  { name: 'commander', only: ['src/cli/'] },
  { name: 'hono', only: ['console/'] },
  { name: 'htmx.org', only: ['console/plugins/assets.ts'] },
  { name: '@fastify/cookie', only: ['console/'] },
  { name: '@fastify/multipart', only: ['console/plugins/files.ts'] },
];

/** Packages that one file alone imports. */
const importedOnce = ['better-sqlite3', 'pg', 'postmark', 'ioredis'];

/** Patterns that some files alone may contain; comments do not count. */
const words: { name: string; pattern: RegExp; only: string[] }[] = [
  { name: 'unescaped HTML', pattern: /dangerouslySetInnerHTML|'hono\/html'/, only: [] },
  {
    name: 'process.env',
    pattern: /\bprocess\s*(\.|\?\.)\s*env\b|\bprocess\[|\benv\b[^;]*from 'node:process'/,
    only: ['src/config.ts'],
  },
  {
    name: 'the present time',
    pattern: /\bDate\s*\.\s*now\b|\bnew Date(?!\w|\s*\(\s*[^\s)])|\bperformance\s*\.\s*now\b|\bhrtime\b/,
    only: ['src/clock.ts', 'conformance/src/command.ts'],
  },
  {
    name: 'sandbox',
    pattern: /sandbox/i,
    only: [
      'plugins/sandbox.ts',
      'routes/v1/index.ts',
      'routes/v1/sandbox/',
      // What the reference says of the sandbox.
      'schemas/access.ts',
      'schemas/atoms.ts',
      'schemas/named.ts',
      'schemas/sandbox.ts',
      'src/document/',
      'schemas/plans.ts',
      // A database is known by the secret that its first migration made.
      'src/store/copy.ts',
      // Its reasons, and its database: where it lies, how it is made, and how many there are.
      'src/errors.ts',
      'src/compose.ts',
      'drizzle/columns.ts',
      'drizzle/sandbox.ts',
      'src/store/sandbox-schema.ts',
      'src/store/sandboxes.ts',
      'src/store/store.ts',
      'src/operator/broker-removal.ts',
      'src/operator/pending-work.ts',
      'src/operator/system.ts',
      'console/pages/broker.tsx',
      'src/cli/commands/brokers.ts',
      'src/cli/commands/system.ts',
      'src/cli/sandboxes.ts',
      'src/app.ts',
      'src/server.ts',
      'src/sandbox/',
      // The frame that shows a mail's HTML bears the same word.
      'console/plugins/mail-frame.ts',
      'console/components/mail-frame.tsx',
      // The kit works through a key of the sandbox.
      'conformance/',
      'src/cli/commands/conformance.ts',
    ],
  },
];

interface Source {
  path: string;
  code: string;
}

const within = (path: string, places: string[]): boolean =>
  places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));

/** Strings are matched first, so that what looks like a comment inside of one stays. */
const withoutComments = (text: string): string =>
  text.replace(/('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/.*|\/\*[\s\S]*?\*\//g, '$1');

/** All module names of a file: import and export from, for types too, bare imports and import(). */
function importsOf(code: string): string[] {
  const statement = /^\s*(?:import|export)\b(?:[^;'"`]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
  const call = /\b(?:import|require|resolve)\s*\(\s*['"`]([^'"`]+)['"`]/g;
  return [...code.matchAll(statement), ...code.matchAll(call)].map((match) => match[1] ?? '');
}

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

/** What one file does against the map, a sentence each. */
function violations({ path, code }: Source): string[] {
  const found: string[] = [];
  const line = map.find(({ from }) => within(path, [from]));
  if (!line) found.push(`${path} is not in the map`);
  for (const name of importsOf(code)) {
    if (name.startsWith('.')) {
      const target = posix.join(posix.dirname(path), name);
      const door = reserved.find((entry) => within(target, [entry.target]));
      const allowed = door ? within(path, door.only) : line && within(target, line.may);
      if (!allowed) found.push(`${path} imports ${target}`);
    } else if (!name.startsWith('node:')) {
      const home = packages.find((entry) => entry.name === packageOf(name));
      if (line?.from === 'src/rules/' || (home && !within(path, home.only))) found.push(`${path} imports ${name}`);
    }
  }
  for (const { name, pattern, only } of words) {
    if (pattern.test(code) && !within(path, only)) found.push(`${path} contains ${name}`);
  }
  return found;
}

/** Packages that more than one file imports though one file alone may. */
function shared(sources: Source[]): string[] {
  return importedOnce.flatMap((name) => {
    const users = sources.filter(({ code }) => importsOf(code).some((each) => packageOf(each) === name));
    return users.length > 1 ? [`${name} is imported by ${users.map(({ path }) => path).join(', ')}`] : [];
  });
}

const sources: Source[] = roots
  .filter((root) => existsSync(root))
  .flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => posix.join(root, path)))
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, code: withoutComments(readFileSync(path, 'utf8')) }));

t.test('every import goes to a lower layer, and each package, variable and word stays in its module', async (t) => {
  t.ok(sources.length > 20, 'the sources are found');
  t.strictSame(sources.flatMap(violations), []);
  t.strictSame(shared(sources), []);
});

/** The module of a file: its folder, or the file itself where it lies directly in src/. */
const moduleOf = (path: string): string => {
  if (path.startsWith('src/requests/kinds/')) return 'src/requests/kinds';
  const [root = '', second] = path.split('/');
  return root === 'src' ? `src/${second}` : root;
};

t.test('no two modules import each other', async (t) => {
  const imports = new Set(
    sources.flatMap(({ path, code }) =>
      importsOf(code)
        .filter((name) => name.startsWith('.'))
        .map((name) => `${moduleOf(path)} ${moduleOf(posix.join(posix.dirname(path), name))}`),
    ),
  );
  const mutual = [...imports].filter((pair) => {
    const [from, to] = pair.split(' ');
    return from !== to && imports.has(`${to} ${from}`);
  });
  t.strictSame(mutual, []);
});

t.test('the map refuses what it is there to refuse', async (t) => {
  const refused: [path: string, text: string][] = [
    ['src/server.ts', "import { auth } from '../plugins/auth.ts';"],
    ['src/server.ts', "import v1 from '../routes/v1/index.ts';"],
    ['plugins/auth.ts', "import firewall from './firewall.ts';"],
    ['plugins/openapi.ts', "import {\n  v1,\n} from '../routes/v1/index.ts';"],
    ['plugins/auth.ts', "import type { Fleet } from '../src/sandbox/seed-data.ts';"],
    ['routes/v1/services/list.ts', "import type { Store } from '../../../src/store/store.ts';"],
    ['routes/v1/services/list.ts', "export { services } from '../../../drizzle/tables.ts';"],
    ['routes/v1/services/list.ts', "import { eq } from 'drizzle-orm';"],
    ['schemas/service.ts', "import { findService } from '../src/store/services.ts';"],
    ['src/operations/change-plan.ts', "import '../../plugins/auth.ts';"],
    ['src/operations/change-plan.ts', "const late = await import('../app.ts');"],
    ['src/operations/change-plan.ts', "import { Service } from '../../schemas/service.ts';"],
    ['src/store/plans.ts', "import { changePlan } from '../operations/change-plan.ts';"],
    ['src/mail/outbox.ts', "import { emails } from '../../drizzle/tables.ts';"],
    ['src/rules/scopes.ts', "import { readConfig } from '../config.ts';"],
    ['src/rules/scopes.ts', "import { isEmail } from 'validator';"],
    ['src/errors.ts', "import { openStore } from './store/store.ts';"],
    ['drizzle/tables.ts', "import { isScope } from '../src/rules/scopes.ts';"],
    ['src/requests/submit.ts', "import { changePlan } from '../operations/change-plan.ts';"],
    ['src/context/owned-records.ts', "import { KINDS } from '../requests/kinds/index.ts';"],
    ['src/requests/kinds/creation.ts', "import type { PlanRow } from '../../store/plans.ts';"],
    ['elsewhere/a.ts', ''],
    ['src/store/sqlite.ts', 'const path = process.env.DATABASE;'],
    ['src/store/sqlite.ts', "import { env } from 'node:process';"],
    ['src/store/sqlite.ts', 'const { env } = process; const at = Date.now();'],
    ['src/worker/worker.ts', 'const at = new Date();'],
    ['src/worker/worker.ts', 'const at = new Date;'],
    ['console/pages/a.tsx', '<p dangerouslySetInnerHTML={{ __html: name }} />'],
    ['console/pages/a.tsx', "import { raw } from 'hono/html';"],
    ['console/pages/a.tsx', "import { findService } from '../../src/store/services.ts';"],
    ['console/pages/a.tsx', "import { changePlan } from '../../src/operations/change-plan.ts';"],
    ['src/operator/keys.ts', "import { buildConsole } from '../../console/app.ts';"],
    ['src/worker/worker.ts', 'sleep(performance.now());'],
    ['src/operations/change-plan.ts', "if (mode === 'test') return sandbox.answer();"],
    ['src/operations/change-plan.ts', "const text = 'https://example.com/*'; isSandboxed(); // */"],
  ];
  for (const [path, text] of refused) {
    t.not(violations({ path, code: withoutComments(text) }).length, 0, `${path}: ${text}`);
  }
  const twice = ['src/store/sqlite.ts', 'src/store/migrate.ts'].map((path) => ({
    path,
    code: "import 'better-sqlite3';",
  }));
  t.equal(shared(twice).length, 1);
});

t.test('the map allows what the program is built of', async (t) => {
  const allowed: [path: string, text: string][] = [
    ['src/app.ts', "import auth from '../plugins/auth.ts';\nimport v1 from '../routes/v1/index.ts';"],
    ['plugins/sandbox.ts', "import { createFleet } from '../src/sandbox/seed-data.ts';"],
    ['routes/v1/index.ts', "import scenarios from './sandbox/scenarios.ts';"],
    ['src/operations/change-plan.ts', "import { fail } from '../errors.ts'; // what the sandbox does at new Date()"],
    ['src/mail/outbox.ts', "import type { Mailer } from '../ports.ts';"],
    ['src/rules/scopes.ts', "import { isIP } from 'node:net';\nconst shown = new Date(atMs).toISOString();"],
    [
      'src/store/sqlite.ts',
      "import { drizzle } from 'drizzle-orm/better-sqlite3';\nimport Database from 'better-sqlite3';",
    ],
    ['src/config.ts', 'export const readEnvironment = () => process.env;'],
    ['src/clock.ts', 'export const now = () => Date.now();'],
  ];
  for (const [path, text] of allowed) t.strictSame(violations({ path, code: withoutComments(text) }), [], path);
});

t.test('no test file touches the file-wide runner, because the tests of a folder share one process', async (t) => {
  const shared = /^(?:\S.*=\s*|void |await )?t\.(?:beforeEach|afterEach|testdir|plan|end|bailout|jobs|autoend)\b/m;
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'));
  t.ok(files.length > 0, 'the tests are found');
  t.strictSame(
    files.filter((path) => shared.test(withoutComments(readFileSync(posix.join('test', path), 'utf8')))),
    [],
  );
  t.match('const dir = t.testdir();\n', shared);
  t.match('t.beforeEach(async () => undefined);\n', shared);
  t.notMatch("t.test('a', async (t) => {\n  const dir = t.testdir();\n});\n", shared);
});

t.test('every module can be loaded by itself, so that coverage counts the ones which no other test uses', async (t) => {
  /** Programs, which run when they are loaded. */
  const programs = [
    'src/server.ts',
    'src/cli/main.ts',
    'conformance/src/main.ts',
    'src/operator/import-thread.ts',
    'drizzle/sqlite.config.ts',
    'drizzle/postgres.config.ts',
  ];
  for (const { path } of sources.filter(({ path }) => !within(path, programs))) {
    const compiled = path.replace(/\.tsx?$/, extname(import.meta.url));
    await t.resolves(import(new URL(`../../${compiled}`, import.meta.url).href), path);
  }
});
