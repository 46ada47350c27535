import { operatorOwner } from '../../limits/operator-slot.ts';
import { accessOf } from '../../rules/access.ts';
import { keyPrefix } from '../../rules/key-format.ts';
import { foldPlanName } from '../../rules/plan-names.ts';
import { fold } from '../../rules/search-text.ts';
import { isCorrelationId } from '../../runtime/ids.ts';
import type { OwnedService } from '../../store/queries/all-services.ts';
import type { BrokerRow } from '../../store/queries/brokers.ts';
import type { ServiceRow } from '../../store/queries/services.ts';
import type { Reads } from '../../store/store.ts';
import { isSearch, readSearch, searchedBy } from '../services/views.ts';
import type { ReadDeps } from '../use-case/dependencies.ts';
import { publicIdOf } from '../use-case/time-range.ts';

/** Results of each kind; a longer text finds fewer. */
const MAX_FOUND = 8;

/** Services that are looked at for one whose name is the text. */
const MAX_SERVICES = 50;

/** Shorter texts match too much of plans and keys; services need as many by themselves. */
const MIN_TEXT = 2;

/**
 * What a text may mean. `isExact`: it is the record's id, number or prefix; `isNamed`: it is the whole of a name of it;
 * `found`: what of a service has it, beside its label and its client's name.
 */
export type Match = { isExact: boolean; isNamed?: boolean } & (
  | { kind: 'request'; request_id: string }
  | { kind: 'email'; email_id: string }
  | { kind: 'call'; request_id: string }
  | { kind: 'key'; key_id: string; key_prefix: string; name: string; broker: string; broker_name: string }
  | {
      kind: 'service';
      service_number: number;
      label: string | null;
      client: string;
      found: string | null;
      broker_name: string;
    }
  | { kind: 'broker'; slug: string; name: string }
  | { kind: 'invoice'; invoice_number: string; service_number: number; invoice_status: string; broker_name: string }
  | { kind: 'plan'; plan_id: string; slug: string; name: string; broker_name: string }
);

/**
 * What an operator may mean by a text, best first: a request or an email by its id, a call by its `X-Request-Id`, a
 * service by number, label, reference, machine, host name, IP address, client's name or email, brokers and plans by a part of their
 * names, keys by id, prefix or name. Of a whole key that was pasted nothing but its public part is looked at.
 */
