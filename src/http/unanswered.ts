import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Unanswered requests of a connection. Clients that send requests ahead of the answers send a handful. */
export const MAX_UNANSWERED = 16;

/**
 * Bytes that are parsed at a time. Node would parse a whole read of 64 KiB, up to 3,600 requests, although 17 are enough to
 * close the connection.
 */
export const SLICE_BYTES = 1024;

/** How long the other side may take to close its half of the connection. */
const LINGER_MS = 1000;

interface Connection {
  /** In the order of arrival; only the first has begun. */
  readonly unanswered: { request: IncomingMessage; response: ServerResponse }[];
  /** Closes the connection, called after the last answer; undefined while its input is parsed. */
  end: (() => void) | undefined;
}

const connections = new WeakMap<Socket, Connection>();

function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = { unanswered: [], end: undefined };
    connections.set(socket, connection);
  }
  return connection;
}

/** Parses the input of each connection in slices, and none of it once the connection is to be closed. */
export function parseInSlices(server: Server, connected: 'connection' | 'secureConnection'): void {
  server.on(connected, (socket: Socket) => {
    const connection = connectionOf(socket);
    const [parse] = socket.listeners('data') as [(bytes: Buffer) => void];
    socket.removeListener('data', parse);
    socket.on('data', (bytes) => {
      for (let at = 0; at < bytes.length && connection.end === undefined; at += SLICE_BYTES) {
        parse(bytes.length <= SLICE_BYTES ? bytes : bytes.subarray(at, at + SLICE_BYTES));
      }
      // While answers are due, input that is not parsed must not keep the connection from timing out.
      if (connection.end !== undefined && !socket.writableEnded) socket.pause();
    });
  });
}

/**
 * Limits the unanswered requests of a connection (contract, section 1). They begin one after the other, each in an
 * iteration of the event loop of its own and when the client has taken the answer before, so that requests sent ahead
 * of their answers delay no other connection. Above `MAX_UNANSWERED` the connection is closed after their answers.
 */
export function boundUnanswered(handle: RequestListener): RequestListener {
  function begin(connection: Connection): void {
    const { unanswered } = connection;
    const [first] = unanswered;
    if (first === undefined) return;
    const { request, response } = first;
    // The answer before closed the connection, or the client has disconnected; the gates need its address.
    if (!request.socket.writable || request.socket.remoteAddress === undefined) {
      request.socket.destroy();
      return;
    }
    // `on`, not `once`: 'close' is emitted only once, and `once` would allocate another function for each answer.
    response.on('close', () => {
      unanswered.shift();
      if (unanswered.length > 0) setImmediate(begin, connection);
      else connection.end?.();
    });
    handle(request, response);
  }

  return (request, response) => {
    const connection = connectionOf(request.socket);
    const { unanswered } = connection;
    if (connection.end !== undefined) return;
    if (unanswered.length === MAX_UNANSWERED) {
      connection.end = () => endGently(request.socket);
      return;
    }
    unanswered.push({ request, response });
    if (unanswered.length === 1) begin(connection);
  };
}

/** Closes a connection whose further input cannot be parsed: the answers that are due are sent first, then `answer`, a raw one. */
export function endUnreadable(socket: Socket, answer: string): void {
  const connection = connectionOf(socket);
  if (connection.end !== undefined) return;
  const { unanswered } = connection;
  const latest = unanswered.at(-1);
  // A request that never arrives in full is answered by `answer`.
  if (latest && !latest.request.complete && !latest.response.headersSent) unanswered.pop();
  connection.end = () => endGently(socket, answer);
  if (unanswered.length === 0) connection.end();
}

/** Whether a request of this connection is unanswered. */
export const isBusy = (socket: Socket): boolean => connectionOf(socket).unanswered.length > 0;

/**
 * Sends a last answer, if any, and reads on until the other side closes: closing a socket with unread input resets the
 * connection, and the client could lose its answers.
 */
function endGently(socket: Socket, lastAnswer?: string): void {
  if (socket.writableEnded) return;
  if (lastAnswer !== undefined) socket.write(lastAnswer);
  socket.end();
  socket.resume();
  const patience = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(patience));
}
