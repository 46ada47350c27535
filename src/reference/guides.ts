// biome-ignore lint/style/noRestrictedImports: made of Markdown, in which HTML is shown as text
import { raw } from 'hono/html';
import { Marked } from 'marked';
import type { DocumentedOperation } from './operations.ts';

/** The addresses of an API's pages. */
export interface PageAddresses {
  guides: string;
  reference: string;
  errors: string;
  /** The document. */
  openapi: string;
}

export const pagesBelow = (prefix: string): PageAddresses => ({
  guides: `${prefix}/docs`,
  reference: `${prefix}/docs/reference`,
  errors: `${prefix}/docs/errors`,
  openapi: `${prefix}/openapi.json`,
});

/** The page of an operation. */
export const operationPage = ({ reference }: PageAddresses, { id }: Pick<DocumentedOperation, 'id'>): string =>
  `${reference}/${id}`;

/** A part of the guides under a heading of the second level. */
export interface GuideSection {
  title: string;
  /** The address of its heading. */
  href: string;
  markdown: string;
}

const DEMO_KEY = /\bsk_(live|test)_Demo\w+/g;

/**
 * The guides as a server shows them: without keys that do not work there, and with operations and reasons in inline code
 * linked to their pages. Code blocks get no links.
 * @param demo whether the demo keys of the samples are active; otherwise placeholders stand in their place
 */
export function shownGuides(
  at: PageAddresses,
  markdown: string,
  {
    operations,
    reasons,
    demo,
  }: { operations: readonly DocumentedOperation[]; reasons: readonly string[]; demo: boolean },
): string {
  const addresses = new Map([
    ...operations.map((operation): [string, string] => [callOf(operation), operationPage(at, operation)]),
    // Reasons of one word are words of other things too.
    ...reasons
      .filter((reason) => reason.includes('_'))
      .map((reason): [string, string] => [reason, `${at.errors}#${reason}`]),
  ]);
  return markdown
    .replace(DEMO_KEY, demo ? '$&' : 'sk_$1_YOUR_KEY')
    .split(/^(```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(/(?<!\[)`([^`]+)`/g, (code, text: string) => {
            const address = addresses.get(text.replace(/\s+/, ' '));
            return address ? `[${code}](${address})` : code;
          }),
    )
    .join('');
}

export const callOf = ({ method, path }: Pick<DocumentedOperation, 'method' | 'path'>): string => `${method} ${path}`;

/** The sections of the guides, in their order. */
export function sectionsOf({ guides }: Pick<PageAddresses, 'guides'>, markdown: string): GuideSection[] {
  const sections: GuideSection[] = [];
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 2)
      sections.push({ title: token.text, href: `${guides}#${headingAnchor(token.text)}`, markdown: '' });
    else {
      const last = sections.at(-1);
      if (last) last.markdown += token.raw;
    }
  }
  return sections;
}

/** The sections whose text or samples name the operation's path. */
export function sectionsMentioning(
  { path }: Pick<DocumentedOperation, 'path'>,
  sections: readonly GuideSection[],
): GuideSection[] {
  const called = new RegExp(`${path.replace('/v1', '').replaceAll(/\{\w+\}/g, '[^/\\s\'"]+')}(?![/\\w-])`);
  return sections.filter(({ markdown }) => called.test(markdown));
}

/** The anchor of a heading, by the rule of GitHub. */
export const headingAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const id = headingAnchor(text);
      const title = this.parser.parseInline(tokens);
      return depth === 1 ? `<h1>${title}</h1>\n` : `<h${depth} id="${id}"><a href="#${id}">${title}</a></h${depth}>\n`;
    },
    // A wide table or sample scrolls by itself; by keyboard too.
    code: ({ text }) => `<div class="code"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>\n`,
    html: ({ text }) => escaped(text),
  },
});

/** The guides as a part of a page; HTML in them is shown as text. */
export const htmlOf = (markdown: string) =>
  raw(
    (marked.parse(markdown) as string)
      .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>'),
  );

/** Markdown of one line as a part of a page. */
export const inlineHtmlOf = (markdown: string) => raw(marked.parseInline(markdown) as string);

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
