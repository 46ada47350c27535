import t from 'tap';
import {
  allowAddress,
  disableFirewall,
  enableFirewall,
  listFirewall,
  removeAddress,
} from '../../../src/operator/access/firewall.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import { BROKER, createOperatorContext } from '../../support/operator-context.ts';

t.test('the firewall is switched on and off, and its rules are kept as they were entered', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, BROKER);
  const broker = 'acme';

  t.match(await enableFirewall.run(context, { broker }), { broker, ip_restriction_enabled: true, rules: [] });
  t.match(await allowAddress.run(context, { broker, rule: ' 192.0.2.77/24 ', note: 'the office' }), {
    ip_restriction_enabled: true,
    rules: [{ rule: '192.0.2.77/24', note: 'the office' }],
  });
  t.match(await disableFirewall.run(context, { broker }), {
    ip_restriction_enabled: false,
    rules: [{ rule: '192.0.2.77/24' }],
  });
  t.match(await listFirewall.run(context, { broker }), {
    ip_restriction_enabled: false,
    rules: [{ rule: '192.0.2.77/24' }],
  });
});

t.test('a rule that covers the same addresses as another one is the same rule, however it is written', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, BROKER);
  const broker = 'acme';
  await allowAddress.run(context, { broker, rule: '192.0.2.0/24' });
  await allowAddress.run(context, { broker, rule: '2001:db8::1' });
  const once = await allowAddress.run(context, { broker, rule: '2001:db8::1' });
  t.equal(once.rules.length, 2, 'one that is there with its note stays as it is: a call after a lost answer');
  for (const rule of ['192.0.2.9/24', '::ffff:192.0.2.0/120', '2001:DB8:0::1/128']) {
    await t.rejects(allowAddress.run(context, { broker, rule }), { message: /is allowed already by the rule/ });
  }
  for (const rule of ['example.com', '300.0.0.1', '10.0.0.0/33', 'fe80::1%eth0']) {
    await t.rejects(allowAddress.run(context, { broker, rule }), {
      message: `rule: must be an IPv4 or IPv6 address or CIDR, not "${rule}"`,
    });
  }
  await t.rejects(removeAddress.run(context, { broker, rule: '192.0.2.0/25' }), { message: /has no firewall rule/ });
  const left = await removeAddress.run(context, { broker, rule: '::ffff:192.0.2.0/120' });
  t.strictSame(
    left.rules.map(({ rule, note }) => ({ rule, note })),
    [{ rule: '2001:db8::1', note: null }],
  );
});

t.test('a broker has fifty rules at most', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  await createBroker.run(context, BROKER);
  for (let i = 0; i < 50; i += 1) await allowAddress.run(context, { broker: 'acme', rule: `192.0.2.${i}` });
  await t.rejects(allowAddress.run(context, { broker: 'acme', rule: '198.51.100.1' }), {
    message: /50 firewall rules at most/,
  });
});
