import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface PipeliningLimits {
  /** Requests of one connection that are processed at the same time. */
  atOnce: number;
  /** Bytes of answers that a connection has not read yet; above this, no further request of it is begun. */
  unsentBytes: number;
  /** Requests that may wait on one connection. */
  waitingOnConnection: number;
  /** Requests that may wait on all connections together. */
  waitingOverAll: number;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  readonly socket: Socket;
  /** Requests that have arrived and have not begun. */
  readonly waiting: Exchange[];
  /** Requests beyond the limit, which get no answer; Node keeps them in memory until the connection is closed. */
  refused: number;
  /** Requests that have begun and whose answers are not yet sent in full. */
  running: number;
  latest: Exchange | undefined;
  /** The answer to a running request whose body will never arrive in full. */
  cutShort: ServerResponse | undefined;
  /** Closes the connection, called as soon as no answer is due on it; undefined while the connection shall stay open. */
  end: (() => void) | undefined;
  readonly answered: () => void;
}

const CONNECTION = Symbol('connection');
type KnownSocket = Socket & { [CONNECTION]?: Connection };

/**
 * Limits the pipelined requests of a connection (contract, section 1). One read of a socket (64 KiB) can contain 3,600
 * requests, and Node would start all of them before the caller has read the first answer. Here a few run at the same time, the next one begins
 * when an answer has been sent, and nothing is read from a connection on which requests wait. Answers keep their order.
 * A client that reads no answers gets no further requests processed, and a closed connection frees all that it held.
 *
 * A request is dropped if its client disconnects before the request has begun.
 */
export function boundPipelining(handle: RequestListener, limits: PipeliningLimits) {
  let waitingOverAll = 0;

  function open(socket: KnownSocket): Connection {
    const connection: Connection = {
      socket,
      waiting: [],
      refused: 0,
      running: 0,
      latest: undefined,
      cutShort: undefined,
      end: undefined,
      answered: () => {
        connection.running -= 1;
        proceed(connection);
      },
    };
    socket.once('close', () => {
      waitingOverAll -= connection.waiting.length + connection.refused;
      connection.waiting.length = 0;
      connection.refused = 0;
    });
    socket[CONNECTION] = connection;
    return connection;
  }

  function begin(connection: Connection, exchange: Exchange): void {
    // The connection is closed already; the gates need its address.
    if (connection.socket.remoteAddress === undefined) {
      connection.socket.destroy();
      return;
    }
    connection.running += 1;
    connection.latest = exchange;
    // `on`, not `once`: 'close' is emitted only once, and `once` would allocate another function for each answer.
    exchange.response.on('close', connection.answered);
    handle(exchange.request, exchange.response);
  }

  const isFree = ({ running, socket }: Connection): boolean =>
    running === 0 || (running < limits.atOnce && socket.writableLength < limits.unsentBytes);

  function proceed(connection: Connection): void {
    const { socket, waiting } = connection;
    if (socket.destroyed) return;
    if (waiting.length > 0) {
      while (waiting.length > 0 && isFree(connection)) {
        waitingOverAll -= 1;
        begin(connection, waiting.shift() as Exchange);
      }
      if (waiting.length === 0 && connection.end === undefined) resumeReading(socket);
    }
    if (dueOn(connection) === 0) connection.end?.();
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const socket = request.socket as KnownSocket;
    if (socket.destroyed) return;
    const connection = socket[CONNECTION] ?? open(socket);
    const exchange = { request, response };
    if (connection.waiting.length === 0 && connection.end === undefined && isFree(connection)) {
      begin(connection, exchange);
      return;
    }
    waitingOverAll += 1;
    if (connection.end !== undefined) connection.refused += 1;
    else {
      if (connection.waiting.length === 0) stopReading(socket);
      connection.waiting.push(exchange);
      if (connection.waiting.length === limits.waitingOnConnection) {
        // Announced once, in the answer to the last request that is accepted.
        response.setHeader('connection', 'close');
        connection.end = () => endGently(socket);
      }
    }
    // The limit is over all connections; the one that exceeds it is closed.
    if (waitingOverAll > limits.waitingOverAll) socket.destroy();
  };
}

/**
 * Closes a connection whose further bytes cannot be parsed. Answers that are due are sent first. `answer`, a raw HTTP
 * answer, is then sent if the latest request is incomplete or if no answer was due when the bytes arrived.
 */
export function endConnection(socket: Socket, answer: string): void {
  const connection = (socket as KnownSocket)[CONNECTION];
  if (connection === undefined) {
    endGently(socket, answer);
    return;
  }
  // The parser reports every further packet as an error; only the first one counts.
  if (connection.end !== undefined) return;
  const { waiting } = connection;
  const latest = waiting.at(-1) ?? connection.latest;
  const isCutShort = latest !== undefined && !latest.request.complete && !latest.response.headersSent;
  if (isCutShort) {
    if (waiting.length > 0) {
      waiting.pop();
      connection.refused += 1;
    } else connection.cutShort = latest.response;
  } else if (latest !== undefined && !latest.response.headersSent) latest.response.setHeader('connection', 'close');
  const wasIdle = connection.running === 0;
  connection.end = () => {
    const isAnswered = !(isCutShort || wasIdle) || connection.cutShort?.headersSent;
    endGently(socket, isAnswered ? undefined : answer);
  };
  if (dueOn(connection) === 0) connection.end();
}

/** Whether a request of this connection is running. */
export const isBusy = (socket: Socket): boolean => ((socket as KnownSocket)[CONNECTION]?.running ?? 0) > 0;

/** Whether no other request of this connection runs or waits. */
export const isLast = (socket: Socket): boolean => {
  const connection = (socket as KnownSocket)[CONNECTION];
  return connection === undefined || connection.running + connection.waiting.length <= 1;
};

/** The number of answers that will follow. A request that was cut short gets none, unless sending has begun already. */
const dueOn = ({ running, waiting, cutShort }: Connection): number =>
  running + waiting.length - (cutShort !== undefined && !cutShort.headersSent ? 1 : 0);

/** How long the other side may take to close its half of the connection. */
export const LINGER_MS = 1000;

/**
 * Sends a last answer, if any, and waits for the other side to close: closing a socket with unread input resets the
 * connection, and the client could lose the answer.
 */
function endGently(socket: Socket, lastAnswer?: string): void {
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  if (lastAnswer === undefined) socket.end();
  else socket.end(lastAnswer);
}

/**
 * Node resumes a socket whenever an answer is sent or a body is read, so a pause alone would end with the next answer.
 * Replacing `resume` keeps the socket paused until `resumeReading`.
 */
function stopReading(socket: Socket): void {
  socket.pause();
  socket.resume = () => socket;
}

function resumeReading(socket: Socket): void {
  Reflect.deleteProperty(socket, 'resume');
  socket.resume();
}
