import t from 'tap';
import { aLoss } from '../../support/rows.ts';
import { iso } from '../../support/v1.ts';
import { createWorld } from '../../support/world.ts';

interface Operation {
  requestBody?: { content: { 'application/json': { example: object } } };
}

const OWN = 1_000_010;
const THEIRS = 1_000_011;
const NOBODYS = 1_000_012;
const LOSS = aLoss();

t.test('A number that a loss passed over is answered as lost by every operation', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const [ours, theirs] = [await world.addBroker(), await world.addBroker()];
  const { key } = await world.addKey(ours);
  await world.addService(ours, await world.addPlan(ours), { number: OWN });
  await world.addService(theirs, await world.addPlan(theirs), { number: THEIRS });
  await world.store.tx((tx) => tx.history.insert(LOSS));
  const document = (await world.app.inject('/api/openapi.json')).json();
  const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      path.includes('{service_number}') ? [{ path: path.replace('/v1', ''), method, operation }] : [],
    ),
  );
  t.ok(operations.length > 10);
  for (const { path, method, operation } of operations) {
    const body = operation.requestBody?.content['application/json'].example;
    const call = (number: number) =>
      world.call(key, method.toUpperCase() as 'GET', path.replace('{service_number}', `${number}`), { body });
    for (const number of [THEIRS, NOBODYS]) {
      const { status, json } = await call(number);
      t.match(
        { status, error: json.error },
        {
          status: 404,
          error: {
            code: 'not_found',
            message: 'Service not found or access denied',
            details: { reason: 'records_lost', lost_from: iso(LOSS.lostFrom), lost_until: iso(LOSS.lostUntil) },
          },
        },
        `${method} ${path} ${number}`,
      );
    }
    t.not((await call(OWN)).status, 404, `${method} ${path}: the broker's own`);
    const outside = await call(LOSS.lastNumber + 1);
    t.strictSame([outside.status, outside.json.error.details], [404, undefined], 'one that no loss passed over');
  }
});

t.test('Of two losses the later one is named', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { key } = await world.addKey(await world.addBroker());
  const later = aLoss({ history: LOSS.history + 9, lostFrom: LOSS.lostFrom + 9000, lostUntil: LOSS.lostUntil + 9000 });
  await world.store.tx(async (tx) => {
    await tx.history.insert(later);
    await tx.history.insert(LOSS);
  });
  const { json } = await world.call(key, 'GET', `/services/${NOBODYS}`);
  t.equal(json.error.details.lost_until, iso(later.lostUntil));
});

t.test('Lists with updated_since name the history, which changes with each loss, and others do not', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { key } = await world.addKey(await world.addBroker());
  const history = async (path: string) => (await world.call(key, 'GET', path)).json.pagination.history;
  for (const list of ['/services', '/requests']) {
    t.equal(await history(`${list}?updated_since=2030-01-01`), '0');
    t.equal(await history(list), undefined);
  }
  for (const loss of [LOSS, aLoss({ history: LOSS.history + 1 })]) {
    await world.store.tx((tx) => tx.history.insert(loss));
    for (const list of ['/services', '/requests'])
      t.equal(await history(`${list}?updated_since=2030-01-01`), String(loss.history));
  }
});

t.test('A sandbox knows of no loss', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { key } = await world.addKey(await world.addBroker(), ['admin:full'], { mode: 'test' });
  await world.store.tx((tx) => tx.history.insert(LOSS));
  const { status, json } = await world.call(key, 'GET', `/services/${NOBODYS}`);
  t.strictSame([status, json.error.details], [404, undefined]);
  t.equal((await world.call(key, 'GET', '/services?updated_since=2030-01-01')).json.pagination.history, '0');
});
