import type { FastifyRequest } from 'fastify';
import type { Child } from 'hono/jsx';
import { CALLS_KEPT } from '../../src/operator/calls.ts';
import { mayAct, type OperatorRecord } from '../../src/operator/operators.ts';
import { type Found as FoundRecords, search as find, type Match } from '../../src/operator/search.ts';
import { Card, Empty } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf } from '../components/links.tsx';
import { useView, type View } from '../components/view.ts';
import { queryOf } from '../query.ts';
import type { ConsoleOptions, Routes } from '../section.ts';

/** The search of every page: its results page, and the options that are shown while a person types. */
export const search: Routes = async (app, { context }) => {
  app.get('/search', { config: { role: 'viewer' } }, async (request, reply) => {
    const { text, found, acts } = await foundBy(context, request);
    const [only, another] = found.matches;
    const meant = only && (only.isExact || another === undefined) ? (acts[0] ?? entryOf(only)) : undefined;
    return meant ? reply.redirect(meant.to, 303) : reply.view(<Search text={text} found={found} acts={acts} />);
  });

  app.get('/search/options', { config: { role: 'viewer' } }, async (request, reply) =>
    reply.view(<Options {...(await foundBy(context, request))} />),
  );
};

interface Found {
  text: string;
  found: FoundRecords;
  /** What the text asks to do with the records, as links to their forms. */
  acts: Entry[];
}

async function foundBy(context: ConsoleOptions['context'], request: FastifyRequest): Promise<Found> {
  const text = queryOf(request).get('q') ?? '';
  const [, verb, name] = COMMAND.exec(text) ?? [];
  const named = verb && name ? await find(context, { text: name }) : undefined;
  if (!named || named.matches.length === 0) return { text, found: await find(context, { text }), acts: [] };
  const { role } = request.signedIn.operator;
  const formOf = FORMS[(verb as string).toLowerCase()] as Forms;
  const acts = named.matches.flatMap((match) => formOf(match, role) ?? []);
  return { text, found: named, acts };
}

const COMMAND =
  /^(suspend|lift|resume|edit|rotate|revoke|new plan for|new key for)\s+(?:(?:broker|key|plan|service)\s+)?(.+)$/i;

/** The form for a record, where it has one and the operator may send it. Dialogs are named as on their pages. */
type Forms = (match: Match, role: OperatorRecord['role']) => Entry | undefined;

const act = (label: string, to: string, dialog: string): Entry => ({ kind: 'action', to: `${to}#o-${dialog}`, label });

const ofKey =
  (verb: string): Forms =>
  (match, role) =>
    match.kind === 'key' && mayAct(role, 'admin')
      ? act(
          `${verb} ${match.key_prefix} of ${match.broker}`,
          pathOf.keyUse(match.broker, match.key_id),
          `${verb.toLowerCase()}-${match.key_id}`,
        )
      : undefined;

const ofBroker =
  (verb: string, dialog: string, pathTo = pathOf.broker): Forms =>
  (match, role) =>
    match.kind === 'broker' && mayAct(role, 'admin')
      ? act(`${verb} ${match.slug}`, pathTo(match.slug), dialog)
      : undefined;

const ofService =
  (verb: string, dialog: string): Forms =>
  (match, role) =>
    match.kind === 'service' && mayAct(role, 'support')
      ? act(`${verb} service ${match.service_number}`, pathOf.service(match.service_number), dialog)
      : undefined;

const anyOf =
  (...forms: Forms[]): Forms =>
  (...given) =>
    forms.map((form) => form(...given)).find((entry) => entry !== undefined);

const LIFT = ofService('Lift the suspension of', 'lift');

const FORMS: Readonly<Record<string, Forms>> = {
  suspend: anyOf(ofService('Suspend', 'suspend'), ofBroker('Suspend', 'suspend')),
  lift: LIFT,
  resume: LIFT,
  edit: anyOf(ofService('Edit', 'edit'), ofBroker('Edit', 'edit'), ofKey('Edit')),
  rotate: ofKey('Rotate'),
  revoke: ofKey('Revoke'),
  'new plan for': ofBroker('Add a plan of', 'add', pathOf.plans),
  'new key for': ofBroker('Create a key of', 'create-key'),
};

