import { REQUEST_NOT_FOUND, ROUTE_NOT_FOUND, SERVICE_NOT_FOUND, type Section } from '../check.ts';
import { freshKey, get, post } from '../http.ts';
import { at, listAt } from '../json.ts';

/** How many records of each side are read: few enough for a live key. */
const RECORDS = 3;
const LISTS = [
  ['/v1/services', 'service_number', SERVICE_NOT_FOUND],
  ['/v1/requests', 'request_id', REQUEST_NOT_FOUND],
] as const;
const SAME_BROKER = 'both keys are of one broker';

/** A broker's key does not reach the records of another one. */
export const isolation: Section = {
  name: 'isolation',
  checks: [
    {
      title: "a service and its request are not found with another broker's key, and stand in none of its lists",
      calls: 2,
      uncounted: 4,
      needsKey: 'otherBroker',
      async run(api) {
        const key = api.key('otherBroker');
        const others = await api.expectSuccess(get('/v1/auth-check', { key }));
        const own = await api.expectSuccess(get('/v1/auth-check'));
        if (at(own.json, 'data.broker.broker_id') === at(others.json, 'data.broker.broker_id'))
          return api.skip(SAME_BROKER);
        const client = { name: 'Ada Example', email: 'ada@example.com' };
        const external_reference = freshKey();
        const body = { plan: 'starter', client, external_reference };
        const created = await api.expectSuccess(post('/v1/services', body), { status: 201 });
        const request = `/v1/requests/${at(created.json, 'data.request_id')}`;
        await api.expectFailure(get(request, { key }), REQUEST_NOT_FOUND);
        await api.expectFailure(post(`${request}/withdraw`, {}, { key }), REQUEST_NOT_FOUND);
        // Both sandboxes may have issued the same number.
        const found = get(`/v1/services?external_reference=${external_reference}`, { key });
        await api.expectSuccess(found, { data: [], pagination: { total: 0 } });
      },
    },
    {
      title: 'services and requests of two brokers are not found with the other key, and no list has both',
      calls: 9,
      uncounted: 9,
      needsKey: 'otherBroker',
      liveOnly: true,
      async run(api) {
        const key = api.key('otherBroker');
        const brokers = [await api.get('/v1/auth-check'), await api.call(get('/v1/auth-check', { key }))];
        const [own, other] = brokers.map(({ json }) => at(json, 'data.broker.broker_id'));
        if (own === other) return api.skip(SAME_BROKER);
        for (const [path, id, notFound] of LISTS) {
          const mine = listAt((await api.get(`${path}?limit=100`)).json, 'data').map((item) => item[id]);
          const list = await api.call(get(`${path}?limit=100`, { key }));
          const theirs = listAt(list.json, 'data').map((item) => item[id]);
          const inBoth = theirs.filter((each) => mine.includes(each));
          api.equal(inBoth, [], `what both keys list of ${path}`, list);
          for (const each of mine.slice(0, RECORDS)) await api.expectFailure(get(`${path}/${each}`, { key }), notFound);
          for (const each of theirs.slice(0, RECORDS)) await api.expectFailure(get(`${path}/${each}`), notFound);
        }
      },
    },
    {
      title: 'what a live list shows is found by its id, and its total is not smaller than its page',
      calls: 2 + 2 * RECORDS,
      liveOnly: true,
      async run(api) {
        for (const [path, id] of LISTS) {
          const list = await api.expectSuccess(get(`${path}?limit=100`));
          const items = listAt(list.json, 'data');
          const total = Number(at(list.json, 'pagination.total'));
          api.ok(total >= items.length && (total > 100 || total === items.length), `the total is ${total}`, list);
          for (const item of items.slice(0, RECORDS)) await api.expectSuccess(get(`${path}/${item[id]}`));
        }
      },
    },
    {
      title: 'the sandbox is an unknown path to a live key',
      calls: 2,
      liveOnly: true,
      async run(api) {
        for (const path of ['', '/scenarios'])
          await api.expectFailure(get(`/v1/sandbox${path}`), { ...ROUTE_NOT_FOUND, uncounted: false });
      },
    },
  ],
};
