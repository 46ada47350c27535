import type { Check, Probe, Section } from '../kit.ts';
import { at, listAt } from '../shapes.ts';
import { get } from '../wire.ts';
import { fields, invalidParameter } from './refusals.ts';

type Item = Record<string, unknown>;

const LISTS: ReadonlyArray<{ path: string; id: string }> = [
  { path: '/v1/services', id: 'service_number' },
  { path: '/v1/requests', id: 'request_id' },
];

/** Every item of a list; the sandbox's are never more than one page. */
async function whole(probe: Probe, path: string): Promise<Item[]> {
  const answer = await probe.succeeds(get(`${path}?limit=100`), { status: 200 });
  return listAt(answer.json, 'data') as Item[];
}

const walks = ({ path, id }: (typeof LISTS)[number]): Check => ({
  title: `${path}: pages add up to the whole, in one order, whichever pair names them`,
  async run(probe) {
    const all = (await whole(probe, path)).map((item) => item[id]);
    probe.equal(new Set(all).size, all.length, 'different items');
    const size = Math.max(1, Math.ceil(all.length / 2));
    const byOffset: unknown[] = [];
    const byPage: unknown[] = [];
    for (let page = 1; page <= 2; page++) {
      const offset = (page - 1) * size;
      const pagination = { page, perPage: size, total: all.length, totalPages: Math.ceil(all.length / size) };
      for (const [query, collected] of [
        [`limit=${size}&offset=${offset}`, byOffset],
        [`page=${page}&perPage=${size}`, byPage],
      ] as const) {
        const answer = await probe.succeeds(get(`${path}?${query}`), { status: 200, matches: { pagination } });
        collected.push(...(listAt(answer.json, 'data') as Item[]).map((item) => item[id]));
      }
    }
    probe.equal(byOffset, all, 'the items by limit and offset');
    probe.equal(byPage, all, 'the items by page and perPage');
    const pagination = { page: Math.floor(2 ** 31 - 1), perPage: 1, total: all.length };
    await probe.succeeds(get(`${path}?page=2147483647&perPage=1`), { status: 200, matches: { data: [], pagination } });
    const between = await probe.succeeds(get(`${path}?limit=3&offset=4`), { status: 200 });
    probe.equal(at(between.json, 'pagination.page'), 2, 'the page of an offset between two pages', between);
    const usual = await probe.succeeds(get(path), { status: 200 });
    probe.equal(at(usual.json, 'pagination.perPage'), 25, 'perPage unless told', usual);
  },
});

const refusals: Check = {
  live: true,
  title: 'paging is refused out of range, mixed, repeated or unknown; never clamped',
  async run(probe) {
    for (const [query, ...faults] of [
      ['limit=0', ['query.limit', 'range']],
      ['limit=101', ['query.limit', 'range']],
      ['page=0', ['query.page', 'range']],
      ['limit=1&limit=1', ['query.limit', 'repeated']],
      ['unknown=1', ['query.unknown', 'unknown']],
    ] as const) {
      await probe.refuses(
        get(`/v1/plans?${query}`),
        invalidParameter(undefined, fields(...faults.map(([path, rule]): [string, string] => [path, rule]))),
      );
    }
    for (const query of ['limit=1&page=1']) {
      const answer = await probe.refuses(get(`/v1/plans?${query}`), invalidParameter());
      const rules = listAt(answer.json, 'error.details.fields').map((fault) => (fault as Item).rule);
      probe.holds(rules.includes('conflict'), 'no conflict is named', answer);
    }
  },
};

interface Filter {
  query: string;
  holds(item: Item): boolean;
}

/** Each filter against the whole list, which says what it has to find. */
const filters = (path: string, id: string, filtersOf: (all: Item[]) => Filter[]): Check => ({
  title: `${path}: every filter finds what it names, all of it and nothing else`,
  async run(probe) {
    const all = await whole(probe, path);
    for (const { query, holds } of filtersOf(all)) {
      const answer = await probe.succeeds(get(`${path}?limit=100&${query}`), { status: 200 });
      const found = (listAt(answer.json, 'data') as Item[]).map((item) => item[id]);
      const expected = all.filter(holds).map((item) => item[id]);
      // Another order is what some filters bring.
      probe.equal(found.map(String).sort(), expected.map(String).sort(), `what ${query} finds`, answer);
    }
  },
});

const nth = (all: Item[], part: number): Item => all[Math.floor(all.length * part)] as Item;
const text = (item: Item, path: string): string => String(at(item, path));
const encoded = (item: Item, path: string): string => encodeURIComponent(text(item, path));

