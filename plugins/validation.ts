import type { AnySchema } from 'ajv';
import type { FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { type FieldFault, fail } from '../src/errors.ts';
import { checkPart, onePerField } from '../src/fields/faults.ts';
import {
  blank,
  repeatedHeaders,
  trimmed,
  unreadableFaults,
  type Values,
  withoutDeep,
  withoutRepeats,
} from '../src/fields/values.ts';
import { hooksOf } from '../src/http/hooks.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body before its strings were trimmed: what an idempotency key's fingerprint covers. */
    bodyAsSent: unknown;
  }
}

/**
 * Gate 5, second half (contract, section 3): validates path, query, headers and body together, so that one answer
 * lists every faulty field. The service number was checked before (plugins/service-number.ts).
 *
 * Fastify's own validation stops at the first faulty part and coerces values, so it is switched off. The routes'
 * schemas are compiled once, in strict mode, with the keywords of src/fields/keywords.ts.
 */
export default fp(
  async (app) => {
    app.decorateRequest('bodyAsSent', undefined);
    app.setValidatorCompiler(() => () => true);

    app.addHook('onRoute', (route) => {
      const check = checkOf(route);
      const hook: preValidationHookHandler = (request, _reply, done) => {
        const faults = check(request);
        done(faults.length > 0 ? fail.invalidFields(faults) : undefined);
      };
      route.preValidation = [...hooksOf(route.preValidation), hook];
    });
  },
  { name: 'validation', dependencies: ['json-body'], fastify: '5.x' },
);

function checkOf(route: RouteOptions): (request: FastifyRequest) => FieldFault[] {
  const { params, querystring, headers, body: parsed } = route.schema as Record<string, AnySchema | undefined>;
  const body = route.config?.rawBody ? undefined : parsed;
  const path = checkPart('path', params);
  const query = checkPart('query', querystring);
  const header = checkPart('header', headers);
  const content = checkPart('body', body);
  const headerNames = Object.keys((headers as { properties?: object } | undefined)?.properties ?? {});

  // Most reads take only a query and are mostly sent without one, so there is nothing to validate.
  const alwaysChecked = params !== undefined || headerNames.length > 0 || (body !== undefined && !takesAnything(body));

  return (request) => {
    if (!alwaysChecked && !request.url.includes('?')) return NO_FAULTS;
    const faults = path(request.params as Values);
    if (request.url.includes('?')) {
      const { single, repeated } = withoutRepeats(request.query as Values);
      faults.push(...unreadableFaults('query', single), ...blank(single), ...repeated, ...query(single));
    }
    if (headerNames.length > 0)
      faults.push(...repeatedHeaders(request.raw.rawHeaders, headerNames), ...header(request.headers));
    if (body !== undefined && !takesAnything(body)) {
      request.bodyAsSent = request.body;
      const { body: flat, faults: deep } = withoutDeep(request.body as Values);
      request.body = trimmed(flat);
      faults.push(...unreadableFaults('body', request.body), ...content(request.body as Values));
      // A field that is unknown, or of another type, is so however deep its value is.
      faults.push(...deep.filter(({ path }) => faults.every((fault) => fault.path !== path)));
    }
    return faults.length === 0 ? faults : onePerField(faults);
  };
}

const NO_FAULTS: FieldFault[] = [];

/** Whether the schema accepts every object, so that there is nothing to validate. */
const takesAnything = (body: AnySchema): boolean =>
  (body as { additionalProperties?: unknown }).additionalProperties === true;
