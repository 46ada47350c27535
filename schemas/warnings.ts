import { type Static, Type } from '@sinclair/typebox';
import { Exactly, Id, Named, Nullable, ServiceNumber, Shown, SimulationMarks, Text, Timestamp } from './atoms.ts';

/** The reason that the examples show. */
export const WARNING = 'Invoice 2026-118 is 30 days overdue.';

export const WarningBody = Exactly(
  {
    warningReason: Text(1000, 'Why the client is warned; part of the email. Trimmed.'),
  },
  { component: 'CancellationWarningInput', examples: [{ warningReason: WARNING }] },
);

/** The cancellation warning that was sent. */
export const WarningResult = Named('CancellationWarning', {
  request_id: Nullable(Id('req', 'Null: the email was sent, and its entry in the history could not be saved')),
  type: Type.Literal('cancellation-warning'),
  request_status: Type.Literal('approved'),
  service_number: Nullable(ServiceNumber),
  warning_reason: Shown(1000, 'The reason in the email to the client', { examples: [WARNING] }),
  submitted_date: Timestamp('When the warning was requested.'),
  processed_date: Timestamp('When the provider had accepted the email.'),
  ...SimulationMarks,
});
export type WarningResult = Static<typeof WarningResult>;
