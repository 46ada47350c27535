import { type Static, Type } from '@sinclair/typebox';
import { SCOPES } from '../src/rules/scopes.ts';
import { BROKER_STATUSES, KEY_STATUSES, MODES } from '../src/rules/words.ts';
import { ListOf, Moment, Named, Nullable, OneOf } from './atoms.ts';

const Scope = OneOf(SCOPES);
const Mode = OneOf(MODES, { description: 'test: the key is a sandbox key' });

export const BrokerSummary = Type.Object({
  broker_id: Type.String(),
  name: Type.String(),
  broker_status: OneOf(BROKER_STATUSES),
});

export const KeySummary = Type.Object({
  key_id: Type.String(),
  name: Type.String(),
  key_prefix: Type.String({ examples: ['sk_live_4fTq81Zx'] }),
  key_status: OneOf(KEY_STATUSES),
  created_date: Moment('When the key was made.'),
  expires_date: Nullable(Moment('When the key stops working; null: never.')),
  last_used_date: Nullable(Moment('The use before this one; null: never.')),
  last_used_ip: Nullable(Type.String({ examples: ['203.0.113.7'] })),
});

/** GET /v1/auth-check. */
export const AccessReport = Named('AccessReport', {
  authenticated: Type.Literal(true),
  mode: Mode,
  broker: BrokerSummary,
  api_key: KeySummary,
  permissions: Type.Object({ scopes: ListOf(Scope), can_create_services: Type.Boolean() }),
  network: Type.Object({
    client_ip: Type.String({ examples: ['203.0.113.7'] }),
    ip_restriction_enabled: Type.Boolean(),
    matched_rule: Nullable(Type.String({ description: 'The firewall rule, as entered, that let the call in' })),
  }),
  rate_limit: Type.Object({
    limit: Type.Integer(),
    remaining: Type.Integer({ description: 'This call counted' }),
    window_seconds: Type.Integer(),
    reset_seconds: Type.Integer(),
  }),
  server_date: Moment('The time of the server.'),
  api_version: Type.Literal('v1'),
});
export type AccessReport = Static<typeof AccessReport>;

/** POST /v1/auth-check. */
export const AuthorizationReport = Named('AuthorizationReport', {
  authenticated: Type.Literal(true),
  authorized: Type.Literal(true),
  required_scopes: ListOf(Scope),
  matched_scope: Scope,
  mode: Mode,
  broker: BrokerSummary,
  api_key: KeySummary,
});
export type AuthorizationReport = Static<typeof AuthorizationReport>;
