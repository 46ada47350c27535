import { sql } from 'drizzle-orm';
import type { Columns } from './columns.ts';

/**
 * Every table, once, for both engines. Names end in what they hold: `...At` is a moment in epoch
 * milliseconds, `...Folded` a copy prepared for comparison without case, `...Id` a prefixed text id.
 */
export function defineTables(c: Columns) {
  const settings = c.table('settings', {
    name: c.text().primaryKey(),
    value: c.text().notNull(),
  });

  /** Counters that hand out numbers; `nextValue` is the next candidate. */
  const sequences = c.table('sequences', {
    name: c.text().primaryKey(),
    nextValue: c.integer().notNull(),
  });

  const brokers = c.table('brokers', {
    id: c.text().primaryKey(),
    slug: c.text().notNull().unique(),
    name: c.text().notNull(),
    status: c.text().$type<'active' | 'suspended'>().notNull(),
    contactEmail: c.text().notNull(),
    senderEmail: c.text().notNull(),
    ipRestrictionEnabled: c.flag().notNull(),
    createdAt: c.moment().notNull(),
    updatedAt: c.moment().notNull(),
  });

  /** Addresses, besides the contact, that may receive a broker's reports. */
  const reportRecipients = c.table(
    'report_recipients',
    {
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      email: c.text().notNull(),
      emailFolded: c.text().notNull(),
      createdAt: c.moment().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.brokerId, t.emailFolded] })],
  );

  const apiKeys = c.table(
    'api_keys',
    {
      id: c.text().primaryKey(),
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      /** The eight characters that name the key; the rest of it is known only by its hash. */
      publicId: c.text().notNull().unique(),
      hash: c.text().notNull(),
      mode: c.text().$type<'live' | 'test'>().notNull(),
      name: c.text().notNull(),
      /** A JSON array, sorted. */
      scopes: c.text().notNull(),
      status: c.text().$type<'active' | 'revoked'>().notNull(),
      rateLimit: c.integer(),
      expiresAt: c.moment(),
      createdAt: c.moment().notNull(),
      lastUsedAt: c.moment(),
      lastUsedIp: c.text(),
      rotatedFromId: c.text(),
    },
    (t) => [c.index('api_keys_by_broker').on(t.brokerId, t.createdAt)],
  );

  const firewallRules = c.table(
    'firewall_rules',
    {
      id: c.text().primaryKey(),
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      /** As the operator entered it. */
      rule: c.text().notNull(),
      note: c.text(),
      createdAt: c.moment().notNull(),
    },
    (t) => [c.uniqueIndex('firewall_rules_once').on(t.brokerId, t.rule)],
  );

  const plans = c.table(
    'plans',
    {
      id: c.text().primaryKey(),
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      slug: c.text().notNull(),
      slugFolded: c.text().notNull(),
      displayName: c.text().notNull(),
      displayNameFolded: c.text().notNull(),
      upgradeRank: c.integer().notNull(),
      billingType: c.text().$type<'monthly' | 'hourly'>().notNull(),
      active: c.flag().notNull(),
      requiresOperatorReview: c.flag().notNull(),
      description: c.text(),
      vcpu: c.integer(),
      memoryMb: c.integer(),
      diskGb: c.integer(),
      transferGb: c.integer(),
      /** A decimal string as imported: money is never a float here. */
      priceAmount: c.text(),
      priceCurrency: c.text(),
      createdAt: c.moment().notNull(),
      updatedAt: c.moment().notNull(),
    },
    (t) => [
      c.uniqueIndex('plans_slug_once').on(t.brokerId, t.slugFolded),
      c.uniqueIndex('plans_display_name_once').on(t.brokerId, t.displayNameFolded),
      c.index('plans_in_order').on(t.brokerId, t.upgradeRank, t.id),
    ],
  );

  const services = c.table(
    'services',
    {
      /** The public service number: unique over all brokers, 1 to 2^53 - 1. */
      number: c.integer().primaryKey(),
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      status: c.text().$type<'pending' | 'active' | 'suspended' | 'cancelled' | 'terminated'>().notNull(),
      planId: c
        .text()
        .notNull()
        .references(() => plans.id),
      label: c.text(),
      externalReference: c.text(),
      clientName: c.text().notNull(),
      clientEmail: c.text(),
      clientEmailFolded: c.text(),
      /** Label, client name and external reference, folded: what `search` looks in. */
      searchText: c.text().notNull(),
      requiresOperatorReview: c.flag().notNull(),
      createdAt: c.moment().notNull(),
      renewalAt: c.moment(),
      cancelledAt: c.moment(),
      cancellationType: c.text().$type<'end_of_term' | 'immediate'>(),
      cancellationEffectiveAt: c.moment(),
      cancellationRequestId: c.text(),
      updatedAt: c.moment().notNull(),
    },
    (t) => [
      c.index('services_newest').on(t.brokerId, t.createdAt, t.number),
      c.index('services_by_status').on(t.brokerId, t.status, t.createdAt, t.number),
      c.index('services_by_plan').on(t.brokerId, t.planId, t.createdAt, t.number),
      c.index('services_by_email').on(t.brokerId, t.clientEmailFolded, t.createdAt, t.number),
      c.index('services_by_renewal').on(t.brokerId, t.renewalAt, t.createdAt, t.number),
    ],
  );

  const requests = c.table(
    'requests',
    {
      id: c.text().primaryKey(),
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      serviceNumber: c
        .integer()
        .notNull()
        .references(() => services.number),
      type: c
        .text()
        .$type<'cancellation-warning' | 'plan-upgrade' | 'plan-downgrade' | 'cancellation' | 'service-creation'>()
        .notNull(),
      status: c
        .text()
        .$type<'pending' | 'operator_review' | 'accepted' | 'completed' | 'failed' | 'approved' | 'denied'>()
        .notNull(),
      origin: c.text().$type<'client' | 'broker' | 'operator'>().notNull(),
      submittedAt: c.moment().notNull(),
      updatedAt: c.moment().notNull(),
      processedAt: c.moment(),
      decisionAction: c.text().$type<'approve' | 'deny' | 'accept'>(),
      decidedBy: c.text().$type<'broker' | 'operator'>(),
      decisionReason: c.text(),
      decidedAt: c.moment(),
      failureReason: c.text(),
      failureMessage: c.text(),
      failureServiceUsable: c.flag(),
      failureRetryable: c.flag(),
      warningReason: c.text(),
      currentPlanId: c.text().references(() => plans.id),
      newPlanId: c.text().references(() => plans.id),
      effectiveAt: c.moment(),
      cancellationType: c.text().$type<'end_of_term' | 'immediate'>(),
      cancellationReason: c.text(),
      /** When a worker may next take the request up; null unless it is accepted. */
      dueAt: c.moment(),
      leaseOwner: c.text(),
      attempts: c.integer().notNull(),
    },
    (t) => [
      c.index('requests_newest').on(t.brokerId, sql`submitted_at desc`, t.id),
      c.index('requests_by_status').on(t.brokerId, t.status, sql`submitted_at desc`, t.id),
      c.index('requests_by_type').on(t.brokerId, t.type, sql`submitted_at desc`, t.id),
      c.index('requests_by_service').on(t.brokerId, t.serviceNumber, sql`submitted_at desc`, t.id),
      c.index('requests_by_update').on(t.brokerId, t.updatedAt),
      c.index('requests_due').on(t.dueAt).where(sql`due_at is not null`),
      c.index('requests_open').on(t.serviceNumber).where(sql`status in ('pending', 'operator_review', 'accepted')`),
      // The database itself holds the rule "one open change a service"; the check before the write only explains it.
      c
        .uniqueIndex('requests_one_open_plan_change')
        .on(t.serviceNumber)
        .where(
          sql`type in ('plan-upgrade', 'plan-downgrade') and status in ('pending', 'operator_review', 'accepted')`,
        ),
      c
        .uniqueIndex('requests_one_open_cancellation')
        .on(t.serviceNumber)
        .where(sql`type = 'cancellation' and status in ('pending', 'operator_review', 'accepted')`),
    ],
  );

  const requestHistory = c.table(
    'request_history',
    {
      id: c.text().primaryKey(),
      brokerId: c.text().notNull(),
      requestId: c
        .text()
        .notNull()
        .references(() => requests.id),
      status: c.text().notNull(),
      at: c.moment().notNull(),
      actor: c.text().$type<'client' | 'broker' | 'operator' | 'system'>().notNull(),
      note: c.text(),
    },
    (t) => [c.index('request_history_in_order').on(t.requestId, t.at, t.id)],
  );

  const templates = c.table(
    'templates',
    {
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      kind: c.text().notNull(),
      subject: c.text().notNull(),
      html: c.text().notNull(),
      text: c.text().notNull(),
      active: c.flag().notNull(),
      updatedAt: c.moment().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.brokerId, t.kind] })],
  );

  /** One row for each email handed to the provider: written before the call, completed after it. */
  const emailLog = c.table(
    'email_log',
    {
      id: c.text().primaryKey(),
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      kind: c.text().notNull(),
      serviceNumber: c.integer(),
      requestId: c.text(),
      status: c.text().$type<'open' | 'sent' | 'failed' | 'unknown'>().notNull(),
      recipient: c.text(),
      subject: c.text(),
      html: c.text(),
      text: c.text(),
      failureReason: c.text(),
      providerCode: c.integer(),
      providerMessageId: c.text(),
      createdAt: c.moment().notNull(),
      completedAt: c.moment(),
      /** When addresses and bodies were erased; the rest of the row stays. */
      erasedAt: c.moment(),
    },
    (t) => [
      c.index('email_log_newest').on(t.brokerId, t.createdAt, t.id),
      c.index('email_log_to_erase').on(t.createdAt).where(sql`erased_at is null`),
      c.index('email_log_undecided').on(t.createdAt).where(sql`status in ('open', 'unknown')`),
    ],
  );

  const invoices = c.table(
    'invoices',
    {
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      invoiceNumber: c.text().notNull(),
      serviceNumber: c
        .integer()
        .notNull()
        .references(() => services.number),
      amount: c.text().notNull(),
      currency: c.text().notNull(),
      status: c.text().$type<'open' | 'paid' | 'void'>().notNull(),
      issuedAt: c.moment().notNull(),
      dueAt: c.moment(),
      paidAt: c.moment(),
      updatedAt: c.moment().notNull(),
    },
    (t) => [
      c.primaryKey({ columns: [t.brokerId, t.invoiceNumber] }),
      c.index('invoices_issued').on(t.brokerId, t.issuedAt, t.invoiceNumber),
      c.index('invoices_by_service').on(t.brokerId, t.serviceNumber, t.issuedAt, t.invoiceNumber),
    ],
  );

  const idempotencyRecords = c.table(
    'idempotency_records',
    {
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      mode: c.text().$type<'live' | 'test'>().notNull(),
      /** `action`, or `creation`: keys of the two never meet. */
      namespace: c.text().$type<'action' | 'creation'>().notNull(),
      key: c.text().notNull(),
      fingerprint: c.text().notNull(),
      statusCode: c.integer().notNull(),
      body: c.text().notNull(),
      createdAt: c.moment().notNull(),
      /** Null: kept for good. */
      expiresAt: c.moment(),
    },
    (t) => [
      c.primaryKey({ columns: [t.brokerId, t.mode, t.namespace, t.key] }),
      c.index('idempotency_expiry').on(t.expiresAt).where(sql`expires_at is not null`),
    ],
  );

  /** How many rows a list has, kept in the transaction that changes them, so that a total costs one look. */
  const counters = c.table(
    'counters',
    {
      brokerId: c.text().notNull(),
      subject: c.text().$type<'services' | 'requests'>().notNull(),
      /** Services: the plan's id. Requests: the type. */
      kind: c.text().notNull(),
      status: c.text().notNull(),
      value: c.integer().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.brokerId, t.subject, t.kind, t.status] })],
  );

  return {
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
    emailLog,
    invoices,
    idempotencyRecords,
    counters,
  };
}

export type Tables = ReturnType<typeof defineTables>;
