import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long the other side may take to close its half of the connection. */
const LINGER_MS = 1000;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Closes the connection after the answer; undefined while the connection may stay open. */
  end: (() => void) | undefined;
}

/** The request of each connection that is being answered. */
const exchanges = new WeakMap<Socket, Exchange>();

/** Whether a request of this connection is being answered. */
export const isBusy = (socket: Socket): boolean => exchanges.has(socket);

/**
 * Passes one request of a connection at a time to `handle`. A request that is sent ahead of the answer before it is not
 * handled: the connection is closed after that answer (contract, section 1).
 */
export function oneAtATime(handle: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    if (exchanges.has(socket)) {
      endAfterAnswer(socket);
      return;
    }
    // The client has disconnected; the gates need its address.
    if (socket.remoteAddress === undefined) socket.destroy();
    // The connection is being closed.
    if (!socket.writable) return;
    const exchange: Exchange = { request, response, end: undefined };
    exchanges.set(socket, exchange);
    // `on`, not `once`: 'close' is emitted only once, and `once` would allocate another function for each answer.
    response.on('close', () => {
      exchanges.delete(socket);
      exchange.end?.();
    });
    handle(request, response);
  };
}

/**
 * Closes a connection whose further input cannot be parsed: the answer that is due is sent first, then `answer`, a raw
 * one. A request that never arrives in full is answered by `answer`.
 */
export function endUnreadable(socket: Socket, answer: string): void {
  const exchange = exchanges.get(socket);
  if (exchange && !exchange.request.complete && !exchange.response.headersSent) exchanges.delete(socket);
  endAfterAnswer(socket, answer);
}

/** The first call for a connection counts; nothing more is read of it until then. */
function endAfterAnswer(socket: Socket, lastAnswer?: string): void {
  const exchange = exchanges.get(socket);
  if (exchange === undefined) {
    endGently(socket, lastAnswer);
  } else if (exchange.end === undefined) {
    exchange.end = () => endGently(socket, lastAnswer);
    // Node reads on after each request that it has parsed.
    process.nextTick(() => socket.pause());
  }
}

/**
 * Sends a last answer, if any, and drops what is still received until the other side closes: closing a socket with unread
 * input resets the connection, and the client could lose its answers.
 */
function endGently(socket: Socket, lastAnswer?: string): void {
  if (!socket.writable) return;
  if (lastAnswer !== undefined) socket.write(lastAnswer);
  socket.end();
  socket.removeAllListeners('data').on('data', () => {});
  socket.resume();
  const patience = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(patience));
}
