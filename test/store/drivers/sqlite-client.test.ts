import { join } from 'node:path';
import t from 'tap';
import { connectUnchanged, transactorOf } from '../../../src/store/drivers/sqlite-client.ts';

t.test('a transaction that was left open is undone before the next one begins', async (t) => {
  const client = connectUnchanged(join(t.testdir({}), 'broker.db'), 1_000);
  t.teardown(() => client.close());
  client.exec('create table numbers (n integer)');
  const transactor = transactorOf(client);
  t.equal(transactor.begin(), true);
  client.exec('insert into numbers values (1)');
  t.equal(transactor.begin(), true);
  client.exec('insert into numbers values (2)');
  transactor.commit();
  t.strictSame(client.prepare('select n from numbers').pluck().all(), [2]);
});
