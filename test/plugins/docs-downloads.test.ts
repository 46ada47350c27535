import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { served } from '../support/served.ts';

t.test("the client's package holds what npm installs, in the release's version", async (t) => {
  const { app } = await served(t);
  const folder = mkdtempSync(join(tmpdir(), 'broker-download-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const file = join(folder, 'client.tgz');
  const answer = await app.inject('/api/docs/client.tgz');
  t.equal(answer.headers['content-type'], 'application/gzip');
  t.equal(answer.headers['content-encoding'], undefined);
  writeFileSync(file, answer.rawPayload);
  const read = (path: string) => execFileSync('tar', ['-xzOf', file, `package/${path}`], { encoding: 'utf8' });
  t.equal(JSON.parse(read('package.json')).version, version);
  t.not(read('dist/index.js'), '');
  t.not(read('README.md'), '');
});
