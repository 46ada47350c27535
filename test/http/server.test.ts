import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { listenAddress, renewTls } from '../../src/http/server.ts';
import { holdReads, served } from '../support/served.ts';
import { makeCertificate } from '../support/tls.ts';
import { answersOf, dial, isRefusal, listen } from '../support/wire.ts';

t.test(
  'bytes that follow a request never change its answer, and those that are no request are answered after it',
  async (t) => {
    const { app, key, service, mailer, addTemplate, broker } = await served(t);
    await addTemplate(broker);
    const port = await listen(app);
    const post = (url: string, length: number, bytes: string) =>
      `POST /api/v1${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${bytes}`;
    const warn = `/services/${service.number}/cancellation-warning`;
    const body = '{"warningReason":"Zahlung \u00fcberf\u00e4llig"}';

    const counted = dial(port);
    counted.write(post(warn, body.length, body), 'utf8');
    const short = await answersOf(counted);
    isRefusal(t, short[0] as never, 400, 'invalid_request', 'malformed_json');

    for (const bytes of ['}', 'BREW /api HTTP/1.1\r\n\r\n', 'GARBAGE\r\n\r\n', '\0'.repeat(70_000)]) {
      const sent = mailer.sent.length;
      const socket = dial(port);
      socket.write(post(warn, Buffer.byteLength(body), body) + bytes, 'utf8');
      const answers = await answersOf(socket);
      t.strictSame(
        answers.map(({ status }) => status),
        [200, 400],
        JSON.stringify(bytes.slice(0, 20)),
      );
      isRefusal(t, answers[1] as never, 400, 'invalid_request', 'malformed_request');
      t.equal(mailer.sent.length, sent + 1);
    }

    const first = `GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`;
    const statuses = async (bytes: string) => {
      const socket = dial(port);
      socket.write(bytes, 'latin1');
      return (await answersOf(socket)).map(({ status }) => status);
    };
    const broken = post('/auth-check', 0, '').replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    t.strictSame(await statuses(`${broken}zz\r\n`), [400], 'a body that breaks off');
    t.strictSame(await statuses(`${first}${broken}zz\r\n`), [200], 'a second request is not answered');
    t.strictSame(await statuses(`${first}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`), [200, 404]);
    t.strictSame(await statuses(`${first.replace('Host', 'Connection: close\r\nHost')}${first}`), [200]);
  },
);

