import { PassThrough } from 'node:stream';
import t from 'tap';
import { createLog, describeError } from '../src/log.ts';

t.test('an error is logged by its innermost cause, without the values that a query was given', async (t) => {
  const cause = Object.assign(new Error('no such table'), {
    code: 'SQLITE_ERROR',
    detail: 'Key (email)=(ada@example.com)',
  });
  const failed = new Error('Failed query: insert into clients\nparams: ada@example.com', { cause });
  const stream = new PassThrough();
  const log = createLog('error', stream);
  log.error({ err: failed }, 'request failed');
  const line = String(stream.read());
  t.notMatch(line, /ada@example/);
  t.match(JSON.parse(line).err, { type: 'Error', code: 'SQLITE_ERROR', message: 'no such table', stack: /log\.test/ });
  t.strictSame(describeError(null), { type: 'object' });
});

t.test('the log keeps to its level', async (t) => {
  t.equal(createLog('warn').isLevelEnabled('info'), false);
});
