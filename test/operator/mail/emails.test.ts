import t from 'tap';
import { createDemo, removeDemo } from '../../../src/demo/demo.ts';
import { pageEmails } from '../../../src/operator/mail/emails.ts';
import type { Store } from '../../../src/store/store.ts';
import { openDemo } from '../../support/demo.ts';
import { createOperatorContext } from '../../support/operator-context.ts';

t.test('emails whose broker goes while they are looked up are left out', async (t) => {
  const context = await createOperatorContext(openDemo);
  t.teardown(context.close);
  t.match((await pageEmails(context)).items[0], { broker: { slug: 'demo', name: /./ } });
  const slow: Store['slow'] = async (owner, work) => {
    const found = await context.store.slow(owner, work);
    await removeDemo(context);
    return found;
  };
  t.strictSame((await pageEmails({ ...context, store: { ...context.store, slow } })).items, []);
});

t.test('emails of a broker that comes while they are looked up have its name', async (t) => {
  const context = await createOperatorContext();
  t.teardown(context.close);
  const slow: Store['slow'] = async (owner, work) => {
    await createDemo(context);
    return context.store.slow(owner, work);
  };
  const { items } = await pageEmails({ ...context, store: { ...context.store, slow } });
  t.match(items[0], { broker: { slug: 'demo', name: /./ } });
});
