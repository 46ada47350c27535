import type { Section } from '../kit.ts';
import { at } from '../shapes.ts';
import { get, post } from '../wire.ts';

/** Contract, section 6, auth-check. */
export const access: Section = {
  name: 'auth-check',
  fast: true,
  checks: [
    {
      live: true,
      title: 'GET reports broker, key, permissions, network and the limit as the headers have it',
      async run(probe) {
        const answer = await probe.succeeds(get('/v1/auth-check'), { status: 200 });
        const { headers } = answer;
        const told = ['limit', 'remaining', 'window_seconds', 'reset_seconds'].map((name) =>
          String(at(answer.json, `data.rate_limit.${name}`)),
        );
        const window = /w=(\d+)$/.exec(String(headers['ratelimit-policy']))?.[1];
        const sent = [
          headers['x-ratelimit-limit'],
          headers['x-ratelimit-remaining'],
          window,
          headers['x-ratelimit-reset'],
        ];
        probe.equal(told, sent, 'rate_limit beside the headers', answer);
        probe.equal([...probe.kit.scopes], probe.kit.scopes.toSorted(), 'the scopes in order', answer);
      },
    },
    {
      title: 'each request takes one from the window',
      async run(probe) {
        const left: number[] = [];
        for (const path of ['/v1/auth-check', '/v1/plans', '/v1/auth-check']) {
          left.push(Number((await probe.get(path)).headers['x-ratelimit-remaining']));
        }
        // A window that ends in between begins anew, once.
        const taken = left.filter((each, index) => each < (left[index - 1] as number)).length;
        probe.holds(taken >= 1, `what was left went ${left.join(', ')}`);
      },
    },
    {
      title: 'POST says that services may be created, with any body or none',
      async run(probe) {
        const expected = {
          status: 200,
          matches: { data: { required_scopes: ['services:write', 'admin:full'], matched_scope: 'admin:full' } },
        } as const;
        for (const body of [undefined, {}, { anything: [1, null] }])
          await probe.succeeds(post('/v1/auth-check', body), expected);
      },
    },
    {
      live: true,
      title: "the scheme's name is matched without case",
      async run(probe) {
        for (const scheme of ['bearer', 'BEARER'])
          await probe.succeeds(get('/v1/auth-check', { scheme }), { status: 200 });
      },
    },
  ],
};