t.test('an answer that is not read ends its connection, one that takes long to make does not', async (t) => {
  const { app, key, store } = await served(t);
  const port = await listen(app);
  t.equal(app.server.timeout, 30_000);
  const connected = async () => {
    const client = dial(port);
    const [socket] = (await once(app.server, 'connection')) as [Socket];
    return { client, socket };
  };
  const unread = await connected();
  unread.client.pause();
  const left = once(unread.socket, 'close');
  unread.client.write('GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50));
  await once(app.server, 'request');
  unread.socket.setTimeout(50);
  await left;
  unread.client.destroy();

  const held = holdReads(store);
  const patient = await connected();
  patient.client.write(
    `GET /api/v1/plans HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  );
  await held.reached;
  patient.socket.setTimeout(50);
  await once(app.server, 'timeout');
  held.release();
  t.match(await answersOf(patient.client), [{ status: 200 }]);

  app.server.timeout = 50;
  const idle = dial(port);
  t.strictSame(await answersOf(idle), [], 'and a connection that brings nothing does not stay either');
});

t.test('files are served from memory, whole, and not at all to a client that has them', async (t) => {
  const { app } = await served(t);
  for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/static/docs.css']) {
    const { statusCode, headers, rawPayload } = await app.inject({ url, headers: { range: 'bytes=5-1' } });
    t.equal(statusCode, 200, url);
    t.equal(Number(headers['content-length']), rawPayload.length);
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.inject({ url, headers: { 'if-none-match': known } });
      t.strictSame([again.statusCode, again.body, again.headers.etag], [304, '', etag], known);
    }
    t.equal((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode, 200);
  }
  const { headers } = await app.inject('/api/docs');
  t.match(headers['content-security-policy'], /^default-src 'none'/);
  t.notMatch(headers['content-security-policy'], /upgrade-insecure-requests/);
  for (const url of [
    '/api/docs/json',
    '/api/docs/yaml',
    '/api/docs/index.html',
    '/api/docs/static/',
    '/api/docs/static/../x',
  ]) {
    t.equal((await app.inject(url)).statusCode, 404, url);
  }
});

t.test(
  'files are sent compressed to clients that accept it, as they are to the others, each under its own mark',
  async (t) => {
    const { app } = await served(t);
    for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/static/docs.css']) {
      const plain = await app.inject(url);
      t.equal(plain.headers['content-encoding'], undefined);
      for (const accepted of ['gzip', 'br, GZIP', 'deflate, gzip;q=0.5, *;q=0']) {
        const { headers, rawPayload } = await app.inject({ url, headers: { 'accept-encoding': accepted } });
        t.match(headers, { 'content-encoding': 'gzip', vary: 'accept-encoding' }, accepted);
        t.ok(gunzipSync(rawPayload).equals(plain.rawPayload), url);
        t.ok(rawPayload.length < plain.rawPayload.length, 'smaller');
        t.not(headers.etag, plain.headers.etag);
        const known = { 'accept-encoding': accepted, 'if-none-match': String(headers.etag) };
        const again = await app.inject({ url, headers: known });
        t.strictSame([again.statusCode, again.body, again.headers['content-encoding']], [304, '', undefined]);
      }
      for (const refused of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.000, br', 'notgzip', '']) {
        const { headers, rawPayload } = await app.inject({ url, headers: { 'accept-encoding': refused } });
        t.equal(headers['content-encoding'], undefined, refused);
        t.ok(rawPayload.equals(plain.rawPayload), refused);
      }
    }
  },
);

t.test('a port on localhost is on the IPv4 address, any other on the one that is named', async (t) => {
  t.strictSame(['localhost', '::1', '0.0.0.0'].map(listenAddress), ['127.0.0.1', '::1', '0.0.0.0']);
});

t.test('of TLS 1.2 nothing is spoken that lacks forward secrecy or a whole tag', async (t) => {
  const { certFile, keyFile } = makeCertificate(t.testdir({}));
  const { app } = await served(t, { config: { tls: { certFile, keyFile } } });
  const port = await listen(app);
  const speaks = async (options: ConnectionOptions) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    const outcome = await Promise.race([
      once(socket, 'secureConnect').then(() => socket.getCipher().name),
      once(socket, 'error').then(() => 'refused'),
    ]).catch(() => 'refused');
    socket.destroy();
    return outcome;
  };
  const maxVersion = 'TLSv1.2';
  t.match(await speaks({}), /^TLS_/);
  t.equal(await speaks({ maxVersion, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }), 'ECDHE-ECDSA-AES128-GCM-SHA256');
  for (const ciphers of ['ECDHE-ECDSA-AES128-CCM8', 'ECDHE-ECDSA-AES128-SHA', 'AES128-GCM-SHA256', 'AES256-SHA']) {
    t.equal(await speaks({ maxVersion, ciphers }), 'refused', ciphers);
  }
});

t.test(
  'files of a certificate that were renewed count for new connections; faulty ones leave the old in use',
  async (t) => {
    const folder = t.testdir({ old: {}, new: {} });
    const tls = makeCertificate(`${folder}/old`);
    const { app } = await served(t, { config: { tls } });
    const port = await listen(app);
    const serial = async () => {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const first = await serial();
    const files = makeCertificate(`${folder}/new`);
    renewTls(app.server, files);
    const second = await serial();
    t.not(second, first);
    t.throws(() => renewTls(app.server, { certFile: tls.certFile, keyFile: files.keyFile }), /key values mismatch/);
    t.equal(await serial(), second);
  },
);
