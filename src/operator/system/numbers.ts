import { Type } from '@sinclair/typebox';
import type { ChangeDeps } from '../use-case/dependencies.ts';
import { integer } from '../use-case/fields.ts';
import { useCase } from '../use-case/use-case.ts';

/**
 * Passes over service numbers that will never be issued: after a failover that lost changes, the counter stands where the
 * standby had it, and callers were given numbers beyond that (contract, section 9). Returns the number that would have been
 * issued next, and the one that will be; numbers in use are passed over later.
 */
export const skipNumbers = useCase({
  name: 'numbers skip',
  role: 'admin',
  action: 'numbers.skip',
  title: 'Skip numbers',
  description: 'Never issue the next so many numbers: after a failover that lost changes they may be out already',
  example: 'numbers skip 1000',
  // More than a standby can be behind, and few enough that a slip of the hand costs nothing.
  input: Type.Object({ count: integer(1, 1_000_000, { title: 'Count' }) }),
  argument: 'count',
  confirm: (_record, { count }) => `The next ${count} service numbers are never issued.`,
  async change(tx, _deps: ChangeDeps, { count: skipped }) {
    const { from, to } = await tx.sequences.skip(skipped);
    return {
      record: { skipped, from, to },
      about: { brokerId: null, subject: 'counter/service_number' },
      before: { next: from },
      after: { next: to },
    };
  },
});
