import type { Message } from 'postmark';
import { type Exchange, singleExchange } from '../http/single-exchange.ts';
import { type Mailer, MailFailure, type MailMessage } from '../ports.ts';
import { oneLine } from '../rules/text.ts';
import { AUTOMATIC, MAX_MESSAGE_BYTES } from './compose.ts';
import { requireMailboxes } from './headers.ts';

export interface PostmarkOptions {
  serverToken: string;
  /** Scheme, host and port of the API; a path is ignored. */
  apiUrl?: string;
  /** How long one send may take from connecting to the answer's last byte. Whole milliseconds. */
  timeoutMs: number;
}

/** Postmark's own code for "the API is down for maintenance": it refuses at the door. */
const MAINTENANCE = '100';

/**
 * The mailer port over Postmark (contract, section 6). One attempt per `send`, over within `timeoutMs`. It resolves
 * only on a 2xx answer with `ErrorCode` 0 and a `MessageID`; everything else rejects with a `MailFailure`, whose
 * text holds neither the token nor an address nor anything the provider wrote.
 */
export function createPostmarkMailer(options: PostmarkOptions): Mailer {
  const { protocol, host } = new URL(options.apiUrl ?? 'https://api.postmarkapp.com');

  return {
    maxMessageBytes: MAX_MESSAGE_BYTES,
    async send(message) {
      requireMailboxes(message);
      // Loaded with the first message, which takes nothing from the time that the provider has.
      const { ServerClient } = await import('postmark');
      const exchange: Exchange = { connected: false, answer: null };
      const deadline = AbortSignal.timeout(options.timeoutMs);
      // A client per message: it is a handful of fields, and its `fetch` is the only way to learn what happened.
      const client = new ServerClient(options.serverToken, {
        useHttps: protocol === 'https:',
        requestHost: host,
        fetch: singleExchange(exchange, deadline),
      });
      try {
        const { ErrorCode, MessageID } = await client.sendEmail(toPostmark(message));
        if (ErrorCode === 0 && typeof MessageID === 'string' && MessageID !== '') return { messageId: MessageID };
      } catch (error) {
        if (exchange.answer === null) throw withoutAnswer(exchange.connected || deadline.aborted, error);
      }
      throw refusedOrUnclear(exchange.answer as NonNullable<Exchange['answer']>);
    },
  };
}

function toPostmark(message: MailMessage): Message {
  return {
    From: `"${oneLine(message.fromName).replace(/["\\]/g, '\\$&')}" <${message.from}>`,
    To: message.to,
    Subject: oneLine(message.subject),
    ...(message.html !== undefined && { HtmlBody: message.html }),
    TextBody: message.text,
    Headers: Object.entries(AUTOMATIC).map(([Name, Value]) => ({ Name, Value })),
    Metadata: { id: message.id },
    ...(message.attachments && {
      Attachments: message.attachments.map((attachment) => ({
        Name: attachment.name,
        ContentType: attachment.contentType,
        Content: attachment.content.toString('base64'),
        ContentID: null,
      })),
    }),
  };
}

/** @param begun false where certainly nothing was sent; a provider that stalls, even while connecting, is no such case */
function withoutAnswer(begun: boolean, cause: unknown): MailFailure {
  return begun
    ? new MailFailure('outcome_unknown', 'Postmark gave no complete answer', { cause })
    : new MailFailure('unreachable', 'Postmark could not be reached; nothing was sent', { retryable: true, cause });
}

/**
 * What an answer that is no acceptance says about the message. A refusal must be certain, for it invites to send
 * again:
 * - maintenance (code 100, usually a 503) turned the message away at the door;
 * - any other 5xx is a server that broke while it worked on the message. Postmark's manual says that such a message
 *   is lost "in most cases", which is not all, so a code in the body does not make it a refusal;
 * - an error code in any other answer, a 4xx and a redirect (which is not followed) are refusals;
 * - what remains is a 2xx that does not say what it did: HTML, an empty body, code 0 without an id.
 */
function refusedOrUnclear({ status, body }: NonNullable<Exchange['answer']>): MailFailure {
  const providerCode = errorCodeOf(body.toString());
  const answered = `HTTP ${status}, ErrorCode ${providerCode ?? 'none'}`;
  const refused = providerCode === MAINTENANCE || (status < 500 && (providerCode !== null || status >= 300));
  return refused
    ? new MailFailure('rejected', `Postmark refused the message (${answered})`, {
        providerCode,
        retryable: status === 429 || providerCode === MAINTENANCE,
      })
    : new MailFailure('outcome_unknown', `Postmark did not confirm the message (${answered})`, { providerCode });
}

/** The non-zero error code of an answer; null where there is none or the answer is not Postmark's JSON. */
function errorCodeOf(body: string): string | null {
  try {
    const code: unknown = JSON.parse(body)?.ErrorCode;
    return Number.isInteger(code) && code !== 0 ? String(code) : null;
  } catch {
    return null;
  }
}
