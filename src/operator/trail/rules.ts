import { parseIpRule } from '../../rules/ip-rules.ts';
import { grants, type Scope } from '../../rules/scopes.ts';
import { fold } from '../../rules/search-text.ts';
import { parseTimestamp } from '../../rules/timestamps.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import { ERASED } from '../../store/queries/erasure.ts';
import type { OperatorRow } from '../../store/queries/operators.ts';
import { enableFirewall, removeAddress } from '../access/firewall.ts';
import { revokeKey, setKey } from '../access/keys.ts';
import { setBroker, suspendBroker } from '../brokers/brokers.ts';
import { removeBroker } from '../brokers/removal.ts';
import { revokeOperatorKey } from '../people/operator-keys.ts';
import { mayAct, removeOperator, setOperator } from '../people/operators.ts';
import { eraseClient } from '../services/clients.ts';
import { OperatorError, unknown } from '../use-case/errors.ts';
import type { UseCaseDeps } from '../use-case/use-case.ts';
import type { TrailLine } from './lines.ts';

/** What protects: the subject of the audit trail that it changes today, and how; `act` says whether anything changed. */
interface Protection {
  subject(deps: UseCaseDeps): Promise<string>;
  act(deps: UseCaseDeps): Promise<boolean>;
}

type Judged = Protection | { why: string };

/** Entries with the same one are about one thing, of which the last counts. */
export function thingOf({ action, subject, before, after, id, date }: TrailLine): string {
  const [kind = '', verb] = action.split('.');
  if (action === 'broker.set') return `${subject} limit`;
  if (kind === 'client' || kind === 'recipient') return `${subject} ${id ?? date}`;
  if (kind !== 'firewall') return subject;
  if (verb === 'enable' || verb === 'disable') return `${subject} firewall`;
  const rule = String((after ?? before)?.rule);
  return `${subject} rule ${String(parseIpRule(rule) ?? rule)}`;
}

/** Whether an entry protects (contract, section 15.6), or why a person has to decide. */
export function judge(line: TrailLine): Judged {
  const rule = RULES[line.action];
  return rule ? rule(line) : { why: 'it is no entry of this kind' };
}

const MAKES = () => ({ why: 'it makes something: decide whether it is made anew' });
const WIDENS = () => ({ why: 'it widens: decide whether it is done again' });
const NO_ADDRESS = () => ({ why: 'the trail holds no address: compare the recipients of reports' });
const ONLY_TEXTS = { why: 'names or addresses were changed, which the trail does not hold' };

const RULES: Readonly<Record<string, (line: TrailLine) => Judged>> = {
  'broker.create': MAKES,
  'broker.resume': WIDENS,
  'broker.suspend': (line) => ofBroker(line, (deps, { slug }) => suspendBroker.perform(deps, { broker: slug })),
  'broker.remove': (line) =>
    ofBroker(line, async (deps, { slug }) => {
      await removeBroker.run(deps, { broker: slug });
      return { isChanged: true };
    }),
  'broker.set': ofLimit,
  'client.erase': ofErasure,
  'firewall.allow': WIDENS,
  'firewall.disable': WIDENS,
  'firewall.enable': (line) => ofBroker(line, (deps, { slug }) => enableFirewall.perform(deps, { broker: slug })),
  'firewall.remove': (line) =>
    ofBroker(line, (deps, { slug }) => removeAddress.perform(deps, { broker: slug, rule: String(line.before?.rule) })),
  'key.create': MAKES,
  'key.revoke': (line) => ofKey(line, (deps, key_id) => revokeKey.perform(deps, { key_id })),
  'key.rotate': ofRotation,
  'key.set': ofKeyChange,
  'operator.add': MAKES,
  'operator.remove': (line) => ofPerson(line, (deps, { email }) => removeOperator.perform(deps, { email })),
  'operator.set': ofPersonChange,
  'ops_key.create': MAKES,
  'ops_key.revoke': ({ subject }) => ({
    subject: async () => subject,
    act: async (deps) => (await revokeOperatorKey.perform(deps, { key_id: nameIn(subject) })).isChanged,
  }),
  'recipient.add': NO_ADDRESS,
  'recipient.remove': NO_ADDRESS,
};

type Outcome = Promise<{ isChanged: boolean }>;

const nameIn = (subject: string): string => subject.slice(subject.indexOf('/') + 1);

function ofBroker(line: TrailLine, act: (deps: UseCaseDeps, broker: BrokerRow) => Outcome): Protection {
  return {
    subject: async (deps) => `broker/${(await brokerOf(deps, line)).slug}`,
    act: async (deps) => (await act(deps, await brokerOf(deps, line))).isChanged,
  };
}

/** By the id, or by the slug where there is none: `audit list` has slugs. */
async function brokerOf({ store: { read } }: UseCaseDeps, { broker_id: id, subject }: TrailLine): Promise<BrokerRow> {
  const name = id ?? nameIn(subject);
  const broker = (await read.brokers.find(name)) ?? (await read.brokers.findBySlug(name));
  if (!broker) throw unknown(`There is no broker "${name}"`);
  return broker;
}

function ofLimit(line: TrailLine): Judged {
  const limit = line.after?.rate_limit;
  if (limit === undefined) return ONLY_TEXTS;
  const was = line.before?.rate_limit ?? null;
  if (typeof limit !== 'number' || (typeof was === 'number' && was < limit)) return WIDENS();
  return ofBroker(line, (deps, { slug, rateLimit }) =>
    setBroker.perform(deps, { broker: slug, rate_limit: Math.min(limit, rateLimit ?? limit) }),
  );
}

