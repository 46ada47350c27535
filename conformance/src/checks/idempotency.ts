import type { Check, Probe, Section } from '../kit.ts';
import { at } from '../shapes.ts';
import { type Answer, type Ask, freshKey, post } from '../wire.ts';
import { alreadyProcessed, fields, invalidParameter, SERVICE_NOT_FOUND } from './refusals.ts';

const creation = { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } };
const UPGRADE = '/v1/services/900001/upgrade';
const business = { new_plan: 'business' };

/** Every operation that takes a key, with something that it accepts. */
const OPERATIONS: ReadonlyArray<{ path: string; body: object; status: number }> = [
  { path: '/v1/services', body: creation, status: 201 },
  {
    path: '/v1/services/900001/update',
    body: { label: 'Shop' },
    status: 200,
  },
  { path: UPGRADE, body: business, status: 200 },
  {
    path: '/v1/services/900002/upgrade',
    body: business,
    status: 202,
  },
  {
    path: '/v1/services/900013/downgrade',
    body: business,
    status: 200,
  },
  { path: '/v1/services/900001/cancel', body: {}, status: 200 },
  {
    path: '/v1/requests/req_test_sample_pending/approve',
    body: {},
    status: 200,
  },
  {
    path: '/v1/requests/req_test_sample_operator_review/withdraw',
    body: {},
    status: 200,
  },
];

const under = (key: string, path: string, body: unknown, header = 'x-idempotency-key'): Ask =>
  post(path, body, { headers: { [header]: key } });

/** That an answer is the first one again, and says so. */
function isReplay(probe: Probe, first: Answer, again: Answer): void {
  probe.equal(again.status, first.status, 'the status of the replay', again);
  probe.holds(again.raw.equals(first.raw), 'the replay has other bytes than the first answer', again);
  probe.equal(again.headers['idempotent-replayed'], 'true', 'the header idempotent-replayed of the replay', again);
}

const replays: Check[] = OPERATIONS.map(({ path, body, status }) => ({
  title: `${path}: the same key and input get the first answer, byte for byte`,
  async run(probe) {
    const ask = under(freshKey(), path, body);
    const first = await probe.succeeds(ask, { status });
    probe.equal(
      first.headers['idempotent-replayed'],
      undefined,
      'the header idempotent-replayed of the first answer',
      first,
    );
    isReplay(probe, first, await probe.ask(ask));
  },
}));

const KEY_REUSED = alreadyProcessed('idempotency_key_reused');

