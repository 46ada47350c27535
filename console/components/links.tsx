import type { CallRecord } from '../../src/operator/calls.ts';
import { words } from './badge.tsx';

/** Every id is a link to the page of what it names. */
export const pathOf = {
  broker: (slug: string) => `/brokers/${encodeURIComponent(slug)}`,
  request: (requestId: string) => `/requests/${encodeURIComponent(requestId)}`,
  /** Services in whose names, labels and the like a text stands. */
  services: (search: string) => `/services?${new URLSearchParams({ q: search })}`,
  service: (number: number) => `/services/${number}`,
  /** A call of the API by its `X-Request-Id`. */
  call: (requestId: string) => `/calls/${encodeURIComponent(requestId)}`,
  email: (emailId: string) => `/emails/${encodeURIComponent(emailId)}`,
  template: (slug: string, kind: string) => `/templates/${encodeURIComponent(slug)}/${encodeURIComponent(kind)}`,
  import: (uploadId: string) => `/imports/${encodeURIComponent(uploadId)}`,
  /** What was done to a thing, as the audit trail names it: `service/1000001`. */
  audit: (subject: string, broker?: string) =>
    `/audit?${new URLSearchParams({ thing: subject, ...(broker !== undefined && { broker }) })}`,
  /** What a key does; its row among the others of its broker is `key`. */
  keyUse: (slug: string, keyId: string) => `${pathOf.broker(slug)}/keys/${encodeURIComponent(keyId)}`,
  key: (slug: string, keyId: string) => `${pathOf.broker(slug)}#${encodeURIComponent(keyId)}`,
};

export function BrokerLink({ slug, name }: { slug: string; name: string }) {
  return (
    <a href={pathOf.broker(slug)} dir="auto" class="cut" title={name}>
      {name}
    </a>
  );
}

export function ServiceLink({ number }: { number: number }) {
  return (
    <a href={pathOf.service(number)} class="figure">
      {number}
    </a>
  );
}

/** A request by what it asks for; the id shows on hover, for it says nothing to a person. */
export function RequestLink({ id, label }: { id: string; label: string }) {
  return (
    <a href={pathOf.request(id)} title={id}>
      {label}
    </a>
  );
}

/** The service that a call named, if any. One that was not found, or that is simulated for a sandbox key, has no page. */
export function CalledService({ call }: { call: Pick<CallRecord, 'service_number' | 'code' | 'key_prefix'> }) {
  const { service_number: number, code, key_prefix } = call;
  if (number === null) return null;
  const isThere = code !== 'not_found' && !key_prefix?.startsWith('sk_test_');
  return isThere ? <ServiceLink number={number} /> : <span class="figure">{number}</span>;
}

export function CallLink({ id }: { id: string }) {
  return (
    <a href={pathOf.call(id)} class="mono cut" title={id}>
      {id}
    </a>
  );
}

/** An email by its subject; the id shows on hover. */
export function EmailLink({ id, subject }: { id: string; subject: string | null }) {
  return (
    <a href={pathOf.email(id)} title={subject ?? id} dir="auto" class="cut">
      {subject ?? 'erased'}
    </a>
  );
}

/** The way from a thing to all that was done to it. */
export function AuditLink({ subject, broker }: { subject: string; broker?: string }) {
  return <a href={pathOf.audit(subject, broker)}>Who changed it</a>;
}

/** What a request asks for: "Upgrade", "Cancellation warning". */
export function requestTitle(type: string): string {
  const text = words(type).replace(/^plan /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
