import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { Problem } from '../problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a form with a file, and reads it with `receiveFile`, which asks for the token first. */
    files?: boolean;
  }
  interface FastifyRequest {
    /** The fields of the form that was sent; empty texts where there are none. */
    form: Form;
  }
  interface FastifyReply {
    /** The text that every form has to bring back; made for this session, or for this browser before the sign-in. */
    formToken(): string;
  }
}

export interface Form {
  /** A field's text, or an empty one. */
  get(name: string): string;
  /** A field that counts only where something was entered. */
  given(name: string): string | undefined;
  /** All values of a field that can be chosen several times. */
  all(name: string): string[];
}

/** Longer than any form of the console; templates are the longest. Bytes. */
export const MAX_FORM_BYTES = 1_000_000;

/** As many fields as the largest form has, many times over. */
const MAX_FIELDS = 500;

const FORM_SECONDS = 12 * 3600;
/** The field with the token. */
export const FIELD = 'form_token';

/**
 * Forms, and that they are our own (no other site's page may send one in a person's name): the browser must not call
 * the step one from elsewhere, and the form must bring back a token that only our pages know. The token is a hash of
 * the session's secret, so that there is nothing to keep.
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
      const secret =
        this.request.readCookie('session') && this.request.auth ? this.request.readCookie('session') : formSecret(this);
      return tokenOf(secret as string);
    });
    app.addHook('preHandler', async (request) => {
      if (request.method === 'GET' || request.is404 || request.routeOptions.config.files) return;
      const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      if (fields.size > MAX_FIELDS) throw new Problem(413, 'Too many fields', 'This is no form of the console.');
      request.form = {
        get: (name) => fields.get(name)?.replaceAll('\r\n', '\n') ?? '',
        given: (name) => fields.get(name)?.trim() || undefined,
        all: (name) => fields.getAll(name),
      };
      requireOwn(request, fields.get(FIELD) ?? '');
    });
  },
  { name: 'console-forms', dependencies: ['console-sessions'], fastify: '5.x' },
);

/** Throws a `Problem` for a form that another site's page may have sent. */
export function requireOwn(request: FastifyRequest, given: string): void {
  const secret = (request.auth && request.readCookie('session')) ?? request.readCookie('form');
  if (!cameFromHere(request) || secret === undefined || !isEqual(given, tokenOf(secret))) {
    throw new Problem(
      403,
      'This form has expired',
      'It was not sent from a page of this console, or that page is too old. Nothing was changed: go back, reload the page and send it again.',
    );
  }
}

/** With no referrer browsers send `Origin: null` along with a form, and say in a header of its own where it came from. */
function cameFromHere({ headers, protocol, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || origin === 'null' || origin === `${protocol}://${host}`;
}

/** Before the sign-in a browser is known by a secret of its own. */
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
