import { type TProperties, Type } from '@sinclair/typebox';
import { INVOICE_STATUSES, REPORT_TYPES } from '../src/rules/words.ts';
import {
  Exactly,
  Id,
  LossMark,
  MAX_INT32,
  Named,
  Nullable,
  OneOf,
  ServiceNumber,
  Shown,
  SimulationMarks,
  Text,
  Timestamp,
  TimestampText,
  Whole,
} from './atoms.ts';
import { serviceFilters } from './services.ts';

/** The body of every report: the recipient, the period and the report's own filters, all of them optional. */
const ReportBody = <T extends TProperties>(component: string, subject: string, filters: T, example: object) =>
  Exactly(
    {
      recipient_email: Type.Optional(
        Text(254, "The broker's contact, which is the default, or an address on its verified list", {
          format: 'mailbox',
        }),
      ),
      period_from: Type.Optional(TimestampText(`${subject} at or after this date.`)),
      period_to: Type.Optional(TimestampText(`${subject} before this date.`)),
      ...filters,
    },
    { component, ordered: [['period_from', 'period_to']], examples: [example] },
  );

export const ServicesReportBody = ReportBody('ServicesReportInput', 'Services created', serviceFilters, {
  recipient_email: 'accounts@demo-hosting.example.com',
  period_from: '2026-01-01',
  period_to: '2026-04-01',
  service_status: 'active',
});

export const InvoicesReportBody = ReportBody(
  'InvoicesReportInput',
  'Invoices issued',
  {
    service_number: Type.Optional(ServiceNumber),
    invoice_status: Type.Optional(OneOf(INVOICE_STATUSES)),
  },
  { period_from: '2026-01-01', period_to: '2026-04-01', invoice_status: 'open' },
);

/** The report that was sent. */
export const ReportResult = Named('Report', {
  report_id: Id('rpt', 'Also in the email'),
  type: OneOf(REPORT_TYPES, { description: 'The type that was requested' }),
  report_status: Type.Literal('sent'),
  recipient_email: Shown(254, 'Where the email went', {
    format: 'email',
    examples: ['accounts@demo-hosting.example.com'],
  }),
  row_count: Whole(0, MAX_INT32, 'Rows below the header line', { examples: [17] }),
  period_from: Nullable(Timestamp('The start of the period, included; null: no limit.', '2026-01-01T00:00:00.000Z')),
  period_to: Nullable(Timestamp('The end of the period, not included; null: no limit.', '2026-04-01T00:00:00.000Z')),
  submitted_date: Timestamp('When the report was requested.'),
  processed_date: Timestamp('When the provider had accepted the email.'),
  ...LossMark,
  ...SimulationMarks,
});
