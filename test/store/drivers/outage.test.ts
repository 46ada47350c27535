import t from 'tap';
import { Outage } from '../../../src/store/drivers/outage.ts';

t.test('an outage is said once when it begins and once when it is over, however often it is noticed', async (t) => {
  let now = 0;
  const said: string[] = [];
  const outage = new Outage(
    (message, error) => said.push(error ? `${message}: ${error.message}` : message),
    () => now,
  );
  const gone = new Error('gone');
  outage.recordSuccess();
  outage.recordFailure('away', gone);
  outage.recordFailure('away', gone);
  now = 999;
  outage.recordSuccess();
  t.strictSame(said, ['away: gone'], 'a success in between does not end it');
  outage.recordFailure('away', gone);
  now = 1_998;
  outage.recordSuccess();
  t.equal(said.length, 1);
  now = 1_999;
  outage.recordSuccess();
  outage.recordSuccess();
  t.strictSame(said, ['away: gone', 'the database can be used again']);
});
