import { Liquid, type LiquidOptions, type Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import type { TemplateSource, TemplateValues } from '../ports.ts';
import { oneLine } from '../rules/one-line.ts';
import { escapeOnce, keepEscaping } from './markup.ts';

const PARTS = ['subject', 'html', 'text'] as const;

/** Longer than any mail program shows (the large ones cut at about 100 KB). Characters per part. */
const LONGEST_SOURCE = 200_000;

/** Parsed templates to keep, in characters of source: hundreds of ordinary templates. */
const CACHE_SIZE = 4_000_000;

/** A rendering takes well below a millisecond; this ends nested loops. The process that renders has limits of its own. */
const RENDER_LIMIT_MS = 1_000;

/** What a render may allocate in liquidjs's own units (about one per character or item). */
const MEMORY_LIMIT = 10_000_000;

/** Tags that bring in other templates: there are none here, and the file system holds no templates. */
const NO_PARTIALS = ['include', 'render', 'layout', 'block'];

/**
 * Filters for lists of objects, which no template has: every value is a text. Those that take expressions can nest
 * loops inside one node, where liquidjs does not look at its limits.
 */
const OBJECT_FILTERS = [
  ...['find', 'find_index', 'group_by', 'has', 'reject', 'where'].flatMap((name) => [name, `${name}_exp`]),
  'map',
  'sum',
];

/** With these a template is tried before it is accepted. */
const EXAMPLE: TemplateValues = {
  client_name: 'Ada Example',
  client_email: 'ada@example.com',
  service_number: '1000001',
  service_label: 'web-1',
  plan_name: 'Starter',
  warning_reason: 'The invoice is overdue.',
  broker_name: 'Example Hosting',
  renewal_date: '2030-01-31',
};

/** The other end: what need not exist is empty, so that the branches for it are tried too. */
const BARE_EXAMPLE: TemplateValues = { ...EXAMPLE, service_label: '', warning_reason: '', renewal_date: '' };

/**
 * Renders brokers' Liquid templates (contract, section 6). Values are escaped in the HTML part and plain in subject
 * and text; a template cannot turn the escaping off, read files or name unknown values. A subject is always one line.
 */
export function createTemplateEngine() {
  const plain = createEngine({});
  const html = createEngine({ outputEscape: escapeOnce });
  keepEscaping(html.liquid);
  const engines: Record<(typeof PARTS)[number], Engine> = { subject: plain, html, text: plain };

  const renderPart = (part: (typeof PARTS)[number], source: string, values: TemplateValues): string => {
    const engine = engines[part];
    const rendered: string = engine.liquid.renderSync(engine.parse(source), { ...values });
    return part === 'subject' ? oneLine(rendered) : rendered;
  };

  const checkPart = (part: (typeof PARTS)[number], source: string): string[] => {
    try {
      const unknown = unknownValues(engines[part], source);
      if (unknown.length > 0) return unknown;
      renderPart(part, source, BARE_EXAMPLE);
      return renderPart(part, source, EXAMPLE).trim() === '' ? ['it is blank'] : [];
    } catch (error) {
      return faultsOf(error);
    }
  };

  return {
    /** Throws an `Error`, whose message is for the operator, when a part cannot be rendered. */
    render(template: TemplateSource, values: TemplateValues): TemplateSource {
      const rendered: TemplateSource = { ...template };
      for (const part of PARTS) {
        try {
          rendered[part] = renderPart(part, template[part], values);
        } catch (error) {
          throw new Error(`The template's ${part} cannot be rendered: ${faultsOf(error).join('; ')}`);
        }
      }
      return rendered;
    },
    check: (template: TemplateSource): TemplateFault[] =>
      PARTS.flatMap((part) => checkPart(part, template[part]).map((message) => ({ field: part, message }))),
  };
}

/** Why a part of a template cannot be rendered. */
export interface TemplateFault {
  field: keyof TemplateSource;
  message: string;
}

interface Engine {
  liquid: Liquid;
  /** Parses, or remembers: the same few templates are rendered over and over. */
  parse(source: string): Template[];
}

function createEngine(options: Pick<LiquidOptions, 'outputEscape'>): Engine {
  const liquid = new Liquid({
    ...options,
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    catchAllErrors: true,
    // An empty map in place of the file system, from which liquidjs reads by default.
    templates: {},
    // A date must not depend on where the server stands.
    timezoneOffset: 0,
    locale: 'en',
    parseLimit: LONGEST_SOURCE,
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: MEMORY_LIMIT,
  });
  for (const tag of NO_PARTIALS) delete liquid.tags[tag];
  for (const name of OBJECT_FILTERS) liquid.unregisterFilter(name);

  const parsed = new LRUCache<string, Template[]>({
    maxSize: CACHE_SIZE,
    sizeCalculation: (_templates, source) => source.length + 1,
  });
  return {
    liquid,
    parse(source) {
      const known = parsed.get(source);
      if (known) return known;
      const templates = liquid.parse(source);
      parsed.set(source, templates);
      return templates;
    },
  };
}

/** Names that no message has a value for, in branches that are not taken too. A value is text: it has a size at most. */
function unknownValues({ liquid, parse }: Engine, source: string): string[] {
  const paths = liquid.globalVariableSegmentsSync(parse(source));
  const unknown = paths.filter(
    ([name, property, ...deeper]) =>
      !Object.hasOwn(EXAMPLE, String(name)) || (property !== undefined && property !== 'size') || deeper.length > 0,
  );
  return unknown.map((path) => `unknown value "${path.join('.')}"`);
}

/** liquidjs wraps the faults of a template, and those of its blocks again. */
function faultsOf(error: unknown): string[] {
  const { message, errors } = error as Error & { errors?: unknown[] };
  return errors ? errors.flatMap(faultsOf) : [message];
}
