import type { Child } from 'hono/jsx';
import type { Undecided } from '../../src/operator/several.ts';
import type { Form } from '../plugins/forms.ts';
import { Problem } from '../problem.ts';
import { Card } from './card.tsx';
import { PostForm, Submit } from './form.tsx';
import { Page } from './layout.tsx';
import { useView } from './view.ts';

/** A list whose rows are decided together. */
export interface ChosenList {
  /** The checkboxes' name. */
  field: string;
  path: string;
  /** What waits in the list: where one goes without having come from it. */
  waiting: string;
  label: string;
  /** What to choose. */
  advice: string;
}

/** The checkbox of a row. `form` is the id of the form that takes all chosen rows of the list. */
export const Choose = ({ form, name, id, label }: { form: string; name: string; id: string; label: string }) => (
  <input type="checkbox" name={name} value={id} form={form} aria-label={label} />
);

/**
 * The form above a list for the rows that were chosen, in view while the list scrolls; it knows the list's address, to
 * lead back there.
 */
export function ChosenForm({ id, action, verb }: { id: string; action: string; verb: string }) {
  return (
    <div class="more chosen">
      <PostForm action={action} id={id} kind="inline">
        <input type="hidden" name="back" value={useView().url} />
        <label class="scripted">
          <input type="checkbox" data-choose-all /> All on this page
        </label>
        <Submit>{verb}</Submit>
        <output class="quiet"></output>
      </PostForm>
    </div>
  );
}

/** The ids of the chosen rows, and the list that they were chosen in. Throws a `Problem` where none is chosen. */
export function chosenIn(form: Form, { field, path, waiting, label, advice }: ChosenList) {
  const ids = form.all(field);
  if (ids.length === 0) throw new Problem(422, 'Nothing chosen', advice, { to: waiting, label });
  const back = form.get('back');
  return { ids, back: back.startsWith(`${path}?`) ? back : waiting };
}

interface ChosenFormProps {
  of: ChosenList;
  ids: readonly string[];
  /** The address of the list that they were chosen in. */
  back: string;
  action: string;
  children?: Child;
}

/** The form that decides chosen rows: it carries them, and leads back to their list. */
export const DecideForm = ({ of: { field }, ids, back, action, children }: ChosenFormProps) => (
  <PostForm action={action}>
    <input type="hidden" name="back" value={back} />
    {ids.map((id) => (
      <input type="hidden" name={field} value={id} />
    ))}
    {children}
  </PostForm>
);

/** The buttons of such a form, and the way back without any. */
export const Decisions = ({ back, children }: { back: string; children?: Child }) => (
  <div class="decide">
    {children}
    <a href={back}>Cancel</a>
  </div>
);

/** The page of such a form. */
export const ChosenPage = ({ of: { path, label, waiting }, title, children }: ChosenPageProps) => (
  <Page title={title} section={path} crumbs={[{ label, to: waiting }]}>
    {children}
  </Page>
);

interface ChosenPageProps {
  of: ChosenList;
  title: string;
  children?: Child;
}

interface BulkResultProps {
  of: ChosenList;
  title: string;
  heading: string;
  /** What was done with the others. */
  done: string;
  failed: Undecided[];
  link(id: string): Child;
  back: string;
}

/** What became of chosen rows some of which were refused. */
export const BulkResult = ({ of, title, heading, done, failed, link, back }: BulkResultProps) => (
  <ChosenPage of={of} title={title}>
    <p class="notice good">{done}</p>
    <Card title={heading}>
      <ul class="rows">
        {failed.map(({ id, message }) => (
          <li>
            {link(id)} <span dir="auto">{message}</span>
          </li>
        ))}
      </ul>
      <p class="more">
        <a href={back}>Back to the list</a>
      </p>
    </Card>
  </ChosenPage>
);
