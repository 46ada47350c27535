import type { FastifyRequest, onRequestHookHandler, preParsingHookHandler, preValidationHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import secureJson from 'secure-json-parse';
import { fail } from '../src/errors.ts';
import { hooksOf } from '../src/hooks.ts';
import { isCutOff } from '../src/http/request-shape.ts';

/** The largest body: 64 KiB. */
export const BODY_LIMIT_BYTES = 65_536;

/**
 * Gate 5, first half: a body is JSON in UTF-8 and an object, whatever else it is (contract, section 3). An
 * absent or empty body is `{}`, and then its content type is of no interest.
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
      // Fastify refuses a content type that it cannot read before it looks whether there is a body.
      const forgetType: onRequestHookHandler = ({ headers }, _reply, done) => {
        const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
        if (empty) delete headers['content-type'];
        done();
      };
      // It also waits for the rest of a body whose caller went away while the gates were asked, for good.
      const refuseCutOff: preParsingHookHandler = ({ raw }, _reply, payload, done) => {
        if (isCutOff(raw)) done(fail.malformedRequest('The request was cut off'));
        else done(null, payload);
      };
      // And leaves the body undefined where none was announced.
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

/** Somewhere in the text, perhaps in a string, a number is not written as a whole one. */
const FRACTION_OR_EXPONENT = /\d[.eE]/;

/** The strings and numbers of a text that is JSON. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * The same JSON, in which a number is whole only if its digits say so: reading `1000001.00000000001` rounds it to a
 * whole one, and `1e3` or `1.0` is not how a number is named (contract, section 3). No field of ours takes a fraction,
 * so that any will do.
 */
const wholeAsWritten = (json: string): string =>
  json.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') || /^-?\d+$/.test(token) ? token : '0.5'));

/** `application/json`, with no charset but the one that JSON has. */
function isJson(contentType = ''): boolean {
  if (contentType === 'application/json') return true;
  // Piece by piece: one pattern for the whole would try every way to share out a run of blanks.
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
  return (
    type.toLowerCase() === 'application/json' &&
    parameters.every((parameter) => parameter === '' || /^charset\s*=\s*(?:utf-?8|"utf-?8")$/i.test(parameter))
  );
}
