import type { TemplateValues } from '../mail/templates.ts';
import { type Access, accessOf, NO_ACCESS } from '../rules/access.ts';
import { isoTimestampOrNull } from '../rules/timestamps.ts';
import type { BrokerRow } from '../store/queries/brokers.ts';
import type { ListedService } from '../store/queries/services.ts';

/** The values of a template's variables for one service; an empty text for each one that has no value. */
export const templateValues = (
  { service, plan }: Pick<ListedService, 'service' | 'plan'>,
  {
    broker,
    warningReason = '',
    actionName = '',
  }: { broker: Pick<BrokerRow, 'name'>; warningReason?: string; actionName?: string | null },
): TemplateValues => ({
  client_name: service.clientName,
  // Mail is only sent where there is an address.
  client_email: service.clientEmail as string,
  service_number: String(service.number),
  service_label: service.label ?? '',
  plan_name: plan.displayName,
  warning_reason: warningReason,
  broker_name: broker.name,
  renewal_date: isoTimestampOrNull(service.renewalAt)?.slice(0, 10) ?? '',
  ...placeOf(accessOf(service.access) ?? NO_ACCESS),
  action_name: actionName ?? '',
});

const placeOf = ({ hostname, ip_addresses, username, login_url }: Access) => ({
  hostname: hostname ?? '',
  ip_address: ip_addresses[0] ?? '',
  ip_addresses: ip_addresses.join(', '),
  username: username ?? '',
  login_url: login_url ?? '',
});
