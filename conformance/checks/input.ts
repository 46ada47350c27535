import {
  type FailureRow,
  failureChecks,
  fields,
  invalidParameter,
  invalidRequest,
  missingParameter,
  SERVICE_NOT_FOUND,
  type Section,
} from '../check.ts';
import { get, post } from '../http.ts';
import { listAt } from '../json.ts';

const WARNING = '/v1/services/900001/cancellation-warning';
const warn = (warningReason: unknown) => post(WARNING, { warningReason });
const bytes = (text: string | Buffer, headers: Record<string, string> = {}) =>
  post(WARNING, undefined, { bytes: text, headers });
const faulty = (path: string, rule: string) => invalidParameter(undefined, fields([path, rule]));
const REASON = 'body.warningReason';
const WHITE_SPACE = ' \t\n\r\u000b\u000c\u00a0\u1680\u2003\u2028\u3000\ufeff';
const LONGEST = '\u{1f600}'.repeat(1000);
const INVALID_UTF8 = Buffer.from([...Buffer.from('{"warningReason":"'), 0xc3, 0x28, ...Buffer.from('"}')]);
const SIXTY_UNKNOWN = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`unknown_${index}`, 1]));

/** Contract, section 3: what a body may be. */
export const bodies: Section = {
  name: 'bodies',
  checks: [
    ...failureChecks([
      ['a body that is no JSON', bytes('{'), invalidRequest('malformed_json')],
      ['a body that is no object', bytes('[]'), invalidRequest('not_an_object')],
      ['another content type', bytes('{}', { 'content-type': 'text/plain' }), invalidRequest('content_type')],
      [
        'a body over 64 KiB',
        bytes(JSON.stringify({ warningReason: 'x'.repeat(65_536) })),
        invalidRequest('body_too_large'),
      ],
      [
        'an absent body is {}: a required field',
        post(WARNING),
        missingParameter(undefined, fields([REASON, 'required'])),
      ],
      ['a field without a schema', post(WARNING, { warningReason: 'x', extra: 1 }), faulty('body.extra', 'unknown')],
      ['a number for a text', warn(5), faulty(REASON, 'type')],
    ]),
    ...failureChecks(
      [
        ['a number that JSON does not allow', bytes('{"a":01}'), invalidRequest('malformed_json')],
        ['a __proto__ key', bytes('{"__proto__":{"a":1}}'), invalidRequest('malformed_json')],
        ['invalid UTF-8', bytes(INVALID_UTF8), invalidRequest('malformed_json')],
        ['null as a body', bytes('null'), invalidRequest('not_an_object')],
        ['a text as a body', bytes('"text"'), invalidRequest('not_an_object')],
        ['an empty body', bytes(''), missingParameter(undefined, fields([REASON, 'required']))],
        ['null for a text', warn(null), faulty(REASON, 'type')],
        ['a list for a text', warn(['x']), faulty(REASON, 'type')],
        ['an empty text', warn(''), faulty(REASON, 'blank')],
        ['a text of white space', warn(WHITE_SPACE), faulty(REASON, 'blank')],
        ['a text of 1001 code points', warn(`${LONGEST}x`), faulty(REASON, 'too_long')],
        ['U+0000', bytes('{"warningReason":"a\\u0000b"}'), invalidParameter(undefined, { fields: [{ path: REASON }] })],
        [
          'a lone surrogate',
          bytes('{"warningReason":"a\\ud800b"}'),
          invalidParameter(undefined, { fields: [{ path: REASON }] }),
        ],
        [
          'a query parameter of an action',
          post(`${WARNING}?dry_run=1`, { warningReason: 'x' }),
          faulty('query.dry_run', 'unknown'),
        ],
        [
          'a 51st faulty field',
          post(WARNING, { ...SIXTY_UNKNOWN, warningReason: 'x' }),
          invalidParameter(undefined, { omitted: 10 }),
        ],
      ],
      { full: true },
    ),
    {
      title: 'text is trimmed by every white space, and its length counts code points',
      calls: 2,
      full: true,
      async run(api) {
        const trimmed = { warning_reason: 'An invoice.' };
        await api.expectSuccess(warn(`${WHITE_SPACE}An invoice.${WHITE_SPACE}`), { data: trimmed });
        await api.expectSuccess(warn(LONGEST), { data: { warning_reason: LONGEST } });
      },
    },
    {
      title: 'one answer names every faulty field, and a missing one decides the code',
      calls: 1,
      async run(api) {
        const body = { plan: 5, client: { email: 'no address' }, extra: 1 };
        const answer = await api.expectFailure(post('/v1/services', body), missingParameter());
        const found = listAt(answer.json, 'error.details.fields').map(({ path, rule }) => `${path} ${rule}`);
        const expected = [
          'body.client.email format',
          'body.client.name required',
          'body.extra unknown',
          'body.plan type',
        ];
        api.equal(found.sort(), expected, 'the faulty fields', answer);
      },
    },
  ],
};

