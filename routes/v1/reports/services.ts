import { Envelope, errors, gateErrors } from '../../../schemas/envelope.ts';
import { IdempotencyHeaders, NoQuery } from '../../../schemas/params.ts';
import { ReportResult, ServicesReportBody } from '../../../schemas/reports.ts';
import { sendServicesReport } from '../../../src/broker/send-report.ts';
import { timestampOf } from '../parameters.ts';
import type { V1Instance } from '../route.ts';

export default async (app: V1Instance) => {
  app.post(
    '/reports/services',
    {
      config: { scopes: ['reports:send', 'admin:full'], sandbox: 'unrecorded', idempotency: 'compare' },
      schema: {
        operationId: 'sendServicesReport',
        tags: ['Reports'],
        summary: 'Email a services report',
        description:
          'Emails the services that match all filters, newest first, as a CSV file; the period covers ' +
          '`created_date`. Without matches the file has only its header line. Cells that a spreadsheet would run ' +
          "as a formula are made harmless.\n\nChecked in this order: the recipient is the broker's contact or on " +
          "its verified list, the file fits into an email. A broker's reports are made one at a time; one that " +
          'waited 30 seconds is 500 `server_error` with `Retry-After`, as is a repeat while its email is being ' +
          'sent.\n\nUnder an idempotency key one email is sent at most: where it is not known whether it was, each ' +
          'repeat is `email_send_error` with `outcome_unknown`; one that was certainly not sent is tried again. ' +
          'Without a key each successful call sends one.',
        querystring: NoQuery,
        headers: IdempotencyHeaders,
        body: ServicesReportBody,
        reasons: ['recipient_not_verified', 'report_too_large', 'rejected', 'unreachable', 'outcome_unknown'],
        response: {
          200: Envelope(ReportResult, { narrow: { type: 'services-report' } }),
          ...gateErrors('email_send_error'),
          ...errors(409),
        },
      },
    },
    async ({ perform, body }, reply) =>
      reply.answer(
        await perform(sendServicesReport, {
          recipientEmail: body.recipient_email,
          periodFrom: timestampOf(body.period_from),
          periodTo: timestampOf(body.period_to),
          serviceStatus: body.service_status,
          billingType: body.billing_type,
          plan: body.plan,
          clientEmail: body.client_email,
          search: body.search,
          renewalBefore: timestampOf(body.renewal_before),
          externalReference: body.external_reference,
          updatedSince: timestampOf(body.updated_since),
        }),
      ),
  );
};
