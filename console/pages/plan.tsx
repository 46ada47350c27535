import type { FastifyRequest } from 'fastify';
import { listAudit } from '../../src/operator/audit.ts';
import {
  findPlan,
  type PlanFile,
  type PlanPreview,
  previewPlan,
  removePlan,
  setPlan,
} from '../../src/operator/plans.ts';
import { addAction, fieldsOf, type Refused, SEEN_FIELD, type Show, statusOf } from '../actions.tsx';
import { Action, Again, allows, factsOf, SeenField } from '../components/action.tsx';
import { Sold, words } from '../components/badge.tsx';
import { Card, Facts, number } from '../components/card.tsx';
import { PlanChange, priceOf } from '../components/change.tsx';
import { Confirm, PostForm, Submit } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, pathOf } from '../components/links.tsx';
import { Offer } from '../components/offer.tsx';
import { Timeline } from '../components/timeline.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { Form } from '../plugins/forms.ts';
import { param } from '../query.ts';
import type { Routes } from '../section.ts';

/** Changes of a plan that its page shows; the audit trail has the others. */
const MAX_CHANGES = 50;

/** One plan, its history, and the forms that change it: first what a change does is shown, then it is made. */
export const plan: Routes = async (app, { context }) => {
  const record = (request: FastifyRequest) => findPlan(context, { planId: param(request, 'planId') });
  const show: Show = async (request, reply, refused) => {
    const file = await record(request);
    const changes = await listAudit(context, {
      broker: file.broker.slug,
      subject: `plan/${file.slug}`,
      limit: String(MAX_CHANGES),
    });
    return reply.view(<Plan file={file} changes={changes} refused={refused} />, statusOf(refused));
  };
  const page = {
    path: '/plans/:planId',
    show,
    record,
    async named(request: FastifyRequest) {
      const { slug, broker } = await record(request);
      return { slug, broker: broker.slug };
    },
  };
  app.get(page.path, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));
  addAction(app, setPlan, page);
  addAction(app, removePlan, { ...page, to: () => '/plans' });
  addAction(app, previewPlan, {
    ...page,
    answer: (preview, request, reply) => reply.view(<Preview preview={preview} form={request.form} />),
  });
};

interface PlanProps {
  file: PlanFile;
  changes: Awaited<ReturnType<typeof listAudit>>;
  refused: Refused | undefined;
}

