import t from 'tap';
import { createRetries } from '../../src/mail/retries.ts';

// What waits keeps no process alive, and this test waits for it.
const alive = setInterval(() => undefined, 1_000);
t.teardown(() => clearInterval(alive));

t.test('what failed is tried until it succeeds, and given up after so many attempts', async (t) => {
  const retries = createRetries({ firstPauseMs: 1, attempts: 3, maxWaiting: 10 });
  let tried = 0;
  await new Promise<void>((resolve) => {
    const work = async () => {
      tried += 1;
      if (tried === 1) throw new Error('not yet');
      resolve();
    };
    retries.add(work, () => t.fail('given up'));
  });
  t.equal(tried, 2);
  const failed = new Error('never');
  let failures = 0;
  const last = await new Promise((resolve) => {
    const work = async () => {
      failures += 1;
      throw failed;
    };
    retries.add(work, resolve);
  });
  t.equal(last, failed);
  t.equal(failures, 3);
});

t.test('no more than so many wait at a time', async (t) => {
  const retries = createRetries({ firstPauseMs: 1, attempts: 1, maxWaiting: 1 });
  const order: string[] = [];
  await new Promise<void>((resolve) => {
    retries.add(
      async () => {
        order.push('the first');
        resolve();
      },
      () => t.fail('given up'),
    );
    retries.add(
      async () => t.fail('beyond'),
      () => order.push('the second is given up'),
    );
  });
  t.strictSame(order, ['the second is given up', 'the first']);
});
