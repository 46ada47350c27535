import t from 'tap';
import { createDemo, removeDemo } from '../../src/demo/demo.ts';
import { pageEmails } from '../../src/operator/emails.ts';
import type { Store } from '../../src/store/store.ts';
import { createOffice } from '../support/office.ts';

t.test('emails whose broker goes while they are looked up are left out', async (t) => {
  const office = await createOffice();
  t.teardown(office.close);
  await createDemo(office);
  t.match((await pageEmails(office)).items[0], { broker: { slug: 'demo', name: /./ } });
  const slow: Store['slow'] = async (owner, work) => {
    const found = await office.store.slow(owner, work);
    await removeDemo(office);
    return found;
  };
  t.strictSame((await pageEmails({ ...office, store: { ...office.store, slow } })).items, []);
});

t.test('emails of a broker that comes while they are looked up have its name', async (t) => {
  const office = await createOffice();
  t.teardown(office.close);
  const slow: Store['slow'] = async (owner, work) => {
    await createDemo(office);
    return office.store.slow(owner, work);
  };
  const { items } = await pageEmails({ ...office, store: { ...office.store, slow } });
  t.match(items[0], { broker: { slug: 'demo', name: /./ } });
});
