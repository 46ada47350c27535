import type { TSchema } from '@sinclair/typebox';
import type { Child } from 'hono/jsx';
import { mayAct } from '../../src/operator/people/operators.ts';
import type { Fault } from '../../src/operator/use-case/errors.ts';
import { isRequired } from '../../src/operator/use-case/fields.ts';
import { type Seen, seenOf, valueAt } from '../../src/operator/use-case/stale.ts';
import type { AnyUseCase } from '../../src/operator/use-case/use-case.ts';
import { oneLine } from '../../src/rules/text.ts';
import { words } from '../components/badge.tsx';
import { Card, number } from '../components/card.tsx';
import {
  Checkboxes,
  type Choices,
  Dialog,
  PostForm,
  pairsOf,
  RefusalNote,
  Select,
  Submit,
  TextArea,
  TextField,
} from '../components/form.tsx';
import { exact } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import { FORM_NAME, newFormName } from '../http/sent-forms.ts';
import {
  CONFIRMED_FIELD,
  comparedBy,
  dialogIdOf,
  type FormTexts,
  formFields,
  type Refused,
  SEEN_FIELD,
  shownTexts,
  textOf,
  wordOf,
} from './actions.tsx';

type Hints = Readonly<Record<string, string>>;

interface ActionProps {
  useCase: AnyUseCase;
  /** The address of the page that it belongs to. */
  at: string;
  /** The record that it acts on. */
  record?: object | undefined;
  /** Fields that are not asked for: those that name the record and stand in no address. */
  fixed?: FormTexts;
  /** The id of the record, where the page has several such forms. */
  row?: string;
  /** What the fields of a new record begin with. */
  texts?: FormTexts;
  /** Records to choose from, for fields that name one. */
  choices?: Readonly<Record<string, Choices | undefined>>;
  /** What is said below fields, in place of what their declaration says. */
  hints?: Hints;
  /** In place of the use case's title. */
  label?: string | undefined;
  /** What the record is called, for the title of the dialog. */
  of?: string | undefined;
  tone?: 'main' | 'danger' | 'small' | undefined;
  /** Shown above the fields. */
  children?: Child;
}

/** Whether the operator's role allows it. */
export const allows = ({ role }: AnyUseCase): boolean => role !== undefined && mayAct(useOperator().role, role);

/**
 * The button of a use case, where the operator's role allows it: with its form, its question or what the page says of it
 * in a dialog, or by itself where there is none of them.
 */
export function ActionForm(props: ActionProps) {
  const { useCase, at, record, fixed = {}, row, texts, choices, hints, label, of, tone, children } = props;
  if (!allows(useCase)) return null;
  const { edit } = useCase;
  const title = label ?? useCase.title;
  const action = `${at}/${wordOf(useCase)}`;
  const id = dialogIdOf(useCase, row);
  // What it asks about a record that is not on the page is asked once it is sent.
  const isAsked = record !== undefined || useCase.show === undefined;
  const question = (isAsked ? useCase.confirm?.(record, {}) : null) ?? null;
  const fields = formFields(useCase).filter(([name]) => fixed[name] === undefined);
  const isCompared = edit || useCase.compares !== undefined;
  const seen = isCompared && record ? seenOf(record, comparedBy(useCase)) : undefined;
  const hidden = <Hidden texts={{ ...fixed, ...(question !== null && { [CONFIRMED_FIELD]: question }) }} />;
  if (fields.length === 0 && question === null && children === undefined) {
    return (
      <PostForm action={action}>
        {hidden}
        {seen ? <SeenField seen={seen} /> : null}
        <Submit tone={tone}>{useCase.confirm && !isAsked ? `${title}…` : title}</Submit>
      </PostForm>
    );
  }
  return (
    <Dialog
      id={id}
      label={`${title}…`}
      title={of === undefined ? title : `${title}: ${of}`}
      fields={fields.length > 0}
      action={action}
      verb={edit && label === undefined ? 'Save' : useCase.title}
      tone={tone ?? (question === null ? undefined : 'danger')}
      cancel
    >
      {hidden}
      {question === null ? null : <p>{question}</p>}
      {children}
      <Fields
        useCase={useCase}
        id={id}
        texts={edit && seen ? shownTexts(seen) : texts}
        seen={seen}
        choices={choices}
        hints={hints}
        except={Object.keys(fixed)}
        focus
      />
    </Dialog>
  );
}

