import { listPlans } from '../../src/operator/plans/plans.ts';
import { pageServices, SERVICE_ORDERS, SERVICE_STATUSES } from '../../src/operator/services/views.ts';
import { sentence } from '../components/badge.tsx';
import type { Section } from '../http/section.ts';
import { addList, brokerFilter, choicesOf, type List } from '../lists/list-page.tsx';
import { consumption, ServiceViews } from './consumption.tsx';
import { service } from './service.tsx';
import { LISTED_SERVICE_COLUMNS, MACHINE_COLUMNS, type ServiceItem } from './service-columns.tsx';

/** Services of all brokers. */
export const servicesPage: Section = {
  label: 'Services',
  path: '/services',
  async routes(app, options) {
    addList(app, options, LIST);
    await consumption(app, options);
    await service(app, options);
  },
};

const LIST: List<ServiceItem, 'q' | 'broker' | 'status' | 'plan' | 'review' | 'reference'> = {
  title: 'Services',
  path: '/services',
  noun: 'services',
  filters: {
    q: { type: 'text', label: 'Label, client, email, address or number', size: 30 },
    broker: brokerFilter,
    status: {
      type: 'select',
      label: 'Status',
      choices: new Map(SERVICE_STATUSES.map((status) => [status, sentence(status)])),
    },
    plan: {
      type: 'slug',
      label: 'Plan',
      /** The plans of the chosen broker. */
      async load(context, { broker: slug }) {
        const broker = slug === undefined ? null : await context.store.read.brokers.findBySlug(slug);
        if (!broker) return null;
        const plans = (await listPlans.run(context, { broker: broker.slug })).records;
        return choicesOf(plans.map((plan) => [plan.slug, plan.display_name]));
      },
    },
    reference: { type: 'text', label: 'Machine, its beginning', size: 14 },
    review: { type: 'select', label: 'Review', choices: { yes: 'Changes are reviewed', no: 'Not reviewed' } },
  },
  columns: LISTED_SERVICE_COLUMNS,
  columnsOf: ({ reference }) => (reference === undefined ? undefined : MACHINE_COLUMNS),
  orders: SERVICE_ORDERS,
  csv: 'columns',
  load: (context, { q: search, status: service_status, review: requires_operator_review, ...values }, at) =>
    pageServices(context, { ...values, ...at, search, service_status, requires_operator_review }),
  Actions: ServiceViews,
  empty: 'There are no services yet. Brokers create them through the API; existing ones are added by an import.',
};
