import type { Child } from 'hono/jsx';
import type { Failure } from '../failures.ts';
import { useView } from './view.ts';

/** The name of the field that says which page a form came from; see plugins/forms.ts. */
export const TOKEN_FIELD = 'form_token';

/** A form that changes something. */
export function PostForm({
  action,
  kind,
  id,
  files,
  children,
}: {
  action: string;
  kind?: string;
  id?: string;
  /** It brings a file along. */
  files?: boolean;
  children?: Child;
}) {
  const { formToken } = useView();
  return (
    <form method="post" action={action} class={kind} id={id} enctype={files ? 'multipart/form-data' : undefined}>
      <input type="hidden" name={TOKEN_FIELD} value={formToken} />
      {children}
    </form>
  );
}

interface FieldProps {
  label: string;
  name: string;
  /** Said under the field. */
  hint?: string | undefined;
  value?: string | undefined;
  type?: 'text' | 'email' | 'date' | 'number' | 'search';
  required?: boolean;
  maxlength?: number;
  placeholder?: string;
  list?: string[];
  /** Only where the same field stands on the page more than once. */
  id?: string;
}

/** One line of text with its label. */
export function Field({ label, name, hint, id = name, list, ...input }: FieldProps) {
  return (
    <div class="field">
      <label for={`f-${id}`}>{label}</label>
      <input id={`f-${id}`} name={name} aria-describedby={hint ? `h-${id}` : undefined} autocomplete="off" {...input} />
      {hint ? (
        <small id={`h-${id}`} class="quiet">
          {hint}
        </small>
      ) : null}
    </div>
  );
}

/** Several lines of text with their label. */
export function TextField({
  label,
  name,
  hint,
  value,
  rows = 3,
  maxlength,
  id = name,
}: Required<Pick<FieldProps, 'label' | 'name' | 'hint' | 'value' | 'maxlength'>> & { rows?: number; id?: string }) {
  return (
    <div class="field">
      <label for={`f-${id}`}>{label}</label>
      <textarea id={`f-${id}`} name={name} rows={rows} maxlength={maxlength} aria-describedby={`h-${id}`} dir="auto">
        {value}
      </textarea>
      <small id={`h-${id}`} class="quiet">
        {hint}
      </small>
    </div>
  );
}

export interface Choice {
  value: string;
  label: string;
}

/** One of a few. */
export function Select({
  label,
  name,
  choices,
  value = '',
  id = name,
  quietLabel,
}: {
  label: string;
  name: string;
  choices: readonly Choice[];
  value?: string | undefined;
  id?: string;
  /** The label is for those who do not see the page. */
  quietLabel?: boolean;
}) {
  return (
    <div class="field">
      <label for={`f-${id}`} class={quietLabel ? 'unseen' : undefined}>
        {label}
      </label>
      <select id={`f-${id}`} name={name}>
        {choices.map((choice) => (
          <option value={choice.value} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Any of a few. */
export function Choices({
  legend,
  name,
  choices,
  chosen,
  hint,
}: {
  legend: string;
  name: string;
  choices: readonly string[];
  chosen: readonly string[];
  hint: string;
}) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label>
          <input type="checkbox" name={name} value={choice} checked={chosen.includes(choice)} /> {choice}
        </label>
      ))}
      <small class="quiet">{hint}</small>
    </fieldset>
  );
}

/** What was refused, above the form that it belongs to. */
export function Refusal({ failure }: { failure: Failure | undefined }) {
  if (!failure) return null;
  return (
    <p class="told bad" role="alert" dir="auto">
      {failure.message}
    </p>
  );
}

/**
 * A button that opens a small form over the page, with the browser's own means: it works without scripts, closes with
 * Escape, and gives the focus back.
 */
export function Dialog({
  id,
  label,
  title,
  tone,
  children,
}: {
  /** Unique on the page. */
  id: string;
  label: string;
  title: string;
  tone?: 'danger' | 'main';
  children?: Child;
}) {
  return (
    <>
      <button type="button" class={tone} popovertarget={`o-${id}`}>
        {label}
      </button>
      <div class="over" id={`o-${id}`} popover="auto" role="dialog" aria-labelledby={`t-${id}`}>
        <h2 id={`t-${id}`}>{title}</h2>
        {children}
      </div>
    </>
  );
}

/** An act that cannot be taken back: says what will happen, and asks once. */
export function Confirm({
  id,
  label,
  title,
  action,
  verb,
  children,
}: {
  id: string;
  label: string;
  title: string;
  action: string;
  /** What the button says that does it. */
  verb: string;
  /** What will happen. */
  children?: Child;
}) {
  return (
    <Dialog id={id} label={label} title={title} tone="danger">
      <p>{children}</p>
      <PostForm action={action} kind="decide">
        <button type="submit" class="danger main">
          {verb}
        </button>
        <button type="button" popovertarget={`o-${id}`} popovertargetaction="hide">
          Keep as it is
        </button>
      </PostForm>
    </Dialog>
  );
}
