import { PostForm, Submit } from './form.tsx';
import { useView } from './view.ts';

/** The checkbox of a row. `form` is the id of the form that takes all chosen rows of the list. */
export const Choose = ({ form, name, id, label }: { form: string; name: string; id: string; label: string }) => (
  <input type="checkbox" name={name} value={id} form={form} aria-label={label} />
);

/**
 * The form below a list for the rows that were chosen, in view while the list scrolls; it knows the list's address, to
 * lead back there.
 */
export function ChosenForm({ id, action, verb }: { id: string; action: string; verb: string }) {
  return (
    <div class="more chosen">
      <PostForm action={action} id={id} kind="inline">
        <input type="hidden" name="back" value={useView().url} />
        <label class="scripted">
          <input type="checkbox" data-choose-all={id} /> All on this page
        </label>
        <Submit>{verb}</Submit>
      </PostForm>
    </div>
  );
}
