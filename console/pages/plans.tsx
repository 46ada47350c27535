import { createPlan, PLAN_ORDERS, type PlanPage, pagePlans, setPlan } from '../../src/operator/plans/plans.ts';
import { priceOf } from '../components/amounts.ts';
import { Sold, Tag } from '../components/badge.tsx';
import { number } from '../components/card.tsx';
import { BrokerLink, PlanLink, pathOf } from '../components/links.tsx';
import type { Column } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { ActionForm, allows } from '../forms/action-form.tsx';
import { addAction } from '../forms/actions.tsx';
import type { Section } from '../http/section.ts';
import { Choose, ChosenForm } from '../lists/chosen.tsx';
import { addList, brokerFilter, type List } from '../lists/list-page.tsx';
import { plan } from './plan.tsx';
import { planOption } from './plan-option.tsx';

/** Plans of all brokers, and a form that adds one. */
export const plans: Section = {
  label: 'Plans',
  path: '/plans',
  async routes(app, options) {
    const show = addList(app, options, LIST);
    addAction(app, createPlan, { path: '/plans', show, to: ({ id }) => pathOf.plan(id) });
    await planOption(app, options);
    await plan(app, options);
  },
};

type Row = PlanPage['items'][number];

const FORM = 'plan-option';

const ChoosePlan = ({ row: { id, display_name, broker } }: { row: Row }) =>
  allows(setPlan) ? (
    <Choose form={FORM} name="plan_id" id={id} label={`Choose ${display_name} of ${broker.name}`} />
  ) : null;

/** How many, and which ones on hover: the names are longer than a column, and the plan's page has them. */
const Counted = ({ names }: { names: readonly string[] }) => (
  <span title={names.join(', ') || undefined}>{number(names.length)}</span>
);

const COLUMNS: Array<Column<Row>> = [
  {
    title: 'Name',
    order: 'name',
    rest: true,
    value: ({ display_name }) => display_name,
    cell: (row) => (
      <span class="line">
        <ChoosePlan row={row} /> <PlanLink id={row.id} name={row.display_name} />
      </span>
    ),
  },
  { title: 'Slug', wide: true, value: ({ slug }) => slug, cell: ({ slug }) => <span class="mono cut">{slug}</span> },
  {
    title: 'Broker',
    order: 'broker',
    value: ({ broker }) => broker.slug,
    cell: ({ broker }) => <BrokerLink {...broker} />,
  },
  {
    title: 'Status',
    value: ({ active }) => (active ? 'on sale' : 'no longer sold'),
    cell: ({ active, requires_operator_review }) => (
      <span class="line">
        <Sold active={active} /> {requires_operator_review ? <Tag tone="warn">reviewed</Tag> : null}
      </span>
    ),
  },
  {
    title: 'Rank',
    order: 'rank',
    figure: true,
    named: true,
    value: ({ upgrade_rank }) => upgrade_rank,
    cell: ({ upgrade_rank }) => upgrade_rank,
  },
  { title: 'Billed', wide: true, value: ({ billing_type }) => billing_type, cell: ({ billing_type }) => billing_type },
  {
    title: 'Price',
    figure: true,
    named: true,
    value: ({ price }) => (price ? `${price.amount} ${price.currency}` : null),
    cell: ({ price }) => priceOf(price),
  },
  {
    title: 'Services',
    figure: true,
    named: true,
    value: ({ services }) => services,
    cell: ({ services }) => number(services),
  },
  {
    title: 'Options',
    wide: true,
    figure: true,
    value: ({ options }) => options.join(', '),
    cell: ({ options }) => <Counted names={options} />,
  },
  {
    title: 'Actions',
    wide: true,
    figure: true,
    value: ({ actions }) => actions.join(', '),
    cell: ({ actions }) => <Counted names={actions} />,
  },
  {
    title: 'Changed',
    order: 'changed',
    descending: true,
    wide: true,
    value: ({ updated_date }) => updated_date,
    cell: ({ updated_date }) => <Time at={updated_date} />,
  },
];

const ACTIVE = { active: 'true', inactive: 'false' } as const;

const NONE_OF_BROKER = (
  <>
    This broker has no plans yet. Add one, or <a href="/imports">import</a> its catalog.
  </>
);

const LIST: List<Row, 'q' | 'broker' | 'status' | 'billing'> = {
  title: 'Plans',
  path: '/plans',
  noun: 'plans',
  filters: {
    q: { type: 'text', label: 'Name, slug or id', size: 24 },
    broker: brokerFilter,
    status: { type: 'select', label: 'Status', choices: { active: 'On sale', inactive: 'No longer sold' } },
    billing: { type: 'select', label: 'Billing', choices: { monthly: 'Monthly', hourly: 'Hourly' } },
  },
  columns: COLUMNS,
  orders: PLAN_ORDERS,
  csv: 'columns',
  async load(context, { q, status, ...values }, at) {
    const active = status && ACTIVE[status as keyof typeof ACTIVE];
    const found = await pagePlans(context, { ...values, ...at, search: q, active });
    const isBare = values.broker !== undefined && [q, status, values.billing].every((value) => value === undefined);
    return { ...found, empty: isBare ? NONE_OF_BROKER : undefined };
  },
  empty: (
    <>
      There are no plans yet. Add one, or <a href="/imports">import</a> a broker’s catalog.
    </>
  ),
  Choosing: () =>
    allows(setPlan) ? <ChosenForm id={FORM} action="/plans/option" verb="Add an option to the chosen ones…" /> : null,
  Actions: ({ values: { broker = '' }, slugs }) => (
    <ActionForm
      useCase={createPlan}
      at="/plans"
      texts={{ broker }}
      hints={{ broker: 'Whose catalog it joins' }}
      choices={{ broker: slugs.get('broker') ?? undefined }}
      tone="main"
    >
      <p class="quiet">Options and actions: once it is added, its page has forms for them.</p>
    </ActionForm>
  ),
};
