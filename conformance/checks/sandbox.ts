import type { Api, Failure } from '../api.ts';
import { type Check, failureChecks, invalidParameter, invalidState, type Section } from '../check.ts';
import { type Call, freshKey, get, post } from '../http.ts';
import { at, differences, type Item, listAt } from '../json.ts';

const upgrade = (service: number, new_plan = 'business') => post(`/v1/services/${service}/upgrade`, { new_plan });
const rename = (service: number) => post(`/v1/services/${service}/update`, { label: 'Shop' });
const clock = (body: object) => post('/v1/sandbox/clock', body);
const OUT_OF_RANGE = invalidParameter('clock_out_of_range');
const LIMITED: Failure = {
  code: 'rate_limit_exceeded',
  message: 'Rate limit exceeded',
  details: { retry_after_seconds: 1 },
};
const BROKEN: Failure = { code: 'server_error' };

/** Contract, section 8: the records of a new sandbox, and what they provoke. */
export const sandbox: Section = {
  name: 'sandbox',
  checks: [
    {
      title: 'a new sandbox has the services, requests and plans that its scenarios describe, and no others',
      calls: 4,
      async run(api) {
        const { json } = await api.expectSuccess(get('/v1/sandbox/scenarios?limit=100'));
        const scenarios = listAt(json, 'data');
        for (const [path, kind, id] of [
          ['/v1/services', 'service', 'service_number'],
          ['/v1/requests', 'request', 'request_id'],
          ['/v1/plans', 'plan', `plan_id`],
        ] as const) {
          const list = await api.expectSuccess(get(`${path}?limit=100`));
          const found = listAt(list.json, 'data').map((item) => String(item[id] ?? item.id));
          const described = scenarios
            .filter((scenario) => scenario.kind === kind)
            .map((scenario) => String(scenario[id]));
          // These two only fail, and stand in no list.
          const expected = described.filter((each) => !['900429', '900500'].includes(each));
          api.equal(found.sort(), expected.sort(), `the records of ${path}`, list);
        }
      },
    },
    ...failureChecks([
      ['900429', get('/v1/services/900429'), LIMITED],
      ['900500', get('/v1/services/900500'), BROKEN],
      ['a clock that goes back', clock({ date: '2000-01-01' }), OUT_OF_RANGE],
    ]),
    ...failureChecks(
      [
        ['an upgrade of 900429', upgrade(900429), LIMITED],
        ['an update of 900429', rename(900429), LIMITED],
        ['an upgrade of 900500', upgrade(900500), BROKEN],
        ['a clock of the far future', clock({ date: '9999-01-01' }), OUT_OF_RANGE],
        ['a clock without a time', clock({}), { code: 'missing_parameter' }],
        ['a clock with a date and seconds', clock({ date: '2030-01-01', advance_seconds: 1 }), invalidParameter()],
      ],
      { full: true },
    ),
  ],
};

/** The service by its number and in the list of changes are the same record. */
async function readService(api: Api, service: number, since: string, data: object): Promise<Item> {
  const { json } = await api.expectSuccess(get(`/v1/services/${service}`), { data });
  const list = await api.get(`/v1/services?limit=100&updated_since=${encodeURIComponent(since)}`);
  const listed = listAt(list.json, 'data').find(({ service_number }) => service_number === service);
  // What only one service by itself has.
  const { actions: _, has_credentials: __, ...single } = at(json, 'data') as Item;
  if (!listed) api.problem(`updated_since does not list the change of ${service}`, list);
  else
    for (const difference of differences(listed, single, `updated_since: service ${service}`))
      api.problem(difference, list);
  return (at(json, 'data') ?? {}) as Item;
}

/** Sends a call, moves the clock past the end of its work, and compares the history of its request. */
async function completeWork(api: Api, call: Call, seconds: number, data: object, states: string[]): Promise<void> {
  const submitted = await api.call(call);
  await api.advanceClock(seconds);
  const request = get(`/v1/requests/${at(submitted.json, 'data.request_id')}`);
  const { json } = await api.expectSuccess(request, { data: { is_final: true, ...data } });
  const history = listAt(json, 'data.history').map(({ request_status }) => request_status);
  api.equal(history, states, `the history of ${at(json, 'data.type')}`);
}

const byOperator = (action: string) => ({ decision: { action, decided_by: 'operator' } });

