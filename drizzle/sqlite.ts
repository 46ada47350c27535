import { sqliteColumns } from './columns.ts';
import { defineTables } from './tables.ts';

export const tables = defineTables(sqliteColumns);
export const {
  settings,
  sequences,
  brokers,
  reportRecipients,
  apiKeys,
  firewallRules,
  plans,
  services,
  requests,
  requestHistory,
  templates,
  templateVersions,
  emailLog,
  invoices,
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
