import type { TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { listAudit } from '../../src/operator/audit/audit.ts';
import { actionsToChoose } from '../../src/operator/plans/actions.ts';
import {
  findPlan,
  findPlanName,
  findPlanRecord,
  type PlanFile,
  type PlanPreview,
  previewPlan,
  removePlan,
  setPlan,
} from '../../src/operator/plans/plans.ts';
import { pageServices } from '../../src/operator/services/views.ts';
import { refused as refusedFor } from '../../src/operator/use-case/errors.ts';
import { MAX_OPTIONS, type Option } from '../../src/rules/options.ts';
import { priceOf, priceOver, SIZES, sizeOf, sizesOf } from '../components/amounts.ts';
import { Sold, sentence } from '../components/badge.tsx';
import { Card, Facts, number } from '../components/card.tsx';
import { PlanChange } from '../components/change.tsx';
import { Checkboxes, Confirm, Dialog, PostForm, Submit } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, CopiedId, pathOf } from '../components/links.tsx';
import { Offer } from '../components/offer.tsx';
import { Table } from '../components/table.tsx';
import { Timeline } from '../components/timeline.tsx';
import { Time } from '../components/timestamp.tsx';
import { press } from '../forms/act.ts';
import { ActionForm, Again, allows, SeenField } from '../forms/action-form.tsx';
import { addAction, formFields, type Refused, refusedStatus, SEEN_FIELD, type Show } from '../forms/actions.tsx';
import { readParam } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import type { Form } from '../plugins/forms.ts';
import { LISTED_SERVICE_COLUMNS, type ServiceItem } from './service-columns.tsx';

/** Changes of a plan that its page shows; the audit trail has the others. */
const MAX_CHANGES = 50;

/** Services that its page shows. */
const LATEST = 5;

/** One plan, its history, and the forms that change it: first what a change does is shown, then it is made. */
export const plan: Routes = async (app, { context }) => {
  const record = (request: FastifyRequest) => findPlanRecord(context, { planId: readParam(request, 'planId') });
  const show: Show = async (request, reply, refused) => {
    const file = await findPlan(context, { planId: readParam(request, 'planId') });
    const changes = await listAudit(context, {
      broker: file.broker.slug,
      subject: `plan/${file.slug}`,
      limit: String(MAX_CHANGES),
    });
    const { items: latest } = await pageServices(context, {
      broker: file.broker.slug,
      plan: file.slug,
      perPage: LATEST,
    });
    return reply.view(<Plan file={file} changes={changes} latest={latest} refused={refused} />, refusedStatus(refused));
  };
  const page = {
    path: '/plans/:planId',
    show,
    record,
    named: (request: FastifyRequest) => findPlanName(context, { planId: readParam(request, 'planId') }),
  };
  app.get(page.path, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));
  addAction(app, setPlan, page);
  app.post(`${page.path}/option/remove`, { config: { role: 'admin' } }, async (request, reply) => {
    const { id, slug, broker, options } = await record(request);
    const name = request.form.get('name');
    return press(reply, pathOf.plan(id), async () => {
      const rest = options.filter((option) => option.name !== name);
      if (rest.length === options.length) throw refusedFor(`${slug} has no option ${name} any more`);
      await setPlan.run(request.context, { broker: broker.slug, slug, options: JSON.stringify(rest) }, { options });
      return `${name} is no option any more.`;
    });
  });
  app.post(`${page.path}/actions`, { config: { role: 'admin' } }, async (request, reply) => {
    const { form } = request;
    const { id, slug, broker, actions, ...file } = await record(request);
    const [shown, chosen] = [form.all('shown'), form.all('action')];
    // What was not changed in the form stays as it is now.
    const kept = actionsToChoose({ ...file, actions }).filter(({ name }) =>
      shown.includes(name) === chosen.includes(name) ? actions.some((own) => own.name === name) : chosen.includes(name),
    );
    return press(reply, pathOf.plan(id), async () => {
      await setPlan.run(request.context, { broker: broker.slug, slug, actions: JSON.stringify(kept) }, { actions });
      return 'Saved.';
    });
  });
  addAction(app, removePlan, { ...page, to: () => '/plans' });
  addAction(app, previewPlan, {
    ...page,
    answer: ({ record: preview }, request, reply) => {
      request.shownAt = pathOf.plan(preview.before.id);
      return reply.view(<Preview preview={preview} form={request.form} />);
    },
  });
};

interface PlanProps {
  file: PlanFile;
  changes: Awaited<ReturnType<typeof listAudit>>;
  /** The newest services on it. */
  latest: ServiceItem[];
  refused: Refused | undefined;
}

