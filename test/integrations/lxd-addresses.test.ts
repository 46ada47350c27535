import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { layOut } from '../support/connector.ts';

/** Fixed addresses of the connector for LXD, against answers as LXD 5.0 gives them; lxd.test.ts runs the whole of it. */

const HOUR_MS = 3_600_000;

/** An LXD that has these instances and, resting, these addresses. */
async function setup(t: Test, instances: object[] = [], resting: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'broker-addresses-'));
  const profiles: Array<{ method: string; config: Record<string, string> }> = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const say = (code: number, metadata: unknown) =>
      response
        .writeHead(code)
        .end(JSON.stringify(code < 300 ? { type: 'sync', metadata } : { type: 'error', error: 'Not Found' }));
    if (request.url?.startsWith('/1.0/instances')) return say(200, instances);
    const { method = '' } = request;
    if (method !== 'GET') profiles.push({ method, config: JSON.parse(body).config });
    const isThere = Object.keys(resting).length > 0 || method === 'POST';
    say(isThere ? 200 : 404, { config: resting });
  }).listen(join(folder, 'socket'));
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  process.env.LXD_SOCKET = join(folder, 'socket');
  const laidOut = layOut(t, 'lxd');
  const { assign, release } = await import(join(laidOut, 'addresses.mjs'));
  const { hosts } = await import(join(laidOut, 'machine.mjs'));
  const choose = async (...addresses: string[]): Promise<string[]> => {
    let chosen: string[] = [];
    await assign({ addresses }, (list: string[]) => {
      chosen = list;
    });
    return chosen;
  };
  return { choose, release, host: hosts.get('local'), profiles };
}

const POOL = ['192.0.2.10-192.0.2.12', '2001:db8::fffe-2001:db8::1:1'];

t.test('a machine gets the first free address of each family', async (t) => {
  const card = { type: 'nic', 'ipv4.address': '192.0.2.10', 'ipv6.address': 'none' };
  const { choose } = await setup(t, [
    { config: {}, expanded_devices: { eth0: card } },
    { config: { 'user.broker.addresses': '192.0.2.11 2001:db8::fffe' }, expanded_devices: {} },
    { config: { 'user.broker.addresses': '2001:db8:0:0::ffff' }, expanded_devices: {} },
  ]);
  t.strictSame(await choose(...POOL), ['192.0.2.12', '2001:db8::1:0']);
  t.strictSame(await choose('192.0.2.10-192.0.2.11', '203.0.113.7'), ['203.0.113.7'], 'of the next range');
  const refused = await choose('192.0.2.10 - 192.0.2.11').catch(({ answer }) => answer);
  t.match(refused, { reason: 'no_capacity', retryable: true });
});

t.test('an address rests for the hours of its quarantine, and no longer', async (t) => {
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const { choose } = await setup(t, [], { 'user.192.0.2.10': ago(71), 'user.192.0.2.11': ago(73) });
  t.strictSame(await choose('192.0.2.10-192.0.2.12'), ['192.0.2.11']);
});

t.test('the addresses of a machine that goes are noted, in a profile that is made for the first', async (t) => {
  const { release, host, profiles } = await setup(t);
  await release({ host, marks: { addresses: '192.0.2.10 2001:db8::1' } });
  t.strictSame(
    profiles.map(({ method }) => method),
    ['PATCH', 'POST'],
  );
  t.match(profiles[1]?.config, { 'user.192.0.2.10': /^\d{4}-/, 'user.2001:db8::1': /^\d{4}-/ });
  await release({ host, marks: {} });
  t.equal(profiles.length, 2, 'one without an address leaves nothing');
});
