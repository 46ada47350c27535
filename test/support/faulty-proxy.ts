import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';

export interface Passed {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Half of the body is sent; then the connection is closed, in a body of known length or in chunks, or hangs. */
  cut?: 'length' | 'chunks' | 'stall';
}

/** What is done to the requests of some paths, or to their answers; without an answer the connection is cut. */
export interface Spoiled {
  /** Matched against path and query. */
  when: RegExp;
  path?(path: string): string;
  /** An answer in place of the server's; null loses the request; undefined passes it on. */
  request?(sent: { method: string; headers: IncomingHttpHeaders; body: string }): Passed | null | undefined;
  /** A promise that stays open is an answer that never comes. */
  answer?(answer: Passed): Passed | undefined | Promise<Passed | undefined>;
}

/** A proxy in front of a server on this machine that spoils what passes as a test says; answers with its port. */
export async function faultyProxy(t: Test, port: number, faults: readonly Spoiled[]): Promise<number> {
  const proxy = createServer(async (incoming, outgoing) => {
    const { url = '', method = '', socket } = incoming;
    const met = faults.filter(({ when }) => when.test(url));
    const path = met.reduce((current, { path }) => path?.(current) ?? current, url);
    const { host: _, ...headers } = incoming.headers;
    const body = await text(incoming);

    const pass = async (): Promise<Passed> => {
      const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: false });
      sent.end(body);
      const response = await new Promise<typeof incoming>((resolve) => sent.once('response', resolve));
      return { status: response.statusCode as number, headers: response.headers, body: await text(response) };
    };
    let answer: Passed | null | undefined;
    for (const { request: take } of met) answer ??= take?.({ method, headers, body });
    if (answer === undefined) {
      answer = await pass();
      for (const { answer: spoil } of met) answer = answer && spoil ? await spoil(answer) : answer;
    }
    if (!answer) return void socket.destroy();

    const { 'content-length': length, 'transfer-encoding': __, connection: ___, ...rest } = answer.headers;
    const size = method === 'HEAD' ? length : Buffer.byteLength(answer.body);
    const sized = size !== undefined && answer.cut !== 'chunks';
    outgoing.writeHead(answer.status, { ...rest, ...(sized && { 'content-length': size }) });
    if (!answer.cut) return void outgoing.end(method === 'HEAD' ? undefined : answer.body);
    outgoing.write(answer.body.slice(0, answer.body.length / 2), () => answer.cut !== 'stall' && socket.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    proxy.closeAllConnections();
    return new Promise((resolve) => proxy.close(resolve));
  });
  return (proxy.address() as AddressInfo).port;
}
