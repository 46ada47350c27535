import type { BrokerAccess } from '../access/broker-keys.ts';
import type { Context } from '../ports.ts';
import { grants, matchedScope, type Scope } from '../rules/scopes.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { KeyRow } from '../store/queries/keys.ts';
import { type Caller, ok } from './operation.ts';

type KeyUse = Pick<KeyRow, 'lastUsedAt' | 'lastUsedIp'>;

/** The gates' results for a call. */
export interface GateFindings {
  access: BrokerAccess;
  clientIp: string;
  matchedRule: string | null;
  lastUse: KeyUse | undefined;
  rate: { limit: number; remaining: number; windowSeconds: number; resetSeconds: number };
}

/** The scopes that allow creating services, in the contract's order. */
const CREATES_SERVICES: readonly Scope[] = ['services:write', 'admin:full'];

/** The report of GET /v1/auth-check (contract, section 6). */
export async function describeAccess(
  { clock }: Context,
  _caller: Caller,
  { access, clientIp, matchedRule, lastUse, rate }: GateFindings,
) {
  return ok({
    authenticated: true,
    mode: access.mode,
    broker: brokerSummary(access),
    api_key: keySummary(access, lastUse),
    permissions: { scopes: access.scopes, can_create_services: grants(access.scopes, CREATES_SERVICES) },
    network: {
      client_ip: clientIp,
      ip_restriction_enabled: access.broker.ipRestrictionEnabled,
      matched_rule: matchedRule,
    },
    rate_limit: {
      limit: rate.limit,
      remaining: rate.remaining,
      window_seconds: rate.windowSeconds,
      reset_seconds: rate.resetSeconds,
    },
    server_date: isoTimestamp(clock.now()),
    api_version: 'v1',
  });
}

/** The report of POST /v1/auth-check: by which scope the call passed the scope gate. */
export async function describeAuthorization(
  _context: Context,
  _caller: Caller,
  { access, lastUse }: Pick<GateFindings, 'access' | 'lastUse'>,
) {
  return ok({
    authenticated: true,
    authorized: true,
    required_scopes: CREATES_SERVICES,
    // The call has passed the gate, so there is one.
    matched_scope: matchedScope(access.scopes, CREATES_SERVICES) as Scope,
    mode: access.mode,
    broker: brokerSummary(access),
    api_key: keySummary(access, lastUse),
  });
}

const brokerSummary = ({ broker }: BrokerAccess) => ({
  broker_id: broker.id,
  name: broker.name,
  broker_status: broker.status,
});

/** The last use is the later one of the record, which is written once a minute, and of this process's own. */
function keySummary({ key, keyPrefix, createdDate, expiresDate }: BrokerAccess, lastUse: KeyUse | undefined) {
  const isOwn = lastUse !== undefined && (lastUse.lastUsedAt ?? 0) >= (key.lastUsedAt ?? 0);
  const { lastUsedAt, lastUsedIp } = isOwn ? lastUse : key;
  return {
    key_id: key.id,
    name: key.name,
    key_prefix: keyPrefix,
    key_status: key.status,
    created_date: createdDate,
    expires_date: expiresDate,
    last_used_date: lastUsedAt === null ? null : isoTimestamp(lastUsedAt),
    last_used_ip: lastUsedIp,
  };
}
