import type { TemplateValues } from '../mail/templates.ts';
import { timestamp } from '../rules/timestamps.ts';
import type { BrokerRow } from '../store/brokers.ts';
import type { ServiceView } from '../store/services.ts';

/** The values of a template's variables for one service; an empty text for each one that has no value. */
export const templateValues = (
  { service, plan }: ServiceView,
  { broker, warningReason = '' }: { broker: Pick<BrokerRow, 'name'>; warningReason?: string },
): TemplateValues => ({
  client_name: service.clientName,
  // Mail is only sent where there is an address.
  client_email: service.clientEmail as string,
  service_number: String(service.number),
  service_label: service.label ?? '',
  plan_name: plan.displayName,
  warning_reason: warningReason,
  broker_name: broker.name,
  renewal_date: timestamp(service.renewalAt)?.slice(0, 10) ?? '',
});
