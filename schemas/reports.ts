import { type TProperties, Type } from '@sinclair/typebox';
import { INVOICE_STATUSES, REPORT_TYPES } from '../src/rules/words.ts';
import { Exactly, Moment, MomentText, Named, Nullable, OneOf, ServiceNumber, SimulationMarks, Text } from './atoms.ts';
import { serviceFilters } from './services.ts';

/** What every report takes: where it goes and the time that it covers; all of it may be left out. */
const ReportBody = <T extends TProperties>(subject: string, filters: T, example: object) =>
  Exactly(
    {
      recipient_email: Type.Optional(
        Text(254, "The broker's contact, which is the default, or an address on its verified list", {
          format: 'mailbox',
        }),
      ),
      period_from: Type.Optional(MomentText(`${subject} at or after this moment.`)),
      period_to: Type.Optional(MomentText(`${subject} before this moment.`)),
      ...filters,
    },
    { ordered: [['period_from', 'period_to']], examples: [example] },
  );

export const ServicesReportBody = ReportBody('Services created', serviceFilters, {
  recipient_email: 'reports@example.com',
  period_from: '2026-01-01',
  period_to: '2026-04-01',
  service_status: 'active',
});

export const InvoicesReportBody = ReportBody(
  'Invoices issued',
  {
    service_number: Type.Optional(ServiceNumber),
    invoice_status: Type.Optional(OneOf(INVOICE_STATUSES)),
  },
  { period_from: '2026-01-01', period_to: '2026-04-01', invoice_status: 'open' },
);

/** The report that was sent. */
export const ReportResult = Named(
  'Report',
  {
    report_id: Type.String({ description: 'Also stands in the email' }),
    type: OneOf(REPORT_TYPES),
    report_status: Type.Literal('sent'),
    recipient_email: Type.String({ description: 'Where the email went' }),
    row_count: Type.Integer({ minimum: 0, description: 'Rows below the header line' }),
    period_from: Nullable(Moment('The first moment that the report covers; null: no limit.')),
    period_to: Nullable(Moment('The first moment that the report does not cover any more; null: no limit.')),
    submitted_date: Moment('When the report was asked for.'),
    processed_date: Moment('When the provider had accepted the email.'),
    ...SimulationMarks,
  },
  {
    examples: [
      {
        report_id: 'rpt_01KJQ7A4ZC5R0W8N3D6V1X9T2M',
        type: 'invoices-report',
        report_status: 'sent',
        recipient_email: 'reports@example.com',
        row_count: 42,
        period_from: '2026-01-01T00:00:00.000Z',
        period_to: '2026-04-01T00:00:00.000Z',
        submitted_date: '2026-04-01T06:00:00.000Z',
        processed_date: '2026-04-01T06:00:00.412Z',
      },
    ],
  },
);
