import type { TProperties } from '@sinclair/typebox';
import { NAMED_SCHEMAS } from '../../schemas/named.ts';
import type { ErrorCode, Reason } from '../errors.ts';

/** A reason that one API has beside those of v1. */
export interface FurtherReason {
  /** What a caller does about it; Markdown in one line. */
  advice: string;
  /** The further fields of `details`. */
  fields?: TProperties;
}

/** What the documents of the two APIs differ in. */
export interface Api {
  /** Where it stands: its calls are below `v1`, its pages below `docs`. */
  prefix: '/api' | '/operator';
  title: string;
  /** Of the whole document. */
  description: string;
  /** The same in one line, for the text without pages. */
  summary: string;
  /** In the samples of the repository's files: a server on the reader's machine. */
  baseUrl: string;
  server: string;
  tags: ReadonlyArray<{ name: string; description: string }>;
  key: { format: string; description: string; sample: string };
  /** What a key needs for an operation. */
  permission: { extension: `x-required-${string}`; word: 'Scope' | 'Role'; reason: Reason };
  /** The schemas that others refer to by name. */
  named: readonly object[];
  /** Examples of required fields by their names, where their schemas have none. */
  examples: Readonly<Record<string, unknown>>;
  /** The same of parameters. */
  parameters: Readonly<Record<string, unknown>>;
  reasons: { readonly [C in ErrorCode]?: Readonly<Record<string, FurtherReason>> };
}

/** The API of the brokers. */
export const BROKER_API: Api = {
  prefix: '/api',
  title: 'Broker API',
  description:
    "Manage clients' services, process requests, warn clients before a cancellation, move services to other " +
    'plans and send reports. Every record belongs to the broker whose key is calling.',
  summary:
    "Manage clients' services of a hosting operator over HTTP and JSON: order, change plans, suspend, cancel, warn, report.",
  baseUrl: 'http://127.0.0.1:3000/api',
  server: 'This server: live keys and sandbox keys alike',
  tags: [
    { name: 'Access', description: 'What a key may do, and what the gates make of a call' },
    { name: 'Services', description: "Clients' services and what is done with them" },
    { name: 'Plans', description: "The broker's catalog" },
    { name: 'Requests', description: 'Work that was requested: its state, its history and its decisions' },
    { name: 'Reports', description: 'Lists by email' },
    { name: 'Sandbox', description: "The broker's sandbox, in which sandbox keys work" },
  ],
  key: {
    format: 'sk_live_... or sk_test_...',
    description: 'A key of the broker. Those that begin with sk_test_ work in the sandbox.',
    sample: 'sk_test_YOUR_KEY',
  },
  permission: { extension: 'x-required-scopes', word: 'Scope', reason: 'missing_scope' },
  named: NAMED_SCHEMAS,
  examples: {},
  parameters: {
    after_number: 900001,
    after_request: 'req_test_sample_pending',
    client_email: 'zoe@example.com',
    created_from: '2026-01-01',
    created_to: '2026-04-01',
    external_reference: 'CRM-4711',
    from: '2026-03-01',
    operation: 'upgradeService',
    page: 1,
    perPage: 25,
    plan: 'starter',
    renewal_before: '2026-04-01',
    search: 'shop',
    submitted_from: '2026-01-01',
    submitted_to: '2026-04-01',
    to: '2026-03-02',
    updated_since: '2026-03-01T09:30:00.000Z',
  },
  reasons: {},
};
