import t from 'tap';
import { readCredentialList } from '../../src/rules/credentials.ts';

const ONE = { display_name: 'Root login', username: null, password: null, private_key: null, url: null };

t.test('what is within the bounds is read, and what is absent or empty is null', async (t) => {
  const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n';
  const whole = {
    display_name: 'd'.repeat(100),
    username: 'ü'.repeat(128),
    password: ' p\u{1f511}\n'.repeat(250),
    private_key: key.padEnd(16 * 1024, '\n'),
    url: `https://a.example/${'u'.repeat(1982)}`,
  };
  t.strictSame(readCredentialList([whole, { display_name: 'Root login', username: '', other: 1 }]), [whole, ONE]);
  t.equal(readCredentialList(Array(10).fill(ONE))?.length, 10);
  for (const url of ['ssh://root@192.0.2.1:22', 'postgres://192.0.2.1/shop', 'http://[2001:db8::1]/']) {
    t.strictSame(readCredentialList([{ ...ONE, url }]), [{ ...ONE, url }]);
  }
});

t.test('an entry that is not valid is left out alone; none that is valid counts as none', async (t) => {
  for (const given of [undefined, null, {}, 'root:secret', [], [null], ['root'], [[]]]) {
    t.equal(readCredentialList(given), null);
  }
  const faults = [
    { display_name: undefined },
    { display_name: '' },
    { display_name: ' \u200b' },
    { display_name: 7 },
    { display_name: 'd'.repeat(101) },
    { username: 'u'.repeat(129) },
    { username: 'a\u0000b' },
    { password: 'p'.repeat(1001) },
    { password: 12345678 },
    { password: '\ud83d' },
    { private_key: 'k'.repeat(16 * 1024 + 1) },
    { private_key: 'ü'.repeat(8 * 1024 + 1) },
    { url: `https://a.example/${'u'.repeat(1983)}` },
    { url: 'panel' },
    { url: 'https://a.example/\nb' },
    { url: 'javascript:alert(1)' },
    { url: 'data:text/html,x' },
  ];
  for (const fault of faults) {
    const faulty = { ...ONE, ...fault };
    t.strictSame(readCredentialList([faulty, ONE]), [ONE], JSON.stringify(fault));
    t.equal(readCredentialList([faulty]), null);
  }
  t.equal(readCredentialList(Array(11).fill(ONE))?.length, 10, 'what is beyond the tenth is left out');
});
