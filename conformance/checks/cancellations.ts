import { type Check, failureChecks, invalidParameter, invalidState, type Section } from '../check.ts';
import { get, post } from '../http.ts';
import { at } from '../json.ts';

const cancel = (service: number, cancellation_type?: string) =>
  post(`/v1/services/${service}/cancel`, cancellation_type === undefined ? undefined : { cancellation_type });
const suspend = (service: number) => post(`/v1/services/${service}/suspend`);
const unsuspend = (service: number) => post(`/v1/services/${service}/unsuspend`);

const suspensions: Check[] = [
  {
    title: 'a second suspension while one is open is invalid_state suspension_in_progress',
    calls: 3,
    async run(api) {
      const first = await api.expectSuccess(suspend(900009), { data: { type: 'service-suspension' } });
      const request_id = at(first.json, 'data.request_id');
      await api.expectFailure(suspend(900009), invalidState('suspension_in_progress', { request_id }));
      await api.withdraw(first);
    },
  },
  {
    title: 'a suspension and its end answer their requests',
    calls: 5,
    full: true,
    async run(api) {
      const [service] = await api.createServices({});
      const data = { request_status: 'accepted', operator_review: false, is_final: false };
      const overdue = post(`/v1/services/${service}/suspend`, { reason: 'Overdue' });
      await api.expectSuccess(overdue, { data: { ...data, type: 'service-suspension', reason: 'Overdue' } });
      await api.advanceClock(10);
      await api.expectSuccess(unsuspend(service as number), { data: { ...data, type: 'service-unsuspension' } });
    },
  },
];

/** Contract, section 6: cancel, suspend and unsuspend. */
export const cancellations: Section = {
  name: 'cancellations and suspensions',
  checks: [
    ...failureChecks([
      ['cancelling a cancelled service', cancel(900004), invalidState('service_cancelled')],
      ['cancelling a terminated service', cancel(900005), invalidState('service_terminated')],
      [
        'cancelling twice',
        cancel(900015),
        invalidState('cancellation_scheduled', { request_id: 'req_test_sample_accepted' }),
      ],
      ['the end of an hourly term', cancel(900010), invalidParameter('end_of_term_not_available')],
      ['suspending a suspended service', suspend(900019), invalidState('service_suspended')],
      ['suspending a pending service', suspend(900016), invalidState('service_not_active')],
      ['unsuspending an active service', unsuspend(900010), invalidState('service_not_suspended')],
      ["lifting the operator's suspension", unsuspend(900019), invalidState('suspended_by_operator')],
    ]),
    ...failureChecks(
      [
        ['suspending a cancelled service', suspend(900004), invalidState('service_cancelled')],
        ['suspending a terminated service', suspend(900005), invalidState('service_terminated')],
        ['unsuspending a cancelled service', unsuspend(900004), invalidState('service_cancelled')],
        ['unsuspending a terminated service', unsuspend(900005), invalidState('service_terminated')],
        [
          'too long a reason',
          post('/v1/services/900001/cancel', { reason: 'x'.repeat(1001) }),
          invalidParameter(undefined, { fields: [{ path: 'body.reason', rule: 'too_long' }] }),
        ],
        [
          'a reason of an unsuspension',
          post('/v1/services/900014/unsuspend', { reason: 'x' }),
          invalidParameter(undefined, { fields: [{ path: 'body.reason', rule: 'unknown' }] }),
        ],
        [
          'another kind of cancellation',
          cancel(900001, 'soon'),
          invalidParameter(undefined, { fields: [{ path: 'body.cancellation_type', rule: 'enum' }] }),
        ],
      ],
      { full: true },
    ),
    ...suspensions,
    {
      title: 'a cancellation takes effect at the end of the term by default, or at once',
      calls: 8,
      full: true,
      async run(api) {
        const [first, second, hourly] = (await api.createServices({}, {}, { plan: 'flex-hourly' })) as [
          number,
          number,
          number,
        ];
        for (const [call, cancellation_type] of [
          [cancel(first), 'end_of_term'],
          [cancel(second, 'immediate'), 'immediate'],
          [cancel(900014, 'immediate'), 'immediate'],
          [cancel(hourly, 'immediate'), 'immediate'],
        ] as const) {
          const data = { type: 'cancellation', request_status: 'accepted', cancellation_type, reason: null };
          const answer = await api.expectSuccess(call, { data });
          const [effective, submitted] = ['effective_date', 'submitted_date'].map((name) =>
            String(at(answer.json, `data.${name}`)),
          ) as [string, string];
          const isRight = cancellation_type === 'immediate' ? effective === submitted : effective > submitted;
          api.ok(isRight, `${cancellation_type} takes effect on ${effective}`, answer);
        }
      },
    },
    {
      title: 'a cancellation closes an open creation, and cannot be withdrawn then',
      calls: 3,
      async run(api) {
        const closing = await api.expectSuccess(cancel(900016));
        await api.expectSuccess(get('/v1/requests/req_test_sample_creation'), {
          data: { request_status: 'failed', failure: { reason: 'service_cancelled' } },
        });
        const path = `/v1/requests/${at(closing.json, 'data.request_id')}/withdraw`;
        await api.expectFailure(post(path), invalidState('creation_closed'));
      },
    },
  ],
};
