import type { FastifyRequest } from 'fastify';
import type { Child } from 'hono/jsx';
import { createKey, revokeKey, rotateKey, setKey } from '../../src/operator/access/keys.ts';
import { resumeBroker, setBroker, suspendBroker } from '../../src/operator/brokers/brokers.ts';
import { CALLS_KEPT } from '../../src/operator/calls/calls.ts';
import { mayAct, type OperatorRecord } from '../../src/operator/people/operators.ts';
import { createPlan, previewPlan } from '../../src/operator/plans/plans.ts';
import { resumeService, setService, suspendService } from '../../src/operator/services/services.ts';
import { type Found as FoundRecords, search as find, type Match } from '../../src/operator/system/search.ts';
import type { AnyUseCase } from '../../src/operator/use-case/use-case.ts';
import { Card, Empty } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf } from '../components/links.tsx';
import { useView, type View } from '../components/view.ts';
import { dialogIdOf } from '../forms/actions.tsx';
import { readQuery } from '../http/query.ts';
import type { ConsoleOptions, Routes } from '../http/section.ts';

/** The search of every page: its results page, and the options that are shown while a person types. */
export const searchPage: Routes = async (app, { context }) => {
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
  const text = readQuery(request).get('q') ?? '';
  const { role } = request.signedIn.operator;
  const [, topic, of] = TOPIC.exec(text) ?? [];
  if (topic && of) {
    const found = await find(context, { text: of });
    const acts = found.matches.flatMap((match) =>
      topicOf(topic.toLowerCase().replace('history', 'audit'), match, role),
    );
    if (acts.length > 0) return { text, found, acts };
  }
  const [, verb, name] = COMMAND.exec(text) ?? [];
  const named = verb && name ? await find(context, { text: name }) : undefined;
  if (!named || named.matches.length === 0) return { text, found: await find(context, { text }), acts: [] };
  const formOf = FORMS[(verb as string).toLowerCase()] as Forms;
  const acts = named.matches.flatMap((match) => formOf(match, role) ?? []);
  return { text, found: named, acts };
}

const COMMAND =
  /^(suspend|lift|resume|edit|rotate|revoke|new plan for|new key for)\s+(?:(?:broker|key|plan|service)\s+)?(.+)$/i;

/** What people look for of a record: "limit of acme", "price of vps-m", "calls of acme". */
const TOPIC =
  /^(limit|price|calls|usage|services|requests|emails|plans|audit|history)\s+(?:of|for)\s+(?:(?:broker|key|plan)\s+)?(.+)$/i;

/** Lists that can be narrowed to a broker. */
const OF_BROKER = ['calls', 'usage', 'services', 'requests', 'emails', 'plans', 'audit'];

/** Where a topic of a record is: a form that the operator may send, else the record's page. */
function topicOf(topic: string, match: Match, role: OperatorRecord['role']): Entry[] {
  const label = `${topic.replace(/^./, (letter) => letter.toUpperCase())} of ${entryOf(match).label}`;
  const form =
    topic === 'price' && match.kind === 'plan' ? act(previewPlan, role, label, pathOf.plan(match.plan_id)) : undefined;
  const edit = topic === 'limit' && match.kind !== 'service' ? FORMS.edit?.(match, role) : undefined;
  if (form ?? edit) return [{ ...((form ?? edit) as Entry), label }];
  if (topic === 'limit' || topic === 'price') {
    const kinds = topic === 'limit' ? ['broker', 'key'] : ['plan', 'service'];
    return kinds.includes(match.kind) ? [{ ...entryOf(match), label }] : [];
  }
  if (match.kind !== 'broker' || !OF_BROKER.includes(topic)) return [];
  return [{ kind: 'page', to: `/${topic}?${new URLSearchParams({ broker: match.slug })}`, label }];
}

/** The form for a record, where it has one and the operator may send it. */
type Forms = (match: Match, role: OperatorRecord['role']) => Entry | undefined;

/** The form of a use case on a page, open. @param row the record's id, where the page has several such forms */
const act = (useCase: AnyUseCase, role: OperatorRecord['role'], label: string, to: string, row?: string) =>
  useCase.role && mayAct(role, useCase.role)
    ? { kind: 'action', to: `${to}#o-${dialogIdOf(useCase, row)}`, label }
    : undefined;

const ofKey =
  (useCase: AnyUseCase): Forms =>
  (match, role) => {
    if (match.kind !== 'key') return undefined;
    const label = `${useCase.title} ${match.key_prefix} of ${match.broker_name}`;
    return act(useCase, role, label, pathOf.keyUse(match.broker, match.key_id), match.key_id);
  };

const ofBroker =
  (useCase: AnyUseCase, verb = useCase.title, pathTo = pathOf.broker): Forms =>
  (match, role) =>
    match.kind === 'broker' ? act(useCase, role, `${verb} ${match.slug}`, pathTo(match.slug)) : undefined;

const ofService =
  (useCase: AnyUseCase, verb = useCase.title): Forms =>
  (match, role) => {
    if (match.kind !== 'service') return undefined;
    return act(useCase, role, `${verb} service ${match.service_number}`, pathOf.service(match.service_number));
  };

