import { Envelope, gateErrors } from '../../../schemas/envelope.ts';
import { NoQuery } from '../../../schemas/params.ts';
import { ReportResult, ServicesReportBody } from '../../../schemas/reports.ts';
import { sendServicesReport } from '../../../src/operations/send-report.ts';
import { timestampOf } from '../parameters.ts';
import type { V1 } from '../route.ts';

export default async (app: V1) => {
  app.post(
    '/reports/services',
    {
      config: { scopes: ['reports:send', 'admin:full'] },
      schema: {
        operationId: 'sendServicesReport',
        tags: ['Reports'],
        summary: 'Email a services report',
        description:
          'Sends the services that pass all filters, newest first, as a CSV attachment; the period covers the date of ' +
          'creation. Where nothing passes, the header line is sent alone. There is no idempotency key here: every ' +
          'successful call sends one email.',
        querystring: NoQuery,
        body: ServicesReportBody,
        response: {
          200: Envelope(ReportResult, { narrow: { type: 'services-report' } }),
          ...gateErrors('email_send_error'),
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
