import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { onePerIteration } from '../../src/http/one-per-iteration.ts';

t.test('of requests that arrive together one is begun in a turn, and none whose client is gone', async (t) => {
  const begun: string[] = [];
  const handle = onePerIteration(({ url }) => {
    begun.push(url as string);
    if (url === '/b') arrive('/d');
  });
  const arrive = (url: string, destroyed = false) =>
    handle({ url, socket: { destroyed } } as IncomingMessage, {} as ServerResponse);
  arrive('/a');
  arrive('/gone', true);
  arrive('/b');
  arrive('/c');
  for (const expected of [['/a'], ['/a'], ['/a', '/b'], ['/a', '/b', '/c'], ['/a', '/b', '/c', '/d']]) {
    await setImmediate();
    t.strictSame(begun, expected);
  }
  arrive('/e');
  t.notOk(begun.includes('/e'), 'not in the turn in which it arrived');
  await setImmediate();
  t.equal(begun.at(-1), '/e');
});
