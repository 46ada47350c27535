import { Envelope, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery } from '../../../schemas/params.ts';
import { InvoicesReportBody, ReportResult } from '../../../schemas/reports.ts';
import { sendInvoicesReport } from '../../../src/operations/send-report.ts';
import { timestampOf } from '../parameters.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.post(
    '/reports/invoices',
    {
      config: { scopes: ['reports:send', 'admin:full'] },
      schema: {
        operationId: 'sendInvoicesReport',
        tags: ['Reports'],
        summary: 'Email an invoices report',
        description:
          'Sends the invoices that pass all filters, oldest first, as a CSV attachment; the period covers the date of ' +
          'issue. Where nothing passes, the header line is sent alone. There is no idempotency key here: every ' +
          'successful call sends one email.',
        querystring: NoQuery,
        body: InvoicesReportBody,
        reasons: ['recipient_not_verified', 'report_too_large', 'rejected', 'unreachable', 'outcome_unknown'],
        response: {
          200: Envelope(ReportResult, {
            narrow: { type: 'invoices-report' },
            example: { recipient_email: 'office@demo-hosting.example.com', row_count: 3 },
          }),
          ...gateErrors('email_send_error'),
        },
      },
    },
    async ({ perform, body }, reply) =>
      reply.answer(
        await perform(sendInvoicesReport, {
          recipientEmail: body.recipient_email,
          periodFrom: timestampOf(body.period_from),
          periodTo: timestampOf(body.period_to),
          serviceNumber: body.service_number,
          invoiceStatus: body.invoice_status,
        }),
      ),
  );
};
