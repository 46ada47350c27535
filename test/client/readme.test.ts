import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import ts from 'typescript';
import { served } from '../support/served.ts';
import { listen } from '../support/wire.ts';

const SOURCE = new URL('../../client/src/index.js', import.meta.url).href;

t.test("the integration in the client's README runs as it stands", async (t) => {
  const world = await served(t);
  const { key } = await world.addKey(world.broker, ['admin:full'], { mode: 'test' });
  const port = await listen(world.app);
  const sample = /```ts\n([\s\S]*?)```/.exec(readFileSync('client/README.md', 'utf8'))?.[1] as string;
  t.ok(sample.trim().split('\n').length <= 45, 'short enough to read');

  const program = join(world.directory, 'sample.mjs');
  const { outputText } = ts.transpileModule(sample.replace("'broker-api-client'", `'${SOURCE}'`), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  writeFileSync(program, outputText);
  const env = { PATH: '', BROKER_URL: `http://127.0.0.1:${port}/api`, BROKER_KEY: key };
  // The clock of the server stands still, so time has to pass from outside for the work to be done.
  const timer = setInterval(() => world.clock.advance(30_000), 50);
  t.teardown(() => clearInterval(timer));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { env });
  t.equal(stderr, '');
  t.match(stdout, /^test key of .+\nservice \d+, X-Request-Id \S+\n9\d{5} \w+/);
});
