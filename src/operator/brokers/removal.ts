import { Type } from '@sinclair/typebox';
import { MAX_INT32, Shown, Whole } from '../../../schemas/atoms.ts';
import { DAY_MS } from '../../rules/durations.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { BROKER, type ChangeDeps, recordChange, requireBroker } from '../use-case/dependencies.ts';
import { refused } from '../use-case/errors.ts';
import { answerSchema } from '../use-case/record.ts';
import { FIRST_STEP, nextStep } from '../use-case/removal-steps.ts';
import { useCase } from '../use-case/use-case.ts';
import { aboutBroker } from './brokers.ts';
import { brokerRecord } from './views.ts';

export interface RemovalDeps extends ChangeDeps {
  /** Removes a broker's sandbox, which lies in a database of its own. */
  removeSandbox(brokerId: string): Promise<void>;
}

/** So long must a broker have been suspended, and not been changed in any other way. */
const SUSPENDED_MS = DAY_MS;

/** When the broker can be removed: null where it is not suspended. */
export const removableDate = ({ broker_status, updated_date }: ReturnType<typeof brokerRecord>): string | null =>
  broker_status === 'suspended' ? isoTimestamp(Date.parse(updated_date) + SUSPENDED_MS) : null;

/** What a removal would hit, in the words of a question. Throws an `OperatorError` where it is refused. */
async function previewRemoval({ store, clock }: Pick<ChangeDeps, 'store' | 'clock'>, input: { broker: string }) {
  const broker = await requireBroker(store.read, input.broker);
  const from = removableDate(brokerRecord(broker));
  if (from === null) throw refused(`"${broker.slug}" can be removed once it has been suspended for a day`);
  if (clock.now() < Date.parse(from)) {
    throw refused(`"${broker.slug}" can be removed from ${from} on, once it has been suspended for a day`);
  }
  const [services, requests] = await Promise.all([
    store.read.counters.total(broker.id, 'services'),
    store.read.counters.total(broker.id, 'requests'),
  ]);
  return { broker, services, requests };
}

/**
 * Removes a broker with all its records and its sandbox, for good; the audit trail remains, with one row of what there was.
 * Goes on with a removal that was cut off, and with its row. Contract, section 9. Throws an `OperatorError` unless the broker has been suspended for a day.
 */
export const removeBroker = useCase({
  name: 'brokers remove',
  role: 'admin',
  audits: ['broker.remove'],
  title: 'Remove',
  summary: 'Remove a broker',
  description: 'Remove a broker that has been suspended for a day, with all its records, for good',
  example: 'brokers remove acme',
  input: Type.Object(BROKER),
  on: ['broker'],
  argument: 'broker',
  path: 'POST /brokers/:broker/remove',
  answer: answerSchema('BrokerRemoval', {
    broker: Shown(64, 'The broker’s slug'),
    removed: Type.Literal(true),
    services: Whole(0, MAX_INT32, 'Services that it had'),
    requests: Whole(0, MAX_INT32, 'Requests that it had'),
  }),
  show: previewRemoval,
  confirm: ({ broker, services, requests }) =>
    `${broker.name} is removed for good, with ${services} services, ${requests} requests and all that is theirs.`,
  run: remove,
});

async function remove(parts: RemovalDeps, input: { broker: string }) {
  const { store, clock } = parts;
  const { broker, services, requests } = await previewRemoval(parts, input);
  await store.tx(async (tx) => {
    const row = { action: 'broker.remove', ...aboutBroker(broker) };
    await tx.removals.lock(row.subject);
    // One that was cut off is later than the suspension; a broker that was resumed since is removed anew.
    const earlier = await tx.audit.list({ ...row, subjects: [row.subject], since: broker.updatedAt }, 1);
    if (earlier.length > 0) return;
    await recordChange(parts, tx, { ...row, before: { ...brokerRecord(broker), services, requests } });
  });
  await parts.removeSandbox(broker.id);
  for (let step = FIRST_STEP, left = true; left; ) {
    const began = clock.monotonic();
    left = await store.tx((tx) => tx.owned.removeSome(broker.id, step));
    step = nextStep(step, clock.monotonic() - began);
  }
  return { broker: broker.slug, removed: true as const, services, requests };
}
