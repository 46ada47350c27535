import type { Section } from '../kit.ts';
import { unknownKey } from '../unknown-key.ts';
import { get, post } from '../wire.ts';
import { insufficient, invalidRequest, refusal, unauthenticated } from './refusals.ts';

const authorized = (authorization: string) => get('/v1/auth-check', { key: null, headers: { authorization } });

/** Contract, sections 2 and 5: the gates of key and scope. */
export const keys: Section = {
  name: 'keys',
  fast: true,
  checks: [
    refusal('no key is missing', get('/v1/auth-check', { key: null }), unauthenticated('missing')),
    refusal('a blank header is missing', authorized(' '), unauthenticated('missing')),
    {
      title: 'another scheme, no key, two keys and what is no key are malformed',
      async run(probe) {
        for (const header of ['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer one two', 'Bearer sk_test_short', unknownKey()]) {
          await probe.refuses(authorized(header), unauthenticated('malformed'));
        }
      },
    },
    {
      title: 'a key with a typo is malformed, by its checksum',
      async run(probe) {
        const key = unknownKey();
        const typo = key.replace(/.$/, (last) => '01'.replace(last, '').charAt(0));
        await probe.refuses(get('/v1/auth-check', { key: typo }), unauthenticated('malformed'));
      },
    },
    {
      title: 'a key that was never given out is invalid',
      async run(probe) {
        await probe.refuses(get('/v1/auth-check', { key: unknownKey() }), unauthenticated('invalid'));
      },
    },
    {
      title: 'a body is not read before the key is accepted',
      async run(probe) {
        const body = { key: null, bytes: '{', headers: { 'content-type': 'text/plain' } };
        await probe.refuses(post('/v1/services/abc/upgrade', undefined, body), unauthenticated('missing'));
        await probe.refuses(post('/v1/services', undefined, { bytes: '{' }), invalidRequest('malformed_json'));
      },
    },
    {
      title: 'an expired key says since when',
      needsKey: 'expired',
      async run(probe) {
        const answer = await probe.refuses(
          get('/v1/auth-check', { key: probe.kit.otherKeys.expired as string }),
          unauthenticated('expired'),
        );
        probe.holds(answer.raw.includes('"expired_date":"'), 'the details have no expired_date', answer);
      },
    },
    {
      title: 'a revoked key is inactive',
      needsKey: 'revoked',
      async run(probe) {
        await probe.refuses(
          get('/v1/auth-check', { key: probe.kit.otherKeys.revoked as string }),
          unauthenticated('inactive'),
        );
      },
    },
    {
      title: 'a key without the scope is told which it needs and has, before the body is read',
      needsKey: 'noScopes',
      async run(probe) {
        const key = probe.kit.otherKeys.noScopes as string;
        const refused = (...required: string[]) =>
          insufficient('missing_scope', { required_scopes: required, granted_scopes: [] }, 'Missing required scope');
        const admin = refused('admin:full');
        await probe.refuses(
          post('/v1/auth-check', undefined, { key, bytes: '{' }),
          refused('services:write', 'admin:full'),
        );
        await probe.refuses(get('/v1/services', { key }), refused('services:read', 'admin:full'));
        await probe.refuses(
          post('/v1/services', undefined, { key, bytes: '{' }),
          refused('services:write', 'admin:full'),
        );
        await probe.refuses(get('/v1/services/abc/upgrade-options', { key }), refused('services:read', 'admin:full'));
        for (const action of ['upgrade', 'downgrade', 'cancel', 'cancellation-warning']) {
          await probe.refuses(post(`/v1/services/900001/${action}`, undefined, { key, bytes: '{' }), admin);
        }
        await probe.refuses(post('/v1/services/900001/update', {}, { key }), refused('services:write', 'admin:full'));
        await probe.refuses(post('/v1/requests/x/withdraw', {}, { key }), admin);
        await probe.refuses(get('/v1/plans', { key }), refused('plans:read', 'admin:full'));
        await probe.refuses(get('/v1/requests', { key }), refused('requests:read', 'admin:full'));
        await probe.refuses(post('/v1/requests/x/approve', {}, { key }), refused('requests:write', 'admin:full'));
        await probe.refuses(post('/v1/requests/x/deny', {}, { key }), refused('requests:write', 'admin:full'));
        await probe.refuses(post('/v1/reports/services', {}, { key }), refused('reports:send', 'admin:full'));
        await probe.succeeds(get('/v1/auth-check', { key }), {
          status: 200,
          matches: { data: { permissions: { scopes: [], can_create_services: false } } },
        });
        await probe.succeeds(get('/v1/sandbox/scenarios', { key }), { status: 200 });
      },
    },
  ],
};
