import type { Section } from '../kit.ts';
import { at } from '../shapes.ts';
import { get, post } from '../wire.ts';
import { invalidRequest, REQUEST_NOT_FOUND, ROUTE_NOT_FOUND } from './refusals.ts';

/** Contract, section 1. */
export const addresses: Section = {
  name: 'addresses',
  fast: true,
  checks: [
    {
      live: true,
      title: 'the interface description is there, without a key',
      async run(probe) {
        const [answer] = await probe.kit.send([get('/openapi.json', { key: null })]);
        probe.equal(answer?.status, 200, 'the status', answer);
        probe.equal(at(answer?.json, 'info.title'), 'Broker API', 'its title', answer);
        probe.equal(at(answer?.json, 'info.version'), '1.0.0', 'its version', answer);
      },
    },
    {
      live: true,
      title: 'the reference page is there, without a key',
      async run(probe) {
        const [answer] = await probe.kit.send([get('/docs', { key: null })]);
        probe.equal(answer?.status, 200, 'the status', answer);
        probe.holds(/^text\/html/.test(String(answer?.headers['content-type'])), 'it is no page', answer);
      },
    },
    {
      live: true,
      title: 'health is told without a key, to HEAD as well',
      async run(probe) {
        for (const path of ['//health/live', '//health/ready']) {
          await probe.succeeds(get(path, { key: null }), { status: 200 });
          const head = await probe.ask({ method: 'HEAD', path, key: null });
          probe.equal(head.status, 200, 'the status of a HEAD', head);
        }
      },
    },
    {
      live: true,
      title: 'an unknown path is 404, with and without a key',
      async run(probe) {
        for (const path of ['/v1', '/v1/nothing', '/v1/services/900001/nothing', '/v2/services', '//nothing', '//']) {
          for (const key of [undefined, null]) {
            await probe.refuses({ ...get(path), ...(key === null && { key }) }, ROUTE_NOT_FOUND, true);
          }
        }
      },
    },
    {
      title: 'an unknown method is 404, HEAD and OPTIONS too',
      async run(probe) {
        for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
          await probe.refuses({ method, path: '/v1/services' }, ROUTE_NOT_FOUND, true);
        }
        await probe.refuses(get('/v1/services/900001/upgrade'), ROUTE_NOT_FOUND, true);
        const head = await probe.ask({ method: 'HEAD', path: '/v1/services' }, true);
        probe.equal(head.status, 404, 'the status of a HEAD', head);
      },
    },
    {
      live: true,
      title: 'paths are exact: no trailing slash, no doubled one, no other case',
      async run(probe) {
        for (const path of ['/v1/services/', '/v1//services', '/v1/Services', '/V1/services', '/v1/plans/']) {
          await probe.refuses(get(path), ROUTE_NOT_FOUND, true);
        }
      },
    },
    {
      live: true,
      title: 'what cannot be routed is refused before any gate',
      async run(probe) {
        const refused = invalidRequest('malformed_request');
        for (const path of [
          '/v1/services/%zz',
          `/v1/requests/${'a'.repeat(1001)}`,
          `/v1/services?search=${'a'.repeat(8192)}`,
        ]) {
          await probe.refuses(get(path, { key: null }), refused, true);
        }
        await probe.refuses(get(`/v1/requests/${'a'.repeat(1000)}`), REQUEST_NOT_FOUND);
      },
    },
    {
      title: 'every answer has an X-Request-Id of its own, and one that is sent along is ignored',
      async run(probe) {
        const id = 'conformance-sent-along';
        for (const ask of [
          get('/v1/plans', { headers: { 'x-request-id': id } }),
          post('/v1/auth-check', {}, { headers: { 'x-request-id': id } }),
        ]) {
          const answer = await probe.ask(ask);
          probe.holds(answer.headers['x-request-id'] !== id, 'the id was taken over from the request', answer);
        }
      },
    },
  ],
};
