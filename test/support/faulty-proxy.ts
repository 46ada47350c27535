import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';

export interface Passed {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What is done to the requests of some paths, or to their answers; without an answer the connection is cut. */
export interface Spoiled {
  /** Matched against path and query. */
  when: RegExp;
  path?(path: string): string;
  answer?(answer: Passed): Passed | undefined;
}

/** A proxy in front of a server on this machine that spoils what passes as it is told; answers with its port. */
export async function faultyProxy(t: Test, port: number, faults: readonly Spoiled[]): Promise<number> {
  const proxy = createServer(async (incoming, outgoing) => {
    const url = incoming.url as string;
    const met = faults.filter(({ when }) => when.test(url));
    const path = met.reduce((current, { path }) => path?.(current) ?? current, url);
    const { host: _, ...headers } = incoming.headers;
    const sent = request({ port, host: '127.0.0.1', method: incoming.method, path, headers, agent: false });
    sent.end(await buffer(incoming));
    sent.once('response', async (response) => {
      const status = response.statusCode as number;
      let answer: Passed | undefined = { status, headers: response.headers, body: (await buffer(response)).toString() };
      for (const { answer: spoil } of met) answer = answer && (spoil ? spoil(answer) : answer);
      if (!answer) return void incoming.socket.destroy();
      const { 'content-length': length, 'transfer-encoding': __, connection: ___, ...rest } = answer.headers;
      const size = incoming.method === 'HEAD' ? length : Buffer.byteLength(answer.body);
      outgoing.writeHead(answer.status, { ...rest, ...(size !== undefined && { 'content-length': size }) });
      outgoing.end(incoming.method === 'HEAD' ? undefined : answer.body);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    proxy.closeAllConnections();
    return new Promise((resolve) => proxy.close(resolve));
  });
  return (proxy.address() as AddressInfo).port;
}
