import { words } from './badge.tsx';

/** Every id is a link to the page of what it names. */
export const pathOf = {
  broker: (slug: string) => `/brokers/${encodeURIComponent(slug)}`,
  request: (requestId: string) => `/requests/${encodeURIComponent(requestId)}`,
  /** A service's requests. */
  service: (number: number) => `/requests?service=${number}`,
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

/** What a request asks for: "Upgrade", "Cancellation warning". */
export function requestTitle(type: string): string {
  const text = words(type).replace(/^plan /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
