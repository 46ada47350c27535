import type { Section } from '../kit.ts';
import { listAt } from '../shapes.ts';
import { get, post } from '../wire.ts';
import { invalidParameter, invalidRequest, plain, SERVICE_NOT_FOUND } from './refusals.ts';

const INVALID = ['abc', '%2B900001', '1e3', '900001.0', '0x10', '%20900001', '%D9%A1'];
/** The ends of int64, the first numbers beyond, and one that is 900001 again in 64 bits. */
const BEYOND = ['9223372036854775808', '-9223372036854775809', '18446744073710451617'];
/** The last but one is 900001 again in 32 bits. */
const UNKNOWN = ['0', '-900001', '9007199254740993', '9223372036854775807', '4295867297'];

const ACTIONS: Array<[action: string, body: object]> = [
  ['upgrade', { new_plan: 'business' }],
  ['cancellation-warning', { warningReason: 'An invoice is overdue.' }],
];

const INVALID_NUMBER = invalidParameter(undefined, undefined, 'Invalid service number');

/** Contract, section 4. */
export const numbers: Section = {
  name: 'service numbers',
  checks: [
    {
      live: true,
      title: 'what is no base-10 integer is refused and never made into one',
      async run(probe) {
        for (const text of INVALID) await probe.refuses(get(`/v1/services/${text}`), INVALID_NUMBER);
      },
    },
    {
      live: true,
      title: 'what int64 does not hold is refused and never wrapped or rounded',
      async run(probe) {
        for (const text of BEYOND) await probe.refuses(get(`/v1/services/${text}`), INVALID_NUMBER);
      },
    },
    {
      title: 'an integer that no service has is not found and never rounded to another one',
      async run(probe) {
        for (const text of UNKNOWN) await probe.refuses(get(`/v1/services/${text}`), SERVICE_NOT_FOUND);
      },
    },
    {
      title: 'leading zeros do not change a number',
      async run(probe) {
        for (const text of [`${'0'.repeat(40)}900001`]) {
          await probe.succeeds(get(`/v1/services/${text}`), {
            status: 200,
            matches: { data: { service_number: 900001 } },
          });
        }
      },
    },
    {
      title: 'actions read the number alike: JSON first, then the number alone, then everything else',
      async run(probe) {
        for (const [action, body] of ACTIONS) {
          await probe.refuses(post(`/v1/services/900001.0/${action}`, body), INVALID_NUMBER);
          await probe.refuses(post(`/v1/services/9007199254740993/${action}`, body), SERVICE_NOT_FOUND);
        }
        await probe.refuses(
          post('/v1/services/abc/upgrade', undefined, { bytes: '{' }),
          invalidRequest('malformed_json'),
        );
        const alone = await probe.refuses(post('/v1/services/abc/upgrade', { wrong: 1 }), INVALID_NUMBER);
        const faults = listAt(alone.json, 'error.details.fields').map((fault) => (fault as { path?: unknown }).path);
        probe.equal(faults, ['path.service_number'], 'the faulty fields', alone);
      },
    },
    {
      title: 'a filter reads it alike',
      async run(probe) {
        for (const text of ['1e3', '9223372036854775808']) {
          const refused = invalidParameter(undefined, { fields: [{ path: 'query.service_number' }] });
          await probe.refuses(get(`/v1/requests?service_number=${text}`), refused);
        }
        await probe.succeeds(get('/v1/requests?service_number=9007199254740993'), {
          status: 200,
          matches: { data: [], pagination: { total: 0 } },
        });
      },
    },
    {
      title: 'a number in a body is a whole one only where its text is',
      async run(probe) {
        for (const text of ['900001.0', '"900001"', 'null']) {
          const ask = post('/v1/reports/invoices', undefined, { bytes: `{"service_number":${text}}` });
          await probe.refuses(ask, invalidParameter(undefined, { fields: [{ path: 'body.service_number' }] }));
        }
      },
    },
    {
      live: true,
      title: 'a number in a query is a whole one only where its text is',
      async run(probe) {
        for (const text of ['1.0', '9007199254740993', '']) {
          await probe.refuses(get(`/v1/services?limit=${text}`), {
            ...plain(400, 'invalid_parameter'),
            details: { fields: [{ path: 'query.limit' }] },
          });
        }
        await probe.refuses(
          get('/v1/services?offset=-1'),
          invalidParameter(undefined, { fields: [{ path: 'query.offset' }] }),
        );
      },
    },
  ],
};
