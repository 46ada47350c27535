import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  previewTemplate,
  restoreTemplate,
  sendTestTemplate,
  setTemplate,
  showTemplate,
  TEMPLATE_KINDS,
  TEMPLATE_VALUES,
  type TemplateDetail,
  type TemplatePreview,
  type TemplateSource,
} from '../../src/operator/mail/templates.ts';
import { mayAct } from '../../src/operator/people/operators.ts';
import type { Fault } from '../../src/operator/use-case/errors.ts';
import { type Seen, seenOf } from '../../src/operator/use-case/stale.ts';
import { MINUTE_MS } from '../../src/rules/durations.ts';
import { Badge, sentence, Tag } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { PostForm, RefusalNote, Submit, TextArea, TextField } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, pathOf } from '../components/links.tsx';
import { MailFrame } from '../components/mail-frame.tsx';
import { Time, toTheMinute } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import { act, attempt } from '../forms/act.ts';
import { Again, SeenField } from '../forms/action-form.tsx';
import { type ActionOptions, addAction, type Refused, readSeen, refusedStatus } from '../forms/actions.tsx';
import { changedBy } from '../forms/changed-by.ts';
import { describeFailure, type Failure } from '../http/failures.ts';
import { Problem } from '../http/problem.ts';
import { readParam, readQuery } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import { sendMailHtml } from '../plugins/mail-frame.ts';

/** The renderer's limit for one part. Characters. */
const MAX_PART = 200_000;

/** Email programs truncate longer emails. Characters. */
const MAX_PREVIEW = 300_000;

/** Previews of unsaved templates, until their frame loads them. */
const DRAFTS = { max: 50, ttl: 10 * MINUTE_MS };

/** Test emails of one operator, and of all: the limits protect other people's mailboxes. */
const TESTS_WINDOW_MS = 15 * MINUTE_MS;
const TESTS = [
  { max: 20, keyGenerator: ({ signedIn }: FastifyRequest) => signedIn.operator.operator_id },
  { max: 100, keyGenerator: () => 'all' },
];

/** Shown where the broker has no template of the kind yet. */
function starterOf(kind: string): TemplateSource {
  const said =
    kind === 'cancellation-warning'
      ? 'your service {{ service_number }} is going to be cancelled: {{ warning_reason }}'
      : 'this is about your service {{ service_number }}.';
  return {
    subject: 'Your service {{ service_number }}',
    html: `<p>Hello {{ client_name }},</p>\n<p>${said}</p>\n<p>{{ broker_name }}</p>\n`,
    text: `Hello {{ client_name }},\n\n${said}\n\n{{ broker_name }}\n`,
  };
}

