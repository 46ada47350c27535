import { isCorrelationId } from '../ids.ts';
import { fold } from '../rules/search-text.ts';
import { findKey } from './broker-views.ts';
import type { ReadDeps } from './dependencies.ts';
import { publicIdOf } from './time-range.ts';

/** Results of each kind; a longer text finds fewer. */
const MAX_FOUND = 20;

/**
 * What an operator may mean by a text: a request or an email by its id, a key by its id or prefix, a service by its
 * number, a call by its `X-Request-Id`, brokers by a part of their names. Of a whole key that was pasted nothing but its
 * public part is looked at.
 */
export async function search({ store, clock }: ReadDeps, input: { text: string }) {
  // As a log or a mail has it: with its header's name, in quotes.
  const text = input.text
    .trim()
    .replace(/^x-request-id:\s*/i, '')
    .replace(/^"(.*)"$/, '$1');
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
  const publicId = publicIdOf(text);
  const [owner, serviceOwner, brokers, access, call, email] = await Promise.all([
    text.startsWith('req_') ? store.read.requests.findOwner(text) : null,
    number !== null && Number.isSafeInteger(number) ? store.read.overview.findServiceOwner(number) : null,
    text === '' ? [] : store.read.brokers.list(),
    publicId === undefined ? null : store.read.keys.findAccess(publicId),
    isCorrelationId(text) ? store.read.calls.find(text) : null,
    text.startsWith('eml_') ? store.read.emails.find(text, clock.now()) : null,
  ]);
  const service = serviceOwner === null ? null : brokers.find(({ id }) => id === serviceOwner);
  const folded = fold(text);
  return {
    request: owner === null ? null : { request_id: text },
    service: service ? { service_number: number as number, broker: service.slug } : null,
    call: call && { request_id: text },
    email: email && { email_id: text },
    /** Whether the text is what a call could be called, kept or not. */
    names_call: isCorrelationId(text),
    key: await findKey({ store, clock }, { keyId: access?.key.id ?? text }),
    brokers: brokers
      .filter(({ id, slug, name }) => id === text || [slug, name].some((field) => fold(field).includes(folded)))
      .slice(0, MAX_FOUND)
      .map(({ slug, name }) => ({ slug, name })),
  };
}
