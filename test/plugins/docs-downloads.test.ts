import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

t.test('an archive of each integration unpacks, with the address that the caller uses', async (t) => {
  const { app } = await served(t);
  const folder = mkdtempSync(join(tmpdir(), 'broker-download-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const download = async (name: string, host: string) => {
    const answer = await app.inject({ url: `/api/docs/integrations/${name}.tar.gz`, headers: { host } });
    t.match(answer, { statusCode: 200, headers: { 'content-type': 'application/gzip' } });
    return answer;
  };
  const names = readdirSync('integrations', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  t.ok(names.length > 1);
  for (const { name } of names) {
    const { rawPayload, headers } = await download(name, 'api.broker.example');
    const file = join(folder, `${name}.tar.gz`);
    writeFileSync(file, rawPayload);
    const list = execFileSync('tar', ['-tvzf', file], { encoding: 'utf8' });
    t.match(list, /README\.md/);
    t.notMatch(list, /19[78]\d-/, 'files have the date of this server, by which a panel notices new ones');
    const text = execFileSync('tar', ['-xzOf', file], { encoding: 'utf8' });
    t.match(text, 'http://api.broker.example/api', name);
    t.notMatch(text, /your-host|127\.0\.0\.1/, name);
    const own = readdirSync(join('integrations', name), { recursive: true, encoding: 'utf8', withFileTypes: true });
    t.ok(list.trim().split('\n').length >= own.filter((entry) => entry.isFile()).length, name);
    t.not((await download(name, 'other.example')).headers.etag, headers.etag);
    t.equal((await download(name, 'api.broker.example')).headers.etag, headers.etag);
  }
});
