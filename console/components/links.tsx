import type { ChangeRecord } from '../../src/operator/audit/access-changes.ts';
import { headingAnchor } from '../../src/reference/guides.ts';
import type { DocumentName } from '../http/documents.ts';
import { sentence } from './badge.tsx';
import { Time } from './timestamp.tsx';

/** The addresses of the console's pages. */
export const pathOf = {
  broker: (slug: string) => `/brokers/${encodeURIComponent(slug)}`,
  /** Takes back what an import of services created. */
  importRemoval: (slug: string, importId: string) =>
    `/brokers/${encodeURIComponent(slug)}/imports/${encodeURIComponent(importId)}`,
  plan: (planId: string) => `/plans/${encodeURIComponent(planId)}`,
  request: (requestId: string) => `/requests/${encodeURIComponent(requestId)}`,
  /** Services found by a text. */
  services: (search: string) => `/services?${new URLSearchParams({ q: search })}`,
  service: (number: number) => `/services/${number}`,
  /** The client of a service, and all services of that address. */
  client: (number: number) => `/services/${number}/client`,
  plans: (slug: string) => `/plans?${new URLSearchParams({ broker: slug })}`,
  /** Calls of a broker. */
  calls: (slug: string) => `/calls?${new URLSearchParams({ broker: slug })}`,
  /** A call of the API by its `X-Request-Id`. */
  call: (requestId: string) => `/calls/${encodeURIComponent(requestId)}`,
  /** Emails of a broker to an address. */
  emailsTo: (recipient: string, broker: string) => `/emails?${new URLSearchParams({ recipient, broker })}`,
  email: (emailId: string) => `/emails/${encodeURIComponent(emailId)}`,
  template: (slug: string, kind: string) => `/templates/${encodeURIComponent(slug)}/${encodeURIComponent(kind)}`,
  /** The audit records of a subject, such as `service/1000001`. */
  audit: (subject: string, broker?: string) =>
    `/audit?${new URLSearchParams({ subject, ...(broker !== undefined && { broker }) })}`,
  /** What an operator changed, by the name that the audit trail has of them. */
  auditOf: (actor: string) => `/audit?${new URLSearchParams({ actor })}`,
  /** The page of a key; `key` is its row on the broker's page. */
  keyUse: (slug: string, keyId: string) => `${pathOf.broker(slug)}/keys/${encodeURIComponent(keyId)}`,
  key: (slug: string, keyId: string) => `${pathOf.broker(slug)}#${encodeURIComponent(keyId)}`,
  /** The row of an operator; administrators alone see that page. */
  operator: (operatorId: string) => `/operators#${encodeURIComponent(operatorId)}`,
  /** The row of a key of the operator's API; administrators alone see that page. */
  operatorKey: (keyId: string) => `/operator-keys#${encodeURIComponent(keyId)}`,
  /** The row of the audit trail that an import wrote. */
  import: (slug: string, importId: string) =>
    `${pathOf.audit(`broker/${slug}`, slug)}&action=service.import#${encodeURIComponent(importId)}`,
  system: () => '/system',
  /** The page of an audit record's subject; undefined where it has none: a client, who is not named, and a report. */
  subject({ subject, subject_id: id, broker }: AuditedSubject): string | undefined {
    const [kind = '', name = ''] = subject.split(/\/(.*)/s);
    if (kind === 'broker') return pathOf.broker(name);
    if (kind === 'service' && /^\d{1,16}$/.test(name)) return pathOf.service(Number(name));
    if (kind === 'request') return pathOf.request(name);
    if (kind === 'email') return pathOf.email(name);
    if (kind === 'counter' || kind === 'database') return pathOf.system();
    if (kind === 'plan') return id && pathOf.plan(id);
    if (kind === 'operator') return id && pathOf.operator(id);
    if (kind === 'ops_key') return pathOf.operatorKey(name);
    if (broker === null) return undefined;
    if (kind === 'key') return pathOf.keyUse(broker, name);
    if (kind === 'template') return pathOf.template(broker, name);
    return kind === 'import' ? pathOf.import(broker, name) : undefined;
  },
};

interface AuditedSubject {
  subject: string;
  /** Of a plan or an operator. */
  subject_id?: string | undefined;
  broker: string | null;
}

