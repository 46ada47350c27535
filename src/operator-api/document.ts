import { Type } from '@sinclair/typebox';
import { OneOf, Shown, Whole } from '../../schemas/atoms.ts';
import { FailureEnvelope, Pagination, PaginationOfChanges } from '../../schemas/envelope.ts';
import { ROLES } from '../operator/people/operators.ts';
import type { Api } from '../reference/api.ts';

/** The operator's API, as its document and pages describe it. */
export const OPERATOR_DOCUMENT: Api = {
  prefix: '/operator',
  title: 'Operator API',
  description:
    "What the console and the commands can do, for the operator's own systems: brokers and their keys, catalogs, " +
    'services, requests and reviews, emails, usage for bills, the audit trail. Records are those of all brokers.',
  summary:
    'Run the brokers of a hosting operator over HTTP and JSON: brokers, keys, catalogs, services, reviews, usage.',
  baseUrl: 'http://127.0.0.1:3001/operator',
  server: 'The port of the console of this server',
  tags: [
    { name: 'Brokers', description: 'The brokers of this installation' },
    { name: 'Keys', description: "The brokers' API keys" },
    { name: 'Firewall', description: "The addresses that a broker's keys may be used from" },
    { name: 'Plans', description: "The brokers' catalogs" },
    { name: 'Services', description: "The clients' services" },
    { name: 'Requests', description: 'What clients, brokers and the operator requested' },
    { name: 'Clients', description: 'The people behind the services' },
    { name: 'Invoices', description: 'The invoices of which reports are made' },
    { name: 'Consumption', description: 'What services consumed' },
    { name: 'Imports', description: 'What was imported' },
    { name: 'Templates', description: "The brokers' emails to their clients" },
    { name: 'Emails', description: 'The log of every email' },
    { name: 'Notices', description: 'Emails to your people where something needs them' },
    { name: 'Calls', description: 'Single calls of the brokers' },
    { name: 'Audit', description: 'Who changed what' },
    { name: 'Usage', description: 'Calls added up' },
    { name: 'Bill', description: 'The calls of a month' },
    { name: 'Status', description: 'What waits and what fails' },
  ],
  key: {
    format: 'sk_ops_...',
    description: 'A key of the operator’s API, made in the console or by `broker ops-keys create`.',
    sample: 'sk_ops_YOUR_KEY',
  },
  permission: { extension: 'x-required-role', word: 'Role', reason: 'missing_role' },
  named: [FailureEnvelope, Pagination, PaginationOfChanges],
  examples: {
    action: 'reboot',
    actor: 'Billing (sk_ops_8Kd0Zt3Q)',
    address: '203.0.113.9',
    amount: '9.90',
    broker: 'acme',
    contact_email: 'office@acme.example.com',
    currency: 'EUR',
    display_name: 'Starter',
    email: 'office@acme.example.com',
    field: 'label',
    file: 'services.csv',
    html: '<p>Welcome, {{ client_name }}</p>',
    key_prefix: 'sk_live_8Kd0Zt3Q',
    name: 'Acme Hosting',
    note: 'The client has it',
    plan: 'starter',
    rule: '203.0.113.0/28',
    sender_email: 'support@acme.example.com',
    service_number: 1_000_001,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    slug: 'starter',
    subject: 'service/1000001',
    text: 'Welcome, {{ client_name }}',
    to: 'zoe@example.com',
    where: 'record 1',
  },
  parameters: {
    action: 'key.revoke',
    actor: 'ada@example.com',
    after_number: 1_000_001,
    after_request: 'req_01KJPY44E0PPTDS5MJCBBSJESS',
    broker: 'acme',
    client_ip: '203.0.113.9',
    key: 'sk_live_8Kd0Zt3Q',
    month: '2026-03',
    operation: 'upgradeService',
    plan: 'starter',
    recipient: 'example.com',
    search: 'shop',
    service_number: 1_000_001,
    since: '7d',
    reason: 'no_capacity',
    reference: 'node-3/',
    ended_since: '3d',
    ended_until: '2026-03-01',
    status: '4xx',
    subject: 'service/1000001',
    until: '2026-04-01',
    updated_since: '2026-03-01T09:30:00.000Z',
    version: 1,
  },
  reasons: {
    insufficient_permissions: {
      missing_role: {
        advice: 'Use a key with the role `required_role` or a higher one.',
        fields: { required_role: OneOf(ROLES, { description: 'The least role that may do this' }) },
      },
    },
    invalid_state: {
      confirmation_needed: {
        advice: 'The message says what would happen. Send the same with `confirm: true` where that is wanted.',
      },
      refused: { advice: 'The message says which rule or record is in the way.' },
      not_under_review: { advice: 'Nothing: the request does not wait for the operator.' },
    },
    already_processed: {
      changed_meanwhile: {
        advice: 'Read the record, decide again, and send the values of now as `seen`.',
        fields: {
          fields: Type.Array(
            Type.Object(
              {
                path: Shown(1_000, 'Where it stands in the body'),
                rule: Type.Literal('changed_meanwhile'),
                message: Shown(1_000, 'For people'),
                current: Type.Unsafe<unknown>({ description: 'The value of the record now' }),
              },
              { component: 'ChangedField' },
            ),
            { minItems: 1, maxItems: 50, description: 'Each field that is not as the caller saw it' },
          ),
        },
      },
    },
    rate_limit_exceeded: {
      too_many_at_once: {
        advice: 'A key has four calls and one import at once. Wait for one to be answered.',
        fields: {
          limit: Whole(1, 100, 'Calls of a key at once'),
          window_seconds: Whole(1, 86_400, 'How long this call has waited'),
          retry_after_seconds: Whole(1, 86_400, 'The same as the Retry-After header'),
        },
      },
    },
  },
};
