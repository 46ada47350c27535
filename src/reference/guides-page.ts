import { Marked } from 'marked';
import { anchorOf } from './guides.ts';
import type { Operation } from './operations.ts';

export interface GuidesPage {
  /** The guides as Markdown. */
  markdown: string;
  operations: readonly Operation[];
  /** The address of an operation in the reference. */
  addressOf: (operation: Operation) => string;
}

/** One place that the search can lead to. */
interface Place {
  title: string;
  href: string;
  text: string;
}

const PAGE = '/api/docs';
const MOST_FOUND = 30;
/** Of a question; longer ones are cut. */
const MOST_ASKED = 100;

/**
 * The guides as pages that need no script (contract, section 1): all of them on one page with its contents, the operations
 * and a search.
 */
export function guidesPages({ markdown, operations, addressOf }: GuidesPage) {
  const body = htmlOf(markdown);
  const sections = [...body.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id, title]) => ({ id, title }));
  const contents = `<nav aria-label="Guides"><h2>Guides</h2><ul>${sections
    .map(({ id, title }) => `<li><a href="${PAGE}#${id}">${title}</a></li>`)
    .join('')}</ul></nav>`;
  const listed = `<nav aria-label="Operations" class="operations"><h2>Operations</h2><ul>${operations
    .map(
      (operation) =>
        `<li><a href="${addressOf(operation)}"><span class="${operation.method}">${operation.method}</span> ${escaped(operation.path)}</a><small>${escaped(operation.name)}</small></li>`,
    )
    .join('')}</ul></nav>`;
  const places: Place[] = [
    ...placesOf(body),
    ...operations.map((operation) => ({
      title: `${operation.method} ${operation.path}`,
      href: addressOf(operation),
      text: `${operation.name}. ${operation.description}`,
    })),
  ];
  return {
    guides: page('Broker API', `${contents}<main id="main">${body}</main>${listed}`),
    /** What has all the words of a question, titles first. */
    search(question: string): string {
      const asked = question.slice(0, MOST_ASKED).trim();
      const found = find(places, asked);
      const list = found
        .map(
          ({ title, href, text }) =>
            `<li><a href="${href}">${escaped(title)}</a><p>${escaped(text.slice(0, 200))}</p></li>`,
        )
        .join('');
      const answer = found.length > 0 ? `<ol class="found">${list}</ol>` : '<p>Nothing has all of these words.</p>';
      const heading = asked === '' ? 'Search' : `Search: ${escaped(asked)}`;
      return page('Search', `${contents}<main id="main"><h1>${heading}</h1>${asked && answer}</main>${listed}`, asked);
    },
  };
}

const page = (title: string, content: string, asked = ''): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${PAGE}/static/icon.svg">
<link rel="stylesheet" href="${PAGE}/static/guides.css">
<link rel="alternate" type="text/markdown" href="${PAGE}/guides.md">
</head>
<body>
<header>
<a class="skip" href="#main">Skip to the text</a>
<a class="home" href="${PAGE}">Broker API</a>
<form action="${PAGE}/search" role="search"><input type="search" name="q" value="${escaped(asked)}" maxlength="${MOST_ASKED}" aria-label="Search guides, reasons and operations" placeholder="Search"><button>Search</button></form>
<a href="${PAGE}/reference">Reference</a>
</header>
<div class="columns">
${content}
</div>
</body>
</html>
`;

function htmlOf(markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // A wide table or sample scrolls by itself; by keyboard too.
      code: ({ text, lang }) =>
        `<pre tabindex="0"><code class="language-${lang ?? 'text'}">${escaped(text)}</code></pre>\n`,
      tablerow: ({ text }) => {
        const [, reason] = /^<td><code>([a-z_]+)<\/code>/.exec(text) ?? [];
        return `<tr${reason ? ` id="reason-${reason}"` : ''}>${text}</tr>\n`;
      },
    },
  });
  return (marked.parse(markdown) as string)
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/** Sections of the guides, and the rows of their tables. */
function placesOf(body: string): Place[] {
  const sections = body.split(/(?=<h2 )/).flatMap((section) => {
    const [, id, title] = /^<h2 id="([^"]+)">(.*?)<\/h2>/.exec(section) ?? [];
    return id && title
      ? [{ title: textOf(title), href: `${PAGE}#${id}`, text: textOf(section.replace(/<h2.*?<\/h2>/, '')) }]
      : [];
  });
  const rows = [...body.matchAll(/<tr id="(reason-[a-z_]+)">(.*?)<\/tr>/gs)].map(([, id, row]) => {
    const [first = '', ...rest] = String(row).split('</td>').map(textOf);
    return { title: first, href: `${PAGE}#${id}`, text: rest.filter(Boolean).join(': ') };
  });
  return [...rows, ...sections];
}

function find(places: readonly Place[], asked: string): Place[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const [titled, others] = [places.filter(({ title }) => has(title)), places.filter(({ title }) => !has(title))];
  return [...titled, ...others.filter(({ title, text }) => has(`${title} ${text}`))].slice(0, MOST_FOUND);
}

/** The text of HTML that this module has made. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
