import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** How long the other side may send nothing and still not close its half of the connection. */
const SILENCE_MS = 1000;

/**
 * What is read and dropped behind a last answer, so that the other side can finish what it sends and then read the answer:
 * as long as a whole request may take to arrive, and twice as much as the largest import.
 */
export const DROPPED = { milliseconds: 20_000, bytes: 128_000_000 };

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

/**
 * Closes the connections of a server gently where the rest of a request is still to come. Node closes a connection as soon
 * as its last answer is written, which resets it while there is unread input.
 */
export function readOnAfterLastAnswer(server: Server): void {
  const readOn = (socket: Socket): void => {
    const { destroySoon } = socket;
    socket.destroySoon = () => {
      const request = exchanges.get(socket)?.request;
      if (!request || request.complete) destroySoon.call(socket);
      else {
        socket.end();
        dropRest(request.unpipe(), socket);
      }
    };
  };
  server.on('connection', readOn).on('secureConnection', readOn);
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
  // No parser reads it any more.
  socket.removeAllListeners('data');
  dropRest(socket, socket);
}

/** Reads and drops what `source` still gets from the connection, within `DROPPED`. */
function dropRest(source: Readable, socket: Socket): void {
  const leave = () => void socket.destroy();
  const silence = setTimeout(leave, SILENCE_MS);
  const patience = setTimeout(leave, DROPPED.milliseconds);
  socket.once('close', () => {
    clearTimeout(silence);
    clearTimeout(patience);
  });
  let dropped = 0;
  source.on('data', ({ length }: Buffer) => {
    dropped += length;
    if (dropped > DROPPED.bytes) leave();
    else silence.refresh();
  });
  source.resume();
}
