import type { Api } from '../api.ts';
import { type Check, failureChecks, fields, invalidParameter, type Section } from '../check.ts';
import { get } from '../http.ts';
import { at, type Item, listAt } from '../json.ts';

interface Filter {
  query: string;
  /** Whether the filter has to find an item of the whole list. */
  finds(item: Item): boolean;
}

interface List {
  path: string;
  id: string;
  filters(all: Item[]): Filter[];
}

const middle = (all: Item[]): Item => all[Math.floor(all.length / 2)] as Item;
const text = (item: Item, path: string): string => String(at(item, path));
const encoded = (item: Item, path: string): string => encodeURIComponent(text(item, path));
/** Filters by one value of an enumeration. */
const byWord = (name: string, value: string, path = name): Filter => ({
  query: `${name}=${value}`,
  finds: (item) => text(item, path) === value,
});
/** Filters from a date and to it; those of an item of the middle divide the list. */
const byDate = (name: string, field: string, date: string, includes: boolean): Filter => ({
  query: `${name}=${date}`,
  finds: (item) => (includes ? text(item, field) >= date : at(item, field) !== null && text(item, field) < date),
});

const SERVICES: List = {
  path: '/v1/services',
  id: 'service_number',
  filters(all) {
    const some = middle(all);
    const created = text(some, 'created_date');
    return [
      byWord('service_status', 'suspended'),
      byWord('billing_type', 'hourly', 'plan.billing_type'),
      byWord('plan', 'starter', 'plan.slug'),
      byWord('plan', 'pln_test_enterprise', 'plan.id'),
      {
        query: `client_email=${encoded(some, 'client.email').toUpperCase()}`,
        finds: (item) => text(item, 'client.email') === text(some, 'client.email'),
      },
      {
        query: `search=${encoded(some, 'label').toUpperCase()}`,
        finds: (item) => text(item, 'label').includes(text(some, 'label')),
      },
      { query: 'external_reference=conformance-none', finds: () => false },
      byDate('created_from', 'created_date', created, true),
      byDate('created_to', 'created_date', created, false),
      byDate('renewal_before', 'renewal_date', text(some, 'created_date'), false),
      byDate('updated_since', 'updated_date', text(some, 'updated_date'), true),
    ];
  },
};

const REQUESTS: List = {
  path: '/v1/requests',
  id: 'request_id',
  filters(all) {
    const some = middle(all);
    const submitted = text(some, 'submitted_date');
    return [
      byWord('type', 'plan-upgrade'),
      byWord('request_status', 'accepted'),
      byWord('operator_review', 'true'),
      {
        query: `service_number=0${text(some, 'service_number')}`,
        finds: (item) => item.service_number === some.service_number,
      },
      byDate('submitted_from', 'submitted_date', submitted, true),
      byDate('submitted_to', 'submitted_date', submitted, false),
      byDate('updated_since', 'updated_date', text(some, 'updated_date'), true),
    ];
  },
};

const PLANS: List = { path: '/v1/plans', id: 'id', filters: () => [byWord('billing_type', 'hourly')] };

/** The whole list on one page, as the sandbox's lists fit on one: its total is right, and no item stands twice. */
async function readWhole(api: Api, { path, id }: List): Promise<Item[]> {
  const answer = await api.expectSuccess(get(`${path}?limit=100`));
  const all = listAt(answer.json, 'data');
  api.equal(at(answer.json, 'pagination.total'), all.length, `the total of ${path}, which fits on one page`, answer);
  api.equal(new Set(all.map((item) => item[id])).size, all.length, 'how many different items there are', answer);
  return all;
}

const pages = (list: List, more: Partial<Check> = {}): Check => ({
  title: `${list.path}: two pages add up to the whole list, by either pair of parameters`,
  calls: 5,
  async run(api) {
    const all = (await readWhole(api, list)).map((item) => item[list.id]);
    const size = Math.max(1, Math.ceil(all.length / 2));
    for (const queryOf of [
      (page: number) => `limit=${size}&offset=${(page - 1) * size}`,
      (page: number) => `page=${page}&perPage=${size}`,
    ]) {
      const found: unknown[] = [];
      for (const page of [1, 2]) {
        const pagination = { page, perPage: size, total: all.length, totalPages: Math.ceil(all.length / size) };
        const answer = await api.expectSuccess(get(`${list.path}?${queryOf(page)}`), { pagination });
        found.push(...listAt(answer.json, 'data').map((item) => item[list.id]));
      }
      api.equal(found, all, `the items by ${queryOf(1)} and its next page`);
    }
  },
  ...more,
});