/** One template of a broker: editor, preview, test email and versions. */
export const template: Routes = async (app, { context }) => {
  const drafts = new LRUCache<string, string>({ ...DRAFTS, perf: { now: () => context.clock.monotonic() } });
  const testLimits = TESTS.map((limit) => app.createRateLimit({ timeWindow: TESTS_WINDOW_MS, ...limit }));
  const path = `/templates/:broker/:kind(${TEMPLATE_KINDS.join('|')})`;
  const which = (request: FastifyRequest) => ({
    broker: readParam(request, 'broker'),
    kind: readParam(request, 'kind'),
  });

  async function show(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    // A form's answer has the address of its page.
    if (shown.draft !== undefined) request.shownAt = pathOf.template(which(request).broker, which(request).kind);
    const version = readQuery(request).get('version');
    const detail = await showTemplate(context, { ...which(request), version });
    const source = shown.draft ?? detail.source ?? starterOf(detail.kind);
    // The saved template has an address of its own; everything else is previewed as a draft.
    const isSaved = shown.draft === undefined && detail.source !== null && version === undefined;
    const service = shown.service ?? readQuery(request).get('service') ?? 'newest';
    const drawn = (of?: TemplateSource) =>
      attempt(() => previewTemplate(context, { ...which(request), service, ...(of && { source: of }) }));
    const preview = await drawn(isSaved ? undefined : source);
    // What cannot be shown leaves the saved one in view.
    const fallback = preview.failure && !isSaved && detail.source ? (await drawn()).value : undefined;
    const shownPreview = preview.value ?? fallback;
    const props = {
      detail,
      source,
      unsaved: shown.draft !== undefined,
      version: version === undefined ? undefined : Number(version),
      active: shown.active ?? detail.active ?? true,
      seen: shown.seen ?? seenOf(detail, CHANGED),
      service: service === 'newest' ? '' : service,
      preview: shownPreview,
      isFallback: fallback !== undefined,
      frame: shownPreview && frameFor(request, shownPreview, isSaved || fallback !== undefined),
      // A refusal of the form is shown once, above it.
      faults: shown.refused?.failure ? undefined : preview.failure,
      refused: shown.refused,
    };
    return reply.view(<Template {...props} />, refusedStatus(shown.refused));
  }

  /** The address of a preview for the frame; null for one that is too long. */
  function frameFor(
    request: FastifyRequest,
    { broker, kind, html, service_number }: TemplatePreview,
    isSaved: boolean,
  ) {
    if (html.length > MAX_PREVIEW) return null;
    const own = pathOf.template(broker, kind);
    if (isSaved) return `${own}/html${service_number === null ? '' : `?service=${service_number}`}`;
    const draftId = randomBytes(16).toString('base64url');
    drafts.set(`${request.signedIn.operator.operator_id}/${draftId}`, html);
    return `${own}/drafts/${draftId}`;
  }

  app.get(path, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.get(`${path}/html`, { config: { role: 'viewer' } }, async (request, reply) => {
    const { html } = await previewTemplate(context, { ...which(request), service: readQuery(request).get('service') });
    return sendMailHtml(reply, html);
  });

  app.get(`${path}/drafts/:draftId`, { config: { role: 'viewer' } }, async (request, reply) => {
    const html = drafts.get(`${request.signedIn.operator.operator_id}/${readParam(request, 'draftId')}`);
    if (html === undefined)
      throw new Problem(404, 'This preview has expired', 'Make a new preview: each is kept for a few minutes.');
    return sendMailHtml(reply, html);
  });

  const given = ({ form }: FastifyRequest) => ({
    draft: form.pick('subject', 'html', 'text'),
    active: form.given('active') !== undefined,
    service: form.given('service'),
    seen: readSeen(form),
  });

  app.post(`${path}/preview`, { config: { role: 'admin' } }, (request, reply) => show(request, reply, given(request)));

  app.post(path, { config: { role: 'admin' } }, (request, reply) => {
    const { draft, active, service, seen } = given(request);
    const { broker, kind } = which(request);
    return act(
      reply,
      async () => {
        await setTemplate(request.context, { broker, kind, active, seen, ...draft });
        const back = `${pathOf.template(broker, kind)}${service ? `?service=${encodeURIComponent(service)}` : ''}`;
        return { to: back, done: active ? 'Saved: emails are sent like this from now on.' : 'Saved, and not used.' };
      },
      // What was changed in the meantime counts as seen: the page names it, and its versions show it.
      async (failure) => {
        const shown = { draft, active, service };
        if (!failure.isStale) return show(request, reply, { ...shown, seen, refused: { failure } });
        const labelOf = (field: string) => (field === 'active' ? 'In use' : undefined);
        const named = describeFailure(failure.error, labelOf, await authorOf(request, failure)) as Failure;
        return show(request, reply, { ...shown, refused: { failure: named } });
      },
    );
  });

  /** Who made the newest version, or turned the template on or off, as a sentence. */
  async function authorOf(request: FastifyRequest, { faults = [] }: Failure): Promise<string> {
    const latest = await showTemplate(context, which(request));
    const [newest] = latest.versions;
    if (!faults.some(({ field }) => field === 'newest_version'))
      return changedBy(context, restoreTemplate, which(request), faults, latest);
    return newest?.actor ? `Changed by ${newest.actor} (${toTheMinute(newest.created_date)}).` : '';
  }

  const page: ActionOptions<never> = {
    path,
    show: (request, reply, refused) => show(request, reply, { refused }),
    record: (request) => showTemplate(context, which(request)),
  };
  addAction(app, restoreTemplate, page);
  await app.register(async (tests) => {
    tests.addHook('preHandler', async (request) => {
      for (const count of testLimits) {
        const window = await count(request);
        if (window.isAllowed || !window.isExceeded) continue;
        const advice = 'Wait a few minutes before you send another one.';
        throw new Problem(429, 'Too many tests', advice, undefined, window.ttlInSeconds);
      }
    });
    addAction(tests, sendTestTemplate, {
      ...page,
      // Without a provider no address receives it.
      toneOf: ({ outbox }) => (outbox === null ? 'good' : 'warn'),
    });
  });
};

/** What an edit is compared by: any of a template's parts makes a new version. */
const CHANGED = ['newest_version', 'active'] as const;

/** What the page shows instead of the saved template. */
interface Shown {
  draft?: TemplateSource;
  active?: boolean;
  service?: string | undefined;
  seen?: Seen | undefined;
  refused?: Refused | undefined;
}

interface TemplateProps {
  detail: TemplateDetail;
  source: TemplateSource;
  /** The source was typed and is not saved. */
  unsaved: boolean;
  /** The earlier version that is shown. */
  version: number | undefined;
  active: boolean;
  seen: Seen;
  /** The service whose values are shown; blank for the broker's newest. */
  service: string;
  preview: TemplatePreview | undefined;
  /** It is of the saved template, for what was typed cannot be shown. */
  isFallback: boolean;
  /** Null for a preview that is too long. */
  frame: string | null | undefined;
  /** Why there is no preview. */
  faults: Failure | undefined;
  refused: Refused | undefined;
}

function Template(props: TemplateProps) {
  const { detail, version, refused } = props;
  const { role } = useOperator();
  const { broker, kind, active, state } = detail;
  return (
    <Page
      title={sentence(kind)}
      section="/templates"
      crumbs={[
        { label: 'Templates', to: '/templates' },
        { label: broker.name, to: pathOf.broker(broker.slug) },
      ]}
      here={version === undefined ? sentence(kind) : `version ${version}`}
      state={version === undefined ? <Badge state={state ?? 'none yet'} /> : <Tag tone="none">earlier version</Tag>}
    >
      <Again refused={refused} />
      <div class="columns even">
        <div class="stack">
          {role === 'admin' ? <Editor {...props} /> : <Source {...props} />}
          <Values />
        </div>
        <div class="stack">
          <Preview {...props} editable={role === 'admin'} />
          {active === null ? null : <Versions {...props} admin={role === 'admin'} />}
        </div>
      </div>
    </Page>
  );
}

function Editor({ detail, source, unsaved, version, active, seen, refused }: TemplateProps) {
  const path = pathOf.template(detail.broker.slug, detail.kind);
  const { faults = [] } = refused?.failure ?? {};
  return (
    <Card title={titleOf(detail, version)}>
      <PostForm action={path} id="template" unsaved={unsaved}>
        <SeenField seen={seen} />
        {/* The default button, which Enter presses: it previews and saves nothing. */}
        <button type="submit" class="visually-hidden" formaction={`${path}/preview`} tabindex={-1}>
          Preview
        </button>
        <TextField
          label="Subject"
          name="subject"
          value={source.subject}
          fault={faultIn('subject', faults)}
          maxlength={MAX_PART}
        />
        <Bodies source={source} faults={faults} />
        <label class="setting">
          <input type="checkbox" name="active" value="yes" checked={active} /> In use
          {detail.kind === 'cancellation-warning' ? (
            <span class="quiet"> – no warning can be sent without one</span>
          ) : (
            <span class="quiet"> – otherwise no such email is sent</span>
          )}
        </label>
        <div class="decide">
          <Submit tone="main">{version === undefined ? 'Save' : 'Save as the newest'}</Submit>
          <button type="submit" class="scriptless" formaction={`${path}/preview`}>
            Show the preview
          </button>
        </div>
      </PostForm>
    </Card>
  );
}

const titleOf = ({ active }: TemplateDetail, version: number | undefined): string => {
  if (active === null) return 'New template';
  return version === undefined ? 'Template' : `Version ${version}`;
};

/** What is wrong with a part; one may have several faults. */
const faultIn = (part: keyof TemplateSource, faults: readonly Fault[]): string | undefined =>
  faults
    .filter(({ field }) => field === part)
    .map(({ message }) => message)
    .join('; ') || undefined;

interface BodiesProps {
  source: TemplateSource;
  faults?: readonly Fault[];
  readonly?: boolean;
}

function Bodies({ source, faults = [], readonly }: BodiesProps) {
  const area = { class: 'mono', spellcheck: false, maxlength: MAX_PART, readonly };
  return (
    <>
      <TextArea label="HTML" name="html" value={source.html} fault={faultIn('html', faults)} rows={16} {...area} />
      <TextArea
        label="Text, for email programs without HTML"
        name="text"
        value={source.text}
        fault={faultIn('text', faults)}
        rows={10}
        {...area}
      />
    </>
  );
}

/** The template for operators who cannot change it. */
function Source({ detail, source, version }: TemplateProps) {
  if (detail.active === null) {
    return (
      <Card title="Template">
        <p class="quiet">
          <BrokerLink {...detail.broker} /> has none of this kind. The role admin can write one.
        </p>
      </Card>
    );
  }
  return (
    <Card title={titleOf(detail, version)}>
      <p class="quiet">The role admin can change it.</p>
      <TextArea label="Subject" name="subject" value={source.subject} rows={1} class="mono" readonly />
      <Bodies source={source} readonly />
    </Card>
  );
}

const MEANINGS: Record<(typeof TEMPLATE_VALUES)[number], string> = {
  client_name: 'the client',
  client_email: 'the recipient',
  service_number: '',
  service_label: 'may be empty',
  plan_name: 'the current plan',
  warning_reason: 'of a warning, otherwise empty',
  broker_name: '',
  renewal_date: '2030-01-31, or empty without renewal',
  hostname: 'of the service, or empty',
  ip_address: 'the first, or empty',
  ip_addresses: 'all, separated by commas',
  username: 'to sign in with, or empty',
  login_url: 'where to sign in, or empty',
  action_name: 'of an action, otherwise empty',
};

function Values() {
  return (
    <Card title="Available values">
      <ul class="rows">
        {TEMPLATE_VALUES.map((name) => (
          <li>
            <code>{`{{ ${name} }}`}</code> <span class="quiet">{MEANINGS[name]}</span>
          </li>
        ))}
      </ul>
      <p class="quiet">
        Templates use Liquid without loops and assignments: <code>{'{% if service_label != "" %} … {% endif %}'}</code>{' '}
        and filters such as <code>upcase</code> work. Values are escaped in the HTML.
      </p>
    </Card>
  );
}

function Preview({
  detail,
  preview,
  isFallback,
  frame,
  faults,
  service,
  version,
  editable,
}: TemplateProps & { editable: boolean }) {
  const path = pathOf.template(detail.broker.slug, detail.kind);
  // htmx sends the form while a person types, and takes this element out of the response.
  const live = {
    'hx-post': `${path}/preview`,
    'hx-include': '#template',
    'hx-trigger': 'input delay:400ms from:#template, input delay:400ms from:#service',
    'hx-select': '#preview',
    'hx-swap': 'outerHTML',
    'hx-sync': 'this:replace',
  };
  return (
    <>
      <Card title="Preview with a service">
        <p class="quiet">By its number; the newest without one.</p>
        <form class="inline" action={path}>
          <input
            id="service"
            name="service"
            form={editable ? 'template' : undefined}
            value={service}
            inputmode="numeric"
            maxlength={16}
            aria-label="Service number"
            autocomplete="off"
          />
          {editable ? (
            <button type="submit" class="scriptless" form="template" formaction={`${path}/preview`}>
              Show
            </button>
          ) : (
            <Submit>Show</Submit>
          )}
        </form>
      </Card>
      <div id="preview" {...(editable && live)}>
        <Card title="Preview">
          <RefusalNote failure={faults} />
          {preview ? (
            <>
              {isFallback ? (
                <p class="notice warn">
                  {version === undefined ? 'What was typed' : `Version ${version}`} cannot be shown: this is what is
                  saved.
                </p>
              ) : null}
              <p class="quiet">
                {preview.service_number === null
                  ? 'With example values: this broker has no service yet.'
                  : `With the values of service ${preview.service_number}.`}
              </p>
              {preview.warnings.map((warning) => (
                <p class="notice" dir="auto">
                  {warning}.
                </p>
              ))}
              <p class="subject" dir="auto">
                {preview.subject}
              </p>
              {frame ? (
                <MailFrame src={frame} title="The email’s HTML" />
              ) : (
                <p class="notice bad">This email is too long for a preview and for email programs.</p>
              )}
              <details>
                <summary>As text</summary>
                <pre class="letter" dir="auto" tabindex={0}>
                  {preview.text.slice(0, MAX_PREVIEW)}
                </pre>
              </details>
            </>
          ) : null}
        </Card>
        {detail.active !== null && preview && mayAct(useOperator().role, 'support') ? (
          <SendTest detail={detail} of={preview.service_number} />
        ) : null}
      </div>
    </>
  );
}

/** A mail of what is saved, with the values of the preview. */
function SendTest({ detail, of }: Pick<TemplateProps, 'detail'> & { of: number | null }) {
  return (
    <Card title="Send a test">
      <p class="quiet">
        Sends the template as it was saved last, with {of === null ? 'example values' : `the values of service ${of}`}.
        It is listed among the emails, as a test.
      </p>
      <PostForm action={`${pathOf.template(detail.broker.slug, detail.kind)}/send-test`} kind="inline">
        {of === null ? null : <input type="hidden" name="service_number" value={String(of)} />}
        <input
          type="email"
          name="to"
          required
          maxlength={254}
          value={useOperator().email}
          aria-label="Where the test goes"
        />
        <Submit>Send</Submit>
      </PostForm>
    </Card>
  );
}

function Versions({ detail, version: looked, admin }: TemplateProps & { admin: boolean }) {
  const { broker, kind, versions } = detail;
  const path = pathOf.template(broker.slug, kind);
  return (
    <Card title="Versions" aside={<AuditLink subject={`template/${kind}`} broker={broker.slug} />}>
      <ul class="rows">
        {versions.map(({ version, actor, created_date }, index) => (
          <li>
            <span class="grow">
              {index === 0 ? <a href={path}>{version}</a> : <a href={`${path}?version=${version}`}>{version}</a>}{' '}
              <span class="quiet">
                <Time at={created_date} /> {actor === null ? null : <span dir="auto">by {actor}</span>}
              </span>
            </span>
            {index === 0 ? <Tag tone="good">current</Tag> : null}
            {index > 0 && version === looked ? <Tag tone="accent">shown</Tag> : null}
            {index > 0 && admin ? (
              <PostForm action={`${path}/restore`}>
                <SeenField seen={seenOf(detail, ['newest_version'])} />
                <input type="hidden" name="version" value={String(version)} />
                <button type="submit" class="small" aria-label={`Restore version ${version}`}>
                  Restore
                </button>
              </PostForm>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
