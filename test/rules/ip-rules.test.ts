import { BlockList } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { addressBucket, createIpMatcher, normaliseAddress, parseIpRule } from '../../src/rules/ip-rules.ts';

/** Few distinct groups, so that addresses fall into networks often enough to tell. */
const octet = fc.constantFrom(0, 1, 10, 127, 128, 255);
const ipv4 = fc.array(octet, { minLength: 4, maxLength: 4 }).map((octets) => octets.join('.'));
const group = fc.constantFrom('0', '1', '8000', 'ffff', '2001', 'db8');
const ipv6 = fc
  .array(group, { minLength: 8, maxLength: 8 })
  .filter((groups) => !groups.join(':').startsWith('0:0:0:0:0:ffff:'))
  .map((groups) => groups.join(':'));

const covers = (rule: string, address: string) => createIpMatcher([rule])(address) === rule;

t.test('networks match exactly as the net.BlockList of Node does', async () => {
  const networks = fc.oneof(
    fc.record({ family: fc.constant('ipv4' as const), net: ipv4, prefix: fc.nat(32), address: ipv4 }),
    fc.record({ family: fc.constant('ipv6' as const), net: ipv6, prefix: fc.nat(128), address: ipv6 }),
  );
  fc.assert(
    fc.property(networks, ({ family, net, prefix, address }) => {
      const reference = new BlockList();
      reference.addSubnet(net, prefix, family);
      return (
        covers(`${net}/${prefix}`, address) === reference.check(address, family) &&
        covers(`${net}/${prefix}`, net) &&
        covers(net, address) === (normaliseAddress(net) === normaliseAddress(address))
      );
    }),
    { numRuns: 2000 },
  );
});

t.test('the canonical form of an IPv6 address is the one a URL shows', async (t) => {
  fc.assert(
    fc.property(
      fc.oneof(
        ipv6,
        fc.ipV6().filter((text) => !text.includes('.')),
      ),
      (text) => {
        const shown = new URL(`http://[${text}]`).hostname.slice(1, -1);
        return shown.startsWith('::ffff:') || normaliseAddress(text) === shown;
      },
    ),
    { numRuns: 2000 },
  );
  for (const [text, shown] of [
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0001:0000:0000:0001', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['10:0:0:1:2:3:4:5', '10::1:2:3:4:5'],
    ['::1.2.3.4', '::102:304'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['fe80::1%eth0', 'fe80::1'],
  ] as const) {
    t.equal(normaliseAddress(text), shown, text);
  }
});

t.test('an IPv4-mapped address is the IPv4 address', async (t) => {
  fc.assert(fc.property(ipv4, (address) => normaliseAddress(`::ffff:${address}`) === address));
  fc.assert(fc.property(ipv4, fc.nat(32), ipv4, sameWhenMapped));
  for (const text of ['::ffff:a00:1', '0:0:0:0:0:FFFF:10.0.0.1', '::FFFF:10.0.0.1', '::ffff:10.0.0.1%eth0']) {
    t.equal(normaliseAddress(text), '10.0.0.1', text);
  }
  t.ok(covers('::ffff:10.0.0.0/104', '10.255.0.1'));
  t.ok(covers('10.0.0.0/8', '::ffff:10.255.0.1'));
  t.ok(covers('::ffff:a00:1', '10.0.0.1'));
  t.ok(covers('::ffff:0:0/96', '203.0.113.9'));
  t.notOk(covers('::ffff:10.0.0.0/104', '11.0.0.0'));

  function sameWhenMapped(net: string, prefix: number, address: string) {
    return covers(`::ffff:${net}/${prefix + 96}`, address) === covers(`${net}/${prefix}`, address);
  }
});

t.test('what is no address has no normal form and matches no rule', async (t) => {
  const everything = createIpMatcher(['0.0.0.0/0', '::/0']);
  for (const text of ['', 'unknown', '1.2.3', '1.2.3.04', '1.2.3.256', '1.2.3.4/8', '1.2.3.4%eth0', ':::', '[::1]']) {
    t.equal(normaliseAddress(text), undefined, JSON.stringify(text));
    t.equal(everything(text), null);
  }
});

t.test('a rule that is neither an address nor a CIDR is refused', async (t) => {
  for (const text of [
    '',
    ' 10.0.0.1',
    'localhost',
    '10.0.0',
    '10.0.0.01',
    '010.0.0.1',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '/8',
    '2001:db8::/129',
    '2001:db8::/1000',
    'fe80::1%eth0',
    'fe80::%eth0/10',
    '::ffff:10.0.0.0/8',
    '::ffff:10.0.0.0/95',
    '::ffff:10.0.0.0/129',
  ]) {
    t.equal(parseIpRule(text), undefined, JSON.stringify(text));
  }
});

t.test('host bits of a network do not matter', async (t) => {
  t.same(parseIpRule('10.1.2.3/8'), parseIpRule('10.0.0.0/8'));
  t.same(parseIpRule('2001:db8::1:2/32'), parseIpRule('2001:db8::/32'));
  t.same(parseIpRule('10.1.2.3/32'), parseIpRule('10.1.2.3'));
  t.same(parseIpRule('2001:db8::1/128'), parseIpRule('2001:db8::1'));
});

t.test('the matcher answers the first covering rule as it was entered', async (t) => {
  const match = createIpMatcher(['2001:DB8::/32', '10.1.2.3/8', '10.1.2.3', '::FFFF:192.0.2.1']);
  t.equal(match('10.1.2.3'), '10.1.2.3/8');
  t.equal(match('2001:db8:ffff::1'), '2001:DB8::/32');
  t.equal(match('192.0.2.1'), '::FFFF:192.0.2.1');
  t.equal(match('192.0.2.2'), null);
});

t.test('no rules, and rules that cannot be read, cover no address', async (t) => {
  t.equal(createIpMatcher([])('127.0.0.1'), null);
  t.equal(createIpMatcher(['nonsense'])('127.0.0.1'), null);
});

t.test('a rule for all of one family does not cover the other', async (t) => {
  t.notOk(covers('::/0', '10.0.0.1'));
  t.notOk(covers('::/0', '::ffff:10.0.0.1'));
  t.notOk(covers('0.0.0.0/0', '::1'));
});

t.test('failures are counted per IPv4 address and per /64 of IPv6', async (t) => {
  t.equal(addressBucket('203.0.113.9'), '203.0.113.9');
  t.equal(addressBucket('::ffff:203.0.113.9'), '203.0.113.9');
  t.equal(addressBucket('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.equal(addressBucket('2001:db8:1:2::'), addressBucket('2001:db8:1:2:ffff::1'));
  t.not(addressBucket('2001:db8:1:2::'), addressBucket('2001:db8:1:3::'));
  t.equal(addressBucket(undefined), 'unknown');
  t.equal(addressBucket('garbage'), 'unknown');
});
