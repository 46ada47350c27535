import t from 'tap';
import { Outage } from '../../src/store/outage.ts';

t.test('an outage is said once when it begins and once when it is over, however often it is noticed', async (t) => {
  let now = 0;
  const said: string[] = [];
  const outage = new Outage(
    (message, error) => said.push(error ? `${message}: ${error.message}` : message),
    () => now,
  );
  const gone = new Error('gone');
  outage.noteSuccess();
  outage.noteFailure('away', gone);
  outage.noteFailure('away', gone);
  now = 999;
  outage.noteSuccess();
  t.strictSame(said, ['away: gone'], 'a success in between does not end it');
  outage.noteFailure('away', gone);
  now = 1_998;
  outage.noteSuccess();
  t.equal(said.length, 1);
  now = 1_999;
  outage.noteSuccess();
  outage.noteSuccess();
  t.strictSame(said, ['away: gone', 'the database can be used again']);
});
