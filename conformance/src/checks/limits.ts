import { type Section, unprovokable } from '../kit.ts';
import { at } from '../shapes.ts';
import { get, post } from '../wire.ts';
import { insufficient, invalidRequest } from './refusals.ts';

/** Calls beyond what a window has left. */
const BEYOND = 5;

/** What takes the key for itself, a part of the deployment that the key alone does not reach, or what no key reaches. */
export const limits: Section = {
  name: 'limits',
  checks: [
    {
      title: 'plain HTTP is refused, before the key is looked at',
      needsPlain: true,
      async run(probe) {
        for (const ask of [get('/v1/auth-check'), get('/v1/auth-check', { key: 'no key' }), post('/v1/services', {})]) {
          const answer = await probe.kit.plainly(ask);
          probe.looksAt(answer, true, false);
          probe.isRefusal(answer, invalidRequest('https_required'));
        }
      },
    },
    {
      title: 'an address that is not on the list is refused, told which it is, and not counted',
      needsKey: 'firewalled',
      async run(probe) {
        const key = probe.kit.otherKeys.firewalled as string;
        for (const ask of [get('/v1/auth-check', { key }), post('/v1/services', undefined, { key, bytes: '{' })]) {
          const expected = insufficient('ip_not_whitelisted', undefined, 'IP address not whitelisted');
          const answer = await probe.refuses(ask, expected, true);
          probe.equal(typeof at(answer.json, 'error.details.client_ip'), 'string', 'the kind of client_ip', answer);
        }
      },
    },
    {
      title: 'of a burst exactly as many pass as the window has left, and what is refused does not prolong it',
      slow: true,
      async run(probe) {
        const burst = await probe.kit.burst(get('/v1/plans?limit=1'), BEYOND);
        if (typeof burst === 'string') return probe.leavesOut(burst);
        const passed = burst.answers.filter(({ status }) => status === 200);
        const refused = burst.answers.filter(({ status }) => status !== 200);
        for (const answer of burst.answers) probe.looksAt(answer);
        const left = passed.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b);
        probe.equal(
          left,
          Array.from({ length: burst.left }, (_, index) => index),
          'what each call that passed has left (is this key used elsewhere?)',
        );
        for (const answer of refused) {
          const policy = /q=(\d+);w=(\d+)/.exec(String(answer.headers['ratelimit-policy']));
          probe.isRefusal(answer, { status: 429, code: 'rate_limit_exceeded', message: 'Rate limit exceeded' });
          probe.equal(
            ['limit', 'window_seconds'].map((name) => String(at(answer.json, `error.details.${name}`))),
            [policy?.[1], policy?.[2]],
            'the limit in details',
            answer,
          );
        }
        await probe.kit.wait(Number(refused[0]?.headers['retry-after']) * 1000);
        const after = await probe.kit.atOnce(get('/v1/plans?limit=1'));
        probe.equal(after.status, 200, 'the status after Retry-After', after);
      },
    },
    unprovokable('report_too_large: over 10 MB a report is not sent', 'no simulated report is that large'),
    unprovokable(
      'an address that guesses keys is answered 429 in place of 401',
      'it would shut out other callers of this address with a key that is refused',
    ),
    unprovokable(
      'a part that is away is 500 server_error with Retry-After',
      'nothing of the deployment is broken for a check',
    ),
  ],
};
