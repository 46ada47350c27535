import { readFileSync } from 'node:fs';
import t from 'tap';
import { REASONS, STATUSES } from '../../client/src/errors.ts';
import { ApiError, ERROR_CODES, REASONS as SERVER_REASONS } from '../../src/errors.ts';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

t.test("the client's union knows every code with its status, and every reason that the server can give", async (t) => {
  t.strictSame(STATUSES, Object.fromEntries(ERROR_CODES.map((code) => [code, new ApiError(code, '').statusCode])));
  for (const [code, reasons] of Object.entries(SERVER_REASONS)) {
    const known: readonly string[] = REASONS[code as keyof typeof REASONS];
    t.strictSame(
      reasons.filter((reason) => !known.includes(reason)),
      [],
      code,
    );
  }
});

t.test('the client is a package of its own, with the one dependency that this tree tests it with', async (t) => {
  const [client, root] = [json('client/package.json'), json('package.json')];
  t.strictSame(Object.keys(client.dependencies), ['openapi-fetch']);
  t.equal(client.dependencies['openapi-fetch'], root.devDependencies['openapi-fetch']);
  t.strictSame([client.engines.node, client.version], [root.engines.node, root.version]);
});
