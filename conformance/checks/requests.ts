import {
  alreadyProcessed,
  failureChecks,
  fields,
  invalidParameter,
  invalidState,
  missingParameter,
  REQUEST_NOT_FOUND,
  type Section,
} from '../check.ts';
import { get, post } from '../http.ts';
import { at } from '../json.ts';

const STATES: ReadonlyArray<[status: string, final: boolean]> = [
  ['pending', false],
  ['operator_review', false],
  ['accepted', false],
  ['completed', true],
  ['failed', true],
  ['approved', true],
  ['denied', true],
];
const sample = (status: string) => `/v1/requests/req_test_sample_${status}`;
const decide = (status: string, action: 'approve' | 'deny' | 'withdraw') =>
  post(`${sample(status)}/${action}`, action === 'deny' ? { reason: 'An invoice is open.' } : {});
const processed = (details?: object) => alreadyProcessed('request_already_processed', details);
const report = (kind: string, body: object) => post(`/v1/reports/${kind}`, body);

/** Contract, section 6, requests. */
export const requests: Section = {
  name: 'requests',
  checks: [
    ...failureChecks([
      ['an unknown request', get('/v1/requests/x'), REQUEST_NOT_FOUND],
      [
        'a denial without a reason',
        post(`${sample('pending')}/deny`, {}),
        missingParameter(undefined, fields(['body.reason', 'required'])),
      ],
      [
        'deciding what was denied',
        decide('denied', 'approve'),
        processed({ decision: { action: 'deny', decided_by: 'broker', reason: 'The client changed their mind.' } }),
      ],
      ['approving under review', decide('operator_review', 'approve'), invalidState('awaiting_operator')],
      ['withdrawing before a decision', decide('pending', 'withdraw'), invalidState('awaiting_decision')],
    ]),
    ...failureChecks(
      [
        ['an id in other case', get('/v1/requests/REQ_TEST_SAMPLE_PENDING'), REQUEST_NOT_FOUND],
        ['an id of U+0000', get('/v1/requests/%00'), REQUEST_NOT_FOUND],
        ['approving an unknown request', post('/v1/requests/req_test_sample_other/approve', {}), REQUEST_NOT_FOUND],
        ['denying what was accepted', decide('accepted', 'deny'), processed({ request_status: 'accepted' })],
        ['denying what was completed', decide('completed', 'deny'), processed({ request_status: 'completed' })],
        ['denying a warning', decide('approved', 'deny'), processed({ request_status: 'approved' })],
        ['approving what needed no decision', decide('completed', 'approve'), processed({ decision: null })],
        ['denying under review', decide('operator_review', 'deny'), invalidState('awaiting_operator')],
        ['withdrawing what is final', decide('denied', 'withdraw'), processed()],
      ],
      { full: true },
    ),
    {
      title: 'each state has a sample, which says whether it is final and when to check again',
      calls: 7,
      full: true,
      async run(api) {
        for (const [request_status, is_final] of STATES) {
          const request_id = `req_test_sample_${request_status}`;
          const operator_review = request_status === 'operator_review';
          const data = { request_id, request_status, is_final, operator_review };
          const answer = await api.expectSuccess(get(sample(request_status)), { data });
          const next = at(answer.json, 'data.next_check_seconds');
          const isRight = is_final ? next === null : Number(next) >= 1 && Number(next) <= 3600;
          api.ok(isRight, `next_check_seconds is ${next}`, answer);
          api.equal(at(answer.json, 'data.processed_date') !== null, is_final, 'whether it was processed', answer);
        }
      },
    },
    {
      title: "a client's request is denied once, and is then closed on the service",
      calls: 3,
      full: true,
      async run(api) {
        const decision = { action: 'deny', decided_by: 'broker', reason: 'An invoice is open.' };
        const data = { request_status: 'denied', is_final: true, decision };
        await api.expectSuccess(decide('pending_cancellation', 'deny'), { data });
        await api.expectFailure(decide('pending_cancellation', 'approve'), processed({ decision }));
        await api.expectSuccess(get('/v1/services/900023'), { data: { open_request: null } });
      },
    },
    {
      title: 'a withdrawal fails what was accepted, and denies what is under review',
      calls: 3,
      full: true,
      async run(api) {
        const upgrade = await api.call(post('/v1/services/900001/upgrade', { new_plan: 'business' }));
        const failure = { reason: 'withdrawn', service_usable: true, retryable: true };
        api.isSuccess(await api.withdraw(upgrade), { data: { request_status: 'failed', is_final: true, failure } });
        const decision = { action: 'deny', decided_by: 'broker', reason: 'withdrawn' };
        await api.expectSuccess(decide('operator_review', 'withdraw'), {
          data: { request_status: 'denied', decision },
        });
      },
    },
  ],
};

const strangers = { recipient_email: 'nobody@conformance.example' };
const backwards = { period_from: '2026-02-01', period_to: '2026-01-01' };

/** Contract, section 6, reports. */
export const reports: Section = {
  name: 'reports',
  checks: [
    ...failureChecks([
      ['a recipient who is not verified', report('services', strangers), invalidParameter('recipient_not_verified')],
    ]),
    ...failureChecks(
      [
        ['another recipient of invoices', report('invoices', strangers), invalidParameter('recipient_not_verified')],
        ['a period that ends before it begins', report('services', backwards), invalidParameter()],
        ['such a period of invoices', report('invoices', backwards), invalidParameter()],
        [
          'a recipient without an address',
          report('services', { recipient_email: 'no address' }),
          invalidParameter(undefined, fields(['body.recipient_email', 'format'])),
        ],
      ],
      { full: true },
    ),
    {
      title: 'a report goes to the contact, and has as many rows as the list',
      calls: 3,
      full: true,
      async run(api) {
        const body = { period_from: '2026-01-01', service_status: 'active' };
        const { json } = await api.expectSuccess(report('services', body), {
          data: { type: 'services-report', period_from: '2026-01-01T00:00:00.000Z', period_to: null },
        });
        const list = await api.get('/v1/services?service_status=active&created_from=2026-01-01');
        api.equal(at(json, 'data.row_count'), at(list.json, 'pagination.total'), 'rows of the report, and of the list');
        await api.expectSuccess(post('/v1/reports/invoices'), { data: { type: 'invoices-report', row_count: 0 } });
      },
    },
  ],
};