interface Entry {
  kind: string;
  to: string;
  label: string;
  /** What tells it from others of the same name. */
  more?: string | undefined;
}

/** A match as a link. */
function entryOf(match: Match): Entry {
  const { kind } = match;
  if (kind === 'request') return { kind, to: pathOf.request(match.request_id), label: match.request_id };
  if (kind === 'email') return { kind, to: pathOf.email(match.email_id), label: match.email_id };
  if (kind === 'call') return { kind, to: pathOf.call(match.request_id), label: match.request_id };
  if (kind === 'broker') return { kind, to: pathOf.broker(match.slug), label: match.name, more: match.slug };
  if (kind === 'plan') return { kind, to: pathOf.plans(match.broker), label: match.name, more: `of ${match.broker}` };
  if (kind === 'key')
    return {
      kind,
      to: pathOf.keyUse(match.broker, match.key_id),
      label: match.key_prefix,
      more: `${match.name}, of ${match.broker}`,
    };
  return {
    kind,
    to: pathOf.service(match.service_number),
    label: [match.service_number, match.label ?? match.client].join(' '),
    more: `of ${match.broker}`,
  };
}

/** Pages of the navigation whose name begins so. */
const pagesOf = ({ navigation }: View, text: string): Entry[] =>
  text === ''
    ? []
    : navigation
        .filter(({ label }) => label.toLowerCase().startsWith(text.toLowerCase()))
        .map(({ label, path }) => ({ kind: 'page', to: path, label }));

const entriesOf = (view: View, { text, found, acts }: Found): Entry[] => {
  const exact = found.matches.filter(({ isExact }) => isExact).map(entryOf);
  const others = found.matches.filter(({ isExact }) => !isExact).map(entryOf);
  return [...acts, ...exact, ...pagesOf(view, text), ...others];
};

/** Options shown at once: without scrolling on a small screen. */
const MAX_OPTIONS = 12;

/** The list below the search box, which the script fetches. */
function Options(props: Found) {
  const entries = entriesOf(useView(), props).slice(0, MAX_OPTIONS);
  if (props.text === '') return null;
  return (
    <>
      {entries.map(({ kind, to, label, more }, index) => (
        <a role="option" id={`option-${index}`} href={to} tabindex={-1} aria-selected="false">
          <Named kind={kind} more={more}>
            {label}
          </Named>
        </a>
      ))}
      <a
        role="option"
        id={`option-${entries.length}`}
        href={`/search?${new URLSearchParams({ q: props.text })}`}
        tabindex={-1}
        aria-selected="false"
      >
        <span class="quiet">{entries.length === 0 ? 'Nothing matches' : 'All results'}</span>
      </a>
    </>
  );
}

function Named({ kind, more, children }: { kind: string; more: string | undefined; children: Child }) {
  return (
    <>
      <span class="quiet">{kind}</span> <bdi>{children}</bdi> {more ? <bdi class="quiet">{more}</bdi> : null}
    </>
  );
}

function Search(props: Found) {
  return (
    <Page title="Search" section="/search">
      <Results {...props} />
    </Page>
  );
}

function Results(props: Found) {
  const { text, found } = props;
  const entries = entriesOf(useView(), props);
  if (entries.length === 0)
    return (
      <Empty>
        <p dir="auto">{text === '' ? 'Enter what to search for.' : `Nothing matches “${text}”.`}</p>
        {found.names_call ? <p>{CALLS_KEPT}.</p> : null}
        <p class="quiet">
          A service’s number, label, reference, or its client’s name or whole address; a name of a broker, plan or key;
          the id of a request or an email; a call’s X-Request-Id. Or what to do: “suspend 1000026”, “edit …”, “rotate
          key …”, “new key for …”, “new plan for …”.
        </p>
      </Empty>
    );
  return (
    <Card title="Found">
      <ul class="rows">
        {entries.map(({ kind, to, label, more }) => (
          <li>
            <span>
              <span class="quiet">{kind}</span>{' '}
              <a href={to} dir="auto">
                {label}
              </a>{' '}
              <bdi class="quiet">{more}</bdi>
            </span>
          </li>
        ))}
      </ul>
      <p class="more">
        <a href={pathOf.services(text)}>All services that match</a>
      </p>
    </Card>
  );
}
