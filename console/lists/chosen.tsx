import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Child } from 'hono/jsx';
import type { Undecided } from '../../src/operator/use-case/several.ts';
import { Card } from '../components/card.tsx';
import { PostForm, Submit } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { useView } from '../components/view.ts';
import { Problem } from '../http/problem.ts';
import { isOwnAddress, readQuery } from '../http/query.ts';
import type { Form } from '../plugins/forms.ts';

/** A list whose rows are decided together. */
export interface ChosenList {
  /** The checkboxes' name. */
  field: string;
  path: string;
  /** The path of the page that decides them. */
  decidedAt: string;
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
      {/* Nothing is done yet: the address names what was chosen, so that one can come back to it. */}
      <form action={action} id={id} class="inline">
        <input type="hidden" name="back" value={useView().url} />
        <label class="scripted">
          <input type="checkbox" data-choose-all /> All on this page
        </label>
        <Submit>{verb}</Submit>
        <output class="quiet"></output>
      </form>
    </div>
  );
}

/** The ids of the chosen rows, and the address of the list that they were chosen in. */
interface Chosen {
  ids: string[];
  back: string;
}

/** Adds the page of chosen rows. Where none is chosen, the list is shown again and says what to choose. */
export function addChosen(
  app: FastifyInstance,
  of: ChosenList & Required<Pick<FastifyContextConfig, 'role'>>,
  show: (chosen: Chosen, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.get(of.decidedAt, { config: { role: of.role } }, (request, reply) => {
    const query = readQuery(request);
    const ids = [...new Set(query.all(of.field))];
    const back = listOf(of, query.all('back')[0]);
    if (ids.length === 0) return reply.flash({ tone: 'bad', text: of.advice }).redirect(back, 303);
    return show({ ids, back }, request, reply);
  });
}

/** The address of the page of these rows. */
export const chosenAt = ({ decidedAt, field }: ChosenList, { ids, back }: Chosen): string =>
  `${decidedAt}?${new URLSearchParams([['back', back], ...ids.map((id): [string, string] => [field, id])])}`;

/** The same of the form that decides them. Throws a `Problem` where there are none. */
export function chosenIn(form: Form, of: ChosenList): Chosen {
  const ids = [...new Set(form.all(of.field))];
  if (ids.length === 0) throw new Problem(422, 'Nothing chosen', of.advice, { to: of.waiting, label: of.label });
  return { ids, back: listOf(of, form.get('back')) };
}

/** The list with its filters, or the page of one of its records; never another page. */
const listOf = ({ path, waiting }: ChosenList, back = ''): string =>
  isOwnAddress(back) && [`${path}?`, `${path}/`].some((start) => back.startsWith(start)) ? back : waiting;

interface ChosenFormProps {
  of: ChosenList;
  ids: readonly string[];
  /** The address of the list that they were chosen in. */
  back: string;
  action: string;
  /** One of them can be decided by itself; what was typed for the rest stays. */
  rest?: boolean;
  children?: Child;
}

/** The form that decides chosen rows: it carries them, and leads back to their list. */
export const DecideForm = ({ of: { field }, ids, back, action, rest, children }: ChosenFormProps) => (
  <PostForm action={action} rest={rest}>
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
  /** What was done with the others; null where nothing was. */
  done: string | null;
  failed: Undecided[];
  link(id: string): Child;
  back: string;
}

/** What became of chosen rows some of which were refused. */
export const BulkResult = ({ of, title, heading, done, failed, link, back }: BulkResultProps) => (
  <ChosenPage of={of} title={title}>
    {done === null ? null : <p class="notice good">{done}</p>}
    <Card title={heading}>
      <ul class="rows">
        {failed.map(({ id, message }) => (
          <li>
            {link(id)} <span dir="auto">{message}</span>
          </li>
        ))}
      </ul>
      <p>
        <a href={back}>Back to the list</a>
      </p>
    </Card>
  </ChosenPage>
);
