import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * What the stand-in does with one call:
 * - `accept`: 200, `ErrorCode` 0 and a fresh `MessageID`
 * - `{ status, errorCode }`: that HTTP status with Postmark's error body; without a body when `errorCode` is null
 * - `html`, `empty`: 200 with a page in place of JSON, 200 with nothing
 * - `error-in-200`: 200 whose body says `ErrorCode` 406 (inactive recipient)
 * - `no-id`: 200 with `ErrorCode` 0 and no `MessageID`
 * - `redirect`: 307 to a path of this server that would accept; a client that follows raises `attempts`
 * - `stall`: never answers; `stall-body`: headers, half a body, then nothing
 * - `cut`: half of the promised body, then the connection is closed; `reset`: the connection is closed unanswered
 */
export type Behaviour =
  | 'accept'
  | { status: number; errorCode: number | null }
  | 'html'
  | 'empty'
  | 'error-in-200'
  | 'no-id'
  | 'redirect'
  | 'stall'
  | 'stall-body'
  | 'cut'
  | 'reset';

/** The JSON that Postmark's POST /email takes, as far as we use it. */
export interface ReceivedMessage {
  From: string;
  To: string;
  Subject: string;
  HtmlBody?: string;
  TextBody: string;
  Headers: { Name: string; Value: string }[];
  Metadata: { id: string };
  Attachments?: { Name: string; ContentType: string; Content: string; ContentID: string | null }[];
}

export interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  message: ReceivedMessage;
  /** The id that was given to the caller in full; null where the message was not accepted so. */
  messageId: string | null;
}

/** A real HTTP server on a loopback port that speaks Postmark's POST /email. */
export interface PostmarkServer {
  /** For `POSTMARK_API_URL`. */
  url: string;
  /** Every call in its order of arrival, whatever became of it, on any path. */
  received: ReceivedCall[];
  /** How many calls arrived: `received.length`. */
  readonly attempts: number;
  /** What the coming calls meet, one each; after them the standing behaviour again. */
  next(...behaviours: Behaviour[]): void;
  /** Replaces the standing behaviour, which is `accept` at first. */
  always(behaviour: Behaviour): void;
  /** Resolves once that many calls have arrived: to act while one of them stalls. */
  arrived(count: number): Promise<void>;
  /** Stops listening and ends every connection, stalled ones too. */
  close(): Promise<void>;
}

export async function startPostmarkServer(): Promise<PostmarkServer> {
  const received: ReceivedCall[] = [];
  const queue: Behaviour[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let standing: Behaviour = 'accept';

  const server = createServer(async (request, response) => {
    const message = JSON.parse(await text(request)) as ReceivedMessage;
    const call: ReceivedCall = { path: request.url ?? '', headers: request.headers, message, messageId: null };
    received.push(call);
    const behaviour = call.path === '/email' ? (queue.shift() ?? standing) : 'accept';
    if (behaviour === 'accept') call.messageId = `pm-${String(received.length).padStart(6, '0')}`;
    answer(response, behaviour, call);
    for (const waiter of waiting) if (received.length >= waiter.count) waiter.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get attempts() {
      return received.length;
    },
    next(...behaviours) {
      queue.push(...behaviours);
    },
    always(behaviour) {
      standing = behaviour;
    },
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, behaviour: Behaviour, { message, messageId, headers }: ReceivedCall): void {
  const json = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  // Our token stands in the message, as a careless provider might echo it: it must not reach a log.
  const refusal = (errorCode: number) => ({
    ErrorCode: errorCode,
    Message: `Refused for ${message.To}, token ${headers['x-postmark-server-token']}`,
  });
  const success = { To: message.To, SubmittedAt: '2030-01-01T00:00:00Z', MessageID: messageId, ErrorCode: 0 };

  if (typeof behaviour === 'object') {
    if (behaviour.errorCode === null) response.writeHead(behaviour.status).end();
    else json(behaviour.status, refusal(behaviour.errorCode));
    return;
  }
  switch (behaviour) {
    case 'accept':
      json(200, { ...success, Message: 'OK' });
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
      return;
    case 'empty':
      response.writeHead(200).end();
      return;
    case 'error-in-200':
      json(200, refusal(406));
      return;
    case 'no-id':
      json(200, { ErrorCode: 0, Message: 'OK' });
      return;
    case 'redirect':
      response.writeHead(307, { location: '/elsewhere' }).end();
      return;
    case 'stall':
      return;
    case 'stall-body':
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 });
      response.write('{"ErrorCode":0,"MessageID":"half', () => {
        if (behaviour === 'cut') response.destroy();
      });
      return;
    case 'reset':
      response.destroy();
  }
}
