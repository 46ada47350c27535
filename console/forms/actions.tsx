import type { TObject, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isListOfTexts } from '../../src/operator/use-case/exports.ts';
import { type Seen, seenOf } from '../../src/operator/use-case/stale.ts';
import type { AnyUseCase, Performed, UseCase, UseCaseDeps } from '../../src/operator/use-case/use-case.ts';
import { oneLine } from '../../src/rules/text.ts';
import { describeFailure, type Failure } from '../http/failures.ts';
import type { Flash } from '../http/flash.ts';
import { Problem } from '../http/problem.ts';
import { readParam } from '../http/query.ts';
import { FORM_NAME, SentForms } from '../http/sent-forms.ts';
import type { Form } from '../plugins/forms.ts';
import { attempt, UNCHANGED } from './act.ts';
import { changedBy } from './changed-by.ts';

/** The hidden field with the values of the record that a form shows. */
export const SEEN_FIELD = 'seen';

/** The hidden field with the question that sending the form answers with yes. */
export const CONFIRMED_FIELD = 'confirmed';

/** A form that is shown again: what was typed, and why it was refused or what it would do. */
export interface Refused {
  readonly failure?: Failure | undefined;
  readonly question?: string | undefined;
  /** Undefined for a button without fields. */
  readonly form?: SentForm | undefined;
}

interface SentForm {
  useCase: AnyUseCase;
  action: string;
  /** The address of the page that it stands on. */
  page: string;
  texts: FormTexts;
  /** The fields that name the record and stand in no address. */
  fixed: FormTexts;
  seen: Seen | undefined;
}

/** The texts of a form by the names of its fields; several of a list are separated by commas. */
export type FormTexts = Readonly<Record<string, string>>;

/** Shows the page that a form stands on. */
export type Show = (request: FastifyRequest, reply: FastifyReply, refused?: Refused) => Promise<FastifyReply>;

