import type { Section } from '../kit.ts';
import { at, listAt } from '../shapes.ts';
import { get } from '../wire.ts';
import { REQUEST_NOT_FOUND, ROUTE_NOT_FOUND, SERVICE_NOT_FOUND } from './refusals.ts';

/** Looked at on each side; enough to tell, and few enough for a live key. */
const RECORDS = 3;

/** What one broker's key does not see of another one's records; it only reads. */
export const isolation: Section = {
  name: 'isolation',
  fast: true,
  checks: [
    {
      title: "another broker's services and requests are as good as none, in lists and one by one",
      needsKey: 'otherBroker',
      live: true,
      async run(probe) {
        const other = probe.kit.otherKeys.otherBroker as string;
        const brokers = [await probe.get('/v1/auth-check'), await probe.ask(get('/v1/auth-check', { key: other }))];
        const [own, others] = brokers.map(({ json }) => at(json, 'data.broker.broker_id'));
        if (own === others) return probe.leavesOut('both keys are of one broker');
        // All sandboxes begin with the same numbers and samples, so there only what brokers are called differs.
        if (!probe.kit.live) return probe.leavesOut('sandboxes begin alike: it takes live keys');
        for (const [path, id, refused] of [
          ['/v1/services', 'service_number', SERVICE_NOT_FOUND],
          ['/v1/requests', 'request_id', REQUEST_NOT_FOUND],
        ] as const) {
          const mine = listAt((await probe.get(`${path}?limit=100`)).json, 'data').map((item) => at(item, id));
          const theirs = await probe.ask(get(`${path}?limit=100`, { key: other }));
          const foreign = listAt(theirs.json, 'data').map((item) => at(item, id));
          probe.equal(
            foreign.filter((each) => mine.includes(each)),
            [],
            `what both keys list of ${path}`,
            theirs,
          );
          for (const each of mine.slice(0, RECORDS))
            await probe.refuses(get(`${path}/${each}`, { key: other }), refused);
          for (const each of foreign.slice(0, RECORDS)) await probe.refuses(get(`${path}/${each}`), refused);
        }
      },
    },
    {
      title: 'to a live key the sandbox is an unknown path',
      live: true,
      async run(probe) {
        if (!probe.kit.live) return probe.leavesOut('it takes a live key');
        for (const path of ['', '/scenarios']) await probe.refuses(get(`/v1/sandbox${path}`), ROUTE_NOT_FOUND);
      },
    },
  ],
};