const Hidden = ({ texts }: { texts: FormTexts }) => (
  <>
    {Object.entries(texts).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);

export const SeenField = ({ seen }: { seen: Seen }) => (
  <input type="hidden" name={SEEN_FIELD} value={JSON.stringify(seen)} />
);

interface AgainProps extends Pick<ActionProps, 'choices' | 'hints'> {
  refused: Refused | undefined;
  children?: Child;
}

/** The form that was refused, or that asks, on the page itself: with what was typed and every fault at its field. */
export function Again({ refused, choices, hints, children }: AgainProps) {
  if (!refused) return null;
  const { failure, question, form } = refused;
  if (!form) return <RefusalNote failure={failure} />;
  const { useCase, action, page, texts, fixed, seen } = form;
  return (
    <Card title={useCase.title}>
      <RefusalNote failure={failure} />
      <PostForm action={action}>
        <Hidden texts={fixed} />
        {question === undefined ? null : (
          <>
            <p role="alert">
              <strong>Nothing has been done yet.</strong> {question}
            </p>
            <input type="hidden" name={CONFIRMED_FIELD} value={question} />
          </>
        )}
        {children}
        <Fields
          useCase={useCase}
          id="again"
          texts={texts}
          seen={seen}
          faults={failure?.faults}
          choices={choices}
          hints={hints}
        />
        <div class="buttons">
          <Submit tone={question === undefined ? 'main' : 'danger main'}>
            {/* An edit that is only shown first has nothing done. */}
            {useCase.edit && useCase.done ? 'Save' : useCase.title}
          </Submit>
          <a class="button" href={page}>
            Cancel
          </a>
        </div>
      </PostForm>
    </Card>
  );
}

interface FieldsProps {
  useCase: AnyUseCase;
  /** Unique on the page. */
  id: string;
  /** What the fields show; by default the values of a new record. */
  texts?: FormTexts | undefined;
  seen?: Seen | undefined;
  faults?: readonly Fault[] | undefined;
  choices?: ActionProps['choices'];
  hints?: Hints | undefined;
  /** Fields that are not shown. */
  except?: readonly string[];
  /** The focus begins at the first one. */
  focus?: boolean;
}

/** The fields of a use case's form, as its input declares them. */
export function Fields(props: FieldsProps) {
  const { useCase, id, texts, seen, faults = [], choices = {}, hints = {}, except = [], focus } = props;
  return (
    <>
      {seen ? <SeenField seen={seen} /> : null}
      {useCase.secret === undefined ? null : <input type="hidden" name={FORM_NAME} value={newFormName()} />}
      {formFields(useCase)
        .filter(([name]) => !except.includes(name))
        .map(([name, field], index) => (
          <InputField
            name={name}
            id={`${id}-${name}`}
            field={field}
            choices={choices[name] ?? choicesOf(field)}
            isNeeded={
              useCase.edit
                ? !field.nullable && hasValue(seen, name)
                : field.inForm === true || isRequired(useCase.input, name)
            }
            text={texts?.[name] ?? textOf(useCase.edit ? null : field.default)}
            hint={hints[name] ?? hintOf(field)}
            fault={faultOf(name, faults)}
            focus={focus === true && index === 0}
          />
        ))}
    </>
  );
}

/** What is wrong with a field, or within one that is written as JSON: then each fault with its path. */
const faultOf = (name: string, faults: readonly Fault[]): string | undefined =>
  faults.find(({ field }) => field === name)?.message ??
  (faults
    .filter(({ field }) => field.startsWith(`${name}.`))
    .map(({ field, message }) => `${field}: ${message}`)
    .join('; ') ||
    undefined);

/** Whether the record has a value there, which can then be changed and not emptied. */
const hasValue = (seen: Seen | undefined, name: string): boolean => (seen?.[name] ?? null) !== null;

interface InputProps {
  name: string;
  id: string;
  field: TSchema;
  choices: Choices | undefined;
  isNeeded: boolean;
  text: string;
  hint: string | undefined;
  fault: string | undefined;
  focus: boolean;
}

const hintOf = ({ description, nullable, emptied }: TSchema): string | undefined =>
  description && nullable ? `${description}. Empty: ${emptied}` : description;

function InputField({ name, id, field, choices, isNeeded, text, hint, fault, focus }: InputProps) {
  const { title, type, format, maxLength, items, multiline, json, open: isOpen } = field;
  const label = title ?? words(name);
  // A browser would join the lines of an older text.
  const common = { label, name, id, hint, fault, focus, value: multiline ? text : oneLine(text) };
  if (items?.enum) {
    return (
      <Checkboxes
        legend={label}
        name={name}
        id={id}
        hint={hint}
        fault={fault}
        choices={field.choices}
        chosen={text.split(',')}
      />
    );
  }
  const required = isNeeded && type !== 'boolean';
  if (choices) {
    // Nothing is chosen for a person who has to choose, or who need not.
    const pairs = pairsOf(choices);
    const isUnset = text === '' && type !== 'boolean' && pairs.every(([value]) => value !== '');
    const open = isUnset ? new Map([['', required ? 'Choose…' : '–'], ...pairs]) : choices;
    // What the choices are called says what they do.
    return <Select {...common} choices={open} hint={field.choices ? undefined : hint} required={required} />;
  }
  const maxlength = maxLength ?? (type === 'integer' ? String(field.maximum).length : undefined);
  if (json || isOpen)
    return (
      <details open={fault !== undefined}>
        <summary>{label} as JSON</summary>
        <TextArea {...common} maxlength={maxlength} rows={6} class="mono" spellcheck={false} />
      </details>
    );
  if (multiline) return <TextArea {...common} maxlength={maxlength} required={required} rows={3} />;
  return (
    <TextField {...common} type={format === 'mailbox' ? 'email' : 'text'} required={required} maxlength={maxlength} />
  );
}

function choicesOf({ type, enum: values, choices }: TSchema): ReadonlyMap<string, string> | undefined {
  const known: string[] | undefined = type === 'boolean' ? ['false', 'true'] : values;
  return known && new Map(known.map((value) => [value, choices?.[value] ?? plainWord(value)]));
}

/** The fields that an edit changes, as facts of its record. */
export const factsOf = (useCase: AnyUseCase, record: object): Array<[name: string, value: string]> =>
  formFields(useCase)
    // What is written as JSON has a place of its own.
    .filter(([, { json }]) => !json)
    .map(([name, field]) => [field.title ?? words(name), shownAs(field, valueAt(record, name))]);

function shownAs({ type, format, choices, emptied }: TSchema, value: unknown): string {
  if (value === null || value === undefined) return emptied === undefined || emptied === 'none' ? '–' : emptied;
  if (Array.isArray(value)) return value.join(', ') || '–';
  const text = textOf(value);
  if (format === 'timestamp' && text.includes('T')) return exact(text);
  return choices?.[text] ?? (type === 'integer' ? number(Number(value)) : text);
}

const plainWord = (value: string): string => ({ true: 'yes', false: 'no' })[value] ?? words(value);
