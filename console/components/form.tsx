import type { Child, JSX } from 'hono/jsx';
import type { Failure } from '../http/failures.ts';
import { TOKEN_FIELD } from '../http/sent-forms.ts';
import { useView } from './view.ts';

interface PostFormProps {
  action: string;
  kind?: string;
  id?: string;
  /** The form uploads a file. */
  files?: boolean;
  /** What it shows is not saved yet. */
  unsaved?: boolean;
  /** What was typed stands in it again after a part of it was sent. */
  rest?: boolean | undefined;
  children?: Child;
}

/** A form that changes something; it carries the form token. */
export function PostForm({ action, kind, id, files, unsaved, rest, children }: PostFormProps) {
  return (
    <form
      method="post"
      action={action}
      class={kind}
      id={id}
      enctype={files ? 'multipart/form-data' : undefined}
      data-unsaved={unsaved}
      data-rest={rest}
    >
      <input type="hidden" name={TOKEN_FIELD} value={useView().formToken} />
      {children}
    </form>
  );
}

type Tone = 'main' | 'danger' | 'danger main' | 'small';

export function Submit({ tone, children }: { tone?: Tone | undefined; children: Child }) {
  return (
    <button type="submit" class={tone}>
      {children}
    </button>
  );
}

interface FieldProps {
  label: string;
  name: string;
  /** Shown under the field. */
  hint?: string | undefined;
  /** What is wrong with its value; completes a sentence that begins with the label. */
  fault?: string | undefined;
  value?: string | undefined;
  type?: 'text' | 'email' | 'file';
  required?: boolean | undefined;
  maxlength?: number | undefined;
  placeholder?: string;
  accept?: string;
  /** Only where the page has two fields of the same name. */
  id?: string;
  /** The focus begins here, as it does at a fault. */
  focus?: boolean | undefined;
}

type Described = Pick<FieldProps, 'hint' | 'fault' | 'focus'>;

/** A label, a control and what is said about it. The control has the id `f-ID` and is described by `h-ID`. */
function Labelled({
  id,
  label,
  hint,
  fault,
  children,
}: Described & Pick<FieldProps, 'label'> & { id: string; children: Child }) {
  return (
    <div class="field">
      <label for={`f-${id}`}>{label}</label>
      {children}
      <Hint id={id} hint={hint} fault={fault} />
    </div>
  );
}

function Hint({ id, hint, fault }: Described & { id: string }) {
  if (hint === undefined && fault === undefined) return null;
  return (
    <small id={`h-${id}`} class={fault === undefined ? 'quiet' : 'fault'} dir="auto">
      {fault === undefined ? hint : `${fault.replace(/^./, (letter) => letter.toUpperCase())}.`}
    </small>
  );
}

/** What a control says of itself to those who do not see the page. */
const described = (id: string, { hint, fault, focus = false }: Described) => ({
  id: `f-${id}`,
  'aria-describedby': hint === undefined && fault === undefined ? undefined : `h-${id}`,
  'aria-invalid': fault === undefined ? undefined : ('true' as const),
  // Of several the browser takes the first one.
  autofocus: focus || fault !== undefined,
});

/** One line of text with its label. */
export function TextField({ label, name, hint, fault, focus, id = name, ...input }: FieldProps) {
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <input name={name} {...described(id, { hint, fault, focus })} autocomplete="off" {...input} />
    </Labelled>
  );
}

type TextAreaProps = Pick<FieldProps, 'label' | 'name' | 'hint' | 'fault' | 'focus' | 'value' | 'id'> &
  JSX.IntrinsicElements['textarea'];

/** Several lines of text with their label. */
export function TextArea({ label, name, hint, fault, focus, value, id = name, ...area }: TextAreaProps) {
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <textarea name={name} {...described(id, { hint, fault, focus })} dir="auto" {...area}>
        {/* A browser drops the first line break of a text area. */}
        {`\n${value}`}
      </textarea>
    </Labelled>
  );
}

