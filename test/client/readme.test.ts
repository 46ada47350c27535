import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import t from 'tap';
import { served } from '../support/served.ts';
import { listen } from '../support/wire.ts';

t.test("the integration in the client's README runs as it stands", async (t) => {
  const world = await served(t);
  const { key } = await world.addKey(world.broker, ['admin:full'], { mode: 'test' });
  const port = await listen(world.app);
  const sample = /```ts\n([\s\S]*?)```/.exec(readFileSync('client/README.md', 'utf8'))?.[1] as string;
  t.ok(sample.trim().split('\n').length <= 45, 'short enough to read');

  const program = join(world.directory, 'sample.mjs');
  const contents = sample.replace("'broker-api-client'", "'./client/src/index.ts'");
  const stdin = { contents, loader: 'ts' as const, resolveDir: '.' };
  buildSync({ stdin, outfile: program, bundle: true, format: 'esm', platform: 'node' });
  const env = { PATH: '', BROKER_URL: `http://127.0.0.1:${port}/api`, BROKER_KEY: key };
  // The clock of the server stands still, so time has to pass from outside for the work to be done.
  const timer = setInterval(() => world.clock.advance(30_000), 50);
  t.teardown(() => clearInterval(timer));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { env });
  t.equal(stderr, '');
  t.match(stdout, /^test key of .+\nservice \d+, X-Request-Id \S+\n9\d{5} \w+/);
});
