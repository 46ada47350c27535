import {
  type FilterImplOptions,
  filters,
  Liquid,
  type LiquidOptions,
  type QuotedToken,
  type Template,
  type Token,
  TokenKind,
  toValueSync,
  Value,
} from 'liquidjs';
import { keysOf } from '../rules/keys.ts';
import { oneLine } from '../rules/text.ts';

type FilterHandler = Exclude<FilterImplOptions, { raw: boolean }>;
type FilterThis = ThisParameterType<FilterHandler>;

/** A broker's email template: Liquid sources of the three parts. */
export interface TemplateSource {
  subject: string;
  html: string;
  text: string;
}

/** The values a template may name (contract, section 6); empty string where there is none. */
export interface TemplateValues {
  client_name: string;
  client_email: string;
  service_number: string;
  service_label: string;
  plan_name: string;
  warning_reason: string;
  broker_name: string;
  renewal_date: string;
  hostname: string;
  /** The first of the addresses. */
  ip_address: string;
  /** All of them, separated by commas. */
  ip_addresses: string;
  username: string;
  login_url: string;
  action_name: string;
}

/** Why a part of a template is refused. */
export interface TemplateFault {
  field: keyof TemplateSource;
  message: string;
}

/** What a template may name, in the order of docs/imports.md, with the values of previews. */
export const EXAMPLE_VALUES: TemplateValues = {
  client_name: 'Ada Example',
  client_email: 'ada@example.com',
  service_number: '1000001',
  service_label: 'web-1',
  plan_name: 'Starter',
  warning_reason: 'An invoice is overdue.',
  broker_name: 'Example Hosting',
  renewal_date: '2030-01-31',
  hostname: 'shop.example.com',
  ip_address: '192.0.2.10',
  ip_addresses: '192.0.2.10, 2001:db8::10',
  username: 'root',
  login_url: 'https://panel.example.com/services/1000001',
  action_name: 'Restart',
};

const TAGS = ['if', 'unless', 'case', 'comment', 'raw'];
const FILTERS = ['date', 'default', 'upcase', 'downcase', 'capitalize', 'strip', 'truncate', 'escape', 'newline_to_br'];
const VALUES = new Set(Object.keys(EXAMPLE_VALUES).flatMap((name) => [name, `${name}.size`]));

/** Longer than any mail program shows (the large ones cut at about 100 KB). Characters per part. */
const MAX_SOURCE = 200_000;

/** Far more than an email has; liquidjs parses in linear time up to some 16,000 pieces of a template. */
const MAX_TAGS = 5_000;

/** Levels of blocks within blocks: liquidjs parses and renders them by recursion. */
const MAX_LEVELS = 50;

/** Of the date formats of a part in all: liquidjs looks up a month's name in 0.1 ms. Characters. */
const MAX_FORMATS = 1_000;

/** What liquidjs may write and process of the values in one part. Characters. */
const MAX_WRITTEN = 1_000_000;

/** Listed of one part; an operator mends them one by one. */
const MAX_FAULTS = 20;