/** Values and their labels, in order; a map where values come from records, for it keeps the order of numbers too. */
export type Choices = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

export const pairsOf = (choices: Choices): Array<[value: string, label: string]> =>
  choices instanceof Map ? [...choices] : Object.entries(choices);

interface SelectProps extends Pick<FieldProps, 'label' | 'name' | 'value' | 'id' | 'required'>, Described {
  choices: Choices;
}

/** One of several choices. */
export function Select({ label, name, choices, value = '', id = name, hint, fault, focus, required }: SelectProps) {
  return (
    <div class="field">
      <label for={`f-${id}`}>{label}</label>
      <select name={name} required={required} {...described(id, { hint, fault, focus })}>
        {pairsOf(choices).map(([choice, text]) => (
          <option value={choice} selected={choice === value}>
            {text}
          </option>
        ))}
      </select>
      <Hint id={id} hint={hint} fault={fault} />
    </div>
  );
}

interface CheckboxesProps extends Described {
  legend: string;
  name: string;
  id: string;
  /** What each choice means. */
  choices: Choices;
  chosen: readonly string[];
}

/** Any of several choices. The group itself cannot take the focus: the first choice does. */
export function Checkboxes({ legend, name, id, choices, chosen, hint, fault }: CheckboxesProps) {
  const { autofocus, ...group } = described(id, { hint, fault });
  return (
    <fieldset class="choices" {...group}>
      <legend>{legend}</legend>
      {pairsOf(choices).map(([choice, meaning], index) => (
        <label>
          <input
            type="checkbox"
            name={name}
            value={choice}
            checked={chosen.includes(choice)}
            autofocus={autofocus && index === 0}
          />{' '}
          {choice} <span class="quiet">{meaning}</span>
        </label>
      ))}
      <Hint id={id} hint={hint} fault={fault} />
    </fieldset>
  );
}

/** Why the form below was refused. */
export function RefusalNote({ failure }: { failure: Failure | undefined }) {
  if (!failure) return null;
  return (
    <p class="notice bad" role="alert" dir="auto">
      {failure.message}
    </p>
  );
}

interface DialogProps {
  /** Unique on the page. */
  id: string;
  label: string;
  title: string;
  /** Where the dialog's form is sent. */
  action: string;
  /** The text of the button that sends the form. */
  verb: string;
  tone?: 'danger' | 'main' | 'small' | undefined;
  /** With a button that closes the dialog. */
  cancel?: boolean;
  /** The focus begins at one of its fields. */
  fields?: boolean;
  children?: Child;
}

/**
 * A button that opens a dialog with a form. Without scripts it is the browser's own popover, with them it is modal; both
 * close with Escape and give the focus back.
 */
export function Dialog({ id, label, title, action, verb, tone, cancel, fields, children }: DialogProps) {
  return (
    <>
      <button type="button" class={tone} popovertarget={`o-${id}`}>
        {label}
      </button>
      <dialog
        class="dialog"
        id={`o-${id}`}
        popover="auto"
        autofocus={!fields}
        tabindex={-1}
        aria-labelledby={`t-${id}`}
      >
        <h2 id={`t-${id}`}>{title}</h2>
        <PostForm action={action}>
          {children}
          <div class="buttons">
            <Submit tone={tone === 'danger' ? 'danger main' : 'main'}>{verb}</Submit>
            {cancel ? (
              <button type="button" popovertarget={`o-${id}`} popovertargetaction="hide">
                Cancel
              </button>
            ) : null}
          </div>
        </PostForm>
      </dialog>
    </>
  );
}

interface ConfirmProps extends Omit<DialogProps, 'cancel' | 'fields'> {
  /** Hidden fields of the form. */
  fields?: Child;
}

/** A dialog that says what an action does before it is done. */
export function Confirm({ tone = 'danger', fields, children, ...dialog }: ConfirmProps) {
  return (
    <Dialog {...dialog} tone={tone} cancel>
      {fields}
      <p>{children}</p>
    </Dialog>
  );
}