const anyOf =
  (...forms: Forms[]): Forms =>
  (...given) =>
    forms.map((form) => form(...given)).find((entry) => entry !== undefined);

const LIFT = ofService(resumeService, 'Lift the suspension of');

const FORMS: Readonly<Record<string, Forms>> = {
  suspend: anyOf(ofService(suspendService), ofBroker(suspendBroker)),
  lift: LIFT,
  resume: anyOf(LIFT, ofBroker(resumeBroker)),
  edit: anyOf(ofService(setService), ofBroker(setBroker), ofKey(setKey)),
  rotate: ofKey(rotateKey),
  revoke: ofKey(revokeKey),
  'new plan for': ofBroker(createPlan, 'Add a plan of', pathOf.plans),
  'new key for': ofBroker(createKey, 'Create a key of'),
};

interface Entry {
  kind: string;
  to: string;
  label: string;
  /** What distinguishes it from others of the same name. */
  more?: string | undefined;
}

/** A match as a link. */
function entryOf(match: Match): Entry {
  const { kind } = match;
  if (kind === 'request') return { kind, to: pathOf.request(match.request_id), label: match.request_id };
  if (kind === 'email') return { kind, to: pathOf.email(match.email_id), label: match.email_id };
  if (kind === 'call') return { kind, to: pathOf.call(match.request_id), label: match.request_id };
  if (kind === 'invoice')
    return {
      kind,
      to: `${pathOf.service(match.service_number)}#invoices`,
      label: match.invoice_number,
      more: `${match.invoice_status}, service ${match.service_number} of ${match.broker_name}`,
    };
  if (kind === 'broker') return { kind, to: pathOf.broker(match.slug), label: match.name, more: match.slug };
  if (kind === 'plan')
    return { kind, to: pathOf.plan(match.plan_id), label: match.name, more: `of ${match.broker_name}` };
  if (kind === 'key')
    return {
      kind,
      to: pathOf.keyUse(match.broker, match.key_id),
      label: match.key_prefix,
      more: `${match.name}, of ${match.broker_name}`,
    };
  return {
    kind,
    to: pathOf.service(match.service_number),
    label: [match.service_number, match.label ?? match.client].join(' '),
    more: [match.label === null ? null : match.client, match.found, `of ${match.broker_name}`]
      .filter(Boolean)
      .join(', '),
  };
}

/** What people call the pages whose names are others. */
const WORDS: ReadonlyArray<[words: string, to: string, label: string]> = [
  ['settings, configuration, environment variables, version, update', '/system', 'System: settings and versions'],
  [
    'move to another database, postgresql, sqlite, backup, restore, health, workers',
    '/system',
    'System: database and health',
  ],
  ['consumption, transfer, traffic, disk, terabyte, gigabyte', '/services/consumption', 'Consumption of services'],
  ['upload, csv file, take back an import', '/imports', 'Imports: files of plans, services and invoices'],
  ['new option, options, actions', '/plans', 'Plans: options and actions'],
  ['bill, billing, month, csv', '/usage', 'Usage: a month’s calls for a bill'],
  ['failures, errors, refused calls, why do calls fail, rate limited', '/calls/failures', 'Failed calls by reason'],
  ['reviews, decide, approve', '/requests?status=operator_review', 'Requests: reviews'],
  ['unknown emails, settle', '/emails?status=unknown', 'Emails of unknown outcome'],
  ['who changed, history, changes, trail, log', '/audit', 'Audit: who changed what'],
  ['operators, viewer, add a person, roles, sign-in, sessions', '/operators', 'People: who may sign in'],
];

const MIN_WORD = 3;

/** Pages of the navigation whose name begins so, and those that people call so. */
function pagesOf({ navigation }: View, text: string): Entry[] {
  const folded = text.trim().toLowerCase();
  if (folded === '') return [];
  const entries = navigation.flatMap((group) => group.entries);
  const named = entries
    .filter(({ label }) => label.toLowerCase().startsWith(folded))
    .map(({ label, path }) => ({ kind: 'page', to: path, label }));
  const paths = entries.map(({ path }) => path);
  const meant = WORDS.filter(
    ([words, to]) =>
      folded.length >= MIN_WORD &&
      words.split(', ').some((word) => word.startsWith(folded) || folded.includes(word)) &&
      paths.some((path) => path !== '/' && to.startsWith(path)),
  );
  return [...named, ...meant.map(([, to, label]) => ({ kind: 'page', to, label }))];
}

const entriesOf = (view: View, { text, found, acts }: Found): Entry[] => {
  const isFirst = ({ isExact, isNamed }: Match) => isExact || isNamed === true;
  const exact = found.matches.filter(isFirst).map(entryOf);
  const others = found.matches.filter((match) => !isFirst(match)).map(entryOf);
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
          A service’s number, label, reference, host name or IP address, or its client’s name or email; a name of a
          broker, plan or key; the id of a request or an email; a call’s X-Request-Id. Or what to do: “suspend 1000026”,
          “edit …”, “rotate key …”, “new key for …”, “limit of …”, “price of …”; or a page: “settings”, “bill”.
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
      {found.matches.some(({ kind }) => kind === 'service') ? (
        <p class="more">
          <a href={pathOf.services(text)}>All services that match</a>
        </p>
      ) : null}
    </Card>
  );
}
