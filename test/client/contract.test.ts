import { readFileSync } from 'node:fs';
import t from 'tap';
import { type ApiFailure, REASONS, STATUSES } from '../../client/src/errors.ts';
import { ERROR_CODES, REASONS as SERVER_REASONS, statusOf } from '../../src/errors.ts';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

t.test('the client knows every code with its status, and every reason that the server can give', async (t) => {
  t.strictSame(STATUSES, Object.fromEntries(ERROR_CODES.map((code) => [code, statusOf(code)])));
  t.same(REASONS, SERVER_REASONS);
});

t.test('a failure is narrowed by its code and reason to the details that the document has of it', async (t) => {
  const reported = (failure: ApiFailure): unknown => {
    if (failure.code === 'not_found') return failure.details.correlation_id;
    if (failure.code === 'rate_limit_exceeded') return failure.details.retry_after_seconds.toFixed();
    if (failure.code === 'invalid_parameter' && failure.reason === null) return failure.details.fields[0]?.rule;
    if (failure.reason === 'request_already_processed') return failure.details.decision?.decided_by;
    if (failure.reason === 'sandbox_full') return failure.details.limit.toFixed();
    // @ts-expect-error a service that is cancelled has no open request
    if (failure.reason === 'service_cancelled') return failure.details.request_id;
    return failure.reason === 'expired' ? failure.details.expired_date : undefined;
  };
  const details = { reason: 'expired', correlation_id: 'x', expired_date: '2026-03-01T09:30:00.000Z' } as const;
  const facts = { message: '', requestId: null, retryAfterSeconds: null };
  const expired = { code: 'authentication_failed', reason: 'expired', status: 401, details, ...facts } as const;
  t.equal(reported(expired), details.expired_date);
});

t.test('the client is a package of its own, with the one dependency that this tree tests it with', async (t) => {
  const [client, root] = [json('client/package.json'), json('package.json')];
  t.strictSame(Object.keys(client.dependencies), ['openapi-fetch']);
  t.equal(client.dependencies['openapi-fetch'], root.devDependencies['openapi-fetch']);
  t.strictSame([client.engines.node, client.version], [root.engines.node, root.version]);
});
