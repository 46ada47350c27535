import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import type { Mailer, MailMessage } from '../../src/operations/ports.ts';
import { mailsAtOnce } from '../../src/worker/mails-at-once.ts';

const message = (id: number) => ({ id: String(id) }) as MailMessage;

t.test(
  'so many messages are on their way at a time, and each that ends, well or not, lets another one go',
  async (t) => {
    const ends: Array<{ id: string; end: (refusal?: Error) => void }> = [];
    const mailer: Mailer = {
      maxMessageBytes: 7,
      send: ({ id }) =>
        new Promise((resolve, reject) => {
          ends.push({ id, end: (refusal) => (refusal ? reject(refusal) : resolve({ messageId: `sent ${id}` })) });
        }),
    };
    const bounded = mailsAtOnce(mailer, 2);
    t.equal(bounded.maxMessageBytes, 7);
    const sent = [1, 2, 3, 4].map((id) => bounded.send(message(id)));
    const settled = Promise.allSettled(sent);
    const begun = () => ends.map(({ id }) => id).join();
    await setImmediate();
    t.equal(begun(), '1,2');
    ends[0]?.end(new Error('refused'));
    await setImmediate();
    t.equal(begun(), '1,2,3');
    ends[1]?.end();
    ends[2]?.end();
    await setImmediate();
    t.equal(begun(), '1,2,3,4');
    ends[3]?.end();
    t.match(await settled, [
      { status: 'rejected', reason: { message: 'refused' } },
      { value: { messageId: 'sent 2' } },
      { value: { messageId: 'sent 3' } },
      { value: { messageId: 'sent 4' } },
    ]);
    const late = bounded.send(message(5));
    await setImmediate();
    t.equal(begun(), '1,2,3,4,5', 'nobody waits any more');
    ends[4]?.end();
    await late;
  },
);
