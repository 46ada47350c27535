import type { Section } from '../kit.ts';
import { at } from '../shapes.ts';
import { get, post } from '../wire.ts';
import {
  alreadyProcessed,
  fields,
  invalidParameter,
  invalidState,
  missingParameter,
  REQUEST_NOT_FOUND,
  refusal,
} from './refusals.ts';

const STATES: ReadonlyArray<[status: string, final: boolean]> = [
  ['pending', false],
  ['operator_review', false],
  ['accepted', false],
  ['completed', true],
  ['failed', true],
  ['approved', true],
  ['denied', true],
];
/** Work begins 5 s after its acceptance, and ends 10 s after it. */
const BEGUN_AFTER_SECONDS = 6;
const sample = (status: string) => `/v1/requests/req_test_sample_${status}`;
const decide = (status: string, action: 'approve' | 'deny' | 'withdraw') =>
  post(`${sample(status)}/${action}`, action === 'deny' ? { reason: 'An invoice is open.' } : {});

/** Contract, section 6, requests and reports. */
export const requests: Section = {
  name: 'requests',
  checks: [
    {
      title: 'there is a sample of every state, with its history',
      async run(probe) {
        for (const [request_status, is_final] of STATES) {
          const data = {
            request_id: `req_test_sample_${request_status}`,
            request_status,
            is_final,
            operator_review: request_status === 'operator_review',
          };
          const answer = await probe.succeeds(get(sample(request_status)), {
            status: 200,
            matches: { data },
          });
          const next = at(answer.json, 'data.next_check_seconds');
          probe.holds(
            is_final ? next === null : Number(next) >= 1 && Number(next) <= 3600,
            `next_check_seconds is ${next}`,
            answer,
          );
          probe.equal(at(answer.json, 'data.processed_date') !== null, is_final, 'whether it was processed', answer);
        }
      },
    },
    {
      title: 'fields of another type of request are absent',
      async run(probe) {
        const warning = await probe.succeeds(get(sample('approved')), {
          status: 200,
          matches: { data: { type: 'cancellation-warning' } },
        });
        probe.holds(typeof at(warning.json, 'data.warning_reason') === 'string', 'warning_reason is missing', warning);
        probe.equal(
          [at(warning.json, 'data.new_plan'), at(warning.json, 'data.cancellation_type')],
          [undefined, undefined],
          'other fields',
          warning,
        );
        const upgrade = await probe.succeeds(get(sample('pending')), {
          status: 200,
          matches: { data: { type: 'plan-upgrade', new_plan: { slug: 'business' } } },
        });
        probe.equal(at(upgrade.json, 'data.warning_reason'), undefined, 'warning_reason', upgrade);
      },
    },
    {
      title: 'an id that was never given is not found, whatever its shape',
      async run(probe) {
        for (const unknown of ['x', 'REQ_TEST_SAMPLE_PENDING', '%00']) {
          await probe.refuses(get(`/v1/requests/${unknown}`), REQUEST_NOT_FOUND);
        }
        await probe.refuses(post('/v1/requests/req_test_sample_other/approve', {}), REQUEST_NOT_FOUND);
      },
    },
    refusal(
      'a denial without a reason',
      post(`${sample('pending')}/deny`, {}),
      missingParameter(undefined, fields(['body.reason', 'required'])),
    ),
    {
      title: 'what was decided or done cannot be decided again, and says what was decided',
      async run(probe) {
        for (const status of ['accepted', 'completed', 'approved']) {
          await probe.refuses(
            decide(status, 'deny'),
            alreadyProcessed('request_already_processed', { request_status: status }),
          );
        }
        const details = {
          decision: { action: 'deny', decided_by: 'broker', reason: 'The client changed their mind.' },
        };
        await probe.refuses(decide('denied', 'approve'), alreadyProcessed('request_already_processed', details));
        await probe.refuses(
          decide('completed', 'approve'),
          alreadyProcessed('request_already_processed', { decision: null }),
        );
      },
    },
    refusal(
      'approving what the operator reviews',
      decide('operator_review', 'approve'),
      invalidState('awaiting_operator'),
    ),
    refusal('denying what the operator reviews', decide('operator_review', 'deny'), invalidState('awaiting_operator')),
    refusal(
      'withdrawing what waits for a decision',
      decide('pending', 'withdraw'),
      invalidState('awaiting_decision'),
      {},
    ),
    refusal(
      'withdrawing what is final',
      decide('denied', 'withdraw'),
      alreadyProcessed('request_already_processed'),
      {},
    ),
    {
      title: 'what clients ask for is approved or denied once',
      async run(probe) {
        const approved = {
          request_status: 'accepted',
          decision: { action: 'approve', decided_by: 'broker', reason: null },
        };
        await probe.succeeds(decide('pending', 'approve'), { status: 200, matches: { data: approved } });
        const decision = { action: 'deny', decided_by: 'broker', reason: 'An invoice is open.' };
        await probe.succeeds(decide('pending_cancellation', 'deny'), {
          status: 200,
          matches: { data: { request_status: 'denied', is_final: true, decision } },
        });
        await probe.refuses(decide('pending', 'deny'), alreadyProcessed('request_already_processed'));
        await probe.succeeds(get('/v1/services/900023'), { status: 200, matches: { data: { open_request: null } } });
      },
    },
    {
      title: 'what was asked for can be withdrawn while no work has begun',
      async run(probe) {
        const [service] = (await probe.services({})) as [number];
        const upgrade = post(`/v1/services/${service}/upgrade`, { new_plan: 'business' });
        const failure = { reason: 'withdrawn', service_usable: true, retryable: true };
        const withdrawn = await probe.withdraw(await probe.ask(upgrade));
        probe.isSuccess(withdrawn, {
          status: 200,
          matches: { data: { request_status: 'failed', is_final: true, failure } },
        });
        const { json } = await probe.ask(upgrade);
        await probe.pass(BEGUN_AFTER_SECONDS);
        const path = `/v1/requests/${at(json, 'data.request_id')}/withdraw`;
        await probe.refuses(post(path), invalidState('work_has_begun'));
        const decision = { action: 'deny', decided_by: 'broker', reason: 'withdrawn' };
        await probe.succeeds(decide('operator_review', 'withdraw'), {
          status: 200,
          matches: { data: { request_status: 'denied', decision } },
        });
      },
    },
    {
      title: 'reports are sent to the contact, and tell what they hold',
      async run(probe) {
        const data = { type: 'services-report', period_from: '2026-01-01T00:00:00.000Z', period_to: null };
        const body = { period_from: '2026-01-01', service_status: 'active' };
        const { json } = await probe.succeeds(post('/v1/reports/services', body), {
          status: 200,
          matches: { data },
        });
        const { json: list } = await probe.ask(get('/v1/services?service_status=active&created_from=2026-01-01'));
        probe.equal(at(json, 'data.row_count'), at(list, 'pagination.total'), 'rows of the report beside the list');
        await probe.succeeds(post('/v1/reports/invoices'), {
          status: 200,
          matches: { data: { type: 'invoices-report' } },
        });
      },
    },
    {
      title: 'reports go only to recipients on the list, and never backwards in time',
      async run(probe) {
        const strangers = { recipient_email: 'nobody@conformance.example' };
        for (const kind of ['services', 'invoices']) {
          await probe.refuses(post(`/v1/reports/${kind}`, strangers), invalidParameter('recipient_not_verified'));
          await probe.refuses(
            post(`/v1/reports/${kind}`, { period_from: '2026-02-01', period_to: '2026-01-01' }),
            invalidParameter(),
          );
          await probe.refuses(
            post(`/v1/reports/${kind}`, { recipient_email: 'no address' }),
            invalidParameter(undefined, fields(['body.recipient_email', 'format'])),
          );
        }
      },
    },
  ],
};
