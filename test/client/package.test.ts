import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { full } from '../support/full.ts';

const directory = mkdtempSync(join(tmpdir(), 'broker-client-'));
t.teardown(() => rmSync(directory, { recursive: true }));
const installed = join(directory, 'node_modules/broker-api-client');

/** The libraries are read once. */
const files = new Map<string, ts.SourceFile | undefined>();
function programOf(names: readonly string[], options: ts.CompilerOptions): ts.Program {
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version, ...rest) => {
    if (!/\/typescript\/lib\//.test(name)) return getSourceFile.call(host, name, version, ...rest);
    if (!files.has(name)) files.set(name, getSourceFile.call(host, name, version, ...rest));
    return files.get(name);
  };
  return ts.createProgram(names, options, host);
}

const errorsOf = (program: ts.Program) =>
  ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));

t.before(() => {
  // What `npm pack` and an installation of the package do.
  const { config } = ts.readConfigFile('client/tsconfig.json', ts.sys.readFile);
  const { config: build } = ts.readConfigFile('client/tsconfig.build.json', ts.sys.readFile);
  const compilerOptions = { ...config.compilerOptions, ...build.compilerOptions, outDir: join(installed, 'dist') };
  const { fileNames, options } = ts.parseJsonConfigFileContent({ ...config, compilerOptions }, ts.sys, 'client');
  const program = programOf(fileNames, { ...options, noCheck: true });
  program.emit();
  t.strictSame(errorsOf(program), []);
  writeFileSync(join(installed, 'dist/package.json'), '{"type":"commonjs"}');
  writeFileSync(join(installed, 'package.json'), readFileSync('client/package.json'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    symlinkSync(resolve('node_modules', name), join(directory, 'node_modules', name));
  }
});

/** What has to compile, and what must not: a directive without an error below it is an error. */
const CONSUMER = `
import { BrokerError, createBrokerClient, failureOf, type ServiceRecord } from 'broker-api-client';

const broker = createBrokerClient({ baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key' });
export async function calls() {
  const { data } = await broker.get('/v1/services', { params: { query: { limit: 5, offset: 5, search: 'abc' } } });
  const record: ServiceRecord | undefined = data[0];
  const slug: string | undefined = record?.plan.slug;
  // @ts-expect-error a service has no such field
  record?.nothing;
  await broker.get('/v1/auth-check');
  await broker.get('/v1/services', { params: { query: { page: 2, perPage: 10 } } });
  await broker.get('/v1/services', { params: { query: { updated_since: '2030-01-01', after_number: 5, limit: 5 } } });
  // @ts-expect-error the pairs of paging exclude each other
  await broker.get('/v1/services', { params: { query: { limit: 5, page: 2 } } });
  // @ts-expect-error likewise
  await broker.get('/v1/plans', { params: { query: { offset: 5, perPage: 2 } } });
  // @ts-expect-error a position stands beside updated_since
  await broker.get('/v1/services', { params: { query: { after_number: 5 } } });

  const params = { path: { service_number: 5 } };
  await broker.post('/v1/services/{service_number}/upgrade', { params, body: { new_plan: 'x' }, idempotencyKey: 'k' });
  await broker.post('/v1/services/{service_number}/cancel', { params, idempotencyKey: 'k' });
  const warning = { params, body: { warningReason: 'x' } };
  await broker.post('/v1/services/{service_number}/cancellation-warning', warning);
  // @ts-expect-error a warning takes no key
  await broker.post('/v1/services/{service_number}/cancellation-warning', { ...warning, idempotencyKey: 'k' });
  // @ts-expect-error nor does a denial
  await broker.post('/v1/requests/{request_id}/deny', { params: { path: { request_id: 'x' } }, body: { reason: 'x' }, idempotencyKey: 'k' });
  await broker.post('/v1/reports/services', { idempotencyKey: 'k', body: { period_from: new Date() } });
  await broker.get('/v1/services', { params: { query: { created_from: new Date(), renewal_before: '2030-01-01' } } });
  // @ts-expect-error a name is no date
  await broker.get('/v1/services', { params: { query: { search: new Date() } } });
  await broker.post('/v1/reports/services');
  // @ts-expect-error the number is missing
  await broker.post('/v1/services/{service_number}/cancel');

  for await (const { service_number } of broker.each('/v1/services', { params: { query: { service_status: 'active' } } })) service_number.toFixed();
  // @ts-expect-error each pages by itself
  broker.each('/v1/services', { params: { query: { limit: 5 } } });
  // @ts-expect-error and changes have a reader of their own
  broker.each('/v1/services', { params: { query: { updated_since: '2030-01-01' } } });
  const changes = broker.changedRequests({ since: '2030-01-01T00:00:00.000Z' });
  for await (const request of changes) request.request_id.trim();
  return [slug, changes.state.since];
}
export const thrown = (error: unknown) => error instanceof BrokerError && failureOf(error)?.code;
import { createOperatorClient } from 'broker-api-client/operator';

const operator = createOperatorClient({ baseUrl: 'http://127.0.0.1:1/operator', apiKey: 'key' });
export async function operate() {
  const { data } = await operator.get('/v1/brokers/{broker}', { params: { path: { broker: 'acme' } } });
  const count: number = data.active_services;
  await operator.post('/v1/keys/{key_id}/rotate', { params: { path: { key_id: 'key_1' } }, body: { overlap: '1h' } });
  // @ts-expect-error a broker needs a name
  await operator.post('/v1/brokers', { body: { slug: 'acme' } });
  // @ts-expect-error there is no such path
  await operator.get('/v1/nothing');
  for await (const plan of operator.each('/v1/brokers/{broker}/plans', { params: { path: { broker: 'acme' } } })) plan.slug.trim();
  return count;
}
console.log(typeof createBrokerClient, typeof BrokerError, typeof broker.each);
`;

const base: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  rewriteRelativeImportExtensions: true,
};

for (const [name, type, options] of [
  ['node10', 'commonjs', { module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10 }],
  ['node16-cjs', 'commonjs', { module: ts.ModuleKind.Node16 }],
  ['node16-esm', 'module', { module: ts.ModuleKind.Node16 }],
  ['bundler', 'module', { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
] as const) {
  // Each takes three seconds of the compiler.
  const skip = !full && (name === 'node16-cjs' || name === 'bundler');
  t.test(`a ${type} project that resolves modules as ${name} compiles against it and runs`, { skip }, async (t) => {
    const project = join(directory, name);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type }));
    writeFileSync(join(project, 'consumer.ts'), CONSUMER);
    const program = programOf([join(project, 'consumer.ts')], { ...base, ...options });
    t.strictSame(errorsOf(program), []);
    program.emit();
    const said = execFileSync(process.execPath, [join(project, 'consumer.js')], { encoding: 'utf8' });
    t.equal(said, 'function function function\n');
  });
}

t.test('a project of the oldest TypeScript that the README names compiles against it', { skip: !full }, async (t) => {
  const [, oldest = ''] = /TypeScript (\d+\.\d+) or\s+later/.exec(readFileSync('client/README.md', 'utf8')) ?? [];
  const project = join(directory, 'oldest');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(project, 'consumer.ts'), CONSUMER);
  const options = { encoding: 'utf8', cwd: project } as const;
  execFileSync('npm', ['install', '--silent', '--no-save', `typescript@${oldest}`], options);
  const compiler = (...more: string[]) =>
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', ...more], options);
  t.match(compiler('--version'), `Version ${oldest}.`);
  const libraries = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--module', 'node16'];
  t.equal(compiler('consumer.ts', '--strict', '--noEmit', ...libraries), '');
});
