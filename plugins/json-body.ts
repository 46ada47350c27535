import { isUtf8 } from 'node:buffer';
import type { FastifyBodyParser, onRequestHookHandler, preParsingHookHandler, preValidationHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';
import { hooksOf } from '../src/http/hooks.ts';
import { isCutOff } from '../src/http/request-shape.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is handed on as it was sent, neither parsed nor validated. */
    rawBody?: boolean;
  }
}

/** The largest body: 64 KiB. */
const BODY_LIMIT_BYTES = 65_536;

/**
 * Gate 5, first half: a body must be JSON in UTF-8 and an object (contract, section 3). An absent or empty body
 * counts as `{}`, and its content type is ignored.
 */
export default fp<{ bodyLimit?: number }>(
  async (app, { bodyLimit = BODY_LIMIT_BYTES }) => {
    const parseJson = app.getDefaultJsonParser('error', 'ignore');
    const parse: FastifyBodyParser<Buffer> = (request, body, done) => {
      if (body.length === 0) return done(null, {});
      if (request.mediaType !== 'application/json') {
        return done(fail.invalidRequest('content_type', 'The body must be sent as application/json'));
      }
      if (!NO_OTHER_CHARSET.test(request.headers['content-type'] ?? '')) {
        return done(fail.invalidRequest('content_type', 'The body must be sent as application/json in UTF-8'));
      }
      const malformed = () =>
        fail.invalidRequest(
          'malformed_json',
          IDENTITY.test(request.headers['content-encoding'] ?? '')
            ? 'The body is not valid JSON'
            : 'The body is not valid JSON: it must be sent without Content-Encoding, not compressed',
        );
      if (request.routeOptions.config.rawBody) return done(null, body);
      if (!isUtf8(body)) return done(malformed());
      const text = new TextDecoder().decode(body);
      parseJson(request, text, (error, value) => {
        if (error) done(malformed());
        else if (typeof value !== 'object' || value === null || Array.isArray(value)) {
          done(fail.invalidRequest('not_an_object', 'The body must be a JSON object'));
        } else done(null, FRACTION_OR_EXPONENT.test(text) ? parseAsWritten(text) : value);
      });
    };
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, parse);
    app.addHook('onRoute', (route) => {
      if (route.method !== 'POST') return;
      // Fastify would refuse a malformed content type even where there is no body.
      const forgetType: onRequestHookHandler = ({ headers }, _reply, done) => {
        const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
        if (empty) delete headers['content-type'];
        done();
      };
      // Fastify would wait for ever for the rest of a body whose caller disconnected while the gates ran.
      const refuseCutOff: preParsingHookHandler = ({ raw }, _reply, payload, done) => {
        if (isCutOff(raw)) done(fail.malformedRequest('The request was cut off'));
        else done(null, payload);
      };
      // Fastify leaves the body undefined where the headers announce none.
      const assumeEmpty: preValidationHookHandler = (request, _reply, done) => {
        request.body ??= {};
        done();
      };
      route.onRequest = [...hooksOf(route.onRequest), forgetType];
      route.preParsing = [refuseCutOff, ...hooksOf(route.preParsing)];
      route.preValidation = [assumeEmpty, ...hooksOf(route.preValidation)];
    });
  },
  { name: 'json-body', fastify: '5.x' },
);

/** No `charset` in a content type but UTF-8. */
const NO_OTHER_CHARSET = /^[^;]*(?:;\s*(?:charset\s*=\s*(?:utf-?8|"utf-?8")\s*)?)*$/i;

/** No content coding. */
const IDENTITY = /^\s*(?:identity\s*)?$/i;

/** Whether the text may contain a number that is not written as a whole one; also matches inside strings. */
const FRACTION_OR_EXPONENT = /\d[.eE]/;

/**
 * Parses JSON with every number that is not written in digits alone as 0.5, so that validation refuses it (contract,
 * section 3): JSON.parse rounds `1000001.00000000001` to a whole number, and `1e3` and `1.0` are not accepted either. No
 * field takes a fraction, so any fraction will do.
 */
const parseAsWritten = (text: string): unknown =>
  JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (NOT_WHOLE.test(token) ? '0.5' : token)));

/** In valid JSON every match is a whole string or a whole number. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

const NOT_WHOLE = /^-?\d+[.eE]/;