const INVALID_NUMBER = { ...invalidParameter(), message: 'Invalid service number' };
const service = (number: string): ReturnType<typeof get> => get(`/v1/services/${number}`);
const invalidNumbers = (...texts: string[]): FailureRow[] =>
  texts.map((text) => [`service number ${text}`, service(text), INVALID_NUMBER]);
const unknownNumbers = (...texts: string[]): FailureRow[] =>
  texts.map((text) => [`service number ${text}`, service(text), SERVICE_NOT_FOUND]);
const upgrade = (number: string, more = {}) =>
  post(`/v1/services/${number}/upgrade`, { new_plan: 'business', ...more });
const invoices = (number: string) => post('/v1/reports/invoices', undefined, { bytes: `{"service_number":${number}}` });
const queryFault = (path: string) => invalidParameter(undefined, { fields: [{ path }] });

/** Contract, section 4: no number is ever rounded or wrapped to another one. */
export const numbers: Section = {
  name: 'service numbers',
  checks: [
    ...failureChecks(
      // The second is 900001 in a program that rounds, the last but one the end of int64 and one, the last 900001 in 64 bits.
      invalidNumbers('abc', '900001.4', '1e3', '9223372036854775808', '18446744073710451617'),
      { live: true },
    ),
    // The second is 900001 in 32 bits.
    ...failureChecks(unknownNumbers('9007199254740993', '4295867297')),
    ...failureChecks(invalidNumbers('%2B900001', '900001.0', '0x10', '%20900001', '%D9%A1', '-9223372036854775809'), {
      live: true,
      full: true,
    }),
    ...failureChecks(
      [
        ...unknownNumbers('0', '-900001', '9223372036854775807'),
        ['900001.0 in an action', upgrade('900001.0'), INVALID_NUMBER],
        ['9007199254740993 in an action', upgrade('9007199254740993'), SERVICE_NOT_FOUND],
        [
          'malformed JSON, before the number,',
          post('/v1/services/abc/upgrade', undefined, { bytes: '{' }),
          invalidRequest('malformed_json'),
        ],
        [
          'a faulty number, before other fields,',
          upgrade('abc', { wrong: 1 }),
          { ...INVALID_NUMBER, details: { fields: [{ path: 'path.service_number' }] } },
        ],
        ['a filter by 1e3', get('/v1/requests?service_number=1e3'), queryFault('query.service_number')],
        [
          'a filter by 2^63',
          get('/v1/requests?service_number=9223372036854775808'),
          queryFault('query.service_number'),
        ],
        ['900001.0 in a body', invoices('900001.0'), queryFault('body.service_number')],
        ['9007199254740993 in a body', invoices('9007199254740993'), queryFault('body.service_number')],
        ['a text for a number in a body', invoices('"900001"'), queryFault('body.service_number')],
      ],
      { full: true },
    ),
    {
      title: 'leading zeros do not change a number, in a path or a filter',
      calls: 2,
      async run(api) {
        await api.expectSuccess(service(`${'0'.repeat(40)}900001`), { data: { service_number: 900001 } });
        const nothing = get('/v1/requests?service_number=09007199254740993');
        await api.expectSuccess(nothing, { data: [], pagination: { total: 0 } });
      },
    },
  ],
};