export interface ActionOptions<R> {
  /** The path of the page, with the parameters of the route; the form is sent to the action's word below it. */
  path: string;
  show: Show;
  /** The fields that name the record; by default the parameters of the route of the same names. */
  named?(request: FastifyRequest): Promise<Record<string, unknown>>;
  /** The record that an edit begins with. */
  record?(request: FastifyRequest): Promise<object>;
  /** The address of the page that the form stands on; by default that of the form without its last word. */
  back?(request: FastifyRequest): string;
  /** What is answered in place of a redirect with the use case's own words, which are `text`. */
  answer?(done: { record: R; text: string }, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** The tone of what was done; good by default. */
  toneOf?(result: R): Flash['tone'];
  /** Where the browser is sent; by default to the page. */
  to?(result: R, request: FastifyRequest): string | Promise<string>;
}

/** The last part of the address that an action's form is sent to: `recipients/add` for `brokers recipients add`. */
export const wordOf = ({ name }: AnyUseCase): string => name.split(' ').slice(1).join('/');

/** The id of the dialog with the form of a use case; of `row`, where a page has several of them. */
export const dialogIdOf = ({ name }: AnyUseCase, row?: string): string =>
  [name.replaceAll(' ', '-'), row].filter((part) => part !== undefined).join('-');

/** The fields of a use case that its form asks for: all but those that name the record. */
export const formFields = ({ input, on = [] }: AnyUseCase): Array<[name: string, field: TSchema]> =>
  Object.entries<TSchema>(input.properties).filter(([name]) => !on.includes(name));

/** Adds the form of a use case to the routes: its role, what was typed, its question, and where it leads. */
export function addAction<R>(
  app: FastifyInstance,
  useCase: AnyUseCase & Pick<UseCase<UseCaseDeps, TObject, R>, 'perform'>,
  { path, ...options }: ActionOptions<R>,
): void {
  const { role } = useCase;
  if (!role) throw new Error(`${useCase.name} does not say who may use it`);
  app.post(`${path}/${wordOf(useCase)}`, { config: { role } }, handlerOf(useCase, options));
}

/** What answers the form of a use case. */
export function handlerOf<R>(
  useCase: AnyUseCase & Pick<UseCase<UseCaseDeps, TObject, R>, 'perform'>,
  { show, named, record, back, to, toneOf, answer }: Omit<ActionOptions<R>, 'path'>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const { on = [], edit, secret } = useCase;
  const sent = secret === undefined ? undefined : new SentForms();
  // Its answer alone shows it: a redirect would have to keep it.
  if (secret !== undefined && !answer) throw new Error(`${useCase.name} has a secret and no page that shows it`);
  return async (request, reply) => {
    const { form } = request;
    const [address = '', query] = request.url.split('?');
    const own = address.slice(0, -wordOf(useCase).length - 1);
    const page = back?.(request) ?? (query === undefined ? own : `${own}?${query}`);
    const seen = edit || useCase.compares ? readSeen(form) : undefined;
    const texts = textsOf(useCase, form, seen);
    const changed = formFields(useCase).filter(
      ([name, field]) => !edit || (name in texts && shownIn(field, texts[name]) !== shownIn(field, seen?.[name])),
    );
    const again = async (refused: Omit<Refused, 'form'>) => {
      const isForm = formFields(useCase).length > 0 || refused.question !== undefined;
      const shown =
        refused.failure?.isStale && record ? afresh(useCase, changed, texts, await record(request)) : { texts, seen };
      const fixed = Object.fromEntries(on.filter((name) => form.has(name)).map((name) => [name, form.get(name)]));
      request.shownAt = page;
      return show(request, reply, {
        ...refused,
        form: isForm ? { useCase, action: request.url, page, fixed, ...shown } : undefined,
      });
    };

    const naming = async () => (named ? named(request) : paramsOf(request, on));
    const { value, failure } = await attempt(async () => {
      const names = await naming();
      if (edit && changed.length === 0) return { unchanged: true as const };
      const given = {
        ...names,
        ...Object.fromEntries(changed.map(([name, field]) => [name, givenOf(field, texts[name], edit)])),
      };
      const question = await useCase.ask(request.context, given);
      // The answer counts for the question that was shown: the values, or the record, may lead to another one now.
      if (question !== null && oneWay(question) !== oneWay(form.get(CONFIRMED_FIELD))) return { question };
      const formName = form.get(FORM_NAME);
      if (sent?.begin(formName) === false) return { isRepeated: true as const };
      try {
        return { performed: await useCase.perform(request.context, given, edit ? seenIn(seen, changed) : seen) };
      } catch (error) {
        sent?.forget(formName);
        throw error;
      }
    });
    if (failure) {
      const { isStale, faults = [] } = failure;
      const who =
        isStale && record
          ? await changedBy(request.context, useCase, await naming(), faults, await record(request))
          : '';
      return again({ failure: labelled(failure, useCase, who) });
    }
    if ('question' in value) return again({ question: value.question });
    if ('isRepeated' in value) return again({ failure: ALREADY_SENT });
    if ('unchanged' in value) return reply.flash({ tone: 'good', text: UNCHANGED }).redirect(page, 303);
    const { performed } = value;
    const result = performed.record as R;
    const text = doneText(useCase, performed);
    if (answer) return answer({ record: result, text }, request, reply);
    const next = (await to?.(result, request)) ?? page;
    return reply.flash({ tone: toneOf?.(result) ?? 'good', text }).redirect(next, 303);
  };
}

const ALREADY_SENT: Failure = {
  status: 409,
  message: 'This form was sent before, and what it created was shown then. If it was not saved, create another.',
};

/** What was done, in the use case's words. */
const doneText = ({ done = 'Saved.' }: AnyUseCase, { record, isChanged }: Performed<unknown>): string =>
  typeof done === 'string' ? done : done(record, { isChanged });

const paramsOf = (request: FastifyRequest, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      name in (request.params as object) ? readParam(request, name) : request.form.get(name).trim(),
    ]),
  );

