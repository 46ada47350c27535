import { postgresColumns } from './columns.ts';
import { defineTables } from './tables.ts';

export const tables = defineTables(postgresColumns);
export const {
  settings,
  sequences,
  losses,
  brokers,
  reportRecipients,
  apiKeys,
  firewallRules,
  plans,
  planOffers,
  services,
  requests,
  requestHistory,
  templates,
  templateVersions,
  emailLog,
  invoices,
  consumption,
  idempotencyRecords,
  counters,
  usage,
  calls,
  auditTrail,
  operators,
  consoleLinks,
  consoleSessions,
  operatorKeys,
} = tables;
