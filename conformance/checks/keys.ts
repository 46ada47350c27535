import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { failureChecks, missingScope, type Section, unauthenticated } from '../check.ts';
import { get, post } from '../http.ts';
import { at, type Item } from '../json.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A well-formed sandbox key that no broker has: its checksum is the CRC-32 in base 62 (contract, section 5). */
function unknownKey(): string {
  const random = [...randomBytes(40)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  const unchecked = `sk_test_${random.slice(0, 8)}_${random.slice(8)}`;
  let checksum = '';
  for (let rest = crc32(unchecked); checksum.length < 6; rest = Math.floor(rest / ALPHABET.length))
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum;
  return unchecked + checksum;
}

const withHeader = (authorization: string) => get('/v1/auth-check', { key: null, headers: { authorization } });
const malformed = unauthenticated('malformed');
const withTypo = unknownKey().replace(/.$/, (last) => (last === '0' ? '1' : '0'));

/** Contract, sections 2, 5 and 6 (auth-check): the gates of key and scope. */
export const keys: Section = {
  name: 'keys',
  checks: [
    ...failureChecks([
      ['no Authorization header', get('/v1/auth-check', { key: null }), unauthenticated('missing')],
      ['a blank header', withHeader(' '), unauthenticated('missing')],
      ['another scheme', withHeader('Basic dXNlcjpwYXNz'), malformed],
      ['a scheme without a key', withHeader('Bearer'), malformed],
      ['two keys in one header', withHeader('Bearer one two'), malformed],
      ['a key without its scheme', withHeader(unknownKey()), malformed],
      ['a key with a wrong checksum', get('/v1/auth-check', { key: withTypo }), malformed],
      ['a key that was never issued', get('/v1/auth-check', { key: unknownKey() }), unauthenticated('invalid')],
      [
        'a malformed body without a key',
        post('/v1/services/abc/upgrade', undefined, { key: null, bytes: '{' }),
        unauthenticated('missing'),
      ],
    ]),
    {
      title: 'an expired key is authentication_failed expired, with the date',
      calls: 0,
      uncounted: 1,
      needsKey: 'expired',
      run: async (api) => {
        await api.expectFailure(get('/v1/auth-check', { key: api.key('expired') }), unauthenticated('expired'));
      },
    },
    {
      title: 'a revoked key is authentication_failed inactive',
      calls: 0,
      uncounted: 1,
      needsKey: 'revoked',
      run: async (api) => {
        await api.expectFailure(get('/v1/auth-check', { key: api.key('revoked') }), unauthenticated('inactive'));
      },
    },
    {
      title: 'every operation refuses a key without its scopes, before the body is read, and names them',
      calls: 0,
      uncounted: 29,
      needsKey: 'noScopes',
      async run(api) {
        const key = api.key('noScopes');
        for (const [path, item] of Object.entries(api.session.options.document.paths ?? {})) {
          const address = path.replace('{service_number}', '900001').replace('{request_id}', 'x');
          for (const [method, operation] of Object.entries(item as Item)) {
            const required = at(operation, 'x-required-scopes') as string[];
            const call =
              method === 'post' ? post(address, undefined, { key, bytes: '{' }) : get(`${address}?unknown=1`, { key });
            const details = { required_scopes: required, granted_scopes: [] };
            if (required.length > 0) await api.expectFailure(call, missingScope('missing_scope', details));
            else if (method === 'get') await api.expectSuccess(get(address, { key }));
          }
        }
      },
    },
    {
      title: 'GET auth-check reports the limit as the headers do, each call takes one, and the scheme has no case',
      calls: 2,
      live: true,
      async run(api) {
        const first = await api.expectSuccess(get('/v1/auth-check'));
        const { json, headers } = await api.expectSuccess(get('/v1/auth-check', { scheme: 'bearer' }));
        const limit = at(json, 'data.rate_limit') as Item;
        api.equal(
          [limit?.limit, limit?.remaining, limit?.reset_seconds].join(),
          ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]).join(),
          'rate_limit and the headers',
        );
        const before = Number(first.headers['x-ratelimit-remaining']);
        // A new window may have begun in between, and others may use the key.
        const isNewWindow = Number(limit?.remaining) === Number(limit?.limit) - 1;
        api.ok(Number(limit?.remaining) < before || isNewWindow, `${before} calls were left, then ${limit?.remaining}`);
        api.equal([...api.session.scopes], api.session.scopes.toSorted(), 'the scopes in order', first);
      },
    },
    {
      title: 'POST auth-check accepts any JSON object, and reports the scope that matched',
      calls: 1,
      async run(api) {
        const data = { required_scopes: ['services:write', 'admin:full'], matched_scope: 'admin:full' };
        await api.expectSuccess(post('/v1/auth-check', { anything: [1, null] }), { data });
      },
    },
  ],
};
