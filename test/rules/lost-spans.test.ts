import t from 'tap';
import { lostMark } from '../../src/rules/lost-spans.ts';

t.test('a figure says that records are lost exactly where its span touches a loss', async (t) => {
  const losses = [{ lostFrom: 100, lostUntil: 200 }];
  const spans: Array<[from: number | null, until: number | null, isLost: boolean]> = [
    [0, 100, false],
    [0, 101, true],
    [150, 160, true],
    [200, 300, true],
    [201, 300, false],
    [null, null, true],
    [null, 100, false],
    [201, null, false],
  ];
  for (const [from, until, isLost] of spans)
    t.strictSame(lostMark(losses, from, until), isLost ? { records_lost: true } : {}, `${from} to ${until}`);
  t.strictSame(lostMark([], null, null), {});
});
