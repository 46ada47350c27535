import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Reason } from '../../errors.ts';
import type { OperatorRole } from '../../store/queries/operators.ts';
import type { OperatorContext } from './dependencies.ts';
import { nothingToChange } from './errors.ts';
import { limitedPages, type Pages, type Pieces } from './exports.ts';
import { readAll } from './fields.ts';
import type { ImportRunner } from './import-task.ts';
import type { Listed } from './pages.ts';
import type { Seen } from './stale.ts';

/** What the program gives to every use case. */
export type UseCaseDeps = OperatorContext & {
  /** Removes a broker's sandbox, which lies in a database of its own. */
  removeSandbox(brokerId: string): Promise<void>;
  /** How many sandboxes there are. */
  countSandboxes(): Promise<number>;
  /** Reads and imports files, where they hold up no call. */
  runImport: ImportRunner;
  /** Where the console is reached, without a slash at the end; undefined where it is off. */
  consoleUrl: string | undefined;
};

/**
 * The fields of an input as they are given: as values, or as the texts that a person wrote. That none is missing is checked
 * as it is read.
 */
export type GivenOf<I extends TObject> = { [K in keyof Static<I>]?: Static<I>[K] | string | undefined };

/** What `run` returns where this is the schema of the answer: the record, a list of such records, or the record in pieces. */
type ResultOf<A extends TSchema> = Static<A> | readonly Static<A>[] | Listed<Static<A>> | Pieces;

interface Declaration<D, I extends TObject, R, S, A extends TSchema> {
  /** The command: `brokers suspend`. */
  readonly name: string;
  /** The least role that may use it in the console; a read needs none. */
  readonly role?: OperatorRole;
  /** The button in the console, and the title of its form. */
  readonly title: string;
  /** The help of the command. */
  readonly description: string;
  /** An invocation of the command, without the program's name. */
  readonly example: string;
  /** By the names of the record's fields; a nested one by its path, such as `client.email`. */
  readonly input: I;
  /** The fields that name the record it acts on: no form asks for them. */
  readonly on?: ReadonlyArray<keyof Static<I> & string>;
  /** The field that is the command's argument; the others are options. */
  readonly argument?: keyof Static<I> & string;
  /** An edit: what is not given stays, and at least one field is given. The form shows the values of the record. */
  readonly edit?: true;
  /** The values of the record, by their paths, that a form shows and which must not have changed before it acts. */
  readonly compares?: readonly string[];
  /** Finds the record that `confirm` speaks of. */
  readonly show?: (deps: D, input: Static<I>) => Promise<S>;
  /** What it will do that cannot be taken back; null where it does nothing of that kind. */
  readonly confirm?: (record: S, input: Partial<Static<I>>) => string | null;
  /** What was done, for the person who did it. */
  readonly done?: string | ((result: R) => string);
  /**
   * The address in the operator's API, with its method: `POST /brokers/:broker/keys`. Parameters are fields of the input.
   * Without one it is not there. Contract, section 13.2.
   */
  readonly path?: string;
  /**
   * The record of the answer; of a list, of each of its records. A field that a lesser role may not see names the least one
   * that may (`x-required-role`), and is optional.
   */
  readonly answer?: A;
  /** Why a rule of v1 refuses it, in the order of the rules: reasons of the answer, as a broker's call would have them. */
  readonly reasons?: readonly Reason[];
  /** The body is a file of records, which is not parsed before it is imported. */
  readonly takesFile?: true;
  /** The field of the result that is shown this once. */
  readonly secret?: keyof R & string;
  /** A list: the columns of the command's table, as paths into its records. */
  readonly columns?: readonly string[];
  /** The columns that its CSV has behind those. */
  readonly furtherColumns?: readonly string[];
  /** The records of a list that may be long, by position, without its limit; throws an `OperatorError` before the first. */
  pages?(deps: D, input: Static<I>): Promise<Pages<object>>;
}

/** Something that operators can do, declared once for the command line and the console. */
export interface UseCase<D = UseCaseDeps, I extends TObject = TObject, R = unknown, S = unknown>
  extends Omit<Declaration<D, I, R, S, TSchema>, 'pages'> {
  /** The records of the list for an export, up to its limit; see `limitedPages`. */
  pages?(deps: D, given: GivenOf<I>): Promise<Pages<object>>;
  /**
   * Reads the input and does it. Throws an `OperatorError`.
   * @param seen what the form showed of the fields that were changed in it
   */
  run(deps: D, given: GivenOf<I>, seen?: Seen): Promise<R>;
  /** The question before it; null where it needs none. Throws an `OperatorError`. */
  ask(deps: D, given: GivenOf<I>): Promise<string | null>;
}

const REPEATED = new WeakSet<object>();

/** The result of a creation whose record was there already, with the same values: nothing was changed. */
export function asItStands<T extends object>(record: T): T {
  REPEATED.add(record);
  return record;
}

export const wasThere = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && REPEATED.has(result);

/** A use case of which the adapters know no more than its declaration. */
// biome-ignore lint/suspicious/noExplicitAny: the declared types belong to each use case
export type AnyUseCase = UseCase<UseCaseDeps, any, any, any>;

/** @param declared `run` gets the input as it was read: each field is what its schema says */
export function useCase<D, I extends TObject, R extends ResultOf<A>, S = unknown, A extends TSchema = TSchema>(
  declared: Declaration<D, I, R, S, A> & { run(deps: D, input: Static<I>, seen: Seen | undefined): Promise<R> },
): UseCase<D, I, R, S> {
  const { input: schema, edit, on = [], pages } = declared;
  const changing = Object.keys(schema.properties).filter((name) => !(on as readonly string[]).includes(name));
  function inputOf(given: GivenOf<I>): Static<I> {
    const input = readAll(schema, given, { defaults: !edit });
    if (edit && changing.every((name) => input[name] === undefined)) throw nothingToChange(...changing);
    return input;
  }
  return {
    ...declared,
    ...(pages && {
      async pages(deps: D, given: GivenOf<I>) {
        const input = inputOf(given);
        return limitedPages(await pages(deps, input), (input as { limit: number }).limit);
      },
    }),
    run: async (deps, given, seen) => declared.run(deps, inputOf(given), seen),
    async ask(deps, given) {
      const { show, confirm } = declared;
      if (!confirm) return null;
      const input = inputOf(given);
      return confirm((await show?.(deps, input)) as S, input as Partial<Static<I>>);
    },
  };
}