const filters = (list: List, calls: number): Check => ({
  title: `${list.path}: each filter finds every item that it names, and no other`,
  calls,
  async run(api) {
    const all = await readWhole(api, list);
    for (const { query, finds } of list.filters(all)) {
      const answer = await api.expectSuccess(get(`${list.path}?limit=100&${query}`));
      const found = listAt(answer.json, 'data').map((item) => String(item[list.id]));
      const expected = all.filter(finds).map((item) => String(item[list.id]));
      // Some filters change the order.
      api.equal(found.sort(), expected.sort(), `what ${query} finds`, answer);
      api.equal(at(answer.json, 'pagination.total'), expected.length, `the total of ${query}`, answer);
    }
  },
});

const plans = (query: string) => get(`/v1/plans?${query}`);
const services = (query: string) => get(`/v1/services?${query}`);
const faulty = (path: string, rule: string) => invalidParameter(undefined, fields([path, rule]));

/** Contract, section 6, lists. */
export const lists: Section = {
  name: 'lists',
  checks: [
    pages(SERVICES),
    pages(REQUESTS),
    pages({ path: '/v1/sandbox/scenarios', id: 'scenario', filters: () => [] }, { full: true }),
    filters(SERVICES, 12),
    filters(REQUESTS, 8),
    filters(PLANS, 2),
    ...failureChecks([['an unknown parameter', plans('unknown=1'), faulty('query.unknown', 'unknown')]], {
      live: true,
    }),
    ...failureChecks(
      [
        ['a limit of 0', plans('limit=0'), faulty('query.limit', 'range')],
        ['a limit of 101', plans('limit=101'), faulty('query.limit', 'range')],
        ['a limit of 1.0', plans('limit=1.0'), invalidParameter(undefined, { fields: [{ path: 'query.limit' }] })],
        ['page 0', plans('page=0'), faulty('query.page', 'range')],
        ['a negative offset', plans('offset=-1'), invalidParameter(undefined, { fields: [{ path: 'query.offset' }] })],
        ['both pairs of parameters', plans('limit=1&page=1'), invalidParameter()],
        ['a repeated parameter', plans('limit=1&limit=1'), faulty('query.limit', 'repeated')],
        ['a repeated filter', services('plan=starter&plan=business'), faulty('query.plan', 'repeated')],
        ['an unknown word', services('service_status=gone'), faulty('query.service_status', 'enum')],
        [
          'a search of two characters',
          services('search=ab'),
          invalidParameter(undefined, { fields: [{ path: 'query.search' }] }),
        ],
        ['a date that does not exist', services('created_from=2026-02-30'), faulty('query.created_from', 'format')],
        ['a time without offset', services('created_from=2026-01-01T00:00:00'), faulty('query.created_from', 'format')],
        [
          'a span that ends before it begins',
          services('created_from=2026-02-01&created_to=2026-01-01'),
          invalidParameter(),
        ],
      ],
      { full: true, live: true },
    ),
    {
      title: 'a page past the end is empty with the true total, an offset lies within a page, and 25 is the default',
      calls: 3,
      full: true,
      async run(api) {
        const usual = await api.expectSuccess(get('/v1/services'), { pagination: { page: 1, perPage: 25 } });
        const total = at(usual.json, 'pagination.total');
        const last = get('/v1/services?page=2147483647&perPage=1');
        await api.expectSuccess(last, { data: [], pagination: { page: 2147483647, perPage: 1, total } });
        await api.expectSuccess(get('/v1/services?limit=3&offset=4'), { pagination: { page: 2, perPage: 3, total } });
      },
    },
    {
      title: 'services come newest first and then by number, requests newest first',
      calls: 2,
      full: true,
      async run(api) {
        const keyOf = (item: Item) => `${item.created_date} ${String(item.service_number).padStart(16, '0')}`;
        const found = (await readWhole(api, SERVICES)).map(keyOf);
        api.equal(found, found.toSorted().reverse(), 'the services by date and number');
        const dates = (await readWhole(api, REQUESTS)).map((item) => String(item.submitted_date));
        api.equal(dates, dates.toSorted().reverse(), 'the dates of the requests');
      },
    },
    {
      title: 'a copy by updated_since and after_number has every service once, oldest change first',
      calls: 6,
      full: true,
      async run(api) {
        const all = (await readWhole(api, SERVICES)).map((item) => Number(item.service_number));
        const copied: Item[] = [];
        let query = 'updated_since=1970-01-01';
        for (let page = 0; page <= all.length; page++) {
          const { json } = await api.expectSuccess(get(`/v1/services?limit=${Math.ceil(all.length / 4)}&${query}`));
          const last = listAt(json, 'data').at(-1);
          if (!last) break;
          copied.push(...listAt(json, 'data'));
          query = `updated_since=${last.updated_date}&after_number=${last.service_number}`;
        }
        const inOrder = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
        api.equal(inOrder(copied.map((item) => Number(item.service_number))), inOrder(all), 'the copied services');
        const dates = copied.map((item) => String(item.updated_date));
        api.equal(dates, dates.toSorted(), 'the dates of their changes');
      },
    },
  ],
};