const changesAndRenewals: Check = {
  title: 'work that is due completes, a service renews, and updated_since lists each change',
  calls: 12,
  async run(api) {
    const sandboxDate = (answer: { json: unknown }) => String(at(answer.json, 'data.sandbox_date'));
    const begun = sandboxDate(await api.get('/v1/sandbox'));
    const { json } = await api.expectSuccess(upgrade(900009));
    const request_id = at(json, 'data.request_id');
    await readService(api, 900009, begun, { open_request: { request_id, request_status: 'accepted' } });
    // Work begins 5 s after its acceptance, and ends 10 s after it.
    await api.advanceClock(6);
    await api.expectFailure(post(`/v1/requests/${request_id}/withdraw`), invalidState('work_has_begun'));
    await api.advanceClock(4);
    const before = await readService(api, 900009, begun, { plan: { slug: 'business' }, open_request: null });
    const renewal = String(before.renewal_date);
    await api.expectSuccess(clock({ date: new Date(Date.parse(renewal) + 1000).toISOString() }));
    const after = await readService(api, 900009, renewal, {});
    api.ok(String(after.renewal_date) > renewal, `the service did not renew: renewal_date is ${after.renewal_date}`);
  },
};

const decisionsOfTheOperator: Check = {
  title: 'work completes, fails, and is accepted or denied by the operator, by the clock of the sandbox',
  calls: 9,
  full: true,
  async run(api) {
    const reviewed = ['operator_review', 'accepted', 'completed'];
    await completeWork(api, upgrade(900002), 60, byOperator('accept'), reviewed);
    await completeWork(api, upgrade(900003), 60, byOperator('deny'), ['operator_review', 'denied']);
    await completeWork(api, upgrade(900011), 60, { failure: { service_usable: true } }, ['accepted', 'failed']);
  },
};

const lifeOfAService: Check = {
  title: 'a service is created, upgraded, downgraded at the end of its term and cancelled',
  calls: 27,
  full: true,
  async run(api) {
    const begun = String(at((await api.get('/v1/sandbox')).json, 'data.sandbox_date'));
    const client = { name: 'Ada Example', email: 'ada@example.com' };
    const body = { plan: 'starter', client, external_reference: freshKey() };
    const created = await api.expectSuccess(post('/v1/services', body), { status: 201 });
    const service = Number(at(created.json, 'data.service_number'));
    await readService(api, service, begun, { service_status: 'pending', open_request: { type: 'service-creation' } });
    await api.advanceClock(10);
    await readService(api, service, begun, { service_status: 'active', open_request: null });
    await completeWork(api, upgrade(service), 10, {}, ['accepted', 'completed']);
    const { renewal_date } = await readService(api, service, begun, { plan: { slug: 'business' }, open_request: null });
    const downgrade = post(`/v1/services/${service}/downgrade`, { new_plan: 'starter' });
    // The disk would shrink: the operator accepts it after 20 s.
    const reviewed = await api.expectSuccess(downgrade, { status: 202, data: { effective_date: null } });
    await api.advanceClock(20);
    await api.expectSuccess(get(`/v1/requests/${at(reviewed.json, 'data.request_id')}`), {
      data: { request_status: 'accepted', effective_date: renewal_date },
    });
    await api.expectSuccess(clock({ date: renewal_date }));
    await readService(api, service, begun, { plan: { slug: 'business' } });
    await api.advanceClock(60);
    await readService(api, service, begun, { plan: { slug: 'starter' }, open_request: null });
    const cancelled = await api.expectSuccess(post(`/v1/services/${service}/cancel`));
    const cancellation = { request_id: at(cancelled.json, 'data.request_id'), cancellation_type: 'end_of_term' };
    await readService(api, service, begun, { service_status: 'active', cancellation });
    await api.expectFailure(upgrade(service), invalidState('cancellation_scheduled'));
    await api.advanceClock(366 * 24 * 3600);
    await api.expectSuccess(get(`/v1/services/${service}`), {
      data: { service_status: 'cancelled', cancellation, open_request: null },
    });
  },
};

/** Contract, section 8: the clock of the sandbox completes what is due. */
export const lifeCycle: Section = {
  name: 'life cycle',
  checks: [decisionsOfTheOperator, changesAndRenewals, lifeOfAService],
};
