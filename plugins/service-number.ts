import type { preValidationHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { fail } from '../src/errors.ts';
import { hooksOf } from '../src/http/hooks.ts';
import { parseServiceNumber } from '../src/rules/service-number.ts';

/**
 * Gate 5: parses the service number of a path. A faulty one is refused before any other field is checked (contract,
 * sections 2 and 4). After this gate `params.service_number` is a number.
 */
export default fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const { properties } = (route.schema?.params ?? {}) as { properties?: object };
      if (!properties || !('service_number' in properties)) return;
      const read: preValidationHookHandler = (request, _reply, done) => {
        const params = request.params as { service_number: string };
        const number = parseServiceNumber(params.service_number);
        if (number === undefined) return done(fail.invalidFields([FAULT]));
        Object.assign(params, { service_number: number });
        done();
      };
      route.preValidation = [...hooksOf(route.preValidation), read];
    });
  },
  { name: 'service-number', dependencies: ['json-body'], fastify: '5.x' },
);

const FAULT = {
  path: 'path.service_number',
  rule: 'format',
  message: 'must be a 64-bit integer in base 10',
} as const;
