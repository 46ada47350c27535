// Generated from the OpenAPI document by `npm run generate`; do not edit.

/** The actions that take an idempotency key. */
export const TAKES_IDEMPOTENCY_KEY: ReadonlySet<string> = new Set([
  '/v1/requests/{request_id}/approve',
  '/v1/requests/{request_id}/withdraw',
  '/v1/services',
  '/v1/services/{service_number}/cancel',
  '/v1/services/{service_number}/downgrade',
  '/v1/services/{service_number}/suspend',
  '/v1/services/{service_number}/unsuspend',
  '/v1/services/{service_number}/update',
  '/v1/services/{service_number}/upgrade',
]);
