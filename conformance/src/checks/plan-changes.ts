import type { Check, Section } from '../kit.ts';
import { at, listAt } from '../shapes.ts';
import { type Ask, get, post } from '../wire.ts';
import { invalidParameter, invalidState, missingParameter, refusal } from './refusals.ts';

const change = (direction: 'upgrade' | 'downgrade', service: number, new_plan: string): Ask =>
  post(`/v1/services/${service}/${direction}`, { new_plan });
const upgrade = (service: number, plan: string) => change('upgrade', service, plan);
const downgrade = (service: number, plan: string) => change('downgrade', service, plan);
const cancel = (service: number, cancellation_type?: string) =>
  post(`/v1/services/${service}/cancel`, cancellation_type === undefined ? undefined : { cancellation_type });

const accepted = { request_status: 'accepted', operator_review: false, processed_date: null };

const underReview = (direction: 'upgrade' | 'downgrade', service: number, plan: string): Check => ({
  title: `${direction} of ${service} goes to the operator: 202 with the marker, and a message not to submit it again`,
  async run(probe) {
    const data = {
      request_status: 'operator_review',
      operator_review: true,
      effective_date: null,
      service_number: service,
    };
    const answer = await probe.succeeds(change(direction, service, plan), {
      status: 202,
      matches: { data },
    });
    probe.holds(typeof at(answer.json, 'message') === 'string', 'there is no message', answer);
    await probe.withdraw(answer);
  },
});

