import { type Check, failureChecks, fields, invalidParameter, invalidState, type Section } from '../check.ts';
import { get, post } from '../http.ts';
import { at } from '../json.ts';

const client = { name: 'Ada Example', email: 'ada@example.com' };
const order = (configuration: object) => post('/v1/services', { plan: 'starter', client, configuration });
const act = (service: number, action: string, configuration?: object) =>
  post(`/v1/services/${service}/actions`, { action, ...(configuration && { configuration }) });
const suspend = (service: number) => post(`/v1/services/${service}/suspend`);
const unsuspend = (service: number) => post(`/v1/services/${service}/unsuspend`);

const ACCEPTED = { type: 'service-action', request_status: 'accepted', operator_review: false, is_final: false };

const choices: Check[] = [
  {
    title: 'what is chosen for a service is filled in, kept, and the service has an address when its creation is done',
    calls: 5,
    async run(api) {
      const { json } = await api.expectSuccess(order({ hostname: 'shop.example.com' }), { status: 201 });
      const number = at(json, 'data.service_number');
      const configuration = { image: 'debian-13', hostname: 'shop.example.com' };
      await api.expectSuccess(get(`/v1/services/${number}`), {
        data: { configuration, access: null, expected: { service_status: 'active', plan: { slug: 'starter' } } },
      });
      await api.advanceClock(10);
      const { json: active } = await api.expectSuccess(get(`/v1/services/${number}`), {
        data: { configuration, expected: null, access: { hostname: 'shop.example.com', username: 'root' } },
      });
      const address = at(active, 'data.access.ip_addresses.0');
      const found = await api.get(`/v1/services?search=${address}`);
      const numbers = (at(found.json, 'data') as object[]).map((one) => at(one, 'service_number'));
      api.ok(numbers.includes(number), 'a search for its address does not find the service', found);
    },
  },
];

const actions: Check[] = [
  {
    title: 'an action is a request, and one at a time',
    calls: 4,
    async run(api) {
      const first = await api.expectSuccess(act(900001, 'reboot'), {
        data: { ...ACCEPTED, action: { name: 'reboot' }, configuration: {} },
      });
      const request_id = at(first.json, 'data.request_id');
      await api.expectFailure(act(900001, 'reinstall'), invalidState('action_in_progress', { request_id }));
      await api.expectSuccess(get('/v1/services/900001'), { data: { expected: { service_status: 'active' } } });
      await api.withdraw(first);
    },
  },
  {
    title: 'what was chosen for an action is the service’s when it is done',
    calls: 5,
    full: true,
    async run(api) {
      const [number] = await api.createServices({});
      await api.expectSuccess(act(number as number, 'reinstall', { image: 'alpine-4' }), {
        data: { ...ACCEPTED, configuration: { image: 'alpine-4' } },
      });
      await api.advanceClock(10);
      await api.expectSuccess(get(`/v1/services/${number}`), { data: { configuration: { image: 'alpine-4' } } });
    },
  },
  {
    title: 'an action that the operator reviews answers 202',
    calls: 2,
    async run(api) {
      const data = { type: 'service-action', request_status: 'operator_review', operator_review: true };
      await api.withdraw(await api.expectSuccess(act(900002, 'console'), { status: 202, data }));
    },
  },
];

const lastWord: Check = {
  title: 'the last word wins: the end of a suspension waits for it, and a suspension takes that end back',
  calls: 6,
  async run(api) {
    const first = await api.expectSuccess(suspend(900008), { data: { type: 'service-suspension' } });
    const second = await api.expectSuccess(unsuspend(900008), { data: { type: 'service-unsuspension' } });
    const [request_id, endId] = [first, second].map(({ json }) => at(json, 'data.request_id'));
    await api.expectSuccess(get('/v1/services/900008'), {
      data: {
        service_status: 'active',
        expected: { service_status: 'active' },
        open_requests: [{ request_id }, { request_id: endId }],
      },
    });
    await api.expectSuccess(suspend(900008), { data: { request_id } });
    await api.expectSuccess(get(`/v1/requests/${endId}`), {
      data: { request_status: 'failed', failure: { reason: 'superseded' } },
    });
    await api.withdraw(first);
  },
};

const credentials: Check = {
  title: 'credentials are read where a service has them, and no other answer holds them',
  calls: 5,
  async run(api) {
    const answer = await api.expectSuccess(get('/v1/services/900001/credentials'), {
      data: { service_number: 900001 },
    });
    const secrets = (at(answer.json, 'data.credentials') as object[])
      .flatMap((one) => [at(one, 'password'), at(one, 'private_key')])
      .filter((secret) => typeof secret === 'string');
    api.ok(secrets.length > 0, 'there is no password among them', answer);
    for (const path of ['/v1/services/900001', '/v1/services?limit=100', '/v1/requests?limit=100', '/v1/sandbox']) {
      const other = await api.get(path);
      const text = other.raw.toString();
      api.ok(!secrets.some((secret) => text.includes(String(secret))), `${path} holds a credential`, other);
    }
  },
};

const consumption: Check = {
  title: 'what services consumed is listed by service number, in decimal text',
  calls: 2,
  async run(api) {
    const used = { service_number: 900001, disk_gb_used: '12.5', transfer_gb_used: '340.125' };
    const { json } = await api.expectSuccess(get('/v1/consumption'), { pagination: { total: 3 } });
    const numbers = (at(json, 'data') as object[]).map((one) => at(one, 'service_number'));
    api.equal(numbers, [900001, 900002, 900003], 'the order');
    await api.expectSuccess(get('/v1/consumption?service_number=900001'), { data: [used] });
  },
};

/** Contract, section 12: what can be chosen for a service, how its client reaches it, and what it can do. */
export const offers: Section = {
  name: 'configuration, access and actions',
  checks: [
    ...failureChecks([
      [
        'a choice that the plan has not',
        order({ image: 'windows' }),
        invalidParameter(undefined, fields(['body.configuration.image', 'enum'])),
      ],
      [
        'an option that the plan has not',
        order({ colour: 'red' }),
        invalidParameter(undefined, fields(['body.configuration.colour', 'unknown'])),
      ],
      ['an action that the plan has not', act(900001, 'dance'), invalidParameter('action_not_available')],
      ['an action of a cancelled service', act(900004, 'reboot'), invalidState('service_cancelled')],
      ['an action of a suspended service', act(900019, 'reboot'), invalidState('service_not_active')],
      [
        'a configuration that the action has not',
        act(900001, 'reinstall', { image: 'windows' }),
        invalidParameter(undefined, fields(['body.configuration.image', 'enum'])),
      ],
    ]),
    ...failureChecks([
      [
        'the credentials of a cancelled service',
        get('/v1/services/900004/credentials'),
        invalidState('service_cancelled'),
      ],
      [
        'the credentials of a pending service',
        get('/v1/services/900016/credentials'),
        invalidState('service_not_active'),
      ],
      [
        'the credentials of a service that has none',
        get('/v1/services/900024/credentials'),
        invalidState('credentials_not_available'),
      ],
    ]),
    ...choices,
    ...actions,
    lastWord,
    credentials,
    consumption,
  ],
};