/** Contract, section 7. */
export const idempotency: Section = {
  name: 'idempotency',
  checks: [
    ...replays,
    {
      title: 'another input, service or action under a used key is refused, and the first answer stays',
      async run(probe) {
        const key = freshKey();
        const first = await probe.succeeds(under(key, UPGRADE, business), { status: 200 });
        for (const [path, body] of [
          [UPGRADE, { new_plan: 'enterprise' }],
          [UPGRADE, { new_plan: ' business' }],
          ['/v1/services/900002/upgrade', business],
          ['/v1/services/900001/downgrade', business],
          ['/v1/services/900001/cancel', {}],
          ['/v1/requests/req_test_sample_pending/approve', {}],
        ] as const) {
          await probe.refuses(under(key, path, body), KEY_REUSED);
        }
        isReplay(probe, first, await probe.ask(under(key, UPGRADE, business)));
      },
    },
    {
      title: 'the order of fields and the spelling of the number are no other input',
      async run(probe) {
        const key = freshKey();
        const first = await probe.succeeds(
          under(key, '/v1/services/900001/cancel', { cancellation_type: 'immediate', reason: 'x' }),
          { status: 200 },
        );
        isReplay(
          probe,
          first,
          await probe.ask(under(key, '/v1/services/0900001/cancel', { reason: 'x', cancellation_type: 'immediate' })),
        );
      },
    },
    {
      title: 'creation repeats its first answer whatever the body, and its keys never meet the others',
      async run(probe) {
        const key = freshKey();
        const first = await probe.succeeds(under(key, '/v1/services', creation), { status: 201 });
        const again = await probe.succeeds(under(key, '/v1/services', { ...creation, plan: 'business' }), {
          status: 201,
        });
        probe.equal(at(again.json, 'data'), at(first.json, 'data'), 'the data of the replay', again);
        probe.equal(again.headers['idempotent-replayed'], 'true', 'the header idempotent-replayed', again);
        probe.holds(
          typeof at(again.json, 'message') === 'string',
          'no message says that the new body was ignored',
          again,
        );
        const action = await probe.succeeds(under(key, UPGRADE, business), { status: 200 });
        probe.equal(
          action.headers['idempotent-replayed'],
          undefined,
          'the header idempotent-replayed of an action under the same key',
          action,
        );
      },
    },
    {
      title: 'Idempotency-Key is the same header; two that differ conflict',
      async run(probe) {
        const key = freshKey();
        const first = await probe.succeeds(under(key, UPGRADE, business), { status: 200 });
        isReplay(probe, first, await probe.ask(under(key, UPGRADE, business, 'idempotency-key')));
        const both = (other: string) =>
          post(UPGRADE, business, { headers: { 'x-idempotency-key': key, 'idempotency-key': other } });
        isReplay(probe, first, await probe.ask(both(key)));
        const answer = await probe.refuses(both(`${key}x`), invalidParameter());
        probe.equal(at(answer.json, 'error.details.fields.0.rule'), 'conflict', 'the rule', answer);
        const quoted = await probe.succeeds(under(`"${key}"`, UPGRADE, business), { status: 200 });
        probe.equal(
          quoted.headers['idempotent-replayed'],
          undefined,
          'the header idempotent-replayed under the key in quotes',
          quoted,
        );
      },
    },
    {
      title: 'a refusal is not kept: the call can be repeated under its key',
      async run(probe) {
        const key = freshKey();
        await probe.refuses(under(key, UPGRADE, { new_plan: 'none' }), invalidParameter('plan_not_available'));
        await probe.refuses(under(key, '/v1/services/1/upgrade', business), SERVICE_NOT_FOUND);
        await probe.succeeds(under(key, UPGRADE, business), { status: 200 });
      },
    },
    {
      title: 'validation holds for replays too',
      async run(probe) {
        const key = freshKey();
        await probe.succeeds(under(key, UPGRADE, business), { status: 200 });
        await probe.refuses(
          under(key, UPGRADE, { ...business, extra: 1 }),
          invalidParameter(undefined, fields(['body.extra', 'unknown'])),
        );
      },
    },
    {
      title: 'a key is 1 to 255 printable ASCII characters',
      async run(probe) {
        const malformed = invalidParameter(undefined, { fields: [{ path: 'header.x-idempotency-key' }] });
        for (const key of ['', 'x'.repeat(256), 'k\u00e9y', 'a\tb'])
          await probe.refuses(under(key, UPGRADE, business), malformed);
        await probe.succeeds(under(`${freshKey()} ~!`.padEnd(255, 'x'), UPGRADE, business), { status: 200 });
      },
    },
    {
      title: 'of equal calls at the same time one does the work, and all get its answer',
      async run(probe) {
        const ask = under(freshKey(), UPGRADE, business);
        const answers = await probe.asks([ask, ask, ask, ask, ask]);
        const first = answers.find(({ headers }) => headers['idempotent-replayed'] === undefined) as Answer;
        probe.equal(
          answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length,
          1,
          'answers that are no replay',
        );
        for (const answer of answers) if (answer !== first) isReplay(probe, first, answer);
      },
    },
    {
      title: 'where no key is supported it is ignored, a malformed one too',
      async run(probe) {
        for (const [path, body] of [
          ['/v1/services/900001/cancellation-warning', { warningReason: 'An invoice is overdue.' }],
          ['/v1/requests/req_test_sample_pending/deny', { reason: 'An invoice is open.' }],
          ['/v1/reports/services', {}],
        ] as const) {
          for (const key of [freshKey(), 'x'.repeat(256)]) {
            const answers = [
              await probe.succeeds(under(key, path, body), { status: 200 }),
              await probe.succeeds(under(key, path, body), { status: 200 }),
            ];
            for (const answer of answers)
              probe.equal(answer.headers['idempotent-replayed'], undefined, 'the header idempotent-replayed', answer);
          }
        }
      },
    },
  ],
};
