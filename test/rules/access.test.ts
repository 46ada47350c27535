import t from 'tap';
import { readAccess } from '../../src/rules/access.ts';
import { isHostname } from '../../src/rules/options.ts';

t.test('an entry that is no address, or that nobody can reach, is left out alone', async (t) => {
  const left = [
    '2001:db8:1::/64',
    'fe80::1%eth0',
    'shop.example.com',
    '0.0.0.0',
    '::',
    '127.0.0.1',
    '::1',
    '224.0.0.1',
    'ff02::1',
    '169.254.10.1',
    'fe80::1',
    '255.255.255.255',
    '999.999.999.999',
    7,
    null,
  ];
  for (const entry of left) {
    const { access, invalid } = readAccess({ ip_addresses: ['192.0.2.10', entry, '2001:DB8:0::10'] });
    t.strictSame(access?.ip_addresses, ['192.0.2.10', '2001:db8::10'], String(entry));
    t.strictSame(invalid, ['ip_addresses']);
  }
});

t.test('addresses of private networks stay, in normal form and each once', async (t) => {
  const given = ['10.0.0.5', ' 192.168.1.9 ', '100.64.0.1', 'fd00::0:1', '::ffff:10.0.0.5', 'fd00::1'];
  const { access, invalid } = readAccess({ ip_addresses: given });
  t.strictSame(access?.ip_addresses, ['10.0.0.5', '192.168.1.9', '100.64.0.1', 'fd00::1']);
  t.strictSame(invalid, []);
});

t.test('what is beyond the thirty-second address is left out', async (t) => {
  const given = Array.from({ length: 40 }, (_, index) => `192.0.2.${index + 1}`);
  const { access, invalid } = readAccess({ ip_addresses: given });
  t.strictSame(access?.ip_addresses, given.slice(0, 32));
  t.strictSame(invalid, ['ip_addresses']);
});

t.test('a mistyped address is no host name', async (t) => {
  for (const text of ['999.999.999.999', '192.0.2', '10', 'example.1', 'a_b', ''])
    t.equal(isHostname(text), false, text);
  for (const text of ['a', 'shop.example.com', '1.example', '3com', 'xn--bcher-kva.example', '1a'])
    t.ok(isHostname(text), text);
});
