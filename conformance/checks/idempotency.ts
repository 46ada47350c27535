import type { Api } from '../api.ts';
import { alreadyProcessed, fields, invalidParameter, invalidState, SERVICE_NOT_FOUND, type Section } from '../check.ts';
import { type Answer, type Call, freshKey, post } from '../http.ts';
import { at } from '../json.ts';

const creation = { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } };
const business = { new_plan: 'business' };
const upgradeOf = (service: unknown) => `/v1/services/${service}/upgrade`;
const withKey = (key: string, path: string, body: unknown, header = 'x-idempotency-key'): Call =>
  post(path, body, { headers: { [header]: key } });
const REPLAYED = 'idempotent-replayed';

/** The answer is the first one again, byte for byte, and marked. */
function isReplay(api: Api, first: Answer, again: Answer): void {
  api.equal(again.status, first.status, 'the status of the replay', again);
  api.ok(again.raw.equals(first.raw), 'the replay has other bytes than the first answer', again);
  api.equal(again.headers[REPLAYED], 'true', `the header ${REPLAYED} of the replay`, again);
}

/** Sends a call twice under a new key; the second answer has to be the first one. */
async function expectReplay(api: Api, path: string, body: unknown, status = 200): Promise<Answer> {
  const call = withKey(freshKey(), path, body);
  const first = await api.expectSuccess(call, { status });
  api.equal(first.headers[REPLAYED], undefined, `the header ${REPLAYED} of the first answer`, first);
  isReplay(api, first, await api.call(call));
  return first;
}

const KEY_REUSED = alreadyProcessed('idempotency_key_reused');

/** A service of its own, for one check. */
async function newService(api: Api): Promise<number> {
  const [service] = await api.createServices({});
  return service as number;
}