export async function search({ store, clock }: ReadDeps, input: { text: string }) {
  // As a log or a mail has it: with its header's name, in quotes.
  const text = input.text
    .trim()
    .replace(/^x-request-id:\s*/i, '')
    .replace(/^"(.*)"$/, '$1');
  const publicId = publicIdOf(text);
  const byText = readSearch(text);
  const [owner, brokers, access, call, email, invoices, found] = await Promise.all([
    text.startsWith('req_') ? store.read.requests.findOwner(text) : null,
    text === '' ? [] : store.read.brokers.list(),
    publicId === undefined
      ? store.read.keys.find(text)
      : store.read.keys.findAccess(publicId).then((found) => found?.key),
    isCorrelationId(text) ? store.read.calls.find(text) : null,
    text.startsWith('eml_') ? store.read.emails.find(text, clock.now()) : null,
    text.length < MIN_TEXT ? [] : store.read.invoices.findNumbered(text, MAX_FOUND),
    text.length < MIN_TEXT
      ? { services: [], plans: [], keys: [] }
      : store.slow(operatorOwner(), async ({ allPlans, allServices, keys }) => ({
          services: await servicesBy(allServices, text),
          plans: await allPlans.findNamed(foldPlanName(text), MAX_FOUND),
          // A whole key must not reach a query.
          keys: publicId === undefined ? await keys.findNamed(text, MAX_FOUND) : [],
        })),
  ]);
  const owners = new Map(brokers.map((broker) => [broker.id, broker]));
  // Foreign keys say that each has a broker.
  const ownerOf = (brokerId: string) => owners.get(brokerId) as BrokerRow;
  const keys = [...(access ? [access] : []), ...found.keys.filter(({ id }) => id !== access?.id)];
  const folded = fold(text);
  const isText = (name: string | null): boolean => name !== null && fold(name) === folded;
  const matches: Match[] = [
    ...(owner === null ? [] : [{ kind: 'request' as const, isExact: true, request_id: text }]),
    ...(email ? [{ kind: 'email' as const, isExact: true, email_id: text }] : []),
    ...invoices.map(({ invoiceNumber, serviceNumber, status, brokerId }) => ({
      kind: 'invoice' as const,
      isExact: true,
      invoice_number: invoiceNumber,
      service_number: serviceNumber,
      invoice_status: status,
      broker_name: ownerOf(brokerId).name,
    })),
    ...(call ? [{ kind: 'call' as const, isExact: true, request_id: text }] : []),
    ...keys.map(({ id, mode, publicId, name, brokerId }) => ({
      kind: 'key' as const,
      isExact: id === access?.id,
      isNamed: isText(name),
      key_id: id,
      key_prefix: keyPrefix(mode, publicId),
      name,
      broker: ownerOf(brokerId).slug,
      broker_name: ownerOf(brokerId).name,
    })),
    ...found.services.map(({ service, broker }) => ({
      kind: 'service' as const,
      isExact: service.number === byText.number,
      isNamed: namesOfService(service).some(isText),
      service_number: service.number,
      label: service.label,
      client: service.clientName,
      found: foundIn(service, byText.search ?? folded),
      broker_name: broker.name,
    })),
    ...brokersBy(brokers, text).map(({ slug, name }) => ({
      kind: 'broker' as const,
      isExact: false,
      isNamed: isText(slug) || isText(name),
      slug,
      name,
    })),
    ...found.plans.map(({ id, slug, displayName, brokerId }) => ({
      kind: 'plan' as const,
      isExact: false,
      isNamed: isText(slug) || isText(displayName),
      plan_id: id,
      slug,
      name: displayName,
      broker_name: ownerOf(brokerId).name,
    })),
  ];
  const sorted = matches.sort((one, other) => rankOf(one) - rankOf(other));
  const services = sorted.filter(({ kind }) => kind === 'service').slice(MAX_FOUND);
  return {
    matches: sorted.filter((match) => !services.includes(match)),
    /** Whether the text is what a call could be called, kept or not. */
    names_call: isCorrelationId(text),
  };
}

/** Few kinds of records are named by many texts: those come first. */
const ORDER: ReadonlyArray<Match['kind']> = ['request', 'email', 'call', 'invoice', 'broker', 'service', 'plan', 'key'];

const rankOf = ({ kind, isExact, isNamed }: Match): number =>
  ORDER.indexOf(kind) - (isExact ? 2 * ORDER.length : isNamed ? ORDER.length : 0);

/** Services as their list finds them. */
async function servicesBy(allServices: Reads['allServices'], text: string): Promise<OwnedService[]> {
  if (!isSearch(text)) return [];
  return allServices.page(await searchedBy(allServices, text), 'number', { limit: MAX_SERVICES, offset: 0 });
}

/** What of a service has the text, where its label and its client's name do not. */
function foundIn(service: ServiceRow, folded: string): string | null {
  const has = (name: string | null): boolean => name !== null && fold(name).includes(folded);
  if (has(service.label) || has(service.clientName)) return null;
  return namesOfService(service).find(has) ?? null;
}

function namesOfService({ label, externalReference, clientName, clientEmail, access, reference }: ServiceRow) {
  const { hostname = null, ip_addresses = [] } = accessOf(access) ?? {};
  return [label, externalReference, clientName, clientEmail, hostname, reference, ...ip_addresses];
}

function brokersBy(brokers: BrokerRow[], text: string): BrokerRow[] {
  const folded = fold(text);
  const places = ({ slug, name }: BrokerRow) => [slug, name].map((field) => fold(field).indexOf(folded));
  const begins = (broker: BrokerRow) => (places(broker).includes(0) ? 0 : 1);
  return brokers
    .filter((broker) => broker.id === text || places(broker).some((place) => place >= 0))
    .sort((one, other) => begins(one) - begins(other))
    .slice(0, MAX_FOUND);
}

export type Found = Awaited<ReturnType<typeof search>>;
