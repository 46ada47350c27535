import { Liquid, type LiquidOptions, type Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import type { TemplateRenderer, TemplateSource, TemplateValues } from '../ports.ts';
import { oneLine } from '../rules/one-line.ts';
import { escapeOnce, keepEscaping } from './markup.ts';

const PARTS = ['subject', 'html', 'text'] as const;

/** Longer than any mail program shows (the large ones cut at about 100 KB). Characters per part. */
const LONGEST_SOURCE = 200_000;

/** Parsed templates to keep, in characters of source: hundreds of ordinary templates. */
const CACHE_SIZE = 4_000_000;

/** A render takes well below a millisecond; this ends the loop that somebody nested too deep. */
const RENDER_LIMIT_MS = 1_000;

/** What a render may allocate in liquidjs's own units (about one per character or item). */
const MEMORY_LIMIT = 10_000_000;

/** Tags that bring in other templates: there are none here, and the file system is nobody's template store. */
const NO_PARTIALS = ['include', 'render', 'layout', 'block'];

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
 * and text; a template cannot opt out of the escaping, read files, name unknown values, or run for long. A subject
 * is always one line.
 */
export function createTemplateRenderer(): TemplateRenderer {
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
    async render(template, values) {
      const rendered: TemplateSource = { ...template };
      for (const part of PARTS) {
        try {
          rendered[part] = renderPart(part, template[part], values);
        } catch (cause) {
          throw new Error(`The template's ${part} cannot be rendered: ${faultsOf(cause).join('; ')}`, { cause });
        }
      }
      return rendered;
    },

    async check(template) {
      return PARTS.flatMap((part) => checkPart(part, template[part]).map((message) => ({ field: part, message })));
    },
  };
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
