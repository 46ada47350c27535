import type { FastifyRequest, onRequestHookHandler, preParsingHookHandler, preValidationHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import secureJson from 'secure-json-parse';
import { fail } from '../src/errors.ts';
import { hooksOf } from '../src/hooks.ts';
import { isCutOff } from '../src/http/request-shape.ts';

/** The largest body: 64 KiB. */
export const BODY_LIMIT_BYTES = 65_536;

/**
 * Gate 5, first half: a body must be JSON in UTF-8 and an object (contract, section 3). An absent or empty body
 * counts as `{}`, and its content type is ignored.
 */
export default fp(
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
      async (request: FastifyRequest, body: Buffer) => (body.length === 0 ? {} : parse(request, body)),
    );
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

function parse(request: FastifyRequest, body: Buffer): object {
  if (!isJson(request.headers['content-type'])) {
    throw fail.invalidRequest('content_type', 'The body must be sent as application/json');
  }
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    value = secureJson.parse(text, { protoAction: 'error', constructorAction: 'ignore' });
    if (FRACTION_OR_EXPONENT.test(text)) value = JSON.parse(wholeAsWritten(text));
  } catch {
    throw fail.invalidRequest('malformed_json', 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fail.invalidRequest('not_an_object', 'The body must be a JSON object');
  }
  return value;
}

/** Whether the text may contain a number that is not written as a whole one; also matches inside strings. */
const FRACTION_OR_EXPONENT = /\d[.eE]/;

/** The strings and numbers of a valid JSON text. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Replaces every number that is not written in digits alone by 0.5, so that validation refuses it (contract, section 3).
 * Parsing would round `1000001.00000000001` to a whole number, and `1e3` and `1.0` are not accepted either. No field
 * takes a fraction, so any fraction will do.
 */
const wholeAsWritten = (json: string): string =>
  json.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') || /^-?\d+$/.test(token) ? token : '0.5'));

/** Whether a content type is `application/json`, with no charset other than UTF-8. */
function isJson(contentType = ''): boolean {
  if (contentType === 'application/json') return true;
  // Split first: one regular expression for the whole would backtrack over runs of blanks.
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  return (
    type.toLowerCase() === 'application/json' &&
    parameters.every((parameter) => parameter === '' || /^charset\s*=\s*(?:utf-?8|"utf-?8")$/i.test(parameter))
  );
}