function Plan({ file, changes, refused }: PlanProps) {
  const { id, slug, display_name, broker } = file;
  const action = { at: pathOf.plan(id), record: file };
  const services = `/services?${new URLSearchParams({ broker: broker.slug, plan: slug })}`;
  return (
    <Page
      title={display_name}
      section="/plans"
      crumbs={[
        { label: 'Plans', to: '/plans' },
        { label: broker.name, to: `/plans?${new URLSearchParams({ broker: broker.slug })}` },
      ]}
      here={<span class="cut">{slug}</span>}
      actions={
        <>
          <Sold active={file.active} />
          <Switch file={file} />
          {file.services + file.ended_services + file.open_requests === 0 ? (
            <Action {...action} useCase={removePlan} />
          ) : null}
          <Action {...action} useCase={previewPlan} label="Edit" />
        </>
      }
    >
      <Again refused={refused} />
      {file.shares_name_with.length === 0 ? null : (
        <p class="told bad">
          The slug or display name of this plan is also one of {file.shares_name_with.join(', ')}: a call that uses it
          gets the plan with that slug. Give one of them another name.
        </p>
      )}
      <div class="columns">
        <div class="stack">
          <Card title="History" aside={<AuditLink subject={`plan/${slug}`} broker={broker.slug} />}>
            {changes.length === 0 ? (
              <p class="quiet">No change is recorded.</p>
            ) : (
              <Timeline
                events={changes.map(({ date, actor, action, before, after }) => ({
                  title: <Changed action={action} before={before} after={after} />,
                  date,
                  detail: <bdi>{actor}</bdi>,
                  note: null,
                }))}
              />
            )}
          </Card>
        </div>
        <div class="stack">
          <Card title="About">
            <Facts
              rows={[
                ['Broker', <BrokerLink {...broker} />],
                ...factsOf(setPlan, file),
                ['Changed', <Timestamp at={file.updated_date} />],
                ['Id', <span class="mono">{id}</span>],
              ]}
            />
          </Card>
          <Offer {...file} />
          <Card title="Used by">
            <Facts
              rows={[
                ['Services', <a href={services}>{number(file.services + file.ended_services)}</a>],
                ['Of these ended', number(file.ended_services)],
                ['Open requests to it', number(file.open_requests)],
              ]}
            />
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** Whether it is sold: the one field that has a button of its own. */
function Switch({ file }: { file: PlanFile }) {
  const { id, display_name, active } = file;
  if (!allows(setPlan)) return null;
  const at = `${pathOf.plan(id)}/set`;
  const hidden = (
    <>
      <SeenField seen={{ active }} />
      <input type="hidden" name="active" value={String(!active)} />
    </>
  );
  if (!active)
    return (
      <PostForm action={at}>
        {hidden}
        <Submit>Sell it again</Submit>
      </PostForm>
    );
  return (
    <Confirm
      id="off"
      label="Switch off…"
      title={`Sell ${display_name} no longer?`}
      action={at}
      verb="Switch off"
      fields={hidden}
    >
      No caller can choose it any more. Services that stay on it: {number(file.services)}. Open requests to it that are
      still completed: {number(file.open_requests)}.
    </Confirm>
  );
}

/** What a change does, and for whom. */
function Preview({ preview: { before, after }, form }: { preview: PlanPreview; form: Form }) {
  const path = pathOf.plan(before.id);
  return (
    <Page
      title={`Change ${before.display_name}?`}
      section="/plans"
      crumbs={[
        { label: 'Plans', to: '/plans' },
        { label: before.display_name, to: path },
      ]}
      here="Change"
    >
      <div class="columns">
        <Card title="What changes">
          <PlanChange from={before} to={after} />
          <Changed action="plan.set" before={before} after={after} />
        </Card>
        <Card title="For whom">
          <p>
            Services on this plan: {number(before.services)}. Open requests to it: {number(before.open_requests)}. They
            have its new values at once.
          </p>
          <div class="decide">
            <PostForm action={`${path}/set`}>
              {[SEEN_FIELD, ...fieldsOf(setPlan).map(([name]) => name)].map((name) => (
                <input type="hidden" name={name} value={form.get(name)} />
              ))}
              <Submit tone="main">Save</Submit>
            </PostForm>
            <a class="button" href={path}>
              Cancel
            </a>
          </div>
        </Card>
      </div>
    </Page>
  );
}

const LEFT_OUT = [
  'id',
  'created_date',
  'updated_date',
  'broker',
  'services',
  'ended_services',
  'open_requests',
  'shares_name_with',
];

/** The fields that differ, with their values before and after. */
function Changed({ action, before, after }: { action: string; before: object | null; after: object | null }) {
  if (!before || !after)
    return (
      <>
        {action === 'plan.remove' ? 'Removed' : 'Created'}
        {after ? valuesOf(after) : null}
      </>
    );
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const lines = [...is]
    .filter(([field, value]) => !LEFT_OUT.includes(field) && JSON.stringify(was.get(field)) !== JSON.stringify(value))
    .map(([field, value]) => [field, textOf(was.get(field)), textOf(value)] as const);
  if (lines.length === 0) return <p class="quiet">Nothing.</p>;
  return (
    <ul class="plain">
      {lines.map(([field, before, after]) => (
        <li dir="auto">
          {words(field)}: {field === 'provisioning' || before === after ? null : <>{before} → </>}
          <strong>{field === 'provisioning' || before === after ? 'changed' : after}</strong>
        </li>
      ))}
    </ul>
  );
}

const valuesOf = (values: object): string => {
  const { price } = values as { price?: { amount: string; currency: string } | null };
  return price ? `: ${priceOf(price)}` : '';
};

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  // Options and actions: what each of them says stands in the audit trail.
  if (Array.isArray(value)) return value.map(({ name }) => name).join(', ') || 'none';
  if ('amount' in value && 'currency' in value) return `${value.amount} ${value.currency}`;
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${words(name)} ${part}`)
    .join(', ');
}