/** A text of a record on one line; where it is cut off, hovering shows the whole of it. */
export function Truncated({
  text,
  shown = text,
  href,
  none = '–',
}: {
  text: string | null;
  /** In place of the whole text. */
  shown?: string | null;
  href?: string | undefined;
  none?: string;
}) {
  if (text === null) return <span class="quiet">{none}</span>;
  const props = { class: 'cut', dir: 'auto' as const, title: text };
  return href === undefined ? <span {...props}>{shown}</span> : <a href={href} {...props} children={shown} />;
}

/** Ids that were made at about the same time begin alike, so their end is shown: "request/req_…7KQ2M4XA". */
export const shortenSubject = (subject: string): string =>
  subject.replace(/^(.*\/[a-z]+_)[0-9A-Z]{18}([0-9A-Z]{8})$/, '$1…$2');

export const BrokerLink = ({ slug, name }: { slug: string; name: string }) => (
  <Truncated text={name} href={pathOf.broker(slug)} />
);

export const PlanLink = ({ id, name }: { id: string; name: string }) => (
  <Truncated text={name} href={pathOf.plan(id)} />
);

export function ServiceLink({ number }: { number: number | null }) {
  if (number === null) return null;
  return (
    <a href={pathOf.service(number)} class="figure">
      {number}
    </a>
  );
}

/** A request by its type; the id shows on hover. `query`: the filters of the list that it is opened from. */
export function RequestLink({ id, label, query = '' }: { id: string; label: string; query?: string }) {
  return (
    <a href={pathOf.request(id) + query} title={id}>
      {label}
    </a>
  );
}

/** The service that a call or an email is about, if any: as text where it has no page. */
export function NamedService({ of }: { of: { service_number: number | null; service_exists: boolean } }) {
  const { service_number: number, service_exists } = of;
  return service_exists || number === null ? <ServiceLink number={number} /> : <span class="figure">{number}</span>;
}

export function CallLink({ id, label = id }: { id: string; label?: string }) {
  return (
    <a href={pathOf.call(id)} class="mono cut" title={id}>
      {label}
    </a>
  );
}

export const EmailLink = ({ id, subject }: { id: string; subject: string | null }) => (
  <Truncated text={subject ?? 'erased'} href={pathOf.email(id)} />
);

/** Where an email went. */
export const Recipient = ({ recipient }: { recipient: string | null }) => (
  <span class="address">
    <Truncated text={recipient} none="erased" />
  </span>
);

/** A document of the package, which the console serves. */
export const DocumentLink = ({ name, section }: { name: DocumentName; section: string }) => (
  <a href={`/docs/${name}.md#${headingAnchor(section)}`}>
    docs/{name}.md: {section}
  </a>
);

/** Leads to the audit records of a subject. */
export function AuditLink({ subject, broker }: { subject: string; broker?: string }) {
  return <a href={pathOf.audit(subject, broker)}>Audit trail</a>;
}

/** A change by its action, which leads to its row of the audit trail. */
export function ChangeLink({ change, slug }: { change: ChangeRecord; slug: string }) {
  const { audit_id, subject, action, actor, date } = change;
  return (
    <>
      <a href={`${pathOf.audit(subject, slug)}#${audit_id}`} class="mono">
        {action}
      </a>{' '}
      by <bdi>{actor}</bdi> <Time at={date} />
    </>
  );
}

/** The title of a request type: "Upgrade", "Cancellation warning". */
export const requestTitle = (type: string): string => sentence(type.replace(/^plan[-_]/, ''));

interface Titled {
  type: string;
  /** Of a service's plan, by the name that clients see. */
  action?: { display_name: string } | undefined;
}

/** What a request is: its type, or the name of the action that it asks for. */
export const titleOf = ({ type, action }: Titled): string => action?.display_name ?? requestTitle(type);

/** An id with a button that copies it. */
export function CopiedId({ id }: { id: string }) {
  return (
    <span class="id">
      <span class="mono">{id}</span>{' '}
      <button type="button" class="small scripted" data-copy aria-label={`Copy ${id}`}>
        Copy
      </button>
    </span>
  );
}
