import type { FastifyReply, FastifyRequest } from 'fastify';
import { listAudit } from '../../src/operator/audit.ts';
import {
  findPlan,
  type PlanFile,
  type PlanFields as PlanInput,
  type PlanPreview,
  previewPlan,
  removePlan,
  setPlan,
} from '../../src/operator/plans.ts';
import { act, attempt, UNCHANGED } from '../act.ts';
import { Badge, words } from '../components/badge.tsx';
import { Card, Facts, number } from '../components/card.tsx';
import { PlanChange, priceOf, sizeOf } from '../components/change.tsx';
import { Confirm, Dialog, Field, FormAgain, PostForm, Refusal, Select, Submit, TextArea } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, pathOf } from '../components/links.tsx';
import { Timeline } from '../components/timeline.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import { type Edit, editForm, SeenField, type Shown } from '../edits.tsx';
import type { Failure } from '../failures.ts';
import { param } from '../query.ts';
import type { Routes } from '../section.ts';

/** Changes of a plan that its page shows; the audit trail has the others. */
const MAX_CHANGES = 50;

/** One plan, its history, and the forms that change it: first what a change does is shown, then it is made. */
export const plan: Routes = async (app, { context }) => {
  async function show(request: FastifyRequest, reply: FastifyReply, failure?: Failure, edit?: PlanEdit) {
    const file = await findPlan(context, { planId: param(request, 'planId') });
    const changes = await listAudit(context, {
      broker: file.broker.slug,
      subject: `plan/${file.slug}`,
      limit: String(MAX_CHANGES),
    });
    const shown = failure && edit?.again(failure, file);
    return reply.view(<Plan file={file} changes={changes} failure={failure} shown={shown} />, failure?.status);
  }
  app.get('/plans/:planId', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  const named = async (request: FastifyRequest) => {
    const { slug, broker } = await findPlan(context, { planId: param(request, 'planId') });
    return { slug, broker: broker.slug };
  };

  app.post('/plans/:planId/preview', { config: { role: 'admin' } }, async (request, reply) => {
    const edit = EDIT.read(request.form);
    if (edit.isUnchanged) {
      const to = pathOf.plan(param(request, 'planId'));
      return reply.flash({ tone: 'good', text: UNCHANGED }).redirect(to, 303);
    }
    const { value, failure } = await attempt(async () =>
      previewPlan(request.context, { ...(await named(request)), ...changesOf(edit) }),
    );
    if (failure) return show(request, reply, failure, edit);
    return reply.view(<Preview preview={value} given={request.form.pick('seen', ...EDITED)} />);
  });

  app.post('/plans/:planId/set', { config: { role: 'admin' } }, (request, reply) => {
    const edit = EDIT.read(request.form);
    return act(
      reply,
      async () => {
        const { id } = await setPlan(request.context, { ...(await named(request)), ...changesOf(edit) });
        return { to: pathOf.plan(id), done: 'Saved.' };
      },
      (failure) => show(request, reply, failure, edit),
    );
  });

  app.post('/plans/:planId/switch', { config: { role: 'admin' } }, (request, reply) =>
    act(
      reply,
      async () => {
        const active = request.form.get('active') === 'yes';
        const { id } = await setPlan(request.context, { ...(await named(request)), active });
        return { to: pathOf.plan(id), done: active ? 'It is on sale again.' : 'It is no longer sold.' };
      },
      (failure) => show(request, reply, failure),
    ),
  );

  app.post('/plans/:planId/remove', { config: { role: 'admin' } }, (request, reply) =>
    act(
      reply,
      async () => {
        const { display_name } = await removePlan(request.context, await named(request));
        return { to: '/plans', done: `${display_name} was removed.` };
      },
      (failure) => show(request, reply, failure),
    ),
  );
};

const PRICE = ['price.amount', 'price.currency'] as const;

const FIELDS = {
  name: ['display_name'],
  rank: ['upgrade_rank'],
  billing: ['billing_type'],
  price: PRICE,
  currency: ['price.currency', 'price.amount'],
  review: ['requires_operator_review'],
  description: ['description'],
  vcpu: ['specifications.vcpu'],
  memory_mb: ['specifications.memory_mb'],
  disk_gb: ['specifications.disk_gb'],
  transfer_gb: ['specifications.transfer_gb'],
} as const;

type FieldName = keyof typeof FIELDS;

const EDITED = Object.keys(FIELDS) as FieldName[];

const EDIT = editForm<FieldName>(FIELDS);

type PlanEdit = Edit<FieldName>;
type ShownPlan = Shown<FieldName>;

/** What was changed in the form that edits a plan. */
const changesOf = (edit: PlanEdit): PlanInput & Pick<PlanEdit, 'seen'> => ({
  name: edit.given('name'),
  rank: edit.given('rank'),
  billing: edit.given('billing'),
  review: edit.flag('review'),
  description: edit.orNull('description'),
  vcpu: edit.orNull('vcpu'),
  memoryMb: edit.orNull('memory_mb'),
  diskGb: edit.orNull('disk_gb'),
  transferGb: edit.orNull('transfer_gb'),
  price: edit.orNull('price'),
  currency: edit.orNull('currency'),
  seen: edit.seen,
});

/** The fields of the form for a new plan. */
export function fieldsOf(form: FastifyRequest['form']): PlanInput {
  const text = (name: FieldName) => form.given(name) ?? null;
  return {
    name: form.get('name'),
    rank: form.get('rank'),
    billing: form.get('billing'),
    review: form.get('review') === 'yes',
    active: form.get('active') !== 'no',
    description: text('description'),
    vcpu: text('vcpu'),
    memoryMb: text('memory_mb'),
    diskGb: text('disk_gb'),
    transferGb: text('transfer_gb'),
    price: text('price'),
    currency: text('currency'),
  };
}

interface PlanProps {
  file: PlanFile;
  changes: Awaited<ReturnType<typeof listAudit>>;
  failure: Failure | undefined;
  /** The form that was refused. */
  shown: ShownPlan | undefined;
}

function Plan({ file, changes, failure, shown }: PlanProps) {
  const { id, slug, display_name, broker, specifications } = file;
  const admin = useOperator().role === 'admin';
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
          <Badge state={file.active ? 'active' : 'inactive'} />
          {admin ? <Buttons file={file} isEdited={shown !== undefined} /> : null}
        </>
      }
    >
      {failure && shown ? (
        <FormAgain {...editOf(file)} failure={failure}>
          <EditFields shown={shown} />
        </FormAgain>
      ) : (
        <Refusal failure={failure} />
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
                ['Price', priceOf(file.price)],
                ['Billed', file.billing_type],
                ['Rank', String(file.upgrade_rank)],
                ['Changes to it', file.requires_operator_review ? 'are reviewed' : 'are accepted at once'],
                file.description === null ? null : ['Description', <bdi>{file.description}</bdi>],
                ['vCPU', sizeOf(specifications?.vcpu ?? null, '')],
                ['Memory', sizeOf(specifications?.memory_mb ?? null, 'MB')],
                ['Disk', sizeOf(specifications?.disk_gb ?? null, 'GB')],
                ['Transfer', sizeOf(specifications?.transfer_gb ?? null, 'GB')],
                ['Changed', <Timestamp at={file.updated_date} />],
                ['Id', <span class="mono">{id}</span>],
              ]}
            />
          </Card>
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

const editOf = ({ id, display_name }: PlanFile) => ({
  title: `Edit ${display_name}`,
  action: `${pathOf.plan(id)}/preview`,
  verb: 'See what changes',
});

const EditFields = ({ shown: { texts, seen } }: { shown: ShownPlan }) => (
  <>
    <SeenField seen={seen} />
    <PlanFields texts={texts} />
  </>
);

function Buttons({ file, isEdited }: { file: PlanFile; isEdited: boolean }) {
  const { id, display_name, active } = file;
  const path = pathOf.plan(id);
  const unused = file.services + file.ended_services + file.open_requests === 0;
  return (
    <>
      {active ? (
        <Confirm
          id="off"
          label="Switch off…"
          title={`Sell ${display_name} no longer?`}
          action={`${path}/switch`}
          verb="Switch off"
          fields={<input type="hidden" name="active" value="no" />}
        >
          No caller can choose it any more. Services that stay on it: {number(file.services)}. Open requests to it that
          are still completed: {number(file.open_requests)}.
        </Confirm>
      ) : (
        <PostForm action={`${path}/switch`}>
          <input type="hidden" name="active" value="yes" />
          <Submit>Sell it again</Submit>
        </PostForm>
      )}
      {unused ? (
        <Confirm id="remove" label="Remove…" title={`Remove ${display_name}?`} action={`${path}/remove`} verb="Remove">
          It is removed for good. That is refused if a service or request has ever used it.
        </Confirm>
      ) : null}
      {isEdited ? null : (
        <Dialog id="edit" label="Edit…" {...editOf(file)}>
          <EditFields shown={EDIT.of(file)} />
        </Dialog>
      )}
    </>
  );
}

/** The fields of a plan; of a new one they are empty. */
export function PlanFields({ texts }: { texts?: ShownPlan['texts'] }) {
  const size = (name: 'vcpu' | 'memory_mb' | 'disk_gb' | 'transfer_gb', label: string) => (
    <Field label={label} name={name} maxlength={10} value={texts?.[name]} />
  );
  return (
    <>
      <Field label="Name" name="name" id="plan-name" required maxlength={128} value={texts?.name} />
      <Field
        label="Rank"
        name="rank"
        required
        maxlength={10}
        value={texts?.rank}
        hint="Upgrades lead to a higher one"
      />
      <Select
        label="Billing"
        name="billing"
        id="plan-billing"
        value={texts?.billing}
        choices={{ monthly: 'monthly', hourly: 'hourly' }}
      />
      <Field
        label="Price"
        name="price"
        maxlength={22}
        value={texts?.price}
        hint="Such as 9.90; kept as it is written"
      />
      <Field label="Currency" name="currency" maxlength={3} value={texts?.currency} hint="Such as EUR" />
      <Select
        label="Changes to it"
        name="review"
        value={texts?.review}
        choices={{ no: 'are accepted at once', yes: 'are reviewed' }}
      />
      <TextArea label="Description" name="description" value={texts?.description ?? ''} maxlength={2000} rows={3} />
      {size('vcpu', 'vCPU')}
      {size('memory_mb', 'Memory in MB')}
      {size('disk_gb', 'Disk in GB')}
      {size('transfer_gb', 'Transfer in GB')}
    </>
  );
}

/** What a change does, and for whom. */
function Preview({ preview: { before, after }, given }: { preview: PlanPreview; given: Record<string, string> }) {
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
              {Object.entries(given).map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
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

const LEFT_OUT = ['id', 'created_date', 'updated_date', 'broker', 'services', 'ended_services', 'open_requests'];

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
  const lines = [...is].filter(
    ([field, value]) => !LEFT_OUT.includes(field) && JSON.stringify(was.get(field)) !== JSON.stringify(value),
  );
  if (lines.length === 0) return <p class="quiet">Nothing.</p>;
  return (
    <ul class="plain">
      {lines.map(([field, value]) => (
        <li dir="auto">
          {words(field)}: {textOf(was.get(field))} → <strong>{textOf(value)}</strong>
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
  if ('amount' in value && 'currency' in value) return `${value.amount} ${value.currency}`;
  return Object.entries(value)
    .filter(([, part]) => part !== null)
    .map(([name, part]) => `${words(name)} ${part}`)
    .join(', ');
}
