import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface PipeliningLimits {
  /** Requests of one connection that are worked on at the same time. */
  atOnce: number;
  /** Bytes of answers that a connection has not taken; above it nothing further of it is begun. */
  unsentBytes: number;
  /** Requests that may wait on one connection. */
  waitingOnConnection: number;
  /** Requests that may wait on all connections together. */
  waitingOverAll: number;
}

/**
 * One read of a socket (64 KiB) can bring 3,600 requests at once, and Node would have all of them answered before
 * anybody has taken the first answer: some bytes from the caller become megabytes here.
 *
 * - atOnce: clients that pipeline send a handful; eight answers of the largest list are under a megabyte.
 * - unsentBytes: what Node itself takes for a full socket.
 * - waitingOnConnection: a waiting request costs some 2 KB. More than a thousand unanswered ones is no client's way to
 *   work: the connection ends behind the last of them.
 * - waitingOverAll: some 40 MB. Whoever exceeds it is cut off; callers that do not pipeline never wait and never count.
 */
export const PIPELINING_LIMITS: PipeliningLimits = {
  atOnce: 8,
  unsentBytes: 16_384,
  waitingOnConnection: 1_000,
  waitingOverAll: 20_000,
};

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  readonly socket: Socket;
  /** Requests that have arrived and are not begun. */
  readonly waiting: Exchange[];
  /** Requests beyond the limit, which nobody will answer; Node holds them until the connection is closed. */
  refused: number;
  /** Requests that are begun and whose answers are not taken yet. */
  running: number;
  latest: Exchange | undefined;
  /** The answer to a request that is being worked on and of which the rest will never come. */
  cutShort: ServerResponse | undefined;
  /** Ends the connection as soon as nothing is due on it any more; until this is set it stays open. */
  end: (() => void) | undefined;
  readonly answered: () => void;
}

const CONNECTION = Symbol('connection');
type KnownSocket = Socket & { [CONNECTION]?: Connection };

/**
 * Bounds what is outstanding on a connection (contract, section 1): of pipelined requests a few are worked on at a
 * time, the next when an answer has been taken, and nothing is read from a connection on which requests wait. Answers
 * keep their order. Whoever reads nothing gets nothing further done, and a connection that goes away frees all it held.
 *
 * A caller that has left before its request is begun is not served at all.
 */
export function boundPipelining(handle: RequestListener, limits: PipeliningLimits = PIPELINING_LIMITS) {
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
    // The address is gone with the connection, and with it what the gates would ask for first.
    if (connection.socket.remoteAddress === undefined) {
      connection.socket.destroy();
      return;
    }
    connection.running += 1;
    connection.latest = exchange;
    // Node says it once; to listen for once only would make one more function for each answer.
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
      if (waiting.length === 0 && connection.end === undefined) readOn(socket);
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
        // Nobody is told twice: the answer to the last one that is taken says that the connection ends.
        response.setHeader('connection', 'close');
        connection.end = () => endGently(socket);
      }
    }
    // All of them wait for this one's neighbours; it is the one that asks for too much.
    if (waitingOverAll > limits.waitingOverAll) socket.destroy();
  };
}

/**
 * Ends a connection whose further bytes mean nothing. Replies that are due go out first and are the last ones then:
 * `answer` is for a request of which a part is missing, and for bytes that came when nothing was due.
 */
export function endConnection(socket: Socket, answer: string): void {
  const connection = (socket as KnownSocket)[CONNECTION];
  if (connection === undefined) {
    endGently(socket, answer);
    return;
  }
  // The parser reports every further packet, and what the first of them meant has been decided.
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

/** Whether a request of this connection is being worked on. */
export const isBusy = (socket: Socket): boolean => ((socket as KnownSocket)[CONNECTION]?.running ?? 0) > 0;

/** Replies that will come; to a request that was cut short none will, unless it is on its way already. */
const dueOn = ({ running, waiting, cutShort }: Connection): number =>
  running + waiting.length - (cutShort !== undefined && !cutShort.headersSent ? 1 : 0);

/** How long a connection that was ended may take to close its half. */
const LINGER_MS = 1000;

/** Says a last word, if any, and lets the other side close: closing with bytes unread could take back what was said. */
function endGently(socket: Socket, lastWord?: string): void {
  socket.setTimeout(LINGER_MS, () => socket.destroy());
  if (lastWord === undefined) socket.end();
  else socket.end(lastWord);
}

/**
 * Node resumes a socket by itself whenever an answer is out or a body is read, so pausing alone would last for one
 * answer. Nothing else may resume it until we do.
 */
function stopReading(socket: Socket): void {
  socket.pause();
  socket.resume = () => socket;
}

function readOn(socket: Socket): void {
  Reflect.deleteProperty(socket, 'resume');
  socket.resume();
}