const serviceFilters = (all: Item[]): Filter[] => {
  const [some, other] = [nth(all, 0.3), nth(all, 0.7)];
  return [
    ...['active', 'cancelled'].map((status) => ({
      query: `service_status=${status}`,
      holds: (item: Item) => item.service_status === status,
    })),
    { query: 'billing_type=hourly', holds: (item) => at(item, 'plan.billing_type') === 'hourly' },
    { query: 'plan=starter', holds: (item) => at(item, 'plan.slug') === 'starter' },
    { query: 'plan=pln_test_enterprise', holds: (item) => at(item, 'plan.slug') === 'enterprise' },
    {
      query: `client_email=${encoded(some, 'client.email').toUpperCase()}`,
      holds: (item) => text(item, 'client.email') === text(some, 'client.email'),
    },
    {
      query: `search=${encoded(some, 'label').toUpperCase()}`,
      holds: (item) => text(item, 'label').includes(text(some, 'label')),
    },
    { query: 'search=%25%25%25', holds: () => false },
    {
      query: `created_from=${text(some, 'created_date')}`,
      holds: (item) => text(item, 'created_date') >= text(some, 'created_date'),
    },
    {
      query: `created_to=${text(some, 'created_date')}`,
      holds: (item) => text(item, 'created_date') < text(some, 'created_date'),
    },
    {
      query: `renewal_before=2099-12-31`,
      holds: (item) => item.renewal_date !== null && text(item, 'renewal_date') < '2099-12-31',
    },
    {
      query: `updated_since=${text(other, 'updated_date')}`,
      holds: (item) => text(item, 'updated_date') >= text(other, 'updated_date'),
    },
  ];
};

const requestFilters = (all: Item[]): Filter[] => {
  const some = nth(all, 0.5);
  return [
    ...['cancellation-warning', 'plan-upgrade'].map((type) => ({
      query: `type=${type}`,
      holds: (item: Item) => item.type === type,
    })),
    ...['accepted', 'denied'].map((status) => ({
      query: `request_status=${status}`,
      holds: (item: Item) => item.request_status === status,
    })),
    { query: 'operator_review=true', holds: (item) => item.operator_review === true },
    {
      query: `service_number=0${text(some, 'service_number')}`,
      holds: (item) => item.service_number === at(some, 'service_number'),
    },
    {
      query: `submitted_from=${text(some, 'submitted_date')}`,
      holds: (item) => text(item, 'submitted_date') >= text(some, 'submitted_date'),
    },
    {
      query: `submitted_to=${text(some, 'submitted_date')}`,
      holds: (item) => text(item, 'submitted_date') < text(some, 'submitted_date'),
    },
    {
      query: `updated_since=${text(some, 'updated_date')}`,
      holds: (item) => text(item, 'updated_date') >= text(some, 'updated_date'),
    },
  ];
};

/** Contract, section 6, lists. */
export const lists: Section = {
  name: 'lists',
  checks: [
    ...LISTS.map(walks),
    refusals,
    {
      title: 'services come newest first, plans by rank, requests newest first',
      async run(probe) {
        const services = (await whole(probe, '/v1/services')).map(
          (item) => `${item.created_date} ${String(item.service_number).padStart(16, '0')}`,
        );
        probe.equal(services, services.toSorted().reverse(), 'the services by date and number');
        const ranks = (await whole(probe, '/v1/plans')).map((item) => Number(item.upgrade_rank));
        probe.equal(
          ranks,
          ranks.toSorted((a, b) => a - b),
          'the ranks',
        );
        const dates = (await whole(probe, '/v1/requests')).map((item) => String(item.submitted_date));
        probe.equal(dates, dates.toSorted().reverse(), 'the dates of the requests');
      },
    },
    filters('/v1/services', 'service_number', serviceFilters),
    filters('/v1/requests', 'request_id', requestFilters),
    filters('/v1/plans', 'id', () => [
      { query: 'billing_type=hourly', holds: (item) => item.billing_type === 'hourly' },
      { query: 'billing_type=monthly', holds: (item) => item.billing_type === 'monthly' },
    ]),
    {
      live: true,
      title: 'a filter with a value that it does not know is refused',
      async run(probe) {
        for (const [query, path, rule] of [
          ['service_status=gone', 'query.service_status', 'enum'],
          ['search=ab', 'query.search', 'range'],
          ['created_from=2026-02-30', 'query.created_from', 'format'],
          ['created_from=2026-01-01T00:00:00', 'query.created_from', 'format'],
          ['service_status=active&service_status=pending', 'query.service_status', 'repeated'],
        ] as const) {
          const answer = await probe.refuses(
            get(`/v1/services?${query}`),
            invalidParameter(undefined, { fields: [{ path }] }),
          );
          if (path !== 'query.search')
            probe.equal(at(answer.json, 'error.details.fields.0.rule'), rule, 'the rule', answer);
        }
        await probe.refuses(get('/v1/services?created_from=2026-02-01&created_to=2026-01-01'), invalidParameter());
      },
    },
    {
      title: 'a copy that asks for what changed gets every service once, oldest change first',
      async run(probe) {
        const all = (await whole(probe, '/v1/services')).map((item) => Number(item.service_number));
        const seen: Item[] = [];
        let query = 'updated_since=1970-01-01';
        for (let page = 0; page <= all.length; page++) {
          const answer = await probe.succeeds(get(`/v1/services?limit=20&${query}`), { status: 200 });
          const items = listAt(answer.json, 'data') as Item[];
          seen.push(...items);
          const last = items.at(-1);
          if (!last) break;
          query = `updated_since=${last.updated_date}&after_number=${last.service_number}`;
        }
        const numbers = seen.map((item) => Number(item.service_number));
        probe.equal(
          numbers.toSorted((a, b) => a - b),
          all.toSorted((a, b) => a - b),
          'the services of the copy',
        );
        const timestamps = seen.map((item) => String(item.updated_date));
        probe.equal(timestamps, timestamps.toSorted(), 'the timestamps of change');
      },
    },
  ],
};