/** Contract, section 7. */
export const idempotency: Section = {
  name: 'idempotency',
  checks: [
    {
      title: 'each action and report answers the same input under a key again, byte for byte, and does its work once',
      calls: 21,
      async run(api) {
        const created = await expectReplay(api, '/v1/services', creation, 201);
        const service = at(created.json, 'data.service_number');
        await api.advanceClock(10);
        await expectReplay(api, `/v1/services/${service}/update`, { label: 'Shop' });
        const upgrade = await expectReplay(api, upgradeOf(service), business);
        await expectReplay(api, `/v1/requests/${at(upgrade.json, 'data.request_id')}/withdraw`, {});
        await expectReplay(api, `/v1/services/${service}/suspend`, {});
        await expectReplay(api, `/v1/services/${service}/cancel`, {});
        await expectReplay(api, '/v1/services/900013/downgrade', business);
        await expectReplay(api, '/v1/requests/req_test_sample_pending/approve', {});
        await expectReplay(api, '/v1/reports/services', {});
        await expectReplay(api, '/v1/reports/invoices', {});
      },
    },
    {
      title: 'another input, service or action under a used key is refused, and the first answer stays',
      calls: 3,
      async run(api) {
        const key = freshKey();
        const update = '/v1/services/900001/update';
        const first = await api.expectSuccess(withKey(key, update, { label: 'Shop' }));
        await api.expectFailure(withKey(key, update, { label: 'Store' }), KEY_REUSED);
        isReplay(api, first, await api.call(withKey(key, update, { label: 'Shop' })));
      },
    },
    {
      title: 'a key belongs to one service and action, and the spelling of the input does not matter',
      calls: 6,
      full: true,
      async run(api) {
        const service = await newService(api);
        const key = freshKey();
        const cancel = { cancellation_type: 'immediate', reason: 'x' };
        const first = await api.expectSuccess(withKey(key, `/v1/services/${service}/cancel`, cancel));
        const reordered = { reason: 'x', cancellation_type: 'immediate' };
        isReplay(api, first, await api.call(withKey(key, `/v1/services/0${service}/cancel`, reordered)));
        await api.expectFailure(withKey(key, '/v1/services/900001/cancel', cancel), KEY_REUSED);
        await api.expectFailure(withKey(key, '/v1/requests/req_test_sample_pending/approve', {}), KEY_REUSED);
      },
    },
    {
      title: 'creation repeats its first answer whatever the body, and its keys are apart from those of actions',
      calls: 3,
      full: true,
      async run(api) {
        const key = freshKey();
        const first = await api.expectSuccess(withKey(key, '/v1/services', creation), { status: 201 });
        const other = { ...creation, plan: 'business' };
        const again = await api.expectSuccess(withKey(key, '/v1/services', other), { status: 201 });
        api.equal(at(again.json, 'data'), at(first.json, 'data'), 'the data of the replay', again);
        api.equal(again.headers[REPLAYED], 'true', `the header ${REPLAYED}`, again);
        api.ok(typeof at(again.json, 'message') === 'string', 'no message says that the body was ignored', again);
        const action = await api.expectSuccess(withKey(key, '/v1/services/900001/update', { label: 'Shop' }));
        api.equal(action.headers[REPLAYED], undefined, `the header ${REPLAYED} of an action`, action);
      },
    },
    {
      title: 'Idempotency-Key is the same header; two different values conflict, and quotes belong to the value',
      calls: 7,
      full: true,
      async run(api) {
        const path = upgradeOf(await newService(api));
        const key = freshKey();
        const first = await api.expectSuccess(withKey(key, path, business));
        isReplay(api, first, await api.call(withKey(key, path, business, 'idempotency-key')));
        const both = (other: string) =>
          post(path, business, { headers: { 'x-idempotency-key': key, 'idempotency-key': other } });
        isReplay(api, first, await api.call(both(key)));
        const answer = await api.expectFailure(both(`${key}x`), invalidParameter());
        api.equal(at(answer.json, 'error.details.fields.0.rule'), 'conflict', 'the rule', answer);
        // In quotes it is another key, so the operation is done again.
        const request_id = at(first.json, 'data.request_id');
        await api.expectFailure(
          withKey(`"${key}"`, path, business),
          invalidState('plan_change_in_progress', { request_id }),
        );
      },
    },
    {
      title: 'a failure is not kept, and validation comes before a replay',
      calls: 6,
      full: true,
      async run(api) {
        const path = upgradeOf(await newService(api));
        const key = freshKey();
        await api.expectFailure(withKey(key, path, { new_plan: 'none' }), invalidParameter('plan_not_available'));
        await api.expectFailure(withKey(key, '/v1/services/1/upgrade', business), SERVICE_NOT_FOUND);
        await api.expectSuccess(withKey(key, path, business));
        const unknown = invalidParameter(undefined, fields(['body.extra', 'unknown']));
        await api.expectFailure(withKey(key, path, { ...business, extra: 1 }), unknown);
      },
    },
    {
      title: 'a key is 1 to 255 printable ASCII characters; where none is supported it is ignored',
      calls: 5,
      full: true,
      async run(api) {
        const path = '/v1/services/900001/update';
        const malformed = invalidParameter(undefined, { fields: [{ path: 'header.x-idempotency-key' }] });
        for (const key of ['', 'x'.repeat(256)])
          await api.expectFailure(withKey(key, path, { label: 'Shop' }), malformed);
        await api.expectSuccess(withKey(`${freshKey()} ~!`.padEnd(255, 'x'), path, { label: 'Shop' }));
        const warning = { warningReason: 'Your invoice is overdue' };
        for (const key of ['', 'once']) {
          const answer = await api.expectSuccess(withKey(key, '/v1/services/900001/cancellation-warning', warning));
          api.equal(answer.headers[REPLAYED], undefined, `the header ${REPLAYED}`, answer);
        }
      },
    },
    {
      title: 'of equal calls at the same time one does the work, and all get its answer',
      calls: 3,
      async run(api) {
        const call = withKey(freshKey(), '/v1/services', creation);
        const answers = await Promise.all([api.call(call), api.call(call), api.call(call)]);
        const firsts = answers.filter(({ headers }) => headers[REPLAYED] === undefined);
        api.equal(firsts.length, 1, 'answers that are no replay');
        for (const answer of answers) if (answer !== firsts[0]) isReplay(api, firsts[0] as Answer, answer);
      },
    },
  ],
};
