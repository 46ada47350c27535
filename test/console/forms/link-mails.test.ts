import t from 'tap';
import { createLinkMails } from '../../../console/forms/link-mails.ts';

t.test('a link is made and mailed within seconds of the request, apart from it', async (t) => {
  const asked = performance.now();
  const sent = await new Promise<string>((resolve, reject) => {
    const make = async (email: string) => email;
    const mails = createLinkMails({ make, send: async (email) => resolve(email), onError: reject });
    mails.ask('ada@example.com');
  });
  t.equal(sent, 'ada@example.com');
  t.ok(performance.now() - asked >= 999);
});

t.test('links are made one at a time; what waits at the end is mailed then', async (t) => {
  const made: string[] = [];
  let atOnce = 0;
  const make = async (email: string) => {
    atOnce += 1;
    t.equal(atOnce, 1);
    await Promise.resolve();
    made.push(email);
    atOnce -= 1;
    return null;
  };
  const send = async () => void t.fail('there is nothing to send');
  const mails = createLinkMails({ make, send, onError: (error) => t.fail(String(error)) });
  for (const email of ['a', 'b', 'c']) mails.ask(email);
  await mails.close();
  t.strictSame(made, ['a', 'b', 'c']);
});

t.test('of a flood five thousand requests are kept', async (t) => {
  let asked = 0;
  const count = async () => {
    asked += 1;
    return null;
  };
  const mails = createLinkMails({ make: count, send: async () => undefined, onError: () => (asked += 1) });
  for (let turn = 0; turn < 5_010; turn += 1) mails.ask('a');
  await mails.close();
  t.equal(asked, 5_000);
});
