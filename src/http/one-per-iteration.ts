import type { RequestListener } from 'node:http';

/**
 * Begins one request per iteration of the event loop, so that a port on which many requests arrive at once takes the time of
 * one request, and not of all, from the other ports. The number that waits is bounded by the port's connections. A
 * request whose client has disconnected meanwhile is dropped.
 */
export function onePerIteration(handle: RequestListener): RequestListener {
  const waiting: Parameters<RequestListener>[] = [];
  const begin = () => {
    const [request, response] = waiting.shift() as Parameters<RequestListener>;
    if (waiting.length > 0) setImmediate(begin);
    if (!request.socket.destroyed) handle(request, response);
  };
  return (request, response) => {
    waiting.push([request, response]);
    if (waiting.length === 1) setImmediate(begin);
  };
}
