import { Type } from '@sinclair/typebox';
import { MAX_INT32, Nullable, OneOf, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { isoTimestampOrNull } from '../../rules/timestamps.ts';
import type { Reads } from '../../store/store.ts';
import { findProvisionerState } from '../../worker/provisioner-state.ts';
import type { OperatorContext } from '../use-case/dependencies.ts';

/** Works that wait which are counted at most. */
const MAX_COUNTED = 100_000;

/** What its answers say of the provisioner, and what waits for it. Contract, section 14.5. */
const STATE = {
  state: OneOf(['answering', 'not_answering', 'unknown'], {
    description:
      'Known from its answers: not_answering after three calls or more over at least a minute without one; unknown where none came yet',
  }),
  since_date: Nullable(Timestamp('The first call of those without an answer; null while it answers.'), {
    examples: [null],
  }),
  answered_date: Nullable(Timestamp('Its last answer; null: none yet.')),
  waiting: Whole(0, MAX_INT32, 'Requests whose work is due, or is tried again'),
  reason: Nullable(Shown(64, 'Why the latest call had no answer; null while it answers'), { examples: [null] }),
  message: Nullable(Shown(1_000, 'The same in words'), { examples: [null] }),
};

export const PROVISIONER = Nullable(Type.Object(STATE), { description: 'Null where no provisioner is set' });

/** Null where no endpoint is set. Costs two reads. */
export async function showProvisioner(
  { clock, hasProvisioner }: Pick<OperatorContext, 'clock' | 'hasProvisioner'>,
  read: Pick<Reads, 'settings' | 'allRequests'>,
) {
  if (!hasProvisioner) return null;
  const { state, answeredAt, failingSince, reason, message } = await findProvisionerState(read);
  return {
    state,
    since_date: state === 'not_answering' ? isoTimestampOrNull(failingSince) : null,
    answered_date: isoTimestampOrNull(answeredAt),
    waiting: await read.allRequests.countWaiting(clock.now(), MAX_COUNTED),
    reason,
    message,
  };
}

export type ShownProvisioner = Awaited<ReturnType<typeof showProvisioner>>;
