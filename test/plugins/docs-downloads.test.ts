import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { DOWNLOADS } from '../../src/reference/downloads.ts';
import { served } from '../support/served.ts';

t.test('every download is served as built, and a copy that is current is not sent again', async (t) => {
  const { app } = await served(t);
  for (const { path, type, file } of DOWNLOADS) {
    const url = `/api/docs${path}`;
    const answer = await app.inject(url);
    t.equal(answer.statusCode, 200, url);
    t.equal(answer.headers['content-encoding'], undefined);
    t.equal(answer.headers['content-type'], type);
    t.equal(answer.headers.vary, 'accept-encoding');
    t.ok(answer.rawPayload.equals(readFileSync(file)), `${file}, byte for byte`);
    const again = await app.inject({ url, headers: { 'if-none-match': String(answer.headers.etag) } });
    t.equal(again.statusCode, 304);
  }
});

t.test("the client's package holds what npm installs, in the release's version", async (t) => {
  const { app } = await served(t);
  const folder = mkdtempSync(join(tmpdir(), 'broker-download-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const file = join(folder, 'client.tgz');
  writeFileSync(file, (await app.inject('/api/docs/client.tgz')).rawPayload);
  const read = (path: string) => execFileSync('tar', ['-xzOf', file, `package/${path}`], { encoding: 'utf8' });
  t.equal(JSON.parse(read('package.json')).version, version);
  t.not(read('dist/index.js'), '');
  t.not(read('README.md'), '');
});
