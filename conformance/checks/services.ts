import {
  emailFailed,
  failureChecks,
  fields,
  invalidParameter,
  invalidState,
  missingParameter,
  type Section,
} from '../check.ts';
import { get, post } from '../http.ts';
import { at, listAt } from '../json.ts';

const warning = (service: number) =>
  post(`/v1/services/${service}/cancellation-warning`, { warningReason: 'An invoice is overdue.' });
const creation = { plan: 'starter', client: { name: 'Ada Example', email: 'ada@example.com' } };
const create = (more: object) => post('/v1/services', { ...creation, ...more });
const update = (service: number, body: object) => post(`/v1/services/${service}/update`, body);
const plan = (slug: string, upgrade_rank: number, billing_type: string) => ({
  id: `pln_test_${slug}`,
  slug,
  upgrade_rank,
  billing_type,
});
const PLANS = [
  plan('starter', 10, 'monthly'),
  plan('business', 20, 'monthly'),
  plan('enterprise', 30, 'monthly'),
  plan('flex-hourly', 40, 'hourly'),
];
/** Rows of the sandbox, and a part of their records (contract, section 8). */
const SERVICES: ReadonlyArray<[number: number, part: object]> = [
  [900001, { service_status: 'active', plan: { slug: 'starter' } }],
  [900004, { service_status: 'cancelled' }],
  [900005, { service_status: 'terminated' }],
  [900006, { client: { email: null } }],
  [900010, { plan: { slug: 'flex-hourly' }, renewal_date: null }],
  [900012, { open_request: { request_id: 'req_test_sample_operator_review', request_status: 'operator_review' } }],
  [900014, { service_status: 'suspended', suspension: { suspended_by: 'broker' } }],
  [900015, { cancellation: { cancellation_type: 'end_of_term', request_id: 'req_test_sample_accepted' } }],
  [900016, { service_status: 'pending' }],
  [900019, { service_status: 'suspended', suspension: { suspended_by: 'operator' } }],
];

/** Contract, section 6: services, plans, creation, updates, warnings. */
export const services: Section = {
  name: 'services',
  checks: [
    {
      title: 'services are as the sandbox describes them, alone and in the list',
      calls: 1,
      async run(api) {
        const answer = await api.expectSuccess(get('/v1/services?limit=100'));
        const found = new Map(listAt(answer.json, 'data').map((service) => [service.service_number, service]));
        for (const [service_number, part] of SERVICES)
          api.isSuccess(
            { ...answer, json: { data: found.get(service_number) } },
            { data: { service_number, ...part } },
          );
      },
    },
    {
      title: 'a service by its number is the record of the list',
      calls: 11,
      full: true,
      async run(api) {
        const list = await api.get('/v1/services?limit=100');
        for (const [number] of SERVICES) {
          const listed = listAt(list.json, 'data').find(({ service_number }) => service_number === number);
          await api.expectSuccess(get(`/v1/services/${number}`), { data: listed });
        }
      },
    },
    {
      title: 'the four standard plans are listed by rank, and prices are decimal text',
      calls: 2,
      async run(api) {
        const { json } = await api.expectSuccess(get('/v1/plans'), { data: PLANS, pagination: { total: 4 } });
        for (const { id, price } of listAt(json, 'data'))
          api.ok(/^\d+\.\d\d$/.test(String(at(price, 'amount'))), `${id} costs ${at(price, 'amount')}`);
        await api.expectSuccess(get('/v1/services/900001'), { data: { price: at(json, 'data.0.price') } });
      },
    },
    ...failureChecks([
      ['creation on an unknown plan', create({ plan: 'none' }), invalidParameter('plan_not_available')],
      [
        'creation without a client',
        post('/v1/services', { plan: 'starter' }),
        missingParameter(undefined, fields(['body.client', 'required'])),
      ],
      ['an update without a change', update(900001, {}), missingParameter()],
      ['an update of a cancelled service', update(900004, { label: 'x' }), invalidState('service_cancelled')],
      ['an update of a terminated service', update(900005, { label: 'x' }), invalidState('service_terminated')],
      ['a warning about a cancelled service', warning(900004), invalidState('service_cancelled')],
      ['a warning about a terminated service', warning(900005), invalidState('service_terminated')],
      ['a warning to a client without an address', warning(900006), { code: 'missing_customer_email' }],
      ['a warning without a template', warning(900007), { code: 'template_not_found' }],
      ['a warning that the provider rejects', warning(900008), emailFailed('rejected')],
      ['a warning to an unreachable provider', warning(900021), emailFailed('unreachable')],
      ['a warning without a clear outcome', warning(900017), emailFailed('outcome_unknown', { retryable: false })],
    ]),
    ...failureChecks(
      [
        [
          'a client whose address is none',
          create({ client: { name: 'Ada', email: 'ada' } }),
          invalidParameter(undefined, fields(['body.client.email', 'format'])),
        ],
        [
          'a client with two addresses',
          create({ client: { name: 'Ada', email: 'a@example.com, b@example.com' } }),
          invalidParameter(undefined, fields(['body.client.email', 'format'])),
        ],
        [
          'too long a label',
          create({ label: 'x'.repeat(256) }),
          invalidParameter(undefined, fields(['body.label', 'too_long'])),
        ],
        [
          'too long a name',
          update(900001, { client: { name: 'x'.repeat(201) } }),
          invalidParameter(undefined, fields(['body.client.name', 'too_long'])),
        ],
        ['an update of an empty client', update(900001, { client: {} }), missingParameter()],
      ],
      { full: true },
    ),
    {
      title: 'a warning reports what was sent, for suspended services too, and without a saved history',
      calls: 3,
      full: true,
      async run(api) {
        const sent = { warning_reason: 'An invoice is overdue.' };
        for (const service_number of [900001, 900014])
          await api.expectSuccess(warning(service_number), { data: { ...sent, service_number } });
        await api.expectSuccess(warning(900009), { data: { ...sent, request_id: null } });
      },
    },
    {
      title: 'a new service is pending under a new number, and an update changes what it names',
      calls: 4,
      full: true,
      async run(api) {
        const body = { label: ' Shop ', external_reference: 'CRM-1' };
        const created = await api.expectSuccess(create(body), {
          status: 201,
          data: {
            type: 'service-creation',
            request_status: 'accepted',
            service_status: 'pending',
            is_final: false,
            new_plan: { slug: 'starter' },
          },
        });
        const number = Number(at(created.json, 'data.service_number'));
        api.ok(number >= 950_001, `its number is ${number}`, created);
        await api.expectSuccess(get(`/v1/services/${number}`), {
          data: { label: 'Shop', external_reference: 'CRM-1', service_status: 'pending' },
        });
        const changed = { label: null, external_reference: 'CRM-2', client: { name: 'Grace Example', email: null } };
        await api.expectSuccess(update(number, changed), { data: { service_number: number, ...changed } });
        await api.expectSuccess(update(number, { client: { name: 'Ada Example' } }), {
          data: { ...changed, client: { name: 'Ada Example', email: null } },
        });
      },
    },
  ],
};
