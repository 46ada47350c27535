import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { createSandboxWorld } from '../support/sandbox.ts';
import { listen } from '../support/wire.ts';

const run = promisify(execFile);

const PACKAGES = ['openapi-to-postmanv2@6.3.3', 'newman@6.2.2'];
const NPM = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** What Postman does as it imports a document whose examples it is to use. */
const CONVERT = `
const { readFileSync, writeFileSync } = require('node:fs');
const { convert } = require('openapi-to-postmanv2');
const options = { requestParametersResolution: 'Example', exampleParametersResolution: 'Example', ...JSON.parse(process.argv[2]) };
convert({ type: 'string', data: readFileSync('document.json', 'utf8') }, options, (error, { result, reason, output }) => {
  if (error || !result) throw error ?? new Error(reason);
  writeFileSync('collection.json', JSON.stringify(output[0].data));
});
`;

interface Operation {
  operationId: string;
  description: string;
  parameters: Array<{ name: string; description: string }>;
  'x-reasons': Record<string, string[]>;
}
interface Answer {
  operation: Operation;
  status: number;
  error: { code: string; details?: { reason?: string; fields?: Array<{ path: string; rule: string }> } } | undefined;
}
interface Execution {
  item: { name: string };
  request: { method: string; url: { path: string[] } };
  response?: { code: number; stream: { data: number[] } };
}

async function installed(t: Test): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'broker-postman-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  writeFileSync(join(folder, 'convert.js'), CONVERT);
  try {
    await run('npm', [...NPM, ...PACKAGES], { cwd: folder, timeout: 300_000 });
    return folder;
  } catch (error) {
    const line = `npm does not bring newman here, so no collection is TRIED: ${String(error).split('\n')[0]}`;
    process.stderr.write(`\n*** ${line}\n`);
    t.pass(line, { skip: line });
    return undefined;
  }
}

/** Imports the document of a server with a fresh sandbox, and sends each request of the collection once, in its order. */
async function sendAll(t: Test, folder: string, options: object): Promise<Answer[]> {
  const { app, broker, key, store, clock } = await createSandboxWorld(t);
  const email = 'accounts@demo-hosting.example.com';
  await store.tx((tx) =>
    tx.brokers.addRecipient({ brokerId: broker.id, email, emailFolded: email, createdAt: clock.now() }),
  );
  const base = `http://127.0.0.1:${await listen(app)}/api`;
  const text = await (await fetch(`${base}/openapi.json`)).text();
  writeFileSync(join(folder, 'document.json'), text);
  await run(process.execPath, ['convert.js', JSON.stringify(options)], { cwd: folder });
  const reported = join(folder, 'report.json');
  const newman = ['node_modules/newman/bin/newman.js', 'run', 'collection.json', '--env-var', `bearerToken=${key}`];
  await run(process.execPath, [...newman, '--reporters', 'json', '--reporter-json-export', reported], {
    cwd: folder,
    maxBuffer: 64_000_000,
  });
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
  const { executions } = JSON.parse(readFileSync(reported, 'utf8')).run as { executions: Execution[] };
  return executions.map(({ request, response }) => {
    const path = `/${request.url.path.map((part) => part.replace(/^:(.*)/, '{$1}')).join('/')}`.replace(/^\/api/, '');
    const operation = Object.entries(paths).find(([each]) => matches(each, path))?.[1][request.method.toLowerCase()];
    const body = JSON.parse(Buffer.from(response?.stream.data ?? []).toString());
    return { operation: operation as Operation, status: response?.code ?? 0, error: body.error };
  });
}

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** Whether the document says why: by a reason of the operation, or that a parameter excludes another one. */
function isExplained({ operation, error }: Answer): boolean {
  const { code, details } = error ?? {};
  if (details?.reason) return operation['x-reasons'][String(code)]?.includes(details.reason) ?? false;
  const excluded = (details?.fields ?? []).map(({ path, rule }) => {
    const parameter = operation.parameters.find(({ name }) => path === `query.${name}`);
    return rule === 'conflict' && parameter?.description.includes('not with');
  });
  return excluded.length > 0 && excluded.every(Boolean);
}

t.test('an imported collection is sent to a fresh sandbox: what fails is explained by the document', async (t) => {
  const folder = await installed(t);
  if (folder === undefined) return;
  const failedOf = (answers: readonly Answer[]) => answers.filter(({ status }) => status >= 400);
  const names = (answers: readonly Answer[]) => answers.map(({ operation }) => operation.operationId);

  const required = await sendAll(t, folder, { enableOptionalParameters: false });
  t.equal(required.length, 29);
  t.strictSame(names(failedOf(required)), ['denyRequest'], 'the request was approved before it is denied');
  t.ok(failedOf(required).every(isExplained));

  const all = await sendAll(t, folder, { enableOptionalParameters: true });
  const lists = ['listServices', 'listConsumption', 'listPlans', 'listRequests', 'listScenarios', 'listUsage'];
  t.strictSame(names(failedOf(all)).sort(), [...lists, 'denyRequest'].sort(), 'lists are paged in both ways at once');
  t.strictSame(names(failedOf(all).filter((answer) => !isExplained(answer))), []);
});
