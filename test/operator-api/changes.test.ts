import t from 'tap';
import { createTestOperatorApi } from '../support/operator-api.ts';

const BROKER = { slug: 'acme', name: 'Acme', contact_email: 'a@example.com', sender_email: 'b@example.com' };

t.test(
  'services and requests of a broker are read in the order of their changes, from a position on, as in v1',
  async (t) => {
    const api = await createTestOperatorApi();
    t.teardown(() => api.close());
    await api.post('/brokers', BROKER);
    const plan = { slug: 'start', display_name: 'Start', upgrade_rank: 1, billing_type: 'monthly' };
    await api.post('/brokers/acme/plans', plan);
    const records = [7001, 7002, 7003].map((service_number) => ({
      service_number,
      client: { name: 'Zoe' },
      plan: 'start',
    }));
    await api.post('/brokers/acme/services/import', { records });
    api.clock.advance(1_000);
    await api.post('/services/7001/update', { client: { name: 'Ada' } });

    const numbers = async (query: string) => {
      const { data, pagination, headers } = await api.get(`/services?broker=acme&${query}`);
      t.match(headers['x-server-date'], /^2030-/);
      return [data.map(({ service_number: number }: { service_number: number }) => number), pagination.total];
    };
    t.strictSame(await numbers('updated_since=2030-01-01'), [[7002, 7003, 7001], 3]);
    const since = '2030-01-15T12:00:00.000Z';
    t.strictSame(await numbers(`updated_since=${since}&after_number=7002`), [[7003, 7001], 2]);
    t.strictSame(await numbers('updated_since=2030-01-15T12:00:01Z&limit=1'), [[7001], 1]);

    await api.post('/brokers/acme/requests', { service_number: 7001, type: 'cancellation' });
    const { data } = await api.get('/requests?broker=acme&updated_since=2030-01-01');
    t.match(data, [{ broker: 'acme', service_number: 7001 }]);
    const [{ request_id, updated_date }] = data;
    const after = await api.get(`/requests?broker=acme&updated_since=${updated_date}&after_request=${request_id}`);
    t.strictSame(after.data, []);

    const refuses = async (path: string, field: string) =>
      t.match(await api.get(path), { status: 400, error: { details: { fields: [{ path: `query.${field}` }] } } }, path);
    await refuses('/services?updated_since=2030-01-01', 'updated_since');
    await refuses('/services?broker=acme&after_number=5', 'after_number');
    await refuses('/services?broker=acme&updated_since=2030-01-01&search=abc', 'search');
    await refuses('/services?broker=acme&updated_since=yesterday', 'updated_since');
  },
);