function Plan({ file, changes, latest, refused }: PlanProps) {
  const { id, slug, display_name, broker } = file;
  const action = { at: pathOf.plan(id), record: file };
  const services = servicesOf(file);
  return (
    <Page
      title={display_name}
      section="/plans"
      crumbs={[
        { label: 'Plans', to: '/plans' },
        { label: broker.name, to: pathOf.broker(broker.slug) },
      ]}
      here={<span class="cut">{slug}</span>}
      state={<Sold active={file.active} />}
      actions={
        <>
          <Switch file={file} />
          {file.services + file.ended_services + file.open_requests === 0 ? (
            <ActionForm {...action} useCase={removePlan} />
          ) : null}
          <ActionForm {...action} useCase={previewPlan} label="Edit" />
        </>
      }
    >
      <Again refused={refused} />
      {file.shares_name_with.length === 0 ? null : (
        <p class="notice bad">
          The slug or display name of this plan is also one of {file.shares_name_with.join(', ')}: a call that uses it
          gets the plan with that slug. Give one of them another name.
        </p>
      )}
      <div class="columns record">
        <div class="stack">
          <Card title="The plan">
            <Facts
              two
              rows={[
                ['Price', priceOver(file)],
                ...sizesOf(file.specifications),
                file.description === null ? null : ['Description', <p class="letter">{file.description}</p>],
                ['Rank', number(file.upgrade_rank)],
                ...(['requires_operator_review', 'has_credentials'] as const).map((field): [string, string] => [
                  nameOf(field),
                  textOf(field, file[field]),
                ]),
                ['Broker', <BrokerLink {...broker} />],
                ['Changed', <Time at={file.updated_date} />],
                ['Id', <CopiedId id={id} />],
              ]}
            />
          </Card>
          <Offer
            {...file}
            provisioning={allows(setPlan) ? file.provisioning : null}
            tools={allows(setPlan) ? toolsOf(file) : undefined}
          />
          <section class="card flush" aria-label="Services on it">
            <div class="head">
              <h2>Services on it</h2>
              <span class="quiet">
                {number(file.services)} living, {number(file.ended_services)} ended, {number(file.open_requests)} open
                requests to it
              </span>
            </div>
            <Table
              label="Services on it"
              columns={LISTED_SERVICE_COLUMNS.filter(({ title }) => !['Plan', 'Broker', 'Since'].includes(title))}
              rows={latest}
              empty={<p>No service has this plan.</p>}
            />
            {file.services + file.ended_services > latest.length ? (
              <p class="more">
                <a href={services}>All {number(file.services + file.ended_services)} services</a>
              </p>
            ) : null}
          </section>
        </div>
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
      </div>
    </Page>
  );
}

const servicesOf = ({ broker, slug }: Pick<PlanFile, 'broker' | 'slug'>): string =>
  `/services?${new URLSearchParams({ broker: broker.slug, plan: slug })}`;

/** What adds an option, takes one away, and chooses actions. */
function toolsOf(file: PlanFile) {
  const { id, options, actions } = file;
  const path = pathOf.plan(id);
  return {
    addOption:
      options.length < MAX_OPTIONS ? (
        <a class="button small" href={`/plans/option?${new URLSearchParams({ back: path, plan_id: id })}`}>
          Add an option…
        </a>
      ) : null,
    removeOption: ({ name, display_name }: Option) => (
      <Confirm
        id={`option-${name}`}
        label="Take away…"
        title={`Take the option ${display_name} away?`}
        action={`${path}/option/remove`}
        verb="Take away"
        tone="small"
        fields={<input type="hidden" name="name" value={name} />}
      >
        It cannot be chosen any more. Services that exist keep what they have.
      </Confirm>
    ),
    chooseActions: (
      <Dialog
        id="actions"
        label="Choose actions…"
        title="What can be done with its services"
        action={`${path}/actions`}
        verb="Save"
        fields
        cancel
      >
        {actions.map(({ name }) => (
          <input type="hidden" name="shown" value={name} />
        ))}
        <Checkboxes
          legend="Actions"
          name="action"
          id="actions"
          choices={
            new Map(
              actionsToChoose(file).map(({ name, display_name, destroys_data }) => [
                name,
                destroys_data ? `${display_name} (destroys data)` : display_name,
              ]),
            )
          }
          chosen={actions.map(({ name }) => name)}
          hint="Others, and what is chosen with one, are written as JSON: Edit"
        />
      </Dialog>
    ),
  };
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
        <Submit>Sell again</Submit>
      </PostForm>
    );
  return (
    <Confirm
      id="off"
      label="Stop selling…"
      title={`Stop selling ${display_name}?`}
      action={at}
      verb="Stop selling"
      fields={hidden}
    >
      No caller can choose it any more. Services that stay on it: {number(file.services)}. Open requests to it that are
      still completed: {number(file.open_requests)}.
    </Confirm>
  );
}

