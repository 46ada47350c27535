import t from 'tap';
import { listPlans } from '../../src/broker/list-plans.ts';
import { listRequests } from '../../src/broker/list-requests.ts';
import { listServices } from '../../src/broker/list-services.ts';
import type { Caller } from '../../src/broker/operation.ts';
import { listSlot } from '../../src/limits/list-slots.ts';
import type { Context } from '../../src/ports.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import type { PageWindow } from '../../src/store/session/session.ts';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

/** Which brokers' lists were read in each iteration of the event loop, while these ask in this order. */
async function readIn(iterations: number, asking: string[]): Promise<string[]> {
  let read = '';
  const each: string[] = [];
  // Looks first in each iteration, at what the one before it has brought.
  const looking = (async () => {
    for (let i = 0; i < iterations; i += 1) {
      await nextIteration();
      each.push(read);
      read = '';
    }
  })();
  for (const broker of asking)
    listSlot(broker).then(() => {
      read += broker;
    });
  await looking;
  return each;
}

t.test('four lists are read in an iteration of the event loop, and other work runs between them', async (t) => {
  t.strictSame(await readIn(4, [...'aaaaaaaaaa']), ['aaaa', 'aaaa', 'aa', '']);
  t.strictSame(await readIn(1, ['a']), ['a'], 'a single list does not wait');
});

t.test('brokers are served one after the other: one that asks for many lists delays only itself', async (t) => {
  await nextIteration();
  t.strictSame(await readIn(5, [...'aaaaaaaaaaaabcc']), ['aaaa', 'abca', 'caaa', 'aaa', '']);
});

t.test('a thousand that wait are all read', async (t) => {
  await nextIteration();
  const asked = Array.from({ length: 1_000 }, (_, index) => listSlot(`broker ${index % 50}`));
  await t.resolves(Promise.all(asked));
});

t.test('plans, services and requests are read when the broker gets a place for a list, not before', async (t) => {
  const lists: Array<(context: Context, caller: Caller, page: PageWindow) => Promise<unknown>> = [
    listPlans,
    listServices,
    listRequests,
  ];
  for (const list of lists) {
    await nextIteration();
    let isRead = false;
    const store = {
      get read() {
        isRead = true;
        throw new Error('no database');
      },
      get slow() {
        return this.read;
      },
    };
    const places = ['a', 'a', 'a', 'a'].map(listSlot);
    const asked = t.rejects(
      list({ store, clock: systemClock } as unknown as Context, { brokerId: 'a' } as Caller, { limit: 1, offset: 0 }),
    );
    await Promise.all(places);
    t.notOk(isRead, `${list.name} waits`);
    await asked;
    t.ok(isRead, `${list.name} is read then`);
  }
});
