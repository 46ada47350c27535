import { once } from 'node:events';
import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import { serveMetrics } from '../../src/process/metrics.ts';
import { createTestConsole } from '../support/console.ts';
import { served } from '../support/served.ts';
import { dial, listen } from '../support/wire.ts';

const LOCAL = ['127.0.0.0/8'];

t.test('a trusted proxy is counted with no address, because it speaks for many', async (t) => {
  const { app } = await served(t, { config: { trustedProxies: LOCAL } });
  const socket = dial(await listen(app));
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  const [answer] = await once(socket, 'data');
  t.match(String(answer), /^HTTP\/1\.1 200 /);
});

/** An API whose caller is a proxy: what it takes the address of the caller for, or why it refuses. */
async function behindProxy(t: Test, trustedProxies: string[]) {
  const { app, key } = await served(t, { config: { trustedProxies } });
  const origin = `http://127.0.0.1:${await listen(app)}`;
  return async (forwarded: string) => {
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': forwarded };
    const answer = await fetch(`${origin}/api/v1/auth-check`, { headers });
    const { data, error } = (await answer.json()) as {
      data?: { network: { client_ip: string } };
      error?: { details: { reason: string } };
    };
    return data?.network.client_ip ?? error?.details.reason;
  };
}

t.test('port and brackets are taken off an address that a trusted proxy wrote', async (t) => {
  const seen = await behindProxy(t, [...LOCAL, '10.0.0.0/8', '2001:db8:f::/48']);
  const read: [forwarded: string, address: string][] = [
    ['203.0.113.9:51234', '203.0.113.9'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:DB8::1]', '2001:db8::1'],
    ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
    ['2001:db8::1:443', '2001:db8::1:443'],
    ['1.1.1.1:1, 203.0.113.9:51234, 10.0.0.7:8080', '203.0.113.9'],
    ['203.0.113.9:51234,[2001:db8:f::7]:443 , 10.0.0.7', '203.0.113.9'],
  ];
  for (const [forwarded, address] of read) t.equal(await seen(forwarded), address, forwarded);
  for (const forwarded of [
    'unknown:80',
    '203.0.113.9:',
    '203.0.113.9:http',
    '203.0.113.999:80',
    ':80',
    '[203.0.113.9]:80',
    '[2001:db8::1',
    '2001:db8::1]:443',
    '[2001:db8::1]443',
    '[]:443',
    '1.1.1.1, [x]:1, 10.0.0.7:8080',
  ]) {
    t.equal(await seen(forwarded), 'ip_not_whitelisted', forwarded);
  }
  const stranger = await behindProxy(t, ['10.0.0.0/8']);
  t.equal(await stranger('203.0.113.9:51234'), '127.0.0.1', 'a caller that is no proxy sets nothing');
});

t.test('X-Forwarded-Proto counts in any case; of several values the last one does', async (t) => {
  const { app, key } = await served(t, { config: { trustedProxies: LOCAL, requireHttps: true } });
  const console = await createTestConsole({
    config: { production: true, trustedProxies: LOCAL, console: { loopback: false } },
  });
  t.teardown(() => console.close());
  const ports = [
    `http://127.0.0.1:${await listen(app)}/api/v1/plans`,
    `http://127.0.0.1:${await listen(console.app)}/sign-in`,
  ];
  for (const url of ports) {
    const over = async (proto: string) =>
      (await fetch(url, { headers: { authorization: `Bearer ${key}`, 'x-forwarded-proto': proto } })).status;
    for (const proto of ['https', 'HTTPS', 'Https', 'http, HTTPS', 'http,https ']) {
      t.equal(await over(proto), 200, `${url}: ${proto}`);
    }
    for (const proto of ['http', 'HTTPS, HTTP', 'https, wss', 'httpsx', 'https,']) {
      t.equal(await over(proto), 400, `${url}: ${proto}`);
    }
  }
});

t.test('the console records the address of an operator without the port', async (t) => {
  const console = await createTestConsole({ config: { trustedProxies: LOCAL } });
  t.teardown(() => console.close());
  const { link } = await console.person('viewer');
  const url = `http://127.0.0.1:${await listen(console.app)}${await link()}`;
  const page = await fetch(url);
  const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ form_token: token }),
    headers: {
      'x-forwarded-for': '203.0.113.9:51234',
      cookie: page.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    },
  });
  t.equal(answer.status, 303);
  const { operators } = console.store.read;
  const [operator] = await operators.list();
  t.match(await operators.listSessions(String(operator?.id)), [{ ip: '203.0.113.9' }]);
});

t.test('every port keeps an idle connection for as long as it is set', async (t) => {
  const keepAliveMs = 620_000;
  const { app, clock } = await served(t, { config: { keepAliveMs } });
  const console = await createTestConsole({ config: { keepAliveMs } });
  t.teardown(() => console.close());
  const local = { host: '127.0.0.1', port: 0, trustedProxies: [] };
  const metrics = await serveMetrics({ registry: new Registry(), clock, ...local, keepAliveMs });
  t.teardown(() => metrics.close());
  for (const port of [await listen(app), await listen(console.app), metrics.port]) {
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    await answer.arrayBuffer();
    t.equal(answer.headers.get('keep-alive'), 'timeout=620');
  }
});
