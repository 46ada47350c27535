import { allowAddress } from '../operator/access/firewall.ts';
import { setPlan } from '../operator/plans/plans.ts';
import { setService } from '../operator/services/services.ts';
import type { ChangeDeps } from '../operator/use-case/dependencies.ts';
import { MINUTE_MS } from '../rules/durations.ts';

/** The same parts at a date in the past. */
export function asOf<P extends Pick<ChangeDeps, 'clock'>>(parts: P, date: number): P {
  return { ...parts, clock: { ...parts.clock, now: () => date } };
}

/** What the demo's operator changed in the last two days, by the use cases of the console. */
export async function makeDemoChanges(parts: ChangeDeps, now: number): Promise<void> {
  const before = (minutes: number) => asOf(parts, now - minutes * MINUTE_MS);
  await setPlan.run(before(1800), { broker: 'demo', slug: 'classic', active: false });
  await allowAddress.run(before(1380), { broker: 'demo-other', rule: '203.0.113.0/24', note: 'Shop servers' });
  await setService.run(before(660), { broker: 'demo', service_number: 1_000_025, requires_operator_review: true });
}
