import t from 'tap';
import { readPostgresUrl } from '../../src/rules/postgres-urls.ts';

t.test('a URL with several hosts becomes one for each, with everything else unchanged', async (t) => {
  const rest = '/broker?sslmode=verify-full&target_session_attrs=primary';
  t.strictSame(readPostgresUrl(`postgres://ada:p%40ss@db-1:5433,db-2,[::1]:5434${rest}`), {
    urls: ['db-1:5433', 'db-2', '[::1]:5434'].map((host) => `postgres://ada:p%40ss@${host}${rest}`),
    target: 'primary',
    name: 'postgres://ada@db-1:5433,db-2,[::1]:5434/broker',
  });
});

t.test('several hosts are asked for one that takes changes, a single one for nothing, unless the URL says so', (t) => {
  t.equal(readPostgresUrl('postgresql://a,b/broker')?.target, 'read-write');
  t.equal(readPostgresUrl('postgres://a/broker')?.target, 'any');
  t.equal(readPostgresUrl('postgres://a,b/broker?target_session_attrs=any')?.target, 'any');
  t.equal(readPostgresUrl('postgres:///broker?host=/run/postgresql')?.name, 'postgres:///broker');
  t.end();
});

t.test('what cannot be read is refused', (t) => {
  for (const url of [
    'mysql://a/broker',
    'postgres://a,/broker',
    'postgres://a:port/broker',
    'postgres://a,b:port/broker',
    'postgres://a/broker?target_session_attrs=standby',
  ]) {
    t.equal(readPostgresUrl(url), null, url);
  }
  t.end();
});
