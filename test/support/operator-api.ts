import type { LightMyRequestResponse } from 'fastify';
import { createOperatorKey } from '../../src/operator/people/operator-keys.ts';
import { createTestConsole } from './console.ts';

/** The operator's API on a database of its own, with a key of each role. */
export async function createTestOperatorApi(...options: Parameters<typeof createTestConsole>) {
  const console = await createTestConsole(...options);
  const keyOf = async (role: string, more: object = {}) =>
    (await createOperatorKey.run(console.context, { name: `The ${role}`, role, ...more })).key;
  const keys = { admin: await keyOf('admin'), support: await keyOf('support'), viewer: await keyOf('viewer') };

  async function send(method: 'GET' | 'POST', path: string, body?: unknown, key = keys.admin, headers: object = {}) {
    const response: LightMyRequestResponse = await console.app.inject({
      method,
      url: `/operator/v1${path}`,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { payload: body as object }),
    });
    const json = response.headers['content-type']?.includes('json') ? response.json() : undefined;
    const { error, data, pagination } = json ?? {};
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      json,
      error,
      data,
      pagination,
    };
  }

  return {
    ...console,
    keys,
    keyOf,
    get: (path: string, key?: string) => send('GET', path, undefined, key),
    post: (path: string, body: unknown = {}, key?: string) => send('POST', path, body, key),
    send,
  };
}
