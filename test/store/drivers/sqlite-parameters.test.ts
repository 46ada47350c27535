import { eq } from 'drizzle-orm';
import t from 'tap';
import { tables } from '../../../drizzle/sqlite.ts';
import { connect, databaseOf } from '../../../src/store/drivers/sqlite-client.ts';

t.test('a parameter is written so that the planner does not compile a statement anew for its value', async (t) => {
  const client = connect(`${t.testdir()}/some.db`, 0);
  t.teardown(() => client.close());
  const db = databaseOf(client);
  const { sql } = db
    .select({ name: tables.settings.name })
    .from(tables.settings)
    .where(eq(tables.settings.value, 'x'))
    .toSQL();
  t.match(sql, /where "settings"\."value" = \+\?$/);
});
