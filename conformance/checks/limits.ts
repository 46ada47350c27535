import { invalidRequest, notCheckable, type Section } from '../check.ts';
import { get, post } from '../http.ts';
import { at } from '../json.ts';

/** Calls of a burst beyond what the window has left. */
const BEYOND = 5;

/** What needs another part of the deployment, or the whole window of the key. */
export const limits: Section = {
  name: 'limits',
  checks: [
    {
      title: 'plain HTTP is refused, before the key is read',
      calls: 0,
      uncounted: 3,
      needsPlainUrl: true,
      async run(api) {
        for (const call of [
          get('/v1/auth-check'),
          get('/v1/auth-check', { key: 'no key' }),
          post('/v1/services', {}),
        ]) {
          const answer = await api.session.sendPlain(call);
          api.applyRules(answer, { uncounted: true, secure: false });
          api.isFailure(answer, invalidRequest('https_required'));
        }
      },
    },
    {
      title: 'an address that is not whitelisted is refused with the address, and not counted',
      calls: 0,
      uncounted: 2,
      needsKey: 'firewalled',
      async run(api) {
        const key = api.key('firewalled');
        const refused = {
          code: 'insufficient_permissions',
          reason: 'ip_not_whitelisted',
          message: 'IP address not whitelisted',
          uncounted: true,
        };
        for (const call of [get('/v1/auth-check', { key }), post('/v1/services', undefined, { key, bytes: '{' })]) {
          const answer = await api.expectFailure(call, refused);
          api.ok(typeof at(answer.json, 'error.details.client_ip') === 'string', 'client_ip is missing', answer);
        }
      },
    },
    {
      title: 'of a burst exactly as many calls pass as the window has left, and refused ones do not prolong it',
      calls: 0,
      full: true,
      burst: true,
      async run(api) {
        const { session } = api;
        const burst = await session.burst(get('/v1/plans?limit=1'), BEYOND);
        if (typeof burst === 'string') return api.skip(burst);
        for (const answer of burst.answers) api.applyRules(answer);
        const passed = burst.answers.filter(({ status }) => status === 200);
        const refused = burst.answers.filter(({ status }) => status !== 200);
        const left = passed.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b);
        const expected = Array.from({ length: burst.left }, (_, index) => index);
        api.equal(left, expected, 'what each call that passed has left (do others use this key?)');
        for (const answer of refused) {
          const [, limit, window] = /q=(\d+);w=(\d+)/.exec(String(answer.headers['ratelimit-policy'])) ?? [];
          const details = { limit: Number(limit), window_seconds: Number(window) };
          api.isFailure(answer, { code: 'rate_limit_exceeded', message: 'Rate limit exceeded', details });
        }
        await session.options.wait(Number(refused[0]?.headers['retry-after']) * 1000);
        const after = await session.sendOnce(get('/v1/plans?limit=1'));
        api.equal(after.status, 200, 'the status after Retry-After', after);
      },
    },
    notCheckable('report_too_large: a report over 10 MB is not sent', 'no simulated report is that large'),
    notCheckable(
      'an address that guesses keys is answered 429 in place of 401',
      'it would refuse other callers of this address',
    ),
    notCheckable('an outage is server_error with Retry-After', 'no part of the deployment is stopped for a check'),
  ],
};
