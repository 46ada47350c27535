import t from 'tap';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from '../../../src/operator/people/operator-keys.ts';
import { OperatorError } from '../../../src/operator/use-case/errors.ts';
import { hashKey, parseKey, parseOperatorKey } from '../../../src/rules/key-format.ts';
import { createOperatorContext } from '../../support/operator-context.ts';

t.test(
  'a key of the operator’s API is shown once; the database and the audit trail have no more than its hash and prefix',
  async (t) => {
    const context = await createOperatorContext();
    t.teardown(() => context.close());
    const addresses = '203.0.113.0/28, 2001:db8::1';
    const made = await createOperatorKey.run(context, { name: 'Billing', role: 'admin', addresses });
    t.strictSame(parseOperatorKey(made.key), { publicId: made.key_prefix.slice('sk_ops_'.length) });
    t.equal(parseKey(made.key), undefined, 'it is no key of a broker');
    const { key, ...record } = made;
    t.match(record, {
      name: 'Billing',
      role: 'admin',
      addresses: ['203.0.113.0/28', '2001:db8::1'],
      expires_date: null,
    });
    t.strictSame((await listOperatorKeys.run(context, {})).records, [record]);
    const row = await context.store.read.operatorKeys.find(made.key_id);
    t.equal(row?.hash, hashKey(key));
    const trail = await listAudit(context);
    t.match(trail[0], {
      action: 'ops_key.create',
      subject: `ops_key/${made.key_id}`,
      after: { key_prefix: made.key_prefix },
    });
    t.notMatch(JSON.stringify([trail, { ...row, hash: undefined }]), key.slice(-38), 'the secret stands nowhere');
  },
);

t.test('a revoked key stays revoked; the trail has one row of it', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  const { key_id } = await createOperatorKey.run(context, { name: 'Billing', role: 'viewer' });
  t.match(await revokeOperatorKey.ask(context, { key_id }), /“Billing” \(sk_ops_\w+\) ends for good/);
  for (const _ of [1, 2]) t.match(await revokeOperatorKey.run(context, { key_id }), { key_status: 'revoked' });
  t.equal((await listAudit(context, { action: 'ops_key.revoke' })).length, 1);
});

t.test('a key needs a role, a name and addresses that can be read, and must not have ended already', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  const given = { name: 'Billing', role: 'viewer' };
  const refuses = (input: object, message: RegExp) =>
    t.rejects(createOperatorKey.run(context, { ...given, ...input }), { name: 'OperatorError', message });
  await refuses({ role: 'root' }, /role: must be one of viewer, support, admin/);
  await refuses({ addresses: 'everywhere' }, /addresses: must be a list of at most 20 addresses or CIDRs/);
  await refuses({ addresses: '192.0.2.1, 999.1.1.1' }, /; "999\.1\.1\.1" is none/);
  await refuses({ addresses: Array(21).fill('192.0.2.1').join(',') }, /at most 20/);
  await refuses({ expires_date: '2020-01-01' }, /expires_date: must not have passed/);
  await t.rejects(revokeOperatorKey.run(context, { key_id: 'opk_none' }), OperatorError);
});
