import {
  type Check,
  failureChecks,
  fields,
  invalidParameter,
  invalidState,
  missingParameter,
  type Section,
} from '../check.ts';
import { type Call, get, post } from '../http.ts';
import { at, listAt } from '../json.ts';

type Direction = 'upgrade' | 'downgrade';
const change = (direction: Direction, service: number, new_plan: string): Call =>
  post(`/v1/services/${service}/${direction}`, { new_plan });
const upgrade = (service: number, plan: string) => change('upgrade', service, plan);
const downgrade = (service: number, plan: string) => change('downgrade', service, plan);

const underReview = (direction: Direction, service: number, plan: string, more: Partial<Check> = {}): Check => ({
  title: `a ${direction} that needs review is 202 operator_review, with a message not to submit it again`,
  calls: 2,
  async run(api) {
    const answer = await api.expectSuccess(change(direction, service, plan), {
      status: 202,
      data: {
        request_status: 'operator_review',
        operator_review: true,
        effective_date: null,
        service_number: service,
      },
    });
    api.ok(typeof at(answer.json, 'message') === 'string', 'there is no message', answer);
    await api.withdraw(answer);
  },
  ...more,
});

/** Contract, section 6, plan changes. */
export const planChanges: Section = {
  name: 'plan changes',
  checks: [
    ...failureChecks([
      ['an upgrade without a plan', post('/v1/services/900001/upgrade', {}), missingParameter()],
      ['an unknown plan, before the state,', upgrade(900004, 'none'), invalidParameter('plan_not_available')],
      ['a suspended service', upgrade(900014, 'business'), invalidState('service_not_active')],
      ['a scheduled cancellation', upgrade(900015, 'business'), invalidState('cancellation_scheduled')],
      [
        'an open plan change',
        upgrade(900012, 'business'),
        invalidState('plan_change_in_progress', { request_id: 'req_test_sample_operator_review' }),
      ],
      ['the current plan', upgrade(900001, 'starter'), invalidParameter('plan_is_current')],
      ['another billing type', upgrade(900001, 'flex-hourly'), invalidState('billing_type_mismatch')],
      ['an upgrade to a lower rank', upgrade(900013, 'business'), invalidParameter('plan_rank_not_higher')],
      ['a downgrade to a higher rank', downgrade(900001, 'business'), invalidParameter('plan_rank_not_lower')],
    ]),
    ...failureChecks(
      [
        ['an unknown plan', upgrade(900001, 'none'), invalidParameter('plan_not_available')],
        ['an id in other case', upgrade(900001, 'PLN_TEST_BUSINESS'), invalidParameter('plan_not_available')],
        [
          'a plan name of 129 characters',
          upgrade(900001, 'x'.repeat(129)),
          invalidParameter(undefined, fields(['body.new_plan', 'too_long'])),
        ],
        ['a cancelled service', upgrade(900004, 'business'), invalidState('service_not_active')],
        ['a pending service', upgrade(900016, 'business'), invalidState('service_not_active')],
        ['from hourly to monthly billing', downgrade(900010, 'enterprise'), invalidState('billing_type_mismatch')],
      ],
      { full: true },
    ),
    underReview('upgrade', 900002, 'business'),
    underReview('downgrade', 900018, 'starter', { full: true }),
    {
      title: 'an upgrade is accepted at once, and its plan is found by id, slug or display name',
      calls: 4,
      full: true,
      async run(api) {
        for (const plan of ['pln_test_business', ' BUSINESS ']) {
          const answer = await api.expectSuccess(upgrade(900001, plan), {
            data: {
              type: 'plan-upgrade',
              request_status: 'accepted',
              operator_review: false,
              processed_date: null,
              current_plan: { slug: 'starter' },
              new_plan: { id: 'pln_test_business' },
            },
          });
          const [effective, submitted] = [
            at(answer.json, 'data.effective_date'),
            at(answer.json, 'data.submitted_date'),
          ];
          api.equal(effective, submitted, 'the effective date', answer);
          await api.withdraw(answer);
        }
      },
    },
    {
      title: 'upgrade options are what an upgrade answers',
      calls: 7,
      full: true,
      async run(api) {
        const { json } = await api.expectSuccess(get('/v1/services/900001/upgrade-options'));
        const [available, unavailable] = [listAt(json, 'data.available'), listAt(json, 'data.unavailable')];
        api.equal(available.length + unavailable.length, 4, 'plans in the options');
        for (const { id, operator_review } of available) {
          const answer = await api.expectSuccess(upgrade(900001, String(id)), { status: operator_review ? 202 : 200 });
          await api.withdraw(answer);
        }
        for (const { plan, reason } of unavailable) {
          const answer = await api.call(upgrade(900001, String(at(plan, 'id'))));
          api.equal(at(answer.json, 'error.details.reason'), reason, 'the reason', answer);
        }
      },
    },
  ],
};
