import {
  CaptureTag,
  type Context,
  Drop,
  EchoTag,
  type Emitter,
  type FilterImplOptions,
  filters,
  type Liquid,
  type Value,
} from 'liquidjs';

type FilterHandler = Exclude<FilterImplOptions, { raw: boolean }>;
type FilterThis = ThisParameterType<FilterHandler>;

/**
 * A finished piece of HTML in a template's hands: the template's own markup, and values that have been escaped. It is
 * written as it is. To whatever handles text it is the text that a reader would see, which is escaped when it is
 * written: so a value is escaped exactly once on every way, and never less.
 */
class Markup extends Drop {
  readonly #html: string;

  constructor(html: string) {
    super();
    this.#html = html;
  }

  // Not a method: templates can call those.
  static htmlOf(markup: Markup): string {
    return markup.#html;
  }

  override valueOf(): string {
    return this.#html
      .replace(/<[^<>]*>/g, '')
      .replace(/&(?:amp|lt|gt|#34|#39);/g, (entity) => ENTITIES[entity] as string);
  }

  get length(): number {
    return this.valueOf().length;
  }

  get size(): number {
    return this.length;
  }

  toJSON(): string {
    return this.valueOf();
  }
}

/** What liquidjs's `escape` writes. */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&#34;': '"', '&#39;': "'" };

const builtin = (name: string) => filters[name] as FilterHandler;

/** A value as HTML: for liquidjs's `outputEscape`. */
export function escapeOnce(this: Pick<FilterThis, 'context'>, value: unknown): string {
  if (!(value instanceof Markup)) return builtin('escape').call(this as FilterThis, value);
  const html = Markup.htmlOf(value);
  // As `escape` does: a piece that is put together of itself again and again must not grow for nothing.
  this.context.memoryLimit.use(html.length);
  return html;
}

/** Filters that only move or remove white space do so in markup as well. */
const TRIMMING: Record<string, (html: string) => string> = {
  strip: (html) => html.trim(),
  lstrip: (html) => html.trimStart(),
  rstrip: (html) => html.trimEnd(),
  strip_newlines: (html) => html.replace(/\r?\n/g, ''),
};

/**
 * Adapts tags and filters to automatic escaping. `raw` would let a client's name become markup, so it does not exist;
 * the escaping filters would do the same work twice and become harmless; line breaks are the one markup that a filter
 * may add, to text that it has escaped itself; what is captured stays markup.
 */
export function keepEscaping(liquid: Liquid): void {
  liquid.unregisterFilter('raw');
  for (const name of ['escape', 'escape_once', 'xml_escape']) liquid.registerFilter(name, (value: unknown) => value);
  liquid.registerFilter('newline_to_br', function (value: unknown) {
    return new Markup(escapeOnce.call(this, value).replace(/\r?\n/g, '<br>\n'));
  });
  for (const [name, trim] of Object.entries(TRIMMING)) {
    liquid.registerFilter(name, function (value: unknown, ...more: unknown[]) {
      return value instanceof Markup
        ? new Markup(trim(escapeOnce.call(this, value)))
        : builtin(name).call(this, value, ...more);
    });
  }
  const join = (name: 'append' | 'prepend', inOrder: (value: string, other: string) => string) =>
    liquid.registerFilter(name, function (value: unknown, other: unknown) {
      return value instanceof Markup || other instanceof Markup
        ? new Markup(inOrder(escapeOnce.call(this, value), escapeOnce.call(this, other)))
        : builtin(name).call(this, value, other);
    });
  join('append', (value, other) => value + other);
  join('prepend', (value, other) => other + value);
  liquid.registerFilter('default', function (value: unknown, ...more: unknown[]) {
    return value instanceof Markup && Markup.htmlOf(value) !== ''
      ? value
      : builtin('default').call(this, value, ...more);
  });
  liquid.registerTag('capture', MarkupCapture);
  liquid.registerTag('echo', MarkupEcho);
}

class MarkupCapture extends CaptureTag {
  override *render(context: Context): ReturnType<CaptureTag['render']> {
    yield* super.render(context);
    const scope = context.bottom() as Record<string, unknown>;
    scope[this.variable] = new Markup(scope[this.variable] as string);
  }
}

class MarkupEcho extends EchoTag {
  override *render(context: Context, emitter: Emitter): ReturnType<EchoTag['render']> {
    // One at most: the value that is written.
    for (const value of this.arguments() as Iterable<Value>) {
      emitter.write(escapeOnce.call({ context }, yield value.value(context, false)));
    }
  }
}
