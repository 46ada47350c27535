import { type Seen, valueAt } from '../src/operator/stale.ts';
import type { Failure } from './failures.ts';
import type { Form } from './plugins/forms.ts';
import { Problem } from './problem.ts';

/** The hidden field with the values of the record that its form shows. */
const SEEN_FIELD = 'seen';

/** What an edit form shows: texts by the names of its fields, and the record's values behind them. */
export interface Shown<Name extends string> {
  texts: Readonly<Record<Name, string>>;
  seen: Seen;
}

/** An edit form that was sent. */
export interface Edit<Name extends string> {
  isUnchanged: boolean;
  /** What the form showed of the fields that were changed in it, for the use case to compare. */
  seen: Seen;
  /** A field's text; undefined where it was left as it was shown. */
  given(name: Name): string | undefined;
  /** The same, null where the field was emptied. */
  orNull(name: Name): string | null | undefined;
  /** The same for a choice between yes and no. */
  flag(name: Name): boolean | undefined;
  /**
   * The form again, with what was typed. Where the record was changed in the meantime the other fields, and what the form
   * counts as seen, are those of `record`: to send it again replaces what is shown then.
   */
  again(failure: Failure, record: object): Shown<Name>;
}

export const SeenField = ({ seen }: { seen: Seen }) => (
  <input type="hidden" name={SEEN_FIELD} value={JSON.stringify(seen)} />
);

/** What a form with one button shows, as its use case compares it. */
export const seenOf = (record: object, paths: readonly string[]): Seen =>
  Object.fromEntries(paths.map((path) => [path, valueAt(record, path)]));

/** The values that a form was sent with. Throws a `Problem` where it has none: a page of a release before. */
export function readSeen(form: Form, paths: readonly string[]): Seen {
  try {
    const record = JSON.parse(form.get(SEEN_FIELD)) as object;
    return Object.fromEntries(paths.map((path) => [path, Object.hasOwn(record, path) ? record[path as never] : null]));
  } catch {
    throw new Problem(422, 'This page is too old', 'Nothing was changed: go back, reload the page and send it again.');
  }
}

/**
 * A form that edits a record.
 * @param fields by the names of the form's fields the paths of the values that each changes; the first is shown
 * @param textOf how a value is shown, where that is not the usual way
 */
export function editForm<const Name extends string>(
  fields: Readonly<Record<Name, readonly [string, ...string[]]>>,
  textOf: (value: unknown, name: Name) => string = usualText,
) {
  const names = Object.keys(fields) as Name[];
  const paths = names.flatMap((name) => fields[name]);
  const show = (seen: Seen): Shown<Name> => ({
    seen,
    texts: textsOf((name) => oneWay(textOf(seen[fields[name][0]], name))),
  });
  const textsOf = (text: (name: Name) => string) =>
    Object.fromEntries(names.map((name) => [name, text(name)])) as Record<Name, string>;

  return {
    /** What the form shows of a record. */
    of: (record: object): Shown<Name> => show(seenOf(record, paths)),
    read(form: Form): Edit<Name> {
      const was = show(readSeen(form, paths));
      const typed = textsOf((name) => oneWay(form.all(name).toSorted().join(',')));
      const changed = names.filter((name) => typed[name] !== was.texts[name]);
      const given = (name: Name) => (changed.includes(name) ? typed[name] : undefined);
      return {
        isUnchanged: changed.length === 0,
        seen: seenIn(
          was.seen,
          changed.flatMap((name) => fields[name]),
        ),
        given,
        orNull: (name) => (given(name) === '' ? null : given(name)),
        flag: (name) => (given(name) === undefined ? undefined : given(name) === 'yes'),
        again(failure, record) {
          if (!failure.isStale) return { seen: was.seen, texts: typed };
          const now = show(seenOf(record, paths));
          return { seen: now.seen, texts: textsOf((name) => given(name) ?? now.texts[name]) };
        },
      };
    },
  };
}

const seenIn = (seen: Seen, paths: readonly string[]): Seen =>
  Object.fromEntries(paths.map((path) => [path, seen[path]]));

/** Browsers send the ends of lines in a way of their own, and blanks around a text are not kept. */
const oneWay = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();

export function usualText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.toSorted().join(',');
  return value === null ? '' : String(value);
}