/** Contract, section 6, plan changes. */
export const planChanges: Section = {
  name: 'plan changes',
  checks: [
    {
      title: 'an upgrade is accepted at once, and its plan is found by id, slug or display name',
      async run(probe) {
        const data = {
          ...accepted,
          type: 'plan-upgrade',
          current_plan: { slug: 'starter' },
          new_plan: { id: 'pln_test_business' },
        };
        for (const plan of ['pln_test_business', ' BUSINESS ']) {
          const answer = await probe.succeeds(upgrade(900001, plan), {
            status: 200,
            matches: { data },
          });
          probe.equal(
            at(answer.json, 'data.effective_date'),
            at(answer.json, 'data.submitted_date'),
            'the effective date',
            answer,
          );
          await probe.withdraw(answer);
        }
      },
    },
    {
      title: 'a downgrade takes effect when the term ends',
      async run(probe) {
        const data = {
          ...accepted,
          type: 'plan-downgrade',
          current_plan: { slug: 'enterprise' },
          new_plan: { slug: 'business' },
        };
        const answer = await probe.succeeds(downgrade(900013, 'business'), {
          status: 200,
          matches: { data },
        });
        probe.holds(
          String(at(answer.json, 'data.effective_date')) > String(at(answer.json, 'data.submitted_date')),
          'it takes effect at once',
          answer,
        );
        await probe.withdraw(answer);
      },
    },
    underReview('upgrade', 900002, 'business'),
    underReview('downgrade', 900018, 'starter'),
    refusal('without a plan', post('/v1/services/900001/upgrade', {}), missingParameter()),
    refusal('to a plan that there is not', upgrade(900001, 'none'), invalidParameter('plan_not_available')),
    refusal(
      'the plan is looked at before the service',
      upgrade(900004, 'none'),
      invalidParameter('plan_not_available'),
    ),
    refusal('an id is matched exactly', upgrade(900001, 'PLN_TEST_BUSINESS'), invalidParameter('plan_not_available')),
    ...[900004, 900014, 900016].map((service) =>
      refusal(`of ${service}, which is not active`, upgrade(service, 'business'), invalidState('service_not_active')),
    ),
    refusal('while a cancellation is scheduled', upgrade(900015, 'business'), invalidState('cancellation_scheduled')),
    refusal(
      'while another one is open',
      upgrade(900012, 'business'),
      invalidState('plan_change_in_progress', { request_id: 'req_test_sample_operator_review' }),
    ),
    refusal('to the current plan', upgrade(900001, 'starter'), invalidParameter('plan_is_current')),
    refusal('from monthly to hourly billing', upgrade(900001, 'flex-hourly'), invalidState('billing_type_mismatch')),
    refusal('from hourly to monthly billing', downgrade(900010, 'enterprise'), invalidState('billing_type_mismatch')),
    refusal('an upgrade to a lower rank', upgrade(900013, 'business'), invalidParameter('plan_rank_not_higher')),
    refusal('a downgrade to a higher rank', downgrade(900001, 'business'), invalidParameter('plan_rank_not_lower')),
    {
      calls: 16,
      title: 'upgrade options say what the upgrade itself answers',
      async run(probe) {
        for (const service of [900001]) {
          const { json } = await probe.succeeds(get(`/v1/services/${service}/upgrade-options`), {
            status: 200,
          });
          for (const plan of listAt(json, 'data.available')) {
            const status = at(plan, 'operator_review') === true ? 202 : 200;
            await probe.withdraw(await probe.succeeds(upgrade(service, String(at(plan, 'id'))), { status }));
          }
          for (const { plan, reason } of listAt(json, 'data.unavailable') as Array<{ plan: unknown; reason: string }>) {
            const answer = await probe.ask(upgrade(service, String(at(plan, 'id'))));
            probe.equal(at(answer.json, 'error.details.reason'), reason, 'the reason', answer);
          }
          const count = listAt(json, 'data.available').length + listAt(json, 'data.unavailable').length;
          probe.equal(count, 4, `plans in the options of ${service}`);
        }
      },
    },
    {
      title: 'a cancellation answers its request; end of term unless told',
      async run(probe) {
        const [first, second, hourly] = (await probe.services({}, {}, { plan: 'flex-hourly' })) as [
          number,
          number,
          number,
        ];
        for (const [ask, cancellation_type] of [
          [cancel(first), 'end_of_term'],
          [cancel(second, 'immediate'), 'immediate'],
          [cancel(900014, 'immediate'), 'immediate'],
          [cancel(hourly, 'immediate'), 'immediate'],
        ] as const) {
          const data = { type: 'cancellation', request_status: 'accepted', cancellation_type, reason: null };
          const { json } = await probe.succeeds(ask, { status: 200, matches: { data } });
          const [effective, submitted] = [
            String(at(json, 'data.effective_date')),
            String(at(json, 'data.submitted_date')),
          ];
          probe.holds(
            cancellation_type === 'immediate' ? effective === submitted : effective > submitted,
            `${cancellation_type} takes effect on ${effective}`,
          );
        }
      },
    },
    refusal('cancelling a cancelled service', cancel(900004), invalidState('service_cancelled')),
    refusal('cancelling a terminated service', cancel(900005), invalidState('service_terminated')),
    refusal(
      'cancelling twice',
      cancel(900015),
      invalidState('cancellation_scheduled', { request_id: 'req_test_sample_accepted' }),
    ),
    {
      title: 'a suspension and its end answer their requests',
      async run(probe) {
        const data = { request_status: 'accepted', operator_review: false, is_final: false };
        const [active] = await probe.services({});
        await probe.succeeds(post(`/v1/services/${active}/suspend`, { reason: 'Overdue' }), {
          status: 200,
          matches: { data: { ...data, type: 'service-suspension', reason: 'Overdue' } },
        });
        await probe.pass(10);
        await probe.succeeds(post(`/v1/services/${active}/unsuspend`), {
          status: 200,
          matches: { data: { ...data, type: 'service-unsuspension' } },
        });
      },
    },
    ...(['suspend', 'unsuspend'] as const).flatMap((action) => [
      refusal(
        `${action} of a cancelled service`,
        post(`/v1/services/900004/${action}`),
        invalidState('service_cancelled'),
      ),
      refusal(
        `${action} of a terminated service`,
        post(`/v1/services/900005/${action}`),
        invalidState('service_terminated'),
      ),
    ]),
    refusal('suspending a suspended service', post('/v1/services/900019/suspend'), invalidState('service_suspended')),
    refusal('suspending a pending service', post('/v1/services/900016/suspend'), invalidState('service_not_active')),
    refusal('lifting no suspension', post('/v1/services/900010/unsuspend'), invalidState('service_not_suspended')),
    refusal('the end of a term that there is not', cancel(900010), invalidParameter('end_of_term_not_available')),
    refusal(
      'another kind of cancellation',
      cancel(900001, 'soon'),
      invalidParameter(undefined, { fields: [{ path: 'body.cancellation_type', rule: 'enum' }] }),
    ),
    {
      title: 'a cancellation closes an open creation, and is not withdrawn then',
      async run(probe) {
        const closed = await probe.succeeds(cancel(900016), { status: 200 });
        await probe.succeeds(get('/v1/requests/req_test_sample_creation'), {
          status: 200,
          matches: { data: { request_status: 'failed', failure: { reason: 'service_cancelled' } } },
        });
        const path = `/v1/requests/${at(closed.json, 'data.request_id')}/withdraw`;
        await probe.refuses(post(path), invalidState('creation_closed'));
      },
    },
  ],
};
