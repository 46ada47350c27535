import type { Child } from 'hono/jsx';
import {
  allowAddress,
  disableFirewall,
  enableFirewall,
  listFirewall,
  removeAddress,
} from '../../src/operator/access/firewall.ts';
import { type KeyPage, pageKeys } from '../../src/operator/access/key-use.ts';
import { createKey } from '../../src/operator/access/keys.ts';
import { listInvoices } from '../../src/operator/billing/invoices.ts';
import {
  addRecipient,
  removeRecipient,
  resumeBroker,
  setBroker,
  suspendBroker,
} from '../../src/operator/brokers/brokers.ts';
import { type Onboarding, showOnboarding } from '../../src/operator/brokers/onboarding.ts';
import { removableDate, removeBroker } from '../../src/operator/brokers/removal.ts';
import { type BrokerDetail, findSuspension, showBroker, showBrokerTraffic } from '../../src/operator/brokers/views.ts';
import { SPANS, type SpanName, type Traffic } from '../../src/operator/calls/traffic.ts';
import { type EmailPage, pageEmails } from '../../src/operator/mail/emails.ts';
import { type PlanPage, pagePlans } from '../../src/operator/plans/plans.ts';
import { pageRequests, type RequestPage } from '../../src/operator/requests/views.ts';
import { pageServices, type ServicePage } from '../../src/operator/services/views.ts';
import type { SandboxFigures } from '../../src/operator/system/system.ts';
import { invalid } from '../../src/operator/use-case/errors.ts';
import { priceOf } from '../components/amounts.ts';
import { Badge, EmailState, sentence } from '../components/badge.tsx';
import { Card, Facts, Figure, number } from '../components/card.tsx';
import { Dialog, TextField } from '../components/form.tsx';
import { InvoiceState, type ShownInvoice } from '../components/invoices.tsx';
import { Page } from '../components/layout.tsx';
import { CopiedId, EmailLink, PlanLink, pathOf, RequestLink, ServiceLink, titleOf } from '../components/links.tsx';
import { Live } from '../components/live.tsx';
import { More } from '../components/menu.tsx';
import { Day, Minute, Time } from '../components/timestamp.tsx';
import { Calls, SPAN_LABELS, SpanTabs, Trend } from '../components/traffic.tsx';
import { useOperator, useView } from '../components/view.ts';
import { act } from '../forms/act.ts';
import { ActionForm, Again } from '../forms/action-form.tsx';
import { addAction, type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import { Checklist } from '../forms/checklist.tsx';
import { readChoice, readParam, readQuery } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import { checkOf, Firewall, type FirewallProps } from './broker-firewall.tsx';
import { Keys, newLimitHint } from './broker-keys.tsx';
import { key, newKeyAnswer } from './key.tsx';

/** One broker with its keys, firewall and report recipients. */
export const broker: Routes = async (app, options) => {
  const { context, processInfo } = options;

  const show: Show = async (request, reply, refused) => {
    const slug = readParam(request, 'broker');
    const query = readQuery(request);
    const span = readChoice(query.get('span'), SPANS) ?? '24h';
    const [detail, keys, firewall] = await Promise.all([
      showBroker.run(context, { broker: slug }),
      pageKeys(context, { broker: slug, page: query.page('keys') }),
      listFirewall.run(context, { broker: slug }),
    ]);
    const newest = { broker: slug, perPage: LATEST };
    const [traffic, onboarding, sandbox, check, requests, services, emails, plans, invoices, suspension] =
      await Promise.all([
        showBrokerTraffic(context, { brokerId: detail.broker_id, span }),
        showOnboarding(context, { brokerId: detail.broker_id }),
        processInfo.sandboxes.find(detail.broker_id),
        checkOf(context, slug, query.get('address')),
        pageRequests(context, newest),
        pageServices(context, newest),
        pageEmails(context, newest),
        pagePlans(context, { broker: slug, active: 'true', perPage: SOLD }),
        listInvoices.run(context, { broker: slug, limit: LATEST }),
        findSuspension(context, detail),
      ]);
    const latest = {
      requests: requests.items,
      services: services.items,
      emails: emails.items,
      invoices: invoices.records,
    };
    const props = {
      broker: detail,
      span,
      traffic,
      onboarding,
      apiUrl: processInfo.apiUrl,
      keys,
      defaultLimit: context.defaultRateLimit,
      firewall: { ...firewall, check },
      sandbox,
      latest,
      plans,
      suspension,
    };
    return reply.view(<Broker {...props} refused={refused} />, refusedStatus(refused));
  };
  app.get('/brokers/:broker', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  const page = { path: '/brokers/:broker', show };
  for (const each of [suspendBroker, resumeBroker]) addAction(app, each, page);
  for (const each of [addRecipient, removeRecipient]) addAction(app, each, { ...page, back: hashOf('recipients') });
  const record: NonNullable<Parameters<typeof addAction>[2]['record']> = (request) =>
    showBroker.run(context, { broker: readParam(request, 'broker') });
  addAction(app, setBroker, { ...page, record });
  const firewall = { ...page, path: `${page.path}/firewall`, back: hashOf('firewall') };
  for (const each of [enableFirewall, disableFirewall, allowAddress, removeAddress]) addAction(app, each, firewall);
  const answer = newKeyAnswer(processInfo, newKeyOf);
  addAction(app, createKey, { ...page, path: `${page.path}/keys`, back: hashOf('keys'), answer });

  app.post('/brokers/:broker/remove', { config: { role: 'admin' } }, (request, reply) => {
    const slug = readParam(request, 'broker');
    return act(
      reply,
      async () => {
        if (request.form.get('slug').trim() !== slug) throw invalid({ field: 'slug', message: `must be ${slug}` });
        await removeBroker.run(request.context, { broker: slug });
        return { to: '/brokers', done: `${slug} is removed with all its records.` };
      },
      (failure) => {
        request.shownAt = pathOf.broker(slug);
        return show(request, reply, { failure });
      },
    );
  });
  await key(app, options);
};

/** The row of the key that was made. */
const newKeyOf = ({ key_id }: { key_id: string }, request: Parameters<Show>[0]) =>
  pathOf.key(readParam(request, 'broker'), key_id);

const hashOf = (id: string) => (request: Parameters<Show>[0]) => `${pathOf.broker(readParam(request, 'broker'))}#${id}`;

type Suspension = NonNullable<Awaited<ReturnType<typeof findSuspension>>>;

interface BrokerProps {
  broker: BrokerDetail;
  span: SpanName;
  traffic: Traffic;
  onboarding: Onboarding | null;
  apiUrl: string;
  keys: KeyPage;
  defaultLimit: number;
  firewall: FirewallProps;
  sandbox: SandboxFigures | null;
  latest: LatestProps;
  plans: PlanPage;
  suspension: Suspension | null;
  refused: Refused | undefined;
}

function Broker(props: BrokerProps) {
  const { broker, span, traffic, onboarding, apiUrl, keys, defaultLimit, firewall } = props;
  const { sandbox, latest, plans, suspension, refused } = props;
  const { slug, name } = broker;
  const removable = removableDate(broker);
  const isSuspended = removable !== null;
  const at = pathOf.broker(slug);
  return (
    <Page
      title={name}
      section="/brokers"
      plots
      crumbs={[{ label: 'Brokers', to: '/brokers' }]}
      here={slug}
      state={<Badge state={broker.broker_status} />}
      actions={
        <>
          <SpanTabs span={span} />
          {isSuspended ? (
            <ActionForm useCase={resumeBroker} at={at} of={name}>
              <p>Its keys that are active ({number(broker.active_keys)}) are accepted again within a second.</p>
            </ActionForm>
          ) : null}
          {useOperator().role === 'admin' ? (
            <More of={name}>
              <a class="button" href={`/imports?${new URLSearchParams({ broker: slug })}`}>
                Import from a file
              </a>
              {isSuspended ? null : <ActionForm useCase={suspendBroker} at={at} record={broker} of={name} />}
              <Remove broker={broker} />
            </More>
          ) : null}
        </>
      }
    >
      <Again refused={refused} hints={refused?.form?.useCase === createKey ? newLimitHint(defaultLimit) : {}} />
      {removable === null ? null : <Suspended removable={removable} suspension={suspension} />}
      <nav class="parts" aria-label="Parts of this page">
        <a href="#keys">Keys</a>
        <a href="#plans">Plans</a>
        <a href="#templates">Templates</a>
        <a href="#firewall">Firewall</a>
        <a href="#recipients">Report recipients</a>
      </nav>
      {firewall.ip_restriction_enabled && firewall.rules.length === 0 ? (
        <p class="notice bad">
          The <a href="#firewall">firewall</a> is on and its list is empty: every call is refused.
        </p>
      ) : null}
      <Live>
        <Checklist onboarding={onboarding} apiUrl={apiUrl} />
        <div class="figures">
          <CallsFigure slug={slug} traffic={traffic} span={span} />
          <Figure title="Services" value={<a href={`/services?broker=${slug}`}>{number(broker.services)}</a>}>
            {servicesLine(broker.services_by_status) || 'none yet'}
          </Figure>
          <Figure
            title="Open requests"
            value={<a href={`/requests?broker=${slug}`}>{number(broker.open_requests)}</a>}
            warn={broker.reviews_waiting > 0}
          >
            {broker.reviews_waiting > 0 ? (
              <a href={`/requests?broker=${slug}&status=operator_review`}>{number(broker.reviews_waiting)} to review</a>
            ) : (
              'none to review'
            )}
          </Figure>
          <Figure title="Plans" value={<a href={pathOf.plans(slug)}>{number(broker.plans.active)}</a>}>
            {broker.plans.total > broker.plans.active
              ? `${number(broker.plans.total - broker.plans.active)} no longer sold`
              : 'on sale'}
          </Figure>
        </div>
        <div class="columns wide">
          <Calls traffic={traffic} of={pathOf.calls(slug)} />
          <Card title="About" aside={<ActionForm useCase={setBroker} at={at} record={broker} of={name} />}>
            <Facts
              rows={[
                ['Contact', <span class="mono">{broker.contact_email}</span>],
                ['Sender', <span class="mono">{broker.sender_email}</span>],
                [
                  'Limit',
                  broker.rate_limit === null
                    ? 'each key’s own'
                    : `${number(broker.rate_limit)} a minute over all live keys`,
                ],
                ['Since', <Day at={broker.created_date} />],
                ['Changed', <Time at={broker.updated_date} />],
                ['Id', <CopiedId id={broker.broker_id} />],
                ['Sandbox', sandbox ? <Sandbox of={sandbox} /> : 'not used yet'],
                ['Changes', <a href={`/audit?broker=${slug}`}>Audit trail</a>],
              ]}
            />
          </Card>
        </div>
        <Keys
          slug={slug}
          keys={keys}
          active={broker.active_keys}
          isSuspended={isSuspended}
          defaultLimit={defaultLimit}
        />
      </Live>
      <div class="thirds">
        <Latest slug={slug} {...latest} />
      </div>
      <div class="thirds">
        <Plans slug={slug} plans={plans} />
        <Card
          title="Templates"
          id="templates"
          aside={<a href={`/templates?${new URLSearchParams({ broker: slug })}`}>All kinds</a>}
        >
          {broker.templates.length === 0 ? (
            <p class="quiet">
              None yet: without an active{' '}
              <a href={pathOf.template(slug, 'cancellation-warning')}>cancellation warning</a> no warning can be sent.
            </p>
          ) : (
            <Facts
              long
              rows={broker.templates.map(({ kind, state }) => [
                <a href={pathOf.template(slug, kind)}>{sentence(kind)}</a>,
                <Badge state={state} />,
              ])}
            />
          )}
        </Card>
        <div class="stack">
          <Firewall slug={slug} firewall={firewall} />
          <Recipients at={at} broker={broker} />
        </div>
      </div>
    </Page>
  );
}

/** Calls of the span, with links to them one by one and by key. */
function CallsFigure({ slug, traffic, span }: { slug: string; traffic: Traffic; span: SpanName }) {
  const query = new URLSearchParams({ broker: slug, since: span });
  const refused = traffic.calls - traffic.ends.answered;
  return (
    <Figure title={`Calls, ${SPAN_LABELS[span].label}`} value={<a href={`/calls?${query}`}>{number(traffic.calls)}</a>}>
      {refused > 0 ? (
        <>
          <a href={`/calls/failures?${query}`}>{number(refused)} refused or failed</a> ·{' '}
        </>
      ) : null}
      <Trend traffic={traffic} span={span} /> · <a href={`/usage?${query}`}>Usage</a>
    </Figure>
  );
}

/** Of each kind, the newest that the page shows. */
const LATEST = 5;

/** Plans on sale that it shows. */
const SOLD = 10;

interface LatestProps {
  requests: RequestPage['items'];
  services: ServicePage['items'];
  emails: EmailPage['items'];
  invoices: ShownInvoice[];
}

/** What happened last: requests, new services and emails; nothing where nothing has. */
const Latest = ({ slug, requests, services, emails, invoices }: LatestProps & { slug: string }) => (
  <>
    <Recent title="Latest requests" rows={requests}>
      {(request) => (
        <>
          <span class="grow">
            <RequestLink id={request.request_id} label={titleOf(request)} /> of{' '}
            <ServiceLink number={request.service_number} />
          </span>
          <Badge state={request.request_status} /> <Time at={request.submitted_date} />
        </>
      )}
    </Recent>
    <Recent title="Latest services" rows={services}>
      {({ service_number, label, client, service_status, created_date }) => (
        <>
          <span class="grow cut" dir="auto">
            <ServiceLink number={service_number} /> {label ?? client.name}
          </span>
          <Badge state={service_status} /> <Time at={created_date} />
        </>
      )}
    </Recent>
    <Recent title="Latest emails" rows={emails}>
      {(email) => (
        <>
          <span class="grow cut">
            <EmailLink id={email.email_id} subject={email.subject} />
          </span>
          <EmailState {...email} /> <Time at={email.created_date} />
        </>
      )}
    </Recent>
    <Recent
      title="Latest invoices"
      rows={invoices}
      aside={<a href={`/invoices?${new URLSearchParams({ broker: slug })}`}>All</a>}
    >
      {(invoice) => (
        <>
          <span class="grow cut">
            <span class="mono">{invoice.invoice_number}</span> of <ServiceLink number={invoice.service_number} />
          </span>
          {invoice.amount} {invoice.currency} <Time at={invoice.issued_date} /> <InvoiceState of={invoice} />
        </>
      )}
    </Recent>
  </>
);

function Recent<Row>({
  title,
  rows,
  aside,
  children,
}: {
  title: string;
  rows: Row[];
  aside?: Child;
  children: (row: Row) => Child;
}) {
  if (rows.length === 0) return null;
  return (
    <Card title={title} aside={aside}>
      <ul class="rows">
        {rows.map((row) => (
          <li>{children(row)}</li>
        ))}
      </ul>
    </Card>
  );
}

const Sandbox = ({ of: { services, requests, sandbox_date, called_date } }: { of: SandboxFigures }) => (
  <>
    {number(services)} services, {number(requests)} requests; its date is <Day at={sandbox_date} />, last called{' '}
    <Time at={called_date} />
  </>
);

/** "3 active · 1 ended": all ended states as one figure. */
function servicesLine({ active = 0, suspended = 0, pending = 0, ...ended }: Record<string, number>): string {
  const over = Object.values(ended).reduce((sum, count) => sum + count, 0);
  return Object.entries({ active, suspended, pending, ended: over })
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${number(count)} ${state}`)
    .join(' · ');
}

/** Why its keys are refused, since when, and from when on it can be removed. */
function Suspended({ removable, suspension }: { removable: string; suspension: Suspension | null }) {
  return (
    <p class="notice warn">
      {suspension === null ? (
        'Suspended'
      ) : (
        <>
          Suspended <Time at={suspension.date} /> by <bdi>{suspension.actor}</bdi>
        </>
      )}
      : its keys are refused. {suspension?.reason ? <>Reason: “{<bdi>{suspension.reason}</bdi>}”. </> : null}
      It can be removed from <Minute at={removable} /> on.
    </p>
  );
}

/** Plans that are sold. */
const Plans = ({ slug, plans }: { slug: string; plans: PlanPage }) => (
  <Card title="Plans" id="plans" aside={<a href={pathOf.plans(slug)}>All plans</a>}>
    {plans.items.length === 0 ? (
      <p class="quiet">No plan is on sale.</p>
    ) : (
      <ul class="rows">
        {plans.items.map(({ id, display_name, price }) => (
          <li>
            <span class="grow cut">
              <PlanLink id={id} name={display_name} />
            </span>
            <span class="figure">{priceOf(price)}</span>
          </li>
        ))}
      </ul>
    )}
  </Card>
);

/** Its short name is typed before it is removed; what cannot be done yet is named as that. */
function Remove({ broker }: { broker: BrokerDetail }) {
  const { slug, name, services } = broker;
  const from = removableDate(broker);
  if (from === null || useView().now < Date.parse(from)) {
    return (
      <p class="quiet">
        {from === null ? (
          'Remove: once it has been suspended for a day'
        ) : (
          <>
            Remove: from <Minute at={from} /> on
          </>
        )}
      </p>
    );
  }
  return (
    <Dialog
      id="remove"
      label="Remove…"
      title={`Remove ${name} for good?`}
      action={`${pathOf.broker(slug)}/remove`}
      verb="Remove"
      tone="danger"
      cancel
    >
      <p>
        {number(services)} services go with it, their requests, invoices and emails, its keys, plans and usage; the
        audit trail remains. Before that, <code>broker brokers export {slug} --to DIRECTORY</code> writes all of it into
        files.
      </p>
      <TextField label="Its short name" name="slug" id="remove-slug" required hint={`Type ${slug}`} />
    </Dialog>
  );
}

function Recipients({ at, broker }: { at: string; broker: BrokerDetail }) {
  return (
    <Card
      title="Report recipients"
      id="recipients"
      aside={<ActionForm useCase={addRecipient} at={at} label="Add an address" />}
    >
      <ul class="rows">
        <li>
          <span class="mono cut grow">{broker.contact_email}</span> <span class="quiet">contact</span>
        </li>
        {broker.report_recipients.map((email) => (
          <li>
            <span class="mono cut grow">{email}</span>
            <ActionForm useCase={removeRecipient} at={at} fixed={{ email }} tone="small" />
          </li>
        ))}
      </ul>
    </Card>
  );
}
