import { inspect } from 'node:util';
import t from 'tap';
import { BrokerError, createBrokerClient } from '../../client/src/index.ts';
import { type Call, meetsFaults, type Outcome } from '../support/client-faults.ts';

type LooseCall = (path: string, init: object) => Promise<{ replayed: boolean; requestId: string | null }>;

async function call({ url, apiKey, method, path, service_number, timeoutSeconds, ...init }: Call): Promise<Outcome> {
  const waits: number[] = [];
  const client = createBrokerClient({
    baseUrl: url,
    apiKey,
    maxRepeats: 2,
    timeoutMs: timeoutSeconds * 1000,
    wait: async (ms) => void waits.push(ms / 1000),
  });
  const send = client[method] as unknown as LooseCall;
  try {
    const { replayed, requestId } = await send(path, { ...init, params: { path: { service_number } } });
    return { success: true, replayed, requestId, waits };
  } catch (error) {
    if (!(error instanceof BrokerError)) throw error;
    const { status, code, requestId, retryAfterSeconds } = error.failure;
    return { success: false, status, code, requestId, retryAfter: retryAfterSeconds, why: inspect(error), waits };
  }
}

t.test('over a bad connection calls are repeated where that is safe, and a failure says what happened', async (t) => {
  await meetsFaults(t, call);
});
