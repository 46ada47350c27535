import { sql } from 'drizzle-orm';
import { EXCLUSIONS, type RequestType, typesExcludedBy } from '../src/kinds/index.ts';
import type * as Words from '../src/rules/words.ts';
import { LIVING_STATUSES, OPEN_STATUSES } from '../src/rules/words.ts';
import type { Columns } from './columns.ts';

/**
 * SQL condition: the request is open. The values are literals and the text is the same everywhere, because the engines
 * use a partial index only for a query that repeats its condition.
 */
export const IS_OPEN = `status in ${words(OPEN_STATUSES)}`;

/** SQL expression: who a request's work is done for, its broker or, where the operator submitted it, the operator. */
export const WORK_OWNER = `(case when origin = 'operator' then 'operator' else broker_id end)`;

/** SQL condition: the service has not ended. */
export const IS_LIVING = `status in ${words(LIVING_STATUSES)}`;

const isOneOf = (column: string, list: readonly string[]): string =>
  list.length === 1 ? `${column} = '${list[0]}'` : `${column} in ${words(list)}`;

function words(list: readonly string[]): string {
  return `(${list.map((word) => `'${word}'`).join(', ')})`;
}

/**
 * Every table, once, for both engines. Suffixes of column names: `...At` is a timestamp in epoch milliseconds,
 * `...Folded` a copy for case-insensitive comparison, `...Id` a prefixed text id.
 */