const ofKey = (line: TrailLine, act: (deps: UseCaseDeps, keyId: string) => Outcome): Protection => ({
  subject: async () => line.subject,
  act: async (deps) => (await act(deps, nameIn(line.subject))).isChanged,
});

/** The key that was replaced ends; the one that replaced it is gone, for its secret is. */
function ofRotation(line: TrailLine): Judged {
  const { key_status: status, expires_date: end, rotated_to: isOld } = line.after ?? {};
  if (isOld === undefined) return { why: 'the key that replaced another one is lost: rotate it anew' };
  if (status === 'revoked') return ofKey(line, (deps, key_id) => revokeKey.perform(deps, { key_id }));
  return ofKey(line, (deps, key_id) => narrow(deps, key_id, { end }));
}

function ofKeyChange(line: TrailLine): Judged {
  const { before, after } = line;
  const { scopes, rate_limit: limit, expires_date: end } = after ?? {};
  if (scopes === undefined && limit === undefined && end === undefined) return ONLY_TEXTS;
  const [were, are] = [scopesIn(before?.scopes), scopesIn(scopes)];
  const widens =
    !are.every((scope) => grants(were, [scope])) ||
    (limit !== undefined &&
      !(typeof limit === 'number' && typeof before?.rate_limit === 'number' && limit <= before.rate_limit)) ||
    (end !== undefined &&
      !(typeof end === 'string' && (typeof before?.expires_date !== 'string' || end <= before.expires_date)));
  return widens ? WIDENS() : ofKey(line, (deps, key_id) => narrow(deps, key_id, { scopes, limit, end }));
}

const scopesIn = (value: unknown): Scope[] => (Array.isArray(value) ? value : []);

/** Of what the key has today and what it was given, the lesser. One whose end has passed is revoked. */
async function narrow(
  deps: UseCaseDeps,
  key_id: string,
  { scopes, limit, end }: { scopes?: unknown; limit?: unknown; end?: unknown },
): Outcome {
  const key = await deps.store.read.keys.find(key_id);
  if (!key) throw unknown(`There is no key "${key_id}"`);
  const has: Scope[] = JSON.parse(key.scopes);
  const given = scopes === undefined ? undefined : scopesIn(scopes);
  const endsAt =
    typeof end === 'string' ? Math.min(parseTimestamp(end) ?? 0, key.expiresAt ?? Number.MAX_SAFE_INTEGER) : undefined;
  if (endsAt !== undefined && endsAt <= deps.clock.machine()) return revokeKey.perform(deps, { key_id });
  return setKey.perform(deps, {
    key_id,
    ...(given && {
      scopes: [
        ...new Set([
          ...given.filter((scope) => grants(has, [scope])),
          ...has.filter((scope) => grants(given, [scope])),
        ]),
      ],
    }),
    ...(typeof limit === 'number' && { rate_limit: Math.min(limit, key.rateLimit ?? limit) }),
    ...(endsAt !== undefined && { expires_date: new Date(endsAt).toISOString() }),
  });
}

function ofPerson(line: TrailLine, act: (deps: UseCaseDeps, person: OperatorRow) => Outcome): Protection {
  return {
    subject: async (deps) => `operator/${(await personOf(deps, line)).email}`,
    act: async (deps) => (await act(deps, await personOf(deps, line))).isChanged,
  };
}

/** By the id, or by the address in the JSON of `audit list`. */
async function personOf({ store: { read } }: UseCaseDeps, { subject }: TrailLine): Promise<OperatorRow> {
  const name = nameIn(subject);
  const person = (await read.operators.find(name)) ?? (await read.operators.findByEmail(fold(name)));
  if (!person) throw unknown('There is no such operator');
  return person;
}

function ofPersonChange(line: TrailLine): Judged {
  const { role, active } = line.after ?? {};
  if (role === undefined && active === undefined) return ONLY_TEXTS;
  const was = line.before?.role;
  const isSmaller = role === undefined || (isRole(role) && isRole(was) && mayAct(was, role));
  if (!isSmaller || active === true) return WIDENS();
  return ofPerson(line, (deps, person) =>
    setOperator.perform(deps, {
      email: person.email,
      ...(isRole(role) && { role: mayAct(person.role, role) ? role : person.role }),
      ...(active === false && { active }),
    }),
  );
}

const isRole = (value: unknown): value is OperatorRow['role'] =>
  value === 'viewer' || value === 'support' || value === 'admin';

/** By the numbers of its services; what is erased already stays so, and what is lost needs no erasure. */
function ofErasure(line: TrailLine): Judged {
  const numbers = line.after?.service_numbers;
  if (!Array.isArray(numbers) || numbers.length === 0)
    return { why: 'no service of the client is known: erase by the address' };
  return {
    subject: async () => 'client',
    async act(deps) {
      const broker = await brokerOf(deps, line);
      const refusals: string[] = [];
      let erased = 0;
      for (const number of numbers.map(Number)) {
        const service = await deps.store.read.services.find(broker.id, number);
        if (!service || service.clientName === ERASED) continue;
        try {
          await eraseClient.run(deps, { broker: broker.slug, service_number: number });
          erased += 1;
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          refusals.push(error.message);
        }
      }
      if (refusals.length > 0) throw new OperatorError('refused', refusals.join('; '));
      return erased > 0;
    },
  };
}
