import type { Section } from '../kit.ts';
import { listAt } from '../shapes.ts';
import { post } from '../wire.ts';
import { fields, invalidParameter, invalidRequest, missingParameter, refusal } from './refusals.ts';

const WARNING = '/v1/services/900001/cancellation-warning';
const warn = (warningReason: unknown) => post(WARNING, { warningReason });
const bytes = (text: string | Buffer, headers: Record<string, string> = {}) =>
  post(WARNING, undefined, { bytes: text, headers });
const REASON = 'body.warningReason';

/** Contract, section 3: what a body may be. */
export const bodies: Section = {
  name: 'bodies',
  checks: [
    {
      title: 'what is no JSON is malformed, invalid UTF-8 and a __proto__ key too',
      async run(probe) {
        const invalid = Buffer.concat([
          Buffer.from('{"warningReason":"'),
          Buffer.from([0xc3, 0x28]),
          Buffer.from('"}'),
        ]);
        for (const text of ['{', '{"a":01}', '{"__proto__":{"a":1}}', invalid]) {
          await probe.refuses(bytes(text), invalidRequest('malformed_json'));
        }
      },
    },
    {
      title: 'a body that is not an object is refused as such',
      async run(probe) {
        for (const text of ['[]', 'null', '"text"']) await probe.refuses(bytes(text), invalidRequest('not_an_object'));
      },
    },
    {
      title: 'a content type other than JSON is refused',
      async run(probe) {
        for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
          await probe.refuses(bytes('{"warningReason":"x"}', { 'content-type': type }), invalidRequest('content_type'));
        }
        await probe.succeeds(bytes('{"warningReason":"x"}', { 'content-type': 'application/json; charset=utf-8' }), {
          status: 200,
        });
      },
    },
    refusal(
      'more than 64 KiB is too large',
      bytes(JSON.stringify({ warningReason: 'x'.repeat(65_536) })),
      invalidRequest('body_too_large'),
    ),
    {
      title: 'an absent and an empty body are an empty object',
      async run(probe) {
        const refused = missingParameter(undefined, fields([REASON, 'required']));
        for (const ask of [post(WARNING), bytes('')]) await probe.refuses(ask, refused);
      },
    },
    {
      title: 'nothing is coerced: null, numbers and lists are no text',
      async run(probe) {
        for (const value of [null, 5, ['x']])
          await probe.refuses(warn(value), invalidParameter(undefined, fields([REASON, 'type'])));
      },
    },
    {
      title: 'text is trimmed before its rules, by every white space that there is',
      async run(probe) {
        const space = ' \t\n\r\u000b\u000c\u00a0\u1680\u2003\u2028\u3000\ufeff';
        await probe.succeeds(warn(`${space}An invoice.${space}`), {
          status: 200,
          matches: { data: { warning_reason: 'An invoice.' } },
        });
        for (const blank of ['', space])
          await probe.refuses(warn(blank), invalidParameter(undefined, fields([REASON, 'blank'])));
      },
    },
    {
      title: 'lengths count code points',
      async run(probe) {
        const longest = '\u{1f600}'.repeat(1000);
        await probe.succeeds(warn(longest), { status: 200, matches: { data: { warning_reason: longest } } });
        await probe.refuses(warn(`${longest}x`), invalidParameter(undefined, fields([REASON, 'too_long'])));
      },
    },
    {
      title: 'U+0000 and half a surrogate pair are no text',
      async run(probe) {
        for (const escaped of ['a\\u0000b', 'a\\ud800b']) {
          await probe.refuses(
            bytes(`{"warningReason":"${escaped}"}`),
            invalidParameter(undefined, { fields: [{ path: REASON }] }),
          );
        }
      },
    },
    {
      title: 'every faulty field is named, and a missing one decides the code',
      async run(probe) {
        const unknown = post(WARNING, { warningReason: 'x', extra: 1 });
        await probe.refuses(unknown, invalidParameter(undefined, fields(['body.extra', 'unknown'])));
        const answer = await probe.refuses(
          post('/v1/services', { plan: 5, client: { email: 'no address' }, extra: 1 }),
          missingParameter(),
        );
        const found = listAt(answer.json, 'error.details.fields').map((fault) => {
          const { path, rule } = fault as Record<string, unknown>;
          return `${path} ${rule}`;
        });
        const expected = [
          'body.client.email format',
          'body.client.name required',
          'body.extra unknown',
          'body.plan type',
        ];
        probe.equal(found.sort(), expected, 'the faulty fields', answer);
      },
    },
    {
      title: 'fifty faulty fields are listed, and the rest is counted',
      async run(probe) {
        const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`unknown_${index}`, 1]));
        const answer = await probe.refuses(
          post(WARNING, { ...many, warningReason: 'x' }),
          invalidParameter(undefined, { omitted: 10 }),
        );
        probe.equal(listAt(answer.json, 'error.details.fields').length, 50, 'fields that are listed', answer);
      },
    },
    {
      title: 'an unknown query parameter is refused on actions as well',
      async run(probe) {
        await probe.refuses(
          post(`${WARNING}?dry_run=1`, { warningReason: 'x' }),
          invalidParameter(undefined, fields(['query.dry_run', 'unknown'])),
        );
      },
    },
  ],
};
