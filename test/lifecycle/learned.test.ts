import t from 'tap';
import { createTestProvisioner, workerOf } from '../support/work.ts';
import { createWorld } from '../support/world.ts';

t.test(
  'values that the plan has no option for are left out, noted and logged by their names: the work is done',
  async (t) => {
    const world = await createWorld();
    t.teardown(() => world.close());
    const broker = await world.addBroker();
    const { key } = await world.addKey(broker);
    const plan = await world.addPlan(broker, { slug: 'vps' });
    const hostname = {
      name: 'hostname',
      display_name: 'Host',
      description: null,
      type: 'text' as const,
      required: false,
    };
    const options = [{ ...hostname, default: null, format: 'hostname' as const, max_length: 253 }];
    const offer = { options, actions: [], hasCredentials: false, provisioning: null };
    await world.store.tx((tx) => tx.plans.putOffers(broker.id, new Map([[plan.id, offer]])));
    const provisioner = createTestProvisioner();
    const create = async () => {
      const client = { name: 'Ada', email: 'ada@example.com' };
      const { json } = await world.call(key, 'POST', '/services', { body: { plan: 'vps', client } });
      await workerOf(world, provisioner).runOnce();
      const service = (await world.call(key, 'GET', `/services/${json.data.service_number}`)).json.data;
      const { history } = (await world.call(key, 'GET', `/requests/${json.data.request_id}`)).json.data;
      return { service, request: json.data.request_id, note: history.at(-1).note };
    };

    provisioner.answers.push({ outcome: 'done', configuration: { hostname: 'shop.example.com' }, reference: 'vm-1' });
    const whole = await create();
    t.match(whole, { service: { configuration: { hostname: 'shop.example.com' } }, note: null });

    provisioner.answers.push({ outcome: 'done', configuration: { hostname: 'a_b', password: 'hunter2' } });
    const partly = await create();
    t.match(partly, { service: { service_status: 'active', configuration: {} }, note: 'access_not_valid' });
    t.match(world.logged, [
      { details: { request_id: partly.request, fields: ['configuration.password', 'configuration.hostname'] } },
    ]);
    t.notOk(JSON.stringify(world.logged).includes('hunter2'));

    provisioner.answers.push({ outcome: 'done', isPartlyInvalid: true });
    t.match(await create(), { service: { service_status: 'active' }, note: 'access_not_valid' });
  },
);
