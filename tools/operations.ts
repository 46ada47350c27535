import { DEMO_KEYS } from '../src/demo/keys.ts';
import { operationsOf as operationsIn, USUAL_VALUES } from '../src/reference/operations.ts';

/** What every collection starts from: the demo data's sandbox key, with which each request works as it stands. */
export const VARIABLES: Readonly<Record<string, string>> = {
  base_url: 'http://127.0.0.1:3000/api',
  api_key: DEMO_KEYS.test,
  ...USUAL_VALUES,
};

export type Operation = ReturnType<typeof operationsOf>[number];

/** Approve and deny cannot both decide the usual sample. */
const OWN_VALUES: Readonly<Record<string, string>> = {
  '/v1/requests/{request_id}/deny': 'req_test_sample_pending_cancellation',
};

/** The document's operations as a collection shows them: usual values are its variables, a body is text. */
export const operationsOf = (document: Parameters<typeof operationsIn>[0]) =>
  operationsIn(document).map((operation) => ({
    ...operation,
    pathParameters: operation.pathParameters.map(({ name, value }) => ({
      name,
      value: OWN_VALUES[operation.path] ?? (value === USUAL_VALUES[name] ? `{{${name}}}` : value),
    })),
    /** Those of a success. */
    statuses: Object.keys(
      document.paths?.[operation.path]?.[operation.method === 'GET' ? 'get' : 'post']?.responses ?? {},
    ).filter((status) => status.startsWith('2')),
    body: operation.body === undefined ? undefined : JSON.stringify(operation.body, null, 2),
  }));
