import type { Section } from '../kit.ts';
import { at, listAt } from '../shapes.ts';
import { get, post } from '../wire.ts';
import { emailFailed, fields, invalidParameter, invalidState, missingParameter, plain, refusal } from './refusals.ts';

const STATUSES: ReadonlyArray<[service: number, status: string]> = [
  [900001, 'active'],
  [900004, 'cancelled'],
  [900005, 'terminated'],
  [900014, 'suspended'],
  [900015, 'active'],
  [900016, 'pending'],
  [900019, 'suspended'],
];

const warning = (service: number) =>
  post(`/v1/services/${service}/cancellation-warning`, { warningReason: 'An invoice is overdue.' });
const creation = { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } };
const update = (service: number, body: object) => post(`/v1/services/${service}/update`, body);

/** Contract, section 6: services, creation, updates, warnings. */
export const services: Section = {
  name: 'services',
  checks: [
    {
      title: 'services are as the sandbox describes them',
      async run(probe) {
        for (const [service_number, service_status] of STATUSES) {
          await probe.succeeds(get(`/v1/services/${service_number}`), {
            status: 200,
            matches: { data: { service_number, service_status } },
          });
        }
        await probe.succeeds(get('/v1/services/900006'), {
          status: 200,
          matches: { data: { client: { email: null } } },
        });
        await probe.succeeds(get('/v1/services/900010'), {
          status: 200,
          matches: { data: { plan: { slug: 'flex-hourly' }, renewal_date: null } },
        });
        const scheduled = {
          cancellation: { cancellation_type: 'end_of_term', request_id: 'req_test_sample_accepted' },
          open_request: { type: 'cancellation', request_status: 'accepted' },
        };
        await probe.succeeds(get('/v1/services/900015'), { status: 200, matches: { data: scheduled } });
        await probe.succeeds(get('/v1/services/900012'), {
          status: 200,
          matches: {
            data: {
              open_request: { request_id: 'req_test_sample_operator_review', request_status: 'operator_review' },
            },
          },
        });
      },
    },
    {
      title: 'prices are the decimal text that was imported',
      async run(probe) {
        const plans = listAt((await probe.get('/v1/plans')).json, 'data');
        for (const plan of plans)
          probe.holds(
            /^\d+\.\d\d$/.test(String(at(plan, 'price.amount'))),
            `${at(plan, 'id')} costs ${at(plan, 'price.amount')}`,
          );
        await probe.succeeds(get('/v1/services/900001'), {
          status: 200,
          matches: { data: { price: at(plans[0], 'price') } },
        });
      },
    },
    {
      title: 'the four standard plans are the catalog',
      async run(probe) {
        const plan = (slug: string, upgrade_rank: number, billing_type: string) => ({
          id: `pln_test_${slug}`,
          slug,
          upgrade_rank,
          billing_type,
        });
        const data = [
          plan('starter', 10, 'monthly'),
          plan('business', 20, 'monthly'),
          plan('enterprise', 30, 'monthly'),
          plan('flex-hourly', 40, 'hourly'),
        ];
        await probe.succeeds(get('/v1/plans'), { status: 200, matches: { data } });
      },
    },
    {
      title: 'creation answers 201 with the request and the number of the new service',
      async run(probe) {
        const body = { ...creation, label: ' Shop ', external_reference: 'CRM-1' };
        const data = {
          type: 'service-creation',
          request_status: 'accepted',
          service_status: 'pending',
          is_final: false,
          new_plan: { slug: 'starter' },
        };
        const { json } = await probe.succeeds(post('/v1/services', body), {
          status: 201,
          matches: { data },
        });
        const number = Number(at(json, 'data.service_number'));
        probe.holds(number >= 950_001, `its number is ${number}`);
        await probe.succeeds(get(`/v1/services/${number}`), {
          status: 200,
          matches: { data: { label: 'Shop', external_reference: 'CRM-1', service_status: 'pending' } },
        });
      },
    },
    refusal(
      'creation on a plan that there is not',
      post('/v1/services', { ...creation, plan: 'none' }),
      invalidParameter('plan_not_available'),
    ),
    refusal(
      'creation without a client',
      post('/v1/services', { plan: 'starter' }),
      missingParameter(undefined, fields(['body.client', 'required'])),
    ),
    {
      title: 'creation takes one address for the client and nothing else',
      async run(probe) {
        for (const email of ['ada', 'a@example.com, b@example.com']) {
          const refused = invalidParameter(undefined, fields(['body.client.email', 'format']));
          await probe.refuses(post('/v1/services', { ...creation, client: { name: 'Ada', email } }), refused);
        }
        const long = {
          ...creation,
          label: 'x'.repeat(256),
          client: { name: 'x'.repeat(201), email: 'ada@example.com' },
        };
        await probe.refuses(post('/v1/services', long), invalidParameter());
      },
    },
    {
      title: 'an update answers the record as it then is',
      async run(probe) {
        const [service] = (await probe.services({})) as [number];
        const changed = { label: 'Shop', external_reference: null, client: { name: 'Grace Example', email: null } };
        await probe.succeeds(update(service, changed), {
          status: 200,
          matches: { data: { service_number: service, ...changed } },
        });
        await probe.succeeds(update(service, { client: { name: 'Grace Example' } }), {
          status: 200,
          matches: { data: { client: { name: 'Grace Example' } } },
        });
      },
    },
    refusal('an update without a change', post('/v1/services/900001/update', {}), missingParameter(), {}),
    refusal('an update of an empty client', update(900001, { client: {} }), missingParameter()),
    refusal('an update of a cancelled service', update(900004, { label: 'x' }), invalidState('service_cancelled'), {}),
    refusal(
      'an update of a terminated service',
      update(900005, { label: 'x' }),
      invalidState('service_terminated'),
      {},
    ),
    {
      title: 'a warning answers what was sent, for suspended services too',
      async run(probe) {
        const data = { warning_reason: 'An invoice is overdue.' };
        for (const service_number of [900001, 900014]) {
          await probe.succeeds(warning(service_number), {
            status: 200,
            matches: { data: { ...data, service_number } },
          });
        }
        await probe.succeeds(warning(900009), {
          status: 200,
          matches: { data: { ...data, request_id: null } },
        });
      },
    },
    refusal('a warning about a cancelled service', warning(900004), invalidState('service_cancelled')),
    refusal('a warning about a terminated service', warning(900005), invalidState('service_terminated')),
    refusal('a warning to a client without an address', warning(900006), plain(400, 'missing_customer_email')),
    refusal('a warning without a template', warning(900007), plain(400, 'template_not_found')),
    {
      title: 'a warning that cannot be sent says why, and whether to try again',
      async run(probe) {
        const answer = await probe.ask(warning(900008));
        const reason = String(at(answer.json, 'error.details.reason'));
        probe.isRefusal(answer, emailFailed(reason));
        probe.holds(['rejected', 'unreachable'].includes(reason), `the reason is ${reason}`, answer);
        probe.holds(typeof at(answer.json, 'error.details.retryable') === 'boolean', 'retryable is no flag', answer);
        probe.holds(at(answer.json, 'error.details.provider_code') !== undefined, 'provider_code is missing', answer);
      },
    },
    refusal(
      'a warning whose outcome is unknown',
      warning(900017),
      emailFailed('outcome_unknown', { retryable: false }),
    ),
  ],
};
