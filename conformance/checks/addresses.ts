import { failureChecks, invalidRequest, REQUEST_NOT_FOUND, ROUTE_NOT_FOUND, type Section } from '../check.ts';
import { get, post } from '../http.ts';
import { at } from '../json.ts';

const malformed = { ...invalidRequest('malformed_request'), uncounted: true };

/** Contract, section 1. */
export const addresses: Section = {
  name: 'addresses',
  checks: [
    {
      title: 'the OpenAPI document and the documentation are served without a key',
      calls: 0,
      uncounted: 2,
      live: true,
      async run(api) {
        const document = await api.session.send(get('/openapi.json', { key: null }));
        api.equal(document.status, 200, 'the status of the document', document);
        api.equal(at(document.json, 'info.title'), 'Broker API', 'its title', document);
        const version = at(document.json, 'info.version');
        api.ok(/^\d+\.\d+\.\d+/.test(String(version)), 'its version is that of no release', document);
        const page = await api.session.send(get('/docs', { key: null }));
        api.equal(page.status, 200, 'the status of the page', page);
        api.ok(/^text\/html/.test(String(page.headers['content-type'])), 'the documentation is no HTML page', page);
      },
    },
    {
      title: 'health needs no key, and answers HEAD too',
      calls: 0,
      uncounted: 4,
      live: true,
      async run(api) {
        for (const path of ['//health/live', '//health/ready']) {
          await api.expectSuccess(get(path, { key: null }));
          const head = await api.call({ method: 'HEAD', path, key: null });
          api.equal(head.status, 200, 'the status of HEAD', head);
        }
      },
    },
    {
      title: 'an unknown path is not_found, with and without a key; paths have no trailing slash and no other case',
      calls: 0,
      uncounted: 14,
      live: true,
      async run(api) {
        for (const path of ['/v1', '/v1/nothing', '/v1/services/900001/nothing', '/v2/services', '//nothing', '//'])
          for (const key of [undefined, null])
            await api.expectFailure({ ...get(path), ...(key === null && { key }) }, ROUTE_NOT_FOUND);
        for (const path of ['/v1/services/', '/v1/Services']) await api.expectFailure(get(path), ROUTE_NOT_FOUND);
      },
    },
    {
      title: 'an unknown method is not_found, HEAD and OPTIONS too',
      calls: 0,
      uncounted: 7,
      async run(api) {
        for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])
          await api.expectFailure({ method, path: '/v1/services' }, ROUTE_NOT_FOUND);
        await api.expectFailure(get('/v1/services/900001/upgrade'), ROUTE_NOT_FOUND);
        const head = await api.call({ method: 'HEAD', path: '/v1/services' }, true);
        api.equal(head.status, 404, 'the status of HEAD', head);
      },
    },
    ...failureChecks(
      [
        ['wrong percent-encoding', get('/v1/services/%zz', { key: null }), malformed],
        ['a path segment of 1001 characters', get(`/v1/requests/${'a'.repeat(1001)}`, { key: null }), malformed],
        ['a URL over 8 KiB', get(`/v1/services?search=${'a'.repeat(8192)}`, { key: null }), malformed],
        ['an id of 1000 characters', get(`/v1/requests/${'a'.repeat(1000)}`), REQUEST_NOT_FOUND],
      ],
      { live: true },
    ),
    {
      title: 'an X-Request-Id of the request is ignored',
      calls: 1,
      async run(api) {
        const id = 'conformance-request';
        const answer = await api.call(post('/v1/auth-check', {}, { headers: { 'x-request-id': id } }));
        api.ok(answer.headers['x-request-id'] !== id, 'the answer has the id of the request', answer);
      },
    },
  ],
};
