import type { Check, Section } from '../kit.ts';
import { at, listAt } from '../shapes.ts';
import { type Ask, get, post } from '../wire.ts';
import { plain } from './refusals.ts';

const NAMING: ReadonlyArray<(service: number) => Ask> = [
  (service) => get(`/v1/services/${service}`),
  (service) => post(`/v1/services/${service}/upgrade`, { new_plan: 'business' }),
  (service) => post(`/v1/services/${service}/cancellation-warning`, { warningReason: 'x' }),
];

const everywhere = (service: number, status: number, code: string, more?: object): Check => ({
  title: `${service} answers ${status} ${code} on every operation that names it`,
  async run(probe) {
    for (const ask of NAMING) {
      const answer = await probe.refuses(ask(service), { ...plain(status, code), ...more });
      if (status === 429) probe.equal(answer.headers['retry-after'], '1', 'retry-after', answer);
    }
  },
});

const SERVICES = [
  900001, 900002, 900003, 900004, 900005, 900006, 900007, 900008, 900009, 900010, 900011, 900012, 900013, 900014,
  900015, 900016, 900017, 900018, 900019, 900021, 900022, 900023, 900429, 900500,
];

/** Contract, section 8: what can be provoked, and where it is published. */
export const failures: Section = {
  name: 'sandbox',
  fast: true,
  checks: [
    everywhere(900429, 429, 'rate_limit_exceeded', {
      message: 'Rate limit exceeded',
      details: { retry_after_seconds: 1 },
    }),
    everywhere(900500, 500, 'server_error'),
    {
      title: 'the scenarios publish every service, sample request and plan',
      async run(probe) {
        const answer = await probe.succeeds(get('/v1/sandbox/scenarios?limit=100'), { status: 200 });
        const items = listAt(answer.json, 'data');
        const published = items.map((item) => at(item, 'service_number'));
        for (const service of SERVICES) probe.holds(published.includes(service), `${service} is not published`, answer);
        for (const [kind, least] of [
          ['request', 7],
          ['plan', 4],
        ] as const) {
          probe.holds(
            items.filter((item) => at(item, 'kind') === kind).length >= least,
            `there are fewer than ${least} of the kind ${kind}`,
            answer,
          );
        }
      },
    },
    {
      title: 'services that only fail stand in no list',
      async run(probe) {
        const answer = await probe.ask(get('/v1/services?limit=100'));
        const numbers = listAt(answer.json, 'data').map((item) => at(item, 'service_number'));
        probe.equal(
          [numbers.includes(900429), numbers.includes(900500), numbers.includes(900019)],
          [false, false, true],
          'whether 900429, 900500, 900019 are listed',
          answer,
        );
      },
    },
  ],
};