/** Flags may stand in front of a conversion, a width may not. */
const WIDTH = /%[-_0^#:]*[1-9]/;

/** Parses what is checked: without the escaping, which liquidjs keeps among a value's filters. */
const checker = createEngine({});
const plain = createEngine({
  // Escapes nothing, and counts as `escape` does.
  outputEscape(this: FilterThis, value: string) {
    this.context.memoryLimit.use(String(value).length);
    return value;
  },
});
const escapeHtml = filters.escape as FilterHandler;
const html = createEngine({ outputEscape: 'escape' });
// liquidjs escapes every output but one whose last filter is `raw`. The walk refuses this filter in another place.
html.registerFilter('newline_to_br', {
  raw: true,
  handler(value: unknown) {
    return String(escapeHtml.call(this, value)).replace(/\r?\n/g, '<br>\n');
  },
});
const ENGINES: Record<keyof TemplateSource, Liquid> = { subject: plain, html, text: plain };
const PARTS = keysOf(ENGINES);

function createEngine(options: Pick<LiquidOptions, 'outputEscape'>): Liquid {
  const liquid = new Liquid({
    ...options,
    strictVariables: true,
    // Unknown filters are found by the walk, so that all are named.
    strictFilters: false,
    ownPropertyOnly: true,
    // An empty map in place of the file system, from which liquidjs reads by default.
    templates: {},
    // A date must not depend on where the server stands.
    timezoneOffset: 0,
    locale: 'en',
    memoryLimit: MAX_WRITTEN,
  });
  for (const tag of Object.keys(liquid.tags)) if (!TAGS.includes(tag)) delete liquid.tags[tag];
  for (const filter of Object.keys(liquid.filters)) if (!FILTERS.includes(filter)) liquid.unregisterFilter(filter);
  liquid.registerFilter('escape', (value: unknown) => value);
  return liquid;
}

/**
 * Why the template may not be used, every part of it (contract, section 6); empty where it may. Takes time in proportion
 * to the template.
 */
export const checkTemplate = (template: TemplateSource): TemplateFault[] =>
  PARTS.flatMap((field) => faultsOfPart(field, template[field]).map((message) => ({ field, message })));

const NAMES = Object.keys(EXAMPLE_VALUES).join('|');

/** How other panels write a value; here it stays as it is written, and is mailed so. */
const FOREIGN = new RegExp(
  String.raw`\{\$\w[^{}\n]{0,100}\}|(?<!\{)\{(?:${NAMES})\}|%(?:${NAMES})%|\[(?:${NAMES})\]`,
  'g',
);

/** What the template holds that looks like a value and is none, a sentence for each; at most `MAX_FAULTS`. */
export function warningsOf(template: TemplateSource): string[] {
  const found = PARTS.flatMap((part) => [...new Set(template[part].match(FOREIGN))].map((text) => ({ part, text })));
  return found
    .slice(0, MAX_FAULTS)
    .map(
      ({ part, text }) =>
        `${part}: ${text} is no value here and is mailed as it stands; values are written {{ client_name }}`,
    );
}

/**
 * Renders a template that has been checked. Values are escaped in the HTML part and plain in subject and text; a subject
 * is always one line. Throws an `Error`, whose message is for the operator, when a part cannot be rendered.
 */
export function renderTemplate(template: TemplateSource, values: TemplateValues): TemplateSource {
  const rendered = { subject: '', html: '', text: '' };
  for (const part of PARTS) {
    try {
      rendered[part] = renderPart(part, template[part], values);
    } catch (error) {
      throw new Error(`The template's ${part} cannot be rendered: ${(error as Error).message}`);
    }
  }
  return rendered;
}

function renderPart(part: keyof TemplateSource, source: string, values: TemplateValues): string {
  const liquid = ENGINES[part];
  const rendered: string = liquid.renderSync(liquid.parse(source), { ...values });
  return part === 'subject' ? oneLine(rendered) : rendered;
}

function faultsOfPart(part: keyof TemplateSource, source: string): string[] {
  if (source.length > MAX_SOURCE) return [`it has more than ${MAX_SOURCE} characters`];
  if ((source.match(/\{[{%]/g) ?? []).length > MAX_TAGS) return [`it has more than ${MAX_TAGS} tags and values`];
  try {
    const { faults } = new Walk().visit(checker.parse(source));
    if (faults.length > 0) return faults;
    return renderPart(part, source, EXAMPLE_VALUES).trim() === '' ? ['it is blank'] : [];
  } catch (error) {
    return [inPlainWords((error as Error).message)];
  }
}

/** What liquidjs says: without the column, and with the tags that there are. */
const inPlainWords = (message: string): string =>
  message
    .replace(/, line:(\d+)(, col:\d+)?$/, ', line $1')
    .replace(/^tag ".*" not found/, `$& (there are ${TAGS.join(', ')})`);

/** Goes through a parsed part, branches that are not taken included. */
class Walk {
  readonly faults: string[] = [];
  #formats = 0;

  visit(templates: Template[], level = 1): this {
    for (const template of templates) {
      for (const argument of template.arguments?.() ?? []) {
        if (argument instanceof Value) this.#visitValue(argument, template.token);
        else this.#visitOperand(argument);
      }
      const children = template.children ? toValueSync(template.children(false, true)) : [];
      if (level <= MAX_LEVELS) this.visit(children, level + 1);
      else if (children.length > 0) this.#report(template.token, `more than ${MAX_LEVELS} blocks within each other`);
    }
    return this;
  }

  #visitValue({ initial, filters: chain }: Value, token: Token): void {
    for (const operand of initial.postfix) this.#visitOperand(operand);
    for (const [index, { name, args }] of chain.entries()) {
      if (!FILTERS.includes(name)) this.#report(token, `unknown filter "${name}"`);
      if (name === 'newline_to_br' && index < chain.length - 1) {
        this.#report(token, 'newline_to_br is not the last filter');
      }
      // A named argument is a pair of its name and its value.
      const literals = args.map((arg) => (Array.isArray(arg) ? arg[1] : arg)).filter((arg) => arg !== undefined);
      if (!literals.every(isLiteral)) this.#report(token, `an argument of the filter "${name}" is not a literal`);
      else if (name === 'date') this.#visitDate(literals, token);
    }
  }

  #visitDate([format, ...more]: Token[], token: Token): void {
    if (format?.kind !== TokenKind.Quoted || more.length > 0) {
      this.#report(token, 'the filter "date" takes one format in quotes');
      return;
    }
    this.#formats += format.size();
    if (this.#formats > MAX_FORMATS) this.#report(token, `more than ${MAX_FORMATS} characters of date formats`);
    if (WIDTH.test((format as QuotedToken).content)) this.#report(token, 'a date format with a width');
  }

  #visitOperand(token: Token): void {
    if (isLiteral(token) || token.kind === TokenKind.Operator) return;
    const name = token.getText();
    if (token.kind === TokenKind.PropertyAccess && VALUES.has(name)) return;
    const what = token.kind === TokenKind.Range ? 'a range' : 'unknown value';
    this.#report(token, `${what} "${token.getText().slice(0, 100)}"`);
  }

  #report(token: Token, fault: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(`${fault}, line ${token.getPosition()[0]}`);
  }
}

const LITERALS = [TokenKind.Quoted, TokenKind.Number, TokenKind.Literal];
const isLiteral = (token: Token): boolean => LITERALS.includes(token.kind);
