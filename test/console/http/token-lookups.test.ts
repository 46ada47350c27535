import t from 'tap';
import { createTokenLookups } from '../../../console/http/token-lookups.ts';

const token = (name: string) => name.padEnd(43, '-');
const never = () => new Promise<true>(() => undefined);

t.test('a text that is no token costs no look-up', async (t) => {
  const lookups = createTokenLookups();
  const asked = () => Promise.reject(new Error('it was looked up'));
  for (const text of ['', 'short', 'A'.repeat(44), `${'A'.repeat(42)}!`]) {
    t.equal(await lookups.find(text, '192.0.2.1', asked), null);
  }
});

t.test(
  'unknown tokens wait for their like, a second at most; those that were found wait for none of them',
  async (t) => {
    const lookups = createTokenLookups();
    t.equal(await lookups.find(token('known'), '192.0.2.1', async () => 'found'), 'found');
    lookups.remember(token('made'));
    for (const ip of ['2001:db8::1', '2001:db8:0:1::1']) void lookups.find(token(ip.replaceAll(':', '_')), ip, never);
    const waits = lookups.find(token('unknown'), '192.0.2.1', async () => 'found');
    const ofOneLine = lookups.find(token('next'), '2001:db8::2', async () => 'found');
    for (const name of ['known', 'made']) {
      t.equal(await lookups.find(token(name), '192.0.2.1', async () => 'found'), 'found');
    }
    for (const refused of await Promise.allSettled([waits, ofOneLine])) {
      t.match(refused, { reason: { statusCode: 503, retryAfterSeconds: 1 } });
    }
  },
);

t.test('a token that is gone is unknown again, and a failing look-up fails as it does', async (t) => {
  const lookups = createTokenLookups();
  lookups.remember(token('a'));
  t.equal(await lookups.find(token('a'), '192.0.2.1', async () => null), null);
  for (const ip of ['192.0.2.1', '192.0.2.2']) void lookups.find(token(ip.replaceAll('.', '_')), ip, never);
  await t.rejects(lookups.find(token('a'), '192.0.2.3', never), { message: 'Try again in a moment.' });
  const others = createTokenLookups();
  const away = () => Promise.reject(new Error('away'));
  await t.rejects(others.find(token('b'), '192.0.2.1', away), { message: 'away' });
});
