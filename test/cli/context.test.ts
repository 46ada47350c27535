import t from 'tap';
import { operationsContext } from '../../src/cli/context.ts';
import type { Parts } from '../../src/compose.ts';

t.test('what operations log under a command goes to standard error, never into its answer', async (t) => {
  const written: string[] = [];
  const io = { out: () => t.fail('nothing is answered'), err: (text: string) => written.push(text), watched: false };
  const { log } = operationsContext({} as Parts, io as never, 'warn');
  log.warn({ email_id: 'eml_1' }, 'an email was not sent');
  t.match(JSON.parse(written.join('')), { email_id: 'eml_1', msg: 'an email was not sent' });
});
