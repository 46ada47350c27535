import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import t from 'tap';
import { blocksOf } from '../support/guides.ts';
import { createTestOperatorApi } from '../support/operator-api.ts';

t.test('the scripts of the guide work as they are pasted, in their order, those of each night again', async (t) => {
  const api = await createTestOperatorApi();
  t.teardown(() => api.close());
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const code = blocksOf('docs/operator-api.md')
    .map((block) => block.code)
    .filter((block) => !block.includes('broker ops-keys'));
  t.ok(code.length >= 5, `${code.length} scripts`);
  const nightly = code.filter((block) => /consumption\/import|read_all/.test(block));
  t.equal(nightly.length, 2);
  const script = [...code, ...nightly]
    .join('\n')
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${port}`)
    .replaceAll('sk_ops_YOUR_KEY', api.keys.admin);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
  t.equal(stdout.match(/"success":true/g)?.length, 15, 'each call was answered');
  t.notMatch(stdout, /"data":\[\]/, 'no empty page is printed');
  t.notMatch(stdout, /"success":false/);
  const { data: services } = await api.get('/services?broker=north');
  t.strictSame(services.map(({ service_number }: { service_number: number }) => service_number).sort(), [4711, 4712]);
  t.match((await api.get('/services/4711')).data, {
    access: { hostname: 'shop.example.com', ip_addresses: ['192.0.2.10', '2001:db8::10'] },
  });
  t.match((await api.get('/brokers/north/consumption')).data, [
    { service_number: 4711, disk_gb_used: '12.5' },
    { service_number: 4712, transfer_gb_used: '0.25' },
  ]);
  const { data } = await api.get('/brokers/north');
  t.match(data, { name: 'North', broker_status: 'suspended', ip_restriction_enabled: true, plans: { active: 2 } });

  const guide = await fetch(`http://127.0.0.1:${port}/operator/docs`);
  t.match(await guide.text(), /A reseller signs a contract[\s\S]*http:\/\/127\.0\.0\.1:\d+\/operator\/v1/);
  for (const page of ['reference', 'reference/rotateKey', 'errors', 'search?q=rotate', 'llms.txt', 'static/docs.css']) {
    const { status } = await fetch(`http://127.0.0.1:${port}/operator/docs/${page}`);
    t.equal(status, 200, page);
  }
});
