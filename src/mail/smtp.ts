import { hostname } from 'node:os';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import SMTPConnection, { type SMTPConnectionSendInfo, type SMTPError } from 'nodemailer/lib/smtp-connection';
import { type Mailer, MailFailure } from '../ports.ts';
import type { Clock } from '../runtime/clock.ts';
import { compose, MAX_MESSAGE_BYTES, messageIdOf } from './compose.ts';
import { requireMailboxes } from './headers.ts';

export interface SmtpOptions {
  host: string;
  port: number;
  /** Whether TLS begins with the connection, rather than by STARTTLS. */
  secure: boolean;
  /** Whether nothing is said without TLS and a right certificate. Without it TLS is used where it is offered. */
  requireTls: boolean;
  auth?: { user: string; password: string };
  /** How long one send may take from looking up the host to the last reply. Whole milliseconds. */
  timeoutMs: number;
  clock: Pick<Clock, 'now'>;
  /** PEM of the authorities to trust; the system's unless given. */
  ca?: string;
}

/** Each message takes a connection, and Postfix allows one address fifty. */
const MAX_CONCURRENCY = 32;

/** Servers answer in a line or two; the extensions that one lists are well below a kilobyte. */
const MAX_REPLY_BYTES = 65_536;

/** How long a server may take to close its side; the message's fate is known by then. */
const FAREWELL_MS = 1_000;

/** MAIL, RCPT and DATA go out at once where the server allows it. */
const MAX_PIPELINED = 3;

/** Small, so that what was read of the message is little more than what is on its way. */
const PIECE_BYTES = 16_384;

/**
 * The mailer port over SMTP (contract, section 10). One connection and one attempt per `send`, one recipient, over
 * within `timeoutMs`. It resolves only when the server answered 250 to the whole message; everything else rejects with
 * a `MailFailure`, whose text holds neither the password nor an address nor anything the server wrote but its codes.
 */
export function createSmtpMailer({ host, port, secure, requireTls, auth, timeoutMs, clock, ca }: SmtpOptions): Mailer {
  return {
    maxMessageBytes: MAX_MESSAGE_BYTES,
    maxConcurrency: MAX_CONCURRENCY,
    async send(message) {
      requireMailboxes(message);
      const body = await compose(message, new Date(clock.now()));
      const replies = new Replies();
      const connection = new SMTPConnection({
        host,
        port,
        name: helloName(message.from),
        secure,
        requireTLS: requireTls,
        // Where plain text would do, a certificate without a known authority is no worse.
        opportunisticTLS: !requireTls,
        tls: { minVersion: 'TLSv1.2', rejectUnauthorized: requireTls, ...(ca !== undefined && { ca }) },
        dnsTimeout: timeoutMs,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        socketCloseTimeout: FAREWELL_MS,
        maxResponseSize: MAX_REPLY_BYTES,
        logger: { debug: (entry: { tnx?: string }, text: string) => entry.tnx === 'server' && replies.note(text) },
        transactionLog: true,
      });
      const progress = { handedOver: false };
      try {
        const { response } = await new Promise<SMTPConnectionSendInfo>((resolve, reject) => {
          AbortSignal.timeout(timeoutMs).addEventListener('abort', () => reject(new Error('it took too long')));
          const settle = (error: SMTPError | null, info?: SMTPConnectionSendInfo) =>
            info ? resolve(info) : reject(error);
          const envelope = { from: message.from, to: message.to, size: body.length };
          const send = () => {
            replies.beginMessage();
            connection.send(envelope, piecewise(body, progress), settle);
          };
          connection.on('error', reject);
          connection.connect((error) => {
            if (error) reject(error);
            else if (auth) connection.login({ user: auth.user, pass: auth.password }, (e) => (e ? reject(e) : send()));
            else send();
          });
        });
        if (!progress.handedOver || !/^250(?: |-|$)/.test(response)) throw notConfirmed();
        connection.quit();
      } catch (error) {
        if (error instanceof MailFailure) throw error;
        // The library takes one reply per iteration of the event loop from what it has read.
        for (let replies = 0; replies < MAX_PIPELINED; replies += 1) await setImmediate();
        throw failureOf(error as SMTPError, progress.handedOver, replies.refusal);
      } finally {
        connection.close();
      }
      return { messageId: messageIdOf(message) };
    },
  };
}

/**
 * The replies of a session, of which only the code of a refusal is kept. The library reports no refusal whose server hangs
 * up with it while other replies are due.
 */
class Replies {
  /** Of the greeting and the log-in the last reply, of a message the first refusal; null where that is none. */
  refusal: string | null = null;
  private inMessage = false;

  note(reply: string): void {
    this.refusal = (this.inMessage ? this.refusal : null) ?? codeOf(reply);
  }

  beginMessage(): void {
    this.inMessage = true;
    this.refusal = null;
  }
}

/**
 * What EHLO says: this machine's name, or the sender's domain where the machine has no name with a domain, as in a
 * container. The library would say `[127.0.0.1]`, which spam filters count against a message.
 */
function helloName(from: string): string {
  const own = hostname();
  return /^(?!localhost\.)[a-z\d-]+(\.[a-z\d-]+)*\.[a-z][a-z\d-]*$/i.test(own)
    ? own
    : from.slice(from.indexOf('@') + 1);
}

/** The message in pieces; `handedOver` once all were taken, from where on the end-of-data dot can have been sent. */
function piecewise(body: Buffer, progress: { handedOver: boolean }): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += PIECE_BYTES) {
      // What the server says meanwhile is read before the next piece is written: after a reset it could not be.
      await setImmediate();
      yield body.subarray(at, at + PIECE_BYTES);
    }
  }
  return Readable.from(pieces()).once('end', () => {
    progress.handedOver = true;
  });
}

const notConfirmed = (cause?: unknown): MailFailure =>
  new MailFailure('outcome_unknown', 'The SMTP server did not confirm the message', { cause });

/**
 * What an end without acceptance says about the message. A 4xx or 5xx is a refusal, whenever it comes. Without one
 * everything hangs on the dot that ends the data: before it no server has a message to deliver, after it the outcome is unknown.
 * What failed for want of TLS reached no server that may have the message, whatever its code.
 */
function failureOf(error: SMTPError, handedOver: boolean, refusal: string | null): MailFailure {
  const { code, command, response } = error;
  const providerCode = code === 'ETLS' ? null : (codeOf(response) ?? refusal);
  if (providerCode !== null) {
    return new MailFailure('rejected', `The SMTP server refused the message (${command}: ${providerCode})`, {
      providerCode,
      retryable: providerCode.startsWith('4'),
    });
  }
  // What the server wrote can name people; our own words, and the system's, do not.
  const cause = response ? undefined : error;
  if (handedOver) return notConfirmed(cause);
  if (code === 'EMESSAGE') {
    return new MailFailure('rejected', 'The message is larger than the SMTP server takes', { cause });
  }
  return new MailFailure('unreachable', 'The SMTP server could not be reached; nothing was sent', {
    retryable: true,
    cause,
  });
}

/** The reply's code, with the enhanced one where it has one: `550 5.1.1`. */
function codeOf(response: string | undefined): string | null {
  const [, basic, enhanced] = /^([45]\d\d)(?!\d)(?:[ -]([45]\.\d{1,3}\.\d{1,3}))?/.exec(response ?? '') ?? [];
  if (basic === undefined) return null;
  return enhanced === undefined ? basic : `${basic} ${enhanced}`;
}
