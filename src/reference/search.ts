import type { Docs } from './docs.ts';
import { anchorOfField } from './fields.ts';
import { callOf, operationPage } from './guides.ts';

/** One place that a search can lead to. */
export interface Place {
  title: string;
  href: string;
  text: string;
}

const MAX_FOUND = 40;
const MAX_SHOWN = 200;

/**
 * Makes the search over all places, which are collected here, once. It returns the places that have all words of a
 * question, those that have them in their title first.
 */
export function searchOf(docs: Docs): (question: string) => Place[] {
  const known = placesOf(docs).map(({ name, title, href, text }) => ({
    place: { title, href, text: text.slice(0, MAX_SHOWN) },
    name: (name ?? title).toLowerCase(),
    all: `${name ?? title} ${text}`.toLowerCase(),
  }));
  return (question) => {
    const words = question.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const has = (text: string) => words.every((word) => text.includes(word));
    const found = known.filter(({ all }) => has(all));
    const named = found.filter(({ name }) => has(name));
    const others = found.filter(({ name }) => !has(name));
    return [...named, ...others].slice(0, MAX_FOUND).map(({ place }) => place);
  };
}

interface Known extends Place {
  /** What of the title is searched; all of it unless given. */
  name?: string;
}

function placesOf({ at, sections, operations, errors }: Docs): Known[] {
  const fields = operations.flatMap((operation) =>
    [...Object.entries(operation.inputs), ['answer', operation.successes[0]?.fields ?? []] as const].flatMap(
      ([place, known]) => known.map((field) => ({ operation, place, field })),
    ),
  );
  // What a caller sends comes before what it gets.
  const sorted = [
    ...fields.filter(({ place }) => place !== 'answer'),
    ...fields.filter(({ place }) => place === 'answer'),
  ];
  return [
    ...operations.map((operation) => ({
      title: `${operation.name}: ${callOf(operation)}`,
      href: operationPage(at, operation),
      text: operation.description.replaceAll('`', ''),
    })),
    ...sections.map(({ title, href, markdown }) => ({
      title,
      href,
      text: markdown.replaceAll(/\]\([^)]*\)|[[`*#|]/g, '').replaceAll(/\s+/g, ' '),
    })),
    ...errors.flatMap(({ code, advice, reasons }) => [
      { title: code, href: `${at.errors}#${code}`, text: advice },
      ...reasons.map((each) => ({
        title: each.reason,
        href: `${at.errors}#${each.reason}`,
        text: `${code}: ${each.advice}`,
      })),
    ]),
    ...sorted.map(({ operation, place, field }) => ({
      // Without the fields around it, whose name would find all fields within.
      name: field.name.replace(/.*\./, ''),
      title: `${field.name} (${place} of ${operation.name})`,
      href: `${operationPage(at, operation)}#${anchorOfField(place, field)}`,
      text: [field.description.replace(/\.$/, ''), ...field.rules].filter(Boolean).join('; ').replaceAll('`', ''),
    })),
  ];
}
