import type { Check, Probe, Section } from '../kit.ts';
import { at } from '../shapes.ts';
import { type Answer, type Ask, freshKey, post } from '../wire.ts';
import { alreadyProcessed, fields, invalidParameter, invalidState, SERVICE_NOT_FOUND } from './refusals.ts';

const creation = { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } };
const business = { new_plan: 'business' };
const upgradeOf = (service: number) => `/v1/services/${service}/upgrade`;

/** Every operation that takes a key, with something that it accepts of a service in that state. */
const OPERATIONS: ReadonlyArray<{
  of: { plan?: string; like?: number };
  path(service: number, requestId: unknown): string;
  body: object;
  status: number;
}> = [
  { of: {}, path: () => '/v1/services', body: creation, status: 201 },
  { of: {}, path: (service) => `/v1/services/${service}/update`, body: { label: 'Shop' }, status: 200 },
  { of: {}, path: upgradeOf, body: business, status: 200 },
  { of: { like: 900002 }, path: upgradeOf, body: business, status: 202 },
  {
    of: { plan: 'enterprise' },
    path: (service) => `/v1/services/${service}/downgrade`,
    body: business,
    status: 200,
  },
  { of: {}, path: (service) => `/v1/services/${service}/cancel`, body: {}, status: 200 },
  { of: {}, path: (service) => `/v1/services/${service}/suspend`, body: {}, status: 200 },
  { of: { like: 900022 }, path: (_, request) => `/v1/requests/${request}/approve`, body: {}, status: 200 },
];

const under = (key: string, path: string, body: unknown, header = 'x-idempotency-key'): Ask =>
  post(path, body, { headers: { [header]: key } });

/** That an answer is the first one again, and says so. */
function isReplay(probe: Probe, first: Answer, again: Answer): void {
  probe.equal(again.status, first.status, 'the status of the replay', again);
  probe.holds(again.raw.equals(first.raw), 'the replay has other bytes than the first answer', again);
  probe.equal(again.headers['idempotent-replayed'], 'true', 'the header idempotent-replayed of the replay', again);
}

const replays: Check = {
  fast: true,
  calls: 30,
  title: 'every action with a key answers the same input again byte for byte, and does its work once',
  async run(probe) {
    const services = await probe.services(...OPERATIONS.map(({ of }) => of));
    const { json } = await probe.get(`/v1/requests?service_number=${services.at(-1)}&request_status=pending`);
    for (const [index, { path, body, status }] of OPERATIONS.entries()) {
      const ask = under(freshKey(), path(services[index] as number, at(json, 'data.0.request_id')), body);
      const first = await probe.succeeds(ask, { status });
      probe.equal(first.headers['idempotent-replayed'], undefined, 'the header idempotent-replayed at first', first);
      isReplay(probe, first, await probe.ask(ask));
      // A second upgrade of the same service would be refused, and a withdrawal of what is final.
      if (path !== upgradeOf) continue;
      const withdrawal = under(freshKey(), `/v1/requests/${at(first.json, 'data.request_id')}/withdraw`, {});
      isReplay(probe, await probe.succeeds(withdrawal, { status: 200 }), await probe.ask(withdrawal));
    }
  },
};

const KEY_REUSED = alreadyProcessed('idempotency_key_reused');

/** Contract, section 7. */
export const idempotency: Section = {
  name: 'idempotency',
  checks: [
    replays,
    {
      title: 'another input, service or action under a used key is refused, and the first answer stays',
      async run(probe) {
        const [service] = (await probe.services({})) as [number];
        const UPGRADE = upgradeOf(service);
        const key = freshKey();
        const first = await probe.succeeds(under(key, UPGRADE, business), { status: 200 });
        for (const [path, body] of [
          [UPGRADE, { new_plan: 'enterprise' }],
          [`/v1/services/${service}/cancel`, {}],
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
        const [service] = (await probe.services({})) as [number];
        const key = freshKey();
        const first = await probe.succeeds(
          under(key, `/v1/services/${service}/cancel`, { cancellation_type: 'immediate', reason: 'x' }),
          { status: 200 },
        );
        isReplay(
          probe,
          first,
          await probe.ask(
            under(key, `/v1/services/0${service}/cancel`, { reason: 'x', cancellation_type: 'immediate' }),
          ),
        );
      },
    },
    {
      title: 'creation repeats its first answer whatever the body, and its keys never meet the others',
      async run(probe) {
        const [service] = (await probe.services({})) as [number];
        const UPGRADE = upgradeOf(service);
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
        const [service] = (await probe.services({})) as [number];
        const UPGRADE = upgradeOf(service);
        const key = freshKey();
        const first = await probe.succeeds(under(key, UPGRADE, business), { status: 200 });
        isReplay(probe, first, await probe.ask(under(key, UPGRADE, business, 'idempotency-key')));
        const both = (other: string) =>
          post(UPGRADE, business, { headers: { 'x-idempotency-key': key, 'idempotency-key': other } });
        isReplay(probe, first, await probe.ask(both(key)));
        const answer = await probe.refuses(both(`${key}x`), invalidParameter());
        probe.equal(at(answer.json, 'error.details.fields.0.rule'), 'conflict', 'the rule', answer);
        // In quotes it is another key, so the operation looks at the service again.
        await probe.refuses(under(`"${key}"`, UPGRADE, business), {
          ...invalidState('plan_change_in_progress'),
          details: { request_id: at(first.json, 'data.request_id') },
        });
      },
    },
    {
      title: 'a refusal is not kept: the call can be repeated under its key',
      async run(probe) {
        const [service] = (await probe.services({})) as [number];
        const UPGRADE = upgradeOf(service);
        const key = freshKey();
        await probe.refuses(under(key, UPGRADE, { new_plan: 'none' }), invalidParameter('plan_not_available'));
        await probe.refuses(under(key, '/v1/services/1/upgrade', business), SERVICE_NOT_FOUND);
        await probe.succeeds(under(key, UPGRADE, business), { status: 200 });
      },
    },
    {
      title: 'validation holds for replays too',
      async run(probe) {
        const [service] = (await probe.services({})) as [number];
        const UPGRADE = upgradeOf(service);
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
        const [service] = (await probe.services({})) as [number];
        const UPGRADE = upgradeOf(service);
        const malformed = invalidParameter(undefined, { fields: [{ path: 'header.x-idempotency-key' }] });
        for (const key of ['', 'x'.repeat(256)]) await probe.refuses(under(key, UPGRADE, business), malformed);
        await probe.succeeds(under(`${freshKey()} ~!`.padEnd(255, 'x'), UPGRADE, business), { status: 200 });
      },
    },
    {
      title: 'of equal calls at the same time one does the work, and all get its answer',
      async run(probe) {
        const [service] = (await probe.services({})) as [number];
        const UPGRADE = upgradeOf(service);
        const ask = under(freshKey(), UPGRADE, business);
        const answers = await probe.asks([ask, ask, ask]);
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
          ['/v1/reports/services', {}],
        ] as const) {
          for (const key of ['once', 'once']) {
            const answer = await probe.succeeds(under(key, path, body), { status: 200 });
            probe.equal(answer.headers['idempotent-replayed'], undefined, 'the header idempotent-replayed', answer);
          }
        }
      },
    },
  ],
};
