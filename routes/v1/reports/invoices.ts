import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery } from '../../../schemas/params.ts';
import { InvoicesReportBody, ReportResult } from '../../../schemas/reports.ts';
import { sendInvoicesReport } from '../../../src/broker/send-report.ts';
import { timestampOf } from '../parameters.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/reports/invoices',
    {
      config: { scopes: ['reports:send', 'admin:full'], sandbox: 'unrecorded', idempotency: 'compare' },
      schema: {
        operationId: 'sendInvoicesReport',
        tags: ['Reports'],
        summary: 'Email an invoices report',
        description:
          'Emails the invoices that match all filters, oldest first, as a CSV file; the period covers the date of ' +
          'issue. Without matches the file has only its header line. Columns: invoice_number, service_number, ' +
          'client, amount, currency, invoice_status, issued_date, due_date, paid_date. A sandbox has no ' +
          "invoices.\n\nChecked in this order: the recipient is the broker's contact or on its verified list, the " +
          "file fits into an email. A broker's reports are made one at a time; one that waited 30 seconds is 500 " +
          '`server_error` with `Retry-After`, as is a repeat while its email is being sent.\n\nUnder an idempotency ' +
          'key one email is sent at most: where it is not known whether it was, each repeat is `email_send_error` ' +
          'with `outcome_unknown`; one that was certainly not sent is tried again. Without a key each successful ' +
          'call sends one.',
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: InvoicesReportBody,
        reasons: ['recipient_not_verified', 'report_too_large', 'rejected', 'unreachable', 'outcome_unknown'],
        response: {
          200: Envelope(ReportResult, {
            narrow: { type: 'invoices-report' },
            example: { recipient_email: 'office@demo-hosting.example.com', row_count: 3 },
          }),
          ...gateErrors('email_send_error'),
          ...errors(409),
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
