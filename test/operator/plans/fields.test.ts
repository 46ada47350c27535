import type { TObject, TSchema } from '@sinclair/typebox';
import t from 'tap';
import { formFields } from '../../../console/forms/actions.tsx';
import { listAudit } from '../../../src/operator/audit/audit.ts';
import { createBroker } from '../../../src/operator/brokers/brokers.ts';
import { createPlan, listPlans, previewPlan, setPlan, showPlan } from '../../../src/operator/plans/plans.ts';
import { PLAN_COLUMNS } from '../../../src/operator/plans/record.ts';
import { valueAt } from '../../../src/operator/use-case/stale.ts';
import { bodyOf } from '../../../src/operator-api/schemas.ts';
import { BROKER, createOperatorContext } from '../../support/operator-context.ts';

/** Another value of a field, as a form or a command gives it. */
function another({ type, enum: values, json, format, pattern }: TSchema): string {
  if (json === 'provisioning') return '{"template": 9000}';
  if (json) return '[]';
  if (type === 'boolean') return 'true';
  if (values) return values.at(-1);
  if (type === 'integer') return '77';
  if (format === 'amount') return '7.70';
  return pattern?.includes('A-Z') ? 'CHF' : 'another';
}

/** The schema at a path. */
const schemaAt = (schema: TSchema, path: string): TSchema | undefined =>
  path.split('.').reduce<TSchema | undefined>((at, name) => (at as TObject | undefined)?.properties?.[name], schema);

t.test(
  'a field of a plan that is declared is in the record, file, form, preview, audit row and the API’s schemas',
  async (t) => {
    const context = await createOperatorContext();
    t.teardown(() => context.close());
    await createBroker.run(context, BROKER);
    const plan = { broker: 'acme', slug: 'start' };
    const price = { 'price.amount': '1.00', 'price.currency': 'EUR' };
    await createPlan.run(context, {
      ...plan,
      ...price,
      display_name: 'S',
      upgrade_rank: 1,
      billing_type: 'monthly',
      active: 'false',
    });
    const [listed] = (await listPlans.run(context, { broker: 'acme' })).records;
    const columns = [...(listPlans.columns ?? []), ...(listPlans.furtherColumns ?? [])];
    const fields = Object.entries<TSchema>(setPlan.input.properties).filter(([path]) => !(path in plan));
    t.ok(fields.length >= 12);
    for (const [path, field] of fields) {
      const given = { ...plan, [path]: another(field) };
      const before = valueAt(await showPlan.run(context, plan), path);
      const { after } = await previewPlan.run(context, given);
      const changed = valueAt(after, path);
      t.ok(path === 'options' || path === 'actions' || changed !== before, `${path} changes in the preview`);
      await setPlan.run(context, given);
      t.strictSame(valueAt(await showPlan.run(context, plan), path), changed, `${path} in the record`);
      const [row] = await listAudit(context, { action: 'plan.set', limit: 1 });
      // Of what no broker sees the trail has that it changed.
      const written = path === 'provisioning' ? 'changed' : changed;
      if (changed !== before && !['options', 'actions'].includes(path)) {
        t.strictSame(valueAt(row?.after as object, path), written, `${path} in the trail`);
      }
      t.ok(
        path === 'provisioning' || (path.split('.')[0] as string) in (listed as object),
        `${path} in lists and exports`,
      );
      t.ok(path === 'provisioning' || columns.includes(path), `${path} in the columns of the list`);
      t.ok(
        PLAN_COLUMNS.some((column) => column.field === path),
        `${path} in files`,
      );
      t.ok(
        formFields(setPlan).some(([name]) => name === path),
        `${path} in the form and its facts`,
      );
      t.ok(schemaAt(bodyOf(setPlan), path), `${path} in the body of the API`);
      t.ok(schemaAt(setPlan.answer as TSchema, path), `${path} in the API’s answers`);
    }
  },
);
