import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Audited } from '../../audit/audit.ts';
import type { Reason } from '../../errors.ts';
import type { OperatorRole } from '../../store/queries/operators.ts';
import { isUniqueViolation } from '../../store/session/session.ts';
import type { Tx } from '../../store/store.ts';
import { type ChangeDeps, type OperatorContext, recordChange } from './dependencies.ts';
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
  /** Where notices come from; undefined: each recipient's own address. */
  noticeSender: string | undefined;
};

/**
 * The fields of an input as they are given: as values, or as the texts that a person wrote. That none is missing is checked
 * as it is read.
 */
export type GivenOf<I extends TObject> = { [K in keyof Static<I>]?: Static<I>[K] | string | undefined };

/** What it resolves with where this is the schema of the answer: the record, a list of such records, or the record in pieces. */
type ResultOf<A extends TSchema> = Static<A> | readonly Static<A>[] | Listed<Static<A>> | Pieces;

interface Declaration<D, I extends TObject, R, S, A extends TSchema> {
  /** The command: `brokers suspend`. */
  readonly name: string;
  /** The button in the console, and the title of its form. */
  readonly title: string;
  /** What the reference of the operator's API calls it, for those who know no form; by default the title. */
  readonly summary?: string;
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
  readonly done?: string | ((record: R, performed: Pick<Performed<R>, 'isChanged'>) => string);
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

/** A read. */
interface ReadOnly<D, I extends TObject, R> {
  readonly role?: never;
  run(deps: D, input: Static<I>, seen: Seen | undefined): Promise<R>;
}

/** A change in one transaction, which has its row of the audit trail too. */
interface InOneTransaction<D, I extends TObject, R> {
  /** The least role that may use it. */
  readonly role: OperatorRole;
  /** What the audit trail calls the change. */
  readonly action: string;
  /** Is called once more where a unique index refused a row: then it finds what another one has just created. */
  change(tx: Tx, deps: D & ChangeDeps, input: Static<I>, seen: Seen | undefined): Promise<ChangeOutcome<R>>;
}

/** Everything else that needs a role: `run` opens its transactions, and writes the rows of the audit trail in them. */
interface InItsOwnTransactions<D, I extends TObject, R> {
  readonly role: OperatorRole;
  /** What the audit trail calls what it does; none of a dry run, which changes nothing. */
  readonly audits: readonly string[];
  run(deps: D, input: Static<I>, seen: Seen | undefined): Promise<R>;
}

/** What a change has done, with the words of its audit row; a change that finds everything as it shall be says so. */
export type ChangeOutcome<R> =
  | ({ record: R } & Pick<Audited, 'before' | 'after'> & { about: Pick<Audited, 'brokerId' | 'subject'> })
  | { record: R; isChanged: false };

/** What a use case resolves with. */
export interface Performed<R> {
  record: R;
  /** False where all was so already: a creation answers 200 in place of 201. */
  isChanged: boolean;
}

/** Something that operators can do, declared once for the command line and the console. */
export interface UseCase<D = UseCaseDeps, I extends TObject = TObject, R = unknown, S = unknown>
  extends Omit<Declaration<D, I, R, S, TSchema>, 'pages'> {
  /** The least role that may use it; a read needs none. */
  readonly role?: OperatorRole;
  /** What the audit trail calls what it does; none of a read. */
  readonly actions: readonly string[];
  /** The records of the list for an export, up to its limit; see `limitedPages`. */
  pages?(deps: D, given: GivenOf<I>): Promise<Pages<object>>;
  /**
   * Reads the input and does it. Throws an `OperatorError`.
   * @param seen what the form showed of the fields that were changed in it
   */
  perform(deps: D, given: GivenOf<I>, seen?: Seen): Promise<Performed<R>>;
  /** The same, for a caller who needs the record alone. */
  run(deps: D, given: GivenOf<I>, seen?: Seen): Promise<R>;
  /** The question before it; null where it needs none. Throws an `OperatorError`. */
  ask(deps: D, given: GivenOf<I>): Promise<string | null>;
}

/** A use case of which the adapters know no more than its declaration. */
// biome-ignore lint/suspicious/noExplicitAny: the declared types belong to each use case
export type AnyUseCase = UseCase<UseCaseDeps, any, any, any>;

/** @param declared `run` and `change` get the input as it was read: each field is what its schema says */
export function useCase<D, I extends TObject, R extends ResultOf<A>, S, A extends TSchema = TSchema>(
  declared: Declaration<D, I, R, S, A> & InOneTransaction<D, I, R>,
): UseCase<D & ChangeDeps, I, R, S>;
export function useCase<D, I extends TObject, R extends ResultOf<A>, S, A extends TSchema = TSchema>(
  declared: Declaration<D, I, R, S, A> & (ReadOnly<D, I, R> | InItsOwnTransactions<D, I, R>),
): UseCase<D, I, R, S>;
export function useCase<D extends ChangeDeps, I extends TObject, R, S>(
  declared: Declaration<D, I, R, S, TSchema> &
    (InOneTransaction<D, I, R> | ReadOnly<D, I, R> | InItsOwnTransactions<D, I, R>),
): UseCase<D, I, R, S> {
  const { input: schema, edit, on = [], pages } = declared;
  const changing = Object.keys(schema.properties).filter((name) => !(on as readonly string[]).includes(name));
  function inputOf(given: GivenOf<I>): Static<I> {
    const input = readAll(schema, given, { defaults: !edit });
    if (edit && changing.every((name) => input[name] === undefined)) throw nothingToChange(...changing);
    return input;
  }
  async function perform(deps: D, given: GivenOf<I>, seen?: Seen): Promise<Performed<R>> {
    const input = inputOf(given);
    if (!('change' in declared)) return { record: await declared.run(deps, input, seen), isChanged: true };
    const change = () => deps.store.tx((tx) => changeIn(tx, declared, deps, input, seen));
    return change().catch((error) => {
      if (isUniqueViolation(error)) return change();
      throw error;
    });
  }
  return {
    ...declared,
    actions: 'change' in declared ? [declared.action] : 'audits' in declared ? declared.audits : [],
    ...(pages && {
      async pages(deps: D, given: GivenOf<I>) {
        const input = inputOf(given);
        return limitedPages(await pages(deps, input), (input as { limit: number }).limit);
      },
    }),
    perform,
    run: async (deps, given, seen) => (await perform(deps, given, seen)).record,
    async ask(deps, given) {
      const { show, confirm } = declared;
      if (!confirm) return null;
      const input = inputOf(given);
      return confirm((await show?.(deps, input)) as S, input as Partial<Static<I>>);
    },
  };
}

/** Changes the records, and writes the row of the audit trail. */
async function changeIn<D extends ChangeDeps, I extends TObject, R>(
  tx: Tx,
  { action, change }: InOneTransaction<D, I, R>,
  deps: D,
  input: Static<I>,
  seen: Seen | undefined,
): Promise<Performed<R>> {
  const outcome = await change(tx, deps, input, seen);
  const { record } = outcome;
  if (!('about' in outcome)) return { record, isChanged: false };
  const { about, before, after } = outcome;
  return { record, isChanged: await recordChange(deps, tx, { action, ...about, before, after }) };
}
