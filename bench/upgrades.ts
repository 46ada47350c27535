import { upgradeService } from '../src/broker/submit-request.ts';
import type { Context } from '../src/ports.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { createIds } from '../src/runtime/ids.ts';
import type { Store } from '../src/store/store.ts';

/** Upgrades services of the bench's broker by their numbers, each under a key of its own: the operation without HTTP and gates. */
export function upgradesOn(store: Store): (number: number) => Promise<unknown> {
  // An upgrade asks for nothing else.
  const context = { store, clock: systemClock, newId: createIds() } as Context;
  const actor = { kind: 'api_key', name: 'key_bench', clientIp: '127.0.0.1' } as const;
  return (number) => {
    const name = { brokerId: 'brk_bench', mode: 'live', namespace: 'action', key: `bench-${number}` } as const;
    const claim = { name, fingerprint: '', onOtherInput: 'compare', keepForMs: 1, encode: JSON.stringify } as const;
    const input = { serviceNumber: number, newPlan: 'two' } as const;
    return upgradeService(context, { brokerId: 'brk_bench', actor }, input, claim);
  };
}