export function defineTables(c: Columns) {
  const settings = c.table('settings', {
    name: c.text().primaryKey(),
    value: c.text().notNull(),
  });

  /**
   * Sequences of numbers; `nextValue` is the next candidate. On PostgreSQL the row also says whose history it is: no number
   * is issued where the table or the timeline are others, a trigger sees to it (`sequences_of_one_history`).
   */
  const sequences = c.table('sequences', {
    name: c.text().primaryKey(),
    nextValue: c.integer().notNull(),
    /** The cluster's system identifier, the table's oid, the timeline of its WAL; null: not known. */
    historySystem: c.text(),
    historyTable: c.text(),
    historyTimeline: c.text(),
    /** A hash of the address by which the database is reached. */
    historyAddress: c.text(),
  });

  /** Each time that the records went back, once (contract, section 15). */
  const losses = c.table('losses', {
    /** The number of history: the second in which the loss was found, and higher than the one before. */
    history: c.integer().primaryKey(),
    cause: c.text().$type<Words.LossCause>().notNull(),
    /** `held`: nothing goes out; `copy`: for good; `over`: it goes on. */
    state: c.text().$type<Words.LossState>().notNull(),
    lostFrom: c.timestamp().notNull(),
    lostUntil: c.timestamp().notNull(),
    /** The numbers that were passed over for it, both included. */
    firstNumber: c.integer().notNull(),
    lastNumber: c.integer().notNull(),
    /** The machine and the database that it was found on. */
    place: c.text().notNull(),
    endedAt: c.timestamp(),
    /** How far the dates of its records have been moved for copies, as JSON; null: all have. */
    moving: c.text(),
  });

  const brokers = c.table('brokers', {
    id: c.text().primaryKey(),
    slug: c.text().notNull().unique(),
    name: c.text().notNull(),
    status: c.text().$type<(typeof Words.BROKER_STATUSES)[number]>().notNull(),
    contactEmail: c.text().notNull(),
    senderEmail: c.text().notNull(),
    ipRestrictionEnabled: c.flag().notNull(),
    /** Calls in a window of all its live keys together; null: each key's own limit alone. */
    rateLimit: c.integer(),
    createdAt: c.timestamp().notNull(),
    updatedAt: c.timestamp().notNull(),
  });

  /** Addresses, in addition to the contact, that may receive a broker's reports. */
  const reportRecipients = c.table(
    'report_recipients',
    {
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      email: c.text().notNull(),
      emailFolded: c.text().notNull(),
      createdAt: c.timestamp().notNull(),
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
      /** The eight public characters of the key; of the secret only a hash is stored. */
      publicId: c.text().notNull().unique(),
      hash: c.text().notNull(),
      mode: c.text().$type<Words.Mode>().notNull(),
      name: c.text().notNull(),
      /** A JSON array, sorted. */
      scopes: c.text().notNull(),
      status: c.text().$type<(typeof Words.KEY_STATUSES)[number]>().notNull(),
      rateLimit: c.integer(),
      expiresAt: c.timestamp(),
      createdAt: c.timestamp().notNull(),
      lastUsedAt: c.timestamp(),
      lastUsedIp: c.text(),
      rotatedFromId: c.text(),
    },
    (t) => [
      c.index('api_keys_by_broker').on(t.brokerId, t.createdAt),
      c.index('api_keys_newest').on(t.createdAt, t.publicId),
    ],
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
      createdAt: c.timestamp().notNull(),
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
      billingType: c.text().$type<Words.BillingType>().notNull(),
      active: c.flag().notNull(),
      requiresOperatorReview: c.flag().notNull(),
      description: c.text(),
      vcpu: c.integer(),
      memoryMb: c.integer(),
      diskGb: c.integer(),
      transferGb: c.integer(),
      /** A decimal string as imported; money is never stored as a float. */
      priceAmount: c.text(),
      priceCurrency: c.text(),
      createdAt: c.timestamp().notNull(),
      updatedAt: c.timestamp().notNull(),
    },
    (t) => [
      c.uniqueIndex('plans_slug_once').on(t.brokerId, t.slugFolded),
      c.uniqueIndex('plans_display_name_once').on(t.brokerId, t.displayNameFolded),
      c.index('plans_in_order').on(t.brokerId, t.upgradeRank, t.id),
    ],
  );

  /**
   * What the services of a plan can be given and can do, as JSON. Apart from `plans`, whose rows every page of services
   * reads; a plan without a row has none of it.
   */
  const planOffers = c.table('plan_offers', {
    planId: c
      .text()
      .primaryKey()
      .references(() => plans.id, { onDelete: 'cascade' }),
    brokerId: c.text().notNull(),
    /** A list (src/rules/options.ts). */
    options: c.text().notNull(),
    /** A list (src/rules/actions.ts). */
    actions: c.text().notNull(),
    hasCredentials: c.flag().notNull(),
    /** An object for the provisioner, which no broker sees. */
    provisioning: c.text(),
  });

  const services = c.table(
    'services',
    {
      /** The public service number: unique over all brokers, 1 to 2^53 - 1. */
      number: c.integer().primaryKey(),
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      status: c.text().$type<Words.ServiceStatus>().notNull(),
      planId: c
        .text()
        .notNull()
        .references(() => plans.id),
      label: c.text(),
      externalReference: c.text(),
      clientName: c.text().notNull(),
      clientEmail: c.text(),
      clientEmailFolded: c.text(),
      /** Label, client name, external reference, host name and addresses, case-folded: the text that `search` matches. */
      searchText: c.text().notNull(),
      requiresOperatorReview: c.flag().notNull(),
      createdAt: c.timestamp().notNull(),
      /** When the current term ends; for an ended service, when its last term would have ended. */
      renewalAt: c.timestamp(),
      /** The position in the month at which its terms end (src/rules/renewals.ts); null where `renewalAt` is null. */
      renewalAnchor: c.integer(),
      cancelledAt: c.timestamp(),
      cancellationType: c.text().$type<Words.CancellationType>(),
      cancellationEffectiveAt: c.timestamp(),
      cancellationRequestId: c.text(),
      /** Null unless the status is suspended; a trigger sees to it (`services_suspension`). */
      suspendedBy: c.text().$type<Words.SuspendedBy>(),
      suspensionReason: c.text(),
      suspendedAt: c.timestamp(),
      /** What was chosen for it, a JSON object by the names of its plan's options; null: nothing. */
      configuration: c.text(),
      /** The same of names that its plan does not have: a plan that has them shows them again; null: there are none. */
      keptConfiguration: c.text(),
      /** How its client reaches it, a JSON object (src/rules/access.ts); null: not known. */
      access: c.text(),
      /** The provisioner's own id of it. */
      reference: c.text(),
      /** The audit row of the import that created it; null where it was created in another way. */
      importId: c.text(),
      /** Unique in time; null where 1.1 made it, or an import that gave none (src/rules/service-uid.ts). */
      uid: c.text(),
      updatedAt: c.timestamp().notNull(),
    },
    (t) => [
      c.index('services_newest').on(t.brokerId, t.createdAt, t.number),
      c.index('services_by_status').on(t.brokerId, t.status, t.createdAt, t.number),
      c.index('services_by_plan').on(t.brokerId, t.planId, t.createdAt, t.number),
      c.index('services_by_email').on(t.brokerId, t.clientEmailFolded, t.createdAt, t.number),
      c.index('services_by_renewal').on(t.brokerId, t.renewalAt, t.createdAt, t.number),
      c
        .index('services_by_reference')
        .on(t.brokerId, t.externalReference, t.createdAt, t.number)
        .where(sql`external_reference is not null`),
      // Those of one machine, over all brokers.
      c.index('services_by_machine').on(t.reference, t.number).where(sql`reference is not null`),
      c.index('services_by_update').on(t.brokerId, t.updatedAt, t.number),
      // An import may give a uid; any other one is made of an id that is unique already.
      c.uniqueIndex('services_given_uid').on(t.uid).where(sql`import_id is not null and uid is not null`),
      c.index('services_of_import').on(t.brokerId, t.importId, t.number).where(sql`import_id is not null`),
      // Due renewals of all brokers, for the worker. Ended services keep their date, so they are left out.
      c
        .index('services_to_renew')
        .on(t.renewalAt)
        .where(sql.raw(`renewal_at is not null and ${IS_LIVING}`)),
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
      type: c.text().$type<RequestType>().notNull(),
      status: c.text().$type<Words.RequestStatus>().notNull(),
      origin: c.text().$type<Words.Origin>().notNull(),
      submittedAt: c.timestamp().notNull(),
      updatedAt: c.timestamp().notNull(),
      processedAt: c.timestamp(),
      decisionAction: c.text().$type<Words.DecisionAction>(),
      decidedBy: c.text().$type<Words.Decider>(),
      decisionReason: c.text(),
      decidedAt: c.timestamp(),
      failureReason: c.text(),
      failureMessage: c.text(),
      failureServiceUsable: c.flag(),
      failureRetryable: c.flag(),
      warningReason: c.text(),
      currentPlanId: c.text().references(() => plans.id),
      newPlanId: c.text().references(() => plans.id),
      effectiveAt: c.timestamp(),
      cancellationType: c.text().$type<Words.CancellationType>(),
      /** Why a cancellation or a suspension was requested. */
      cancellationReason: c.text(),
      /** Whether a cancellation cleans up after a creation whose end is not known. */
      cleansUp: c.flag(),
      /** Of an action: its name in the plan, and what people called it. Of it or a plan change: what was chosen, as JSON. */
      actionName: c.text(),
      actionDisplayName: c.text(),
      actionConfiguration: c.text(),
      /** When a worker may next claim the request; null unless it is accepted, and while it waits for another one's end. */
      dueAt: c.timestamp(),
      leaseOwner: c.text(),
      attempts: c.integer().notNull(),
      /** When the first of these attempts failed; null before that, and after an answer of "in progress". */
      failingSince: c.timestamp(),
      /** When a worker first took it up; null before, and of requests of 1.1. */
      calledAt: c.timestamp(),
      /** While the provisioner reports work in progress: its token for the work, and when it first reported it. */
      workToken: c.text(),
      workBegunAt: c.timestamp(),
      /** The failed request that this one does once more; null: none. */
      retryOf: c.text(),
      /** The history whose loss withholds its work until it is let go; null: nothing does (contract, section 15.5). */
      withheldBy: c.integer(),
    },
    (t) => [
      c.index('requests_newest').on(t.brokerId, sql`submitted_at desc`, t.id),
      c.index('requests_by_status').on(t.brokerId, t.status, sql`submitted_at desc`, t.id),
      c.index('requests_by_type').on(t.brokerId, t.type, sql`submitted_at desc`, t.id),
      c.index('requests_by_service').on(t.brokerId, t.serviceNumber, sql`submitted_at desc`, t.id),
      c.index('requests_in_step').on(t.brokerId, t.updatedAt, t.id),
      // For the operator's list over all brokers. A partial index, so that only the few refused requests cost writes.
      c.index('requests_refused').on(t.id).where(sql`status in ('failed', 'denied')`),
      c.index('requests_due').on(t.dueAt).where(sql`due_at is not null`),
      // For turns: which owners have due work, and the oldest of each.
      c.index('requests_due_by_owner').on(sql.raw(WORK_OWNER), t.dueAt).where(sql`due_at is not null`),
      c.index('requests_withheld').on(t.withheldBy, t.id).where(sql`withheld_by is not null`),
      // A failed request is done once more by one other at most.
      c.uniqueIndex('requests_retry_once').on(t.retryOf).where(sql`retry_of is not null`),
      c.index('requests_open').on(t.serviceNumber).where(sql.raw(IS_OPEN)),
      // The database enforces "at most one open change per service"; the check before the write gives the error message.
      ...EXCLUSIONS.map((name) =>
        c
          .uniqueIndex(`requests_one_open_${name}`)
          .on(t.serviceNumber)
          .where(sql.raw(`${isOneOf('type', typesExcludedBy(name))} and ${IS_OPEN}`)),
      ),
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
      status: c.text().$type<Words.RequestStatus>().notNull(),
      at: c.timestamp().notNull(),
      actor: c.text().$type<Words.RequestActor>().notNull(),
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
      updatedAt: c.timestamp().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.brokerId, t.kind] })],
  );

  /** Every version of each template; the highest version equals the row in `templates`. */
  const templateVersions = c.table(
    'template_versions',
    {
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      kind: c.text().notNull(),
      version: c.integer().notNull(),
      subject: c.text().notNull(),
      html: c.text().notNull(),
      text: c.text().notNull(),
      /** Who set it, as named in the audit trail; null where that was not recorded. */
      actor: c.text(),
      createdAt: c.timestamp().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.brokerId, t.kind, t.version] })],
  );

  /** One row for each email sent to the provider: inserted before the call, completed after it. */
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
      status: c.text().$type<(typeof Words.EMAIL_STATUSES)[number]>().notNull(),
      recipient: c.text(),
      subject: c.text(),
      html: c.text(),
      text: c.text(),
      failureReason: c.text(),
      /** The provider's own error code, unchanged. */
      providerCode: c.text(),
      providerMessageId: c.text(),
      createdAt: c.timestamp().notNull(),
      completedAt: c.timestamp(),
      /** When the operator settled an email of unknown outcome, and how the outcome was found out. */
      settledAt: c.timestamp(),
      settledNote: c.text(),
      /** When addresses and bodies were erased; the rest of the row stays. */
      erasedAt: c.timestamp(),
    },
    (t) => [
      c.index('email_log_newest').on(t.brokerId, t.createdAt, t.id),
      c.index('email_log_of_service').on(t.brokerId, t.serviceNumber, t.createdAt),
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
      status: c.text().$type<(typeof Words.INVOICE_STATUSES)[number]>().notNull(),
      issuedAt: c.timestamp().notNull(),
      dueAt: c.timestamp(),
      paidAt: c.timestamp(),
      updatedAt: c.timestamp().notNull(),
    },
    (t) => [
      c.primaryKey({ columns: [t.brokerId, t.invoiceNumber] }),
      c.index('invoices_issued').on(t.brokerId, t.issuedAt, t.invoiceNumber),
      c.index('invoices_by_service').on(t.brokerId, t.serviceNumber, t.issuedAt, t.invoiceNumber),
    ],
  );

  /** What a service consumed, as measured last. */
  const consumption = c.table(
    'consumption',
    {
      serviceNumber: c
        .integer()
        .primaryKey()
        .references(() => services.number, { onDelete: 'cascade' }),
      brokerId: c.text().notNull(),
      measuredAt: c.timestamp().notNull(),
      periodFrom: c.timestamp(),
      /** Decimal strings as they were given. */
      diskGbUsed: c.text(),
      transferGbUsed: c.text(),
    },
    (t) => [c.index('consumption_by_number').on(t.brokerId, t.serviceNumber)],
  );

  const idempotencyRecords = c.table(
    'idempotency_records',
    {
      brokerId: c
        .text()
        .notNull()
        .references(() => brokers.id),
      mode: c.text().$type<Words.Mode>().notNull(),
      /** `action` or `creation`: the same key may be used once in each. */
      namespace: c.text().$type<'action' | 'creation'>().notNull(),
      key: c.text().notNull(),
      fingerprint: c.text().notNull(),
      statusCode: c.integer().notNull(),
      body: c.text().notNull(),
      createdAt: c.timestamp().notNull(),
      /** Null: never expires. */
      expiresAt: c.timestamp(),
    },
    (t) => [
      c.primaryKey({ columns: [t.brokerId, t.mode, t.namespace, t.key] }),
      c.index('idempotency_expiry').on(t.expiresAt).where(sql`expires_at is not null`),
    ],
  );

  /** Numbers of rows, updated in the transaction that changes the rows, so that a list's total needs no count. */
  const counters = c.table(
    'counters',
    {
      brokerId: c.text().notNull(),
      subject: c.text().$type<'services' | 'requests'>().notNull(),
      /** Services: the plan's id. Requests: the type. */
      kind: c.text().notNull(),
      status: c.text().notNull(),
      /** A counter is the sum of its slots: concurrent writers use different slots and do not wait for each other. */
      slot: c.integer().notNull().default(0),
      value: c.integer().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.brokerId, t.subject, t.kind, t.status, t.slot] })],
  );

  /**
   * Sums of calls by broker, key, operation, outcome, refusing gate and period. `''` is used for calls whose key was
   * refused. A row's `stage` determines the length of its period (src/store/queries/usage.ts).
   */
  const usage = c.table(
    'usage',
    {
      stage: c.integer().notNull(),
      fromAt: c.timestamp().notNull(),
      brokerId: c.text().notNull(),
      keyId: c.text().notNull(),
      operation: c.text().notNull(),
      outcome: c.text().notNull(),
      gate: c.integer().notNull(),
      calls: c.integer().notNull(),
      /** Always null; 1.0 names it in its insertions. Goes with 1.2. */
      busiest: c.integer(),
      ...durationColumns(c),
    },
    (t) => [
      c.primaryKey({ columns: [t.stage, t.fromAt, t.brokerId, t.keyId, t.operation, t.outcome, t.gate] }),
      c.index('usage_by_broker').on(t.brokerId, t.stage, t.fromAt),
    ],
  );

  /** Log of single calls, by `X-Request-Id`: request and outcome, without bodies. */
  const calls = c.table(
    'calls',
    {
      requestId: c.text().primaryKey(),
      at: c.timestamp().notNull(),
      brokerId: c.text().notNull(),
      keyId: c.text().notNull(),
      clientIp: c.text(),
      method: c.text().notNull(),
      operation: c.text().notNull(),
      serviceNumber: c.integer(),
      status: c.integer().notNull(),
      /** Null where the call succeeded. */
      code: c.text(),
      reason: c.text(),
      durationUs: c.integer().notNull(),
      /** The number of the gate that refused the call; null where none did. */
      gate: c.integer(),
    },
    (t) => [
      c.index('calls_newest').on(t.at, t.requestId),
      c.index('calls_by_broker').on(t.brokerId, t.at),
      c.index('calls_by_key').on(t.keyId, t.at),
      c.index('calls_by_code').on(t.code, t.at).where(sql`code is not null`),
    ],
  );

  /**
   * Who changed what. Rows outlive their subjects, so there are no foreign keys. Triggers refuse every update of a row,
   * and the removal of a row that is younger than a year.
   */
  const auditTrail = c.table(
    'audit_trail',
    {
      id: c.text().primaryKey(),
      at: c.timestamp().notNull(),
      actorKind: c.text().$type<'operator' | 'command' | 'api_key'>().notNull(),
      /** An operator's email, the name of the user who ran the command, or a key's id. */
      actor: c.text().notNull(),
      clientIp: c.text(),
      action: c.text().notNull(),
      brokerId: c.text(),
      /** What was changed, as `<kind>/<name>`. */
      subject: c.text().notNull(),
      /** The values that changed, as JSON objects. */
      before: c.text(),
      after: c.text(),
    },
    (t) => [
      c.index('audit_trail_by_broker').on(t.brokerId, t.id),
      c.index('audit_trail_by_actor').on(t.actor, t.id),
      c.index('audit_trail_by_subject').on(t.subject, t.id),
    ],
  );

  /** The people who may use the console. */
  const operators = c.table('operators', {
    id: c.text().primaryKey(),
    email: c.text().notNull(),
    emailFolded: c.text().notNull().unique(),
    name: c.text().notNull(),
    role: c.text().$type<'viewer' | 'support' | 'admin'>().notNull(),
    active: c.flag().notNull(),
    createdAt: c.timestamp().notNull(),
    updatedAt: c.timestamp().notNull(),
    lastSignInAt: c.timestamp(),
  });

  /** Unused sign-in links: only a hash of the token is stored, and the row is deleted on use. */
  const consoleLinks = c.table(
    'console_links',
    {
      tokenHash: c.text().primaryKey(),
      operatorId: c
        .text()
        .notNull()
        .references(() => operators.id),
      createdAt: c.timestamp().notNull(),
      expiresAt: c.timestamp().notNull(),
    },
    (t) => [c.index('console_links_by_operator').on(t.operatorId, t.createdAt)],
  );

  const consoleSessions = c.table(
    'console_sessions',
    {
      /** Identifies the session in lists and logs; it is no credential. */
      id: c.text().primaryKey(),
      tokenHash: c.text().notNull().unique(),
      operatorId: c
        .text()
        .notNull()
        .references(() => operators.id),
      createdAt: c.timestamp().notNull(),
      lastSeenAt: c.timestamp().notNull(),
      expiresAt: c.timestamp().notNull(),
      ip: c.text(),
      userAgent: c.text(),
    },
    (t) => [c.index('console_sessions_by_operator').on(t.operatorId, t.createdAt)],
  );

  /** Keys of the operator's API; they belong to the installation. */
  const operatorKeys = c.table('operator_keys', {
    id: c.text().primaryKey(),
    publicId: c.text().notNull().unique(),
    hash: c.text().notNull(),
    name: c.text().notNull(),
    role: c.text().$type<'viewer' | 'support' | 'admin'>().notNull(),
    /** A JSON list of addresses and CIDRs that it may be used from; an empty one: from everywhere. */
    addresses: c.text().notNull(),
    status: c.text().$type<'active' | 'revoked'>().notNull(),
    createdAt: c.timestamp().notNull(),
    expiresAt: c.timestamp(),
    lastUsedAt: c.timestamp(),
    lastUsedIp: c.text(),
  });

  return {
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
  };
}

/** A histogram of durations: the number of calls in each bucket of src/rules/durations.ts. */
// biome-ignore format: a list to count.
export const DURATION_COLUMNS = [
  'd0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9', 'd10', 'd11', 'd12', 'd13',
  'd14', 'd15', 'd16', 'd17', 'd18', 'd19', 'd20', 'd21', 'd22', 'd23', 'd24', 'd25', 'd26', 'd27',
] as const;

const durationColumns = (c: Columns) =>
  Object.fromEntries(DURATION_COLUMNS.map((name) => [name, counted(c)])) as Record<
    (typeof DURATION_COLUMNS)[number],
    ReturnType<typeof counted>
  >;

const counted = (c: Columns) => c.integer().notNull();

export type Tables = ReturnType<typeof defineTables>;