/** A price that is a slip of the hand more often than meant. */
function questionOf({ price: was }: PlanPreview['before'], { price: is }: PlanPreview['after']): string | null {
  if (was && !is) return `It costs ${priceOf(was)} now, and would have no price.`;
  if (!was || !is || was.currency !== is.currency || Number(was.amount) === 0) return null;
  const ratio = Number(is.amount) / Number(was.amount);
  if (ratio >= 0.5 && ratio <= 2) return null;
  return `The price changes from ${priceOf(was)} to ${priceOf(is)}: to ${number(Math.round(ratio * 100))} % of what it was.`;
}

/** What a change does, and for whom. */
function Preview({ preview: { before, after }, form }: { preview: PlanPreview; form: Form }) {
  const path = pathOf.plan(before.id);
  const question = questionOf(before, after);
  const fields = [SEEN_FIELD, ...formFields(setPlan).map(([name]) => name)].map((name) => (
    <input type="hidden" name={name} value={form.get(name)} />
  ));
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
          <Changed action="plan.set" before={before} after={after} leftOut={COMPARED} />
        </Card>
        <Card title="For whom">
          <p>
            Services on this plan: {number(before.services)} living, {number(before.ended_services)} ended (
            <a href={servicesOf(before)}>see all {number(before.services + before.ended_services)}</a>). Open requests
            to it: {number(before.open_requests)}. They have its new values at once.
          </p>
          <div class="decide">
            {question === null ? (
              <PostForm action={`${path}/set`}>
                {fields}
                <Submit tone="main">Save</Submit>
              </PostForm>
            ) : (
              <Confirm
                id="price"
                label="Save…"
                title="Is this price right?"
                action={`${path}/set`}
                verb="Save"
                tone="main"
                fields={fields}
              >
                {question}
              </Confirm>
            )}
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

/** What the comparison of two plans shows already. */
const COMPARED = [...LEFT_OUT, 'display_name', 'price', ...SIZES.map(([, field]) => field)];

interface ChangedProps {
  action: string;
  before: object | null;
  after: object | null;
  leftOut?: readonly string[];
}

/** The fields that differ, with their values before and after. */
function Changed({ action, before, after, leftOut = LEFT_OUT }: ChangedProps) {
  if (!before || !after)
    return (
      <>
        {action === 'plan.remove' ? 'Removed' : 'Created'}
        {after ? valuesOf(after) : null}
      </>
    );
  const [was, is] = [flat(before), flat(after)];
  const lines = [...is]
    .filter(([field, value]) => !leftOut.includes(field) && JSON.stringify(was.get(field)) !== JSON.stringify(value))
    .map(([field, value]) => [field, textOf(field, was.get(field)), textOf(field, value)] as const);
  if (lines.length === 0) return leftOut === COMPARED ? null : <p class="quiet">Nothing.</p>;
  return (
    <ul class="plain">
      {lines.map(([field, before, after]) => (
        <li dir="auto">
          {nameOf(field)}: {field === 'provisioning' || before === after ? null : <>{before} → </>}
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

/** The fields of a plan, each of its sizes as one. */
const flat = (plan: object): Map<string, unknown> =>
  new Map(
    Object.entries(plan).flatMap(([field, value]) =>
      field === 'specifications' && value !== null ? Object.entries(value as object) : [[field, value]],
    ),
  );

const sizeNamed = (field: string) => SIZES.find(([, name]) => name === field);

/** The field as the form has it; undefined for a price, whose parts are two fields. */
const fieldOf = (field: string) => (setPlan.input.properties as Readonly<Record<string, TSchema>>)[field];

const nameOf = (field: string): string => sizeNamed(field)?.[0] ?? fieldOf(field)?.title ?? sentence(field);

function textOf(field: string, value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const unit = sizeNamed(field)?.[2];
  if (unit !== undefined) return sizeOf(Number(value), unit);
  if (typeof value !== 'object') return fieldOf(field)?.choices?.[String(value)] ?? String(value);
  // Options and actions: what each of them says stands in the audit trail.
  if (Array.isArray(value)) return value.map(({ name }) => name).join(', ') || 'none';
  return 'amount' in value ? priceOf(value as { amount: string; currency: string }) : 'set';
}
