import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../http/problem.ts';
import { TOKEN_FIELD } from '../http/sent-forms.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a form with a file, and reads it with `receiveFile`, which checks the token first. */
    files?: boolean;
  }
  interface FastifyRequest {
    /** The fields of the form that was sent. */
    form: Form;
  }
  interface FastifyReply {
    /** The CSRF token that every form sends back; of this session, or of this browser before the sign-in. */
    formToken(): string;
  }
}

export interface Form {
  /** The texts of some fields, as `get` returns them. */
  pick<Name extends string>(...names: Name[]): Record<Name, string>;
  /** A field's text, or an empty one. */
  get(name: string): string;
  /** A field's trimmed text; undefined where it is blank. */
  given(name: string): string | undefined;
  has(name: string): boolean;
  /** All values of a field, such as checkboxes. */
  all(name: string): string[];
}

/** Templates are the longest forms. Bytes. */
export const MAX_FORM_BYTES = 1_000_000;

/** Far more than the largest form has. */
const MAX_FIELDS = 500;

const FORM_SECONDS = 12 * 3600;
/**
 * Reads forms and refuses those of other sites (CSRF): the browser must not report another site as the origin, and the
 * form must send back a token. The token is a hash of the session's secret, so that none is stored.
 */
export default fp(
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, String(body)),
    );
    app.decorateRequest('form', null as never);
    app.decorateReply('formToken', function (this: FastifyReply) {
      return tokenOf(sessionSecret(this.request) ?? formSecret(this));
    });
    app.addHook('preHandler', async (request) => {
      if (request.method === 'GET' || request.is404 || request.routeOptions.config.files) return;
      const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      if (fields.size > MAX_FIELDS) throw new Problem(413, 'Too many fields', 'This is not a form of the console.');
      const get = (name: string) => fields.get(name)?.replaceAll('\r\n', '\n') ?? '';
      request.form = {
        get,
        pick: <Name extends string>(...names: Name[]) =>
          Object.fromEntries(names.map((name) => [name, get(name)])) as Record<Name, string>,
        given: (name) => fields.get(name)?.trim() || undefined,
        has: (name) => fields.has(name),
        all: (name) => fields.getAll(name),
      };
      requireToken(request, fields.get(TOKEN_FIELD) ?? '');
    });
  },
  { name: 'console-forms', dependencies: ['console-sessions'], fastify: '5.x' },
);

const sessionSecret = (request: FastifyRequest): string | undefined =>
  request.auth ? request.readCookie('session') : undefined;

/** Throws a `Problem` for a form that another site may have sent. */
export function requireToken(request: FastifyRequest, given: string): void {
  const secret = sessionSecret(request) ?? request.readCookie('form');
  if (!isSameOrigin(request) || secret === undefined || !isEqual(given, tokenOf(secret))) {
    throw new Problem(
      403,
      'This form has expired',
      'It was not sent from a page of this console, or that page is too old. Nothing was changed: go back, reload the page and send it again.',
    );
  }
}

/** Without a referrer browsers send `Origin: null` with a form, and its origin in `Sec-Fetch-Site`. */
function isSameOrigin({ headers, protocol, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || origin === 'null' || origin === `${protocol}://${host}`;
}

/** The secret of a browser that is not signed in. */
function formSecret(reply: FastifyReply): string {
  const kept = reply.request.readCookie('form');
  if (kept !== undefined) return kept;
  const secret = randomBytes(32).toString('base64url');
  reply.writeCookie('form', secret, FORM_SECONDS);
  return secret;
}

const tokenOf = (secret: string): string => createHash('sha256').update(`form ${secret}`).digest('base64url');

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
