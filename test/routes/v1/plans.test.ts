import t from 'tap';
import { keysOf, NESTED_PLAN, nested, refused } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

t.test('The active plans are listed by rank, then by id, in full', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const broker = await world.addBroker();
  const { key } = await world.addKey(broker, ['plans:read']);
  const get = async (query = '') => (await world.call(key, 'GET', `/plans${query}`)).json;
  const names = async (query: string) => (await get(query)).data.map((plan: { slug: string }) => plan.slug);
  t.strictSame(await get(), {
    success: true,
    data: [],
    pagination: { page: 1, perPage: 25, total: 0, totalPages: 0 },
  });

  const top = await world.addPlan(broker, {
    slug: 'top',
    displayName: 'The Top',
    upgradeRank: 30,
    description: 'All of it',
    requiresOperatorReview: true,
    priceAmount: '0.10000',
  });
  const bare = { vcpu: null, memoryMb: null, diskGb: null, transferGb: null, priceAmount: null, priceCurrency: null };
  await world.addPlan(broker, { slug: 'twin-b', id: 'pln_b', upgradeRank: 20, billingType: 'hourly' });
  await world.addPlan(broker, { slug: 'twin-a', id: 'pln_a', upgradeRank: 20 });
  const low = await world.addPlan(broker, { slug: 'low', upgradeRank: 0, ...bare });
  await world.addPlan(broker, { slug: 'parked', upgradeRank: 5, active: false });
  await world.addPlan(broker, { slug: 'parked-hourly', upgradeRank: 5, active: false, billingType: 'hourly' });
  await world.addPlan(await world.addBroker(), { slug: 'foreign', upgradeRank: 1 });

  const { data, pagination } = await get();
  t.strictSame(
    data.map((plan: { slug: string }) => plan.slug),
    ['low', 'twin-a', 'twin-b', 'top'],
  );
  t.strictSame(pagination, { page: 1, perPage: 25, total: 4, totalPages: 1 });
  for (const plan of data) {
    const own = ['description', 'price', 'requires_operator_review', 'specifications', 'options', 'actions'];
    const keys = [...NESTED_PLAN, ...own, 'has_credentials'].sort();
    t.strictSame(keysOf(plan), keys);
  }
  const nothing = { options: [], actions: [], has_credentials: false };
  t.strictSame(data[3], {
    ...nested(top),
    description: 'All of it',
    specifications: { vcpu: 1, memory_mb: 1024, disk_gb: 20, transfer_gb: null },
    price: { amount: '0.10000', currency: 'EUR' },
    requires_operator_review: true,
    ...nothing,
  });
  t.strictSame(data[0], {
    ...nested(low),
    description: null,
    specifications: null,
    price: null,
    requires_operator_review: false,
    ...nothing,
  });

  t.strictSame(await names('?billing_type=hourly'), ['twin-b']);
  t.strictSame(await names('?billing_type=monthly'), ['low', 'twin-a', 'top']);
  t.equal((await get('?billing_type=hourly')).pagination.total, 1);
  t.strictSame(await names('?limit=2&offset=1'), ['twin-a', 'twin-b']);
  t.strictSame(await names('?page=2&perPage=3'), ['top']);
  t.strictSame(await get('?page=9&perPage=3'), {
    success: true,
    data: [],
    pagination: { page: 9, perPage: 3, total: 4, totalPages: 2 },
  });
  for (const [query, fault] of [
    ['billing_type=weekly', 'query.billing_type enum'],
    ['active=false', 'query.active unknown'],
    ['limit=101', 'query.limit range'],
    ['limit=1&perPage=1', 'query.perPage conflict'],
  ]) {
    const answer = await world.call(key, 'GET', `/plans?${query}`);
    refused(t, answer, { status: 400, code: 'invalid_parameter', fields: [`${fault}`] }, query);
  }
});