/** What a form was sent with. A list without a choice is not sent; the form of an edit says that it showed one. */
const textsOf = (useCase: AnyUseCase, form: Form, seen: Seen | undefined): FormTexts =>
  Object.fromEntries(
    formFields(useCase)
      .filter(([name]) => form.has(name) || !useCase.edit || (seen && name in seen))
      .map(([name, { type }]) => [
        name,
        type === 'array' ? form.all(name).toSorted().join(',') : oneWay(form.get(name)),
      ]),
  );

/** Browsers send the ends of lines in a way of their own, and blanks around a text are not kept. */
const oneWay = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();

/** What a use case is given for a text: an empty field is null; where null means nothing, an edit refuses it as blank. */
function givenOf({ nullable, type }: TSchema, text = '', isEdit = false): string | null | undefined {
  if (text !== '' || type === 'array') return text;
  if (nullable) return null;
  return isEdit ? '' : undefined;
}

/** How a form shows a value of a record. */
export function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (Array.isArray(value) && isListOfTexts(value)) return value.join(',');
  if (typeof value === 'object' && value !== null) return JSON.stringify(value, null, 2);
  if (typeof value === 'string' && MIDNIGHT.test(value)) return value.slice(0, '2030-01-31'.length);
  return value === null || value === undefined ? '' : oneWay(String(value));
}

/**
 * How the form of a field shows a value: a field of one line shows a text of several as one, and what is chosen of a list
 * has no order.
 */
function shownIn({ type, multiline }: TSchema, value: unknown): string {
  if (type === 'array') return textOf(value).split(',').toSorted().join(',');
  return multiline ? textOf(value) : oneLine(textOf(value));
}

const MIDNIGHT = /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/;

/** The paths of the values that the form of a use case shows, and compares before it acts. */
export const comparedBy = (useCase: AnyUseCase): readonly string[] =>
  useCase.edit ? formFields(useCase).map(([name]) => name) : (useCase.compares ?? []);

export const shownTexts = (seen: Seen): FormTexts =>
  Object.fromEntries(Object.entries(seen).map(([name, value]) => [name, textOf(value)]));

/** Throws a `Problem` for a form that shows no values: a page of a release before. */
export function readSeen(form: Form): Seen {
  const seen = parsed(form.get(SEEN_FIELD));
  if (typeof seen === 'object' && seen !== null) return seen as Seen;
  throw new Problem(422, 'This page is too old', 'Nothing was changed: go back, reload the page and send it again.');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const seenIn = (seen: Seen | undefined, changed: ReadonlyArray<[name: string, field: TSchema]>): Seen | undefined =>
  seen && Object.fromEntries(changed.filter(([name]) => name in seen).map(([name]) => [name, seen[name]]));

/** A form of a record that has changed: what was typed beside what it is now, which counts as seen from then on. */
function afresh(
  useCase: AnyUseCase,
  changed: ReadonlyArray<[name: string, field: TSchema]>,
  texts: FormTexts,
  record: object,
) {
  const seen = seenOf(record, comparedBy(useCase));
  if (!useCase.edit) return { seen, texts };
  const typed = Object.fromEntries(changed.map(([name]) => [name, texts[name] as string]));
  return { seen, texts: { ...shownTexts(seen), ...typed } };
}

/** The failure with its faults under the labels of the form, and who made it stale. */
export function labelled(failure: Failure, { input }: AnyUseCase, who = ''): Failure {
  const { properties } = input;
  // What is wrong within a field that is written as JSON is named by its path.
  const labelOf = (field: string): string | undefined =>
    properties[field]?.title ?? (isJson(properties[field.replace(/\..*/, '')]) ? field : undefined);
  return describeFailure(failure.error, labelOf, who) as Failure;
}

const isJson = (field: TSchema | undefined): boolean => Boolean(field?.json ?? field?.open);

/** The status of a page that a form was refused on; a question is no failure. */
export const refusedStatus = (refused: Refused | undefined): number | undefined => refused?.failure?.status;
