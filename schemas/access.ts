import { type Static, Type } from '@sinclair/typebox';
import { SCOPES } from '../src/rules/scopes.ts';
import { BROKER_STATUSES, KEY_STATUSES, MODES } from '../src/rules/words.ts';
import { Id, ListOf, Named, Nullable, OneOf, Shown, Timestamp, Whole } from './atoms.ts';

export const Scope = OneOf(SCOPES, {
  component: 'Scope',
  description:
    '`admin:full` implies all others, `services:write` and `requests:write` imply reading services and requests',
});
const Scopes = ListOf(Scope, { maxItems: SCOPES.length });
const Mode = OneOf(MODES, { component: 'Mode', description: 'test: the key is a sandbox key', examples: ['test'] });

/** An IPv4 or IPv6 address; an IPv4-mapped one is shown as IPv4. */
export const IpAddress = (description: string) =>
  Shown(45, description, { pattern: '^[0-9A-Fa-f:.]+$', examples: ['203.0.113.7'] });

const BrokerSummary = Type.Object(
  {
    broker_id: Id('brk', "The broker's id"),
    name: Shown(200, "The broker's name", { examples: ['Demo Hosting'] }),
    broker_status: OneOf(BROKER_STATUSES, { description: "A suspended broker's keys are refused" }),
  },
  { component: 'Broker', description: 'The broker that owns the key' },
);

const KeySummary = Type.Object(
  {
    key_id: Id('key', "The key's id"),
    name: Shown(200, 'What the operator called the key', { examples: ['Production'] }),
    key_prefix: Shown(16, 'The part of the key that is no secret', {
      pattern: '^sk_(live|test)_[0-9A-Za-z]{8}$',
      examples: ['sk_test_4fTq81Zx'],
    }),
    key_status: OneOf(KEY_STATUSES, { description: 'A revoked key is refused' }),
    created_date: Timestamp('When the key was made.', '2025-12-02T09:30:00.000Z'),
    expires_date: Nullable(Timestamp('When the key stops working; null: never.'), { examples: [null] }),
    last_used_date: Nullable(Timestamp('The use before this one; null: never.', '2026-03-02T09:29:12.000Z')),
    last_used_ip: Nullable(IpAddress('Where that use came from; null: never used.')),
  },
  { component: 'ApiKey', description: 'The key that is calling' },
);

/** GET /v1/auth-check. */
export const AccessReport = Named('AccessReport', {
  authenticated: Type.Literal(true),
  mode: Mode,
  broker: BrokerSummary,
  api_key: KeySummary,
  permissions: Type.Object(
    {
      scopes: Scopes,
      can_create_services: Type.Boolean({ description: 'Whether the scopes suffice for it', examples: [true] }),
    },
    { component: 'Permissions', description: 'What the key may do' },
  ),
  network: Type.Object(
    {
      client_ip: IpAddress('The address that the call came from.'),
      ip_restriction_enabled: Type.Boolean({ description: 'Whether the IP firewall is on' }),
      matched_rule: Nullable(
        Shown(64, 'The firewall rule, as entered, that let the call in; null: the firewall is off', {
          pattern: '^[0-9A-Fa-f:./]+$',
        }),
        { examples: [null] },
      ),
    },
    { component: 'NetworkPath', description: 'Where the call came from' },
  ),
  rate_limit: Type.Object(
    {
      limit: Whole(1, 1_000_000, 'Requests that the key may make in a window', { examples: [120] }),
      remaining: Whole(0, 1_000_000, 'What is left of them, this call counted', { examples: [119] }),
      window_seconds: Whole(1, 86_400, 'How long a window is', { examples: [60] }),
      reset_seconds: Whole(0, 86_400, 'Until the window ends', { examples: [60] }),
    },
    { component: 'RateLimit', description: "The key's window" },
  ),
  server_date: Timestamp('The time of the server.'),
  api_version: Type.Literal('v1'),
});
export type AccessReport = Static<typeof AccessReport>;

/** POST /v1/auth-check. */
export const AuthorizationReport = Named('AuthorizationReport', {
  authenticated: Type.Literal(true),
  authorized: Type.Literal(true),
  required_scopes: { ...Scopes, examples: [['services:write', 'admin:full']] },
  matched_scope: Scope,
  mode: Mode,
  broker: BrokerSummary,
  api_key: KeySummary,
});
export type AuthorizationReport = Static<typeof AuthorizationReport>;
