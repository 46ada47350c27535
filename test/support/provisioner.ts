import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';

/** What an endpoint gets: a body, and its headers. */
export interface Received {
  headers: NodeJS.Dict<string | string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect in it
  body: any;
}

/** An operator's endpoint that answers as a test says; an answer that is an object is sent as JSON. */
export async function serveEndpoint(
  t: Test,
  answer: (received: Received, response: ServerResponse) => object | undefined,
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const one = { headers: request.headers, body: JSON.parse(await text(request)) };
    received.push(one);
    const content = answer(one, response);
    if (content) response.end(JSON.stringify(content));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/work` };
}
