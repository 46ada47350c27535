import type { Check, Probe, Section } from '../kit.ts';
import { at, differences, listAt } from '../shapes.ts';
import { type Ask, freshKey, get, post } from '../wire.ts';
import { invalidState } from './refusals.ts';

const upgrade = (service: number) => post(`/v1/services/${service}/upgrade`, { new_plan: 'business' });
const MINUTE = 60;
const YEAR = 366 * 24 * 3600;

/**
 * Reads a service, and holds the list against it: a change stands in both at the same time.
 * @returns the record
 */
async function current(probe: Probe, service: number, expected: object): Promise<unknown> {
  const single = await probe.succeeds(get(`/v1/services/${service}`), { status: 200, matches: { data: expected } });
  const reference = String(at(single.json, 'data.external_reference'));
  const list = await probe.get(`/v1/services?external_reference=${reference}`);
  for (const difference of differences(at(list.json, 'data.0'), at(single.json, 'data'), 'the stale list: data.0'))
    probe.fault(difference, list);
  return at(single.json, 'data');
}

/** Submits, moves the clock past the end of the work, and holds the request's history and the list against it. */
async function worked(probe: Probe, service: number, ask: Ask, seconds: number, history: readonly string[]) {
  const submitted = await probe.ask(ask);
  await probe.pass(seconds);
  const path = `/v1/requests/${at(submitted.json, 'data.request_id')}`;
  const { json } = await probe.succeeds(get(path), { status: 200, matches: { data: { is_final: true } } });
  const states = listAt(json, 'data.history').map((line) => at(line, 'request_status'));
  probe.equal(states, history, `the history of ${at(json, 'data.type')}`);
  const list = await probe.get(`/v1/requests?service_number=${service}&request_status=${history.at(-1)}&limit=100`);
  const listed = listAt(list.json, 'data').some((each) => at(each, 'request_id') === at(json, 'data.request_id'));
  probe.holds(listed, 'the stale list: it does not have the request in its new state', list);
  return json;
}

/** What simulated work goes through, by service. */
const ends: ReadonlyArray<[service: number, history: string[], end: object]> = [
  [900002, ['operator_review', 'accepted', 'completed'], { decision: { action: 'accept', decided_by: 'operator' } }],
  [900003, ['operator_review', 'denied'], { decision: { action: 'deny', decided_by: 'operator' } }],
  [900011, ['accepted', 'failed'], { failure: { service_usable: true } }],
];

const life: Check = {
  calls: 40,
  title: 'a service is created, upgraded, downgraded at the end of its term and cancelled, and every look agrees',
  async run(probe) {
    const reference = freshKey();
    const client = { name: 'Ada Example', email: 'ada@example.com' };
    const created = await probe.ask(post('/v1/services', { plan: 'starter', client, external_reference: reference }));
    const service = Number(at(created.json, 'data.service_number'));
    const request_id = at(created.json, 'data.request_id');
    await current(probe, service, {
      service_status: 'pending',
      open_request: { request_id, type: 'service-creation' },
    });
    await probe.pass(10);
    await current(probe, service, { service_status: 'active', open_request: null, plan: { slug: 'starter' } });

    await worked(probe, service, upgrade(service), 10, ['accepted', 'completed']);
    await current(probe, service, { plan: { slug: 'business' }, open_request: null });

    const taken = await probe.ask(post(`/v1/services/${service}/upgrade`, { new_plan: 'enterprise' }));
    await current(probe, service, { open_request: { type: 'plan-upgrade', request_status: 'accepted' } });
    await probe.withdraw(taken);
    const { renewal_date } = (await current(probe, service, { open_request: null, plan: { slug: 'business' } })) as {
      renewal_date: string;
    };

    const downgrade = await probe.ask(post(`/v1/services/${service}/downgrade`, { new_plan: 'starter' }));
    probe.equal(at(downgrade.json, 'data.effective_date'), renewal_date, 'when the downgrade takes effect', downgrade);
    await probe.succeeds(post('/v1/sandbox/clock', { date: renewal_date }), { status: 200 });
    await current(probe, service, { plan: { slug: 'business' } });
    await probe.pass(MINUTE);
    await current(probe, service, { plan: { slug: 'starter' }, open_request: null });

    const cancelled = await probe.ask(post(`/v1/services/${service}/cancel`));
    const cancellation = { request_id: at(cancelled.json, 'data.request_id'), cancellation_type: 'end_of_term' };
    await current(probe, service, { service_status: 'active', cancellation });
    await probe.refuses(upgrade(service), invalidState('cancellation_scheduled'));
    await probe.pass(YEAR);
    await current(probe, service, { service_status: 'cancelled', cancellation, open_request: null });
    await probe.refuses(post(`/v1/services/${service}/cancel`), invalidState('service_cancelled'));
  },
};

/** Contract, section 8: what is done in a sandbox stays, and its clock brings what is due. */
export const scenario: Section = {
  name: 'scenario',
  fast: true,
  checks: [
    {
      title: 'work completes, fails, and is accepted or denied by the operator, by the clock of the sandbox',
      async run(probe) {
        for (const [service, history, end] of ends) {
          const json = await worked(probe, service, upgrade(service), MINUTE, history);
          for (const message of differences(at(json, 'data'), end, 'data')) probe.fault(message);
        }
      },
    },
    life,
    {
      title: 'the clock goes forward by seconds or to a date, and never back',
      async run(probe) {
        const clock = (body: object) => post('/v1/sandbox/clock', body);
        const { json } = await probe.succeeds(clock({ advance_seconds: 1 }), { status: 200 });
        const date = String(at(json, 'data.sandbox_date'));
        await probe.succeeds(clock({ date }), { status: 200 });
        for (const wrong of ['2000-01-01', '9999-01-01']) await probe.refuses(clock({ date: wrong }), OUT_OF_RANGE);
        await probe.refuses(clock({ date, advance_seconds: 1 }), { status: 400, code: 'invalid_parameter' });
        await probe.refuses(clock({}), { status: 400, code: 'missing_parameter' });
      },
    },
  ],
};

const OUT_OF_RANGE = { status: 400, code: 'invalid_parameter', reason: 'clock_out_of_range' };
