import t from 'tap';
import { listSlot } from '../../src/context/list-slots.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Which brokers' lists were read in each turn of the event loop, while these ask in this order. */
async function readIn(turns: number, asking: string[]): Promise<string[]> {
  let read = '';
  const each: string[] = [];
  // Looks first in each turn, at what the one before it has brought.
  const looking = (async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      await nextTurn();
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

t.test('brokers are served in turn: one that asks for many lists delays only itself', async (t) => {
  await nextTurn();
  t.strictSame(await readIn(5, [...'aaaaaaaaaaaabcc']), ['aaaa', 'abca', 'caaa', 'aaa', '']);
});

t.test('a thousand that wait are all read', async (t) => {
  await nextTurn();
  const asked = Array.from({ length: 1_000 }, (_, index) => listSlot(`broker ${index % 50}`));
  await t.resolves(Promise.all(asked));
});
