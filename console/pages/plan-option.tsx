import {
  findPlan,
  findPlanRecord,
  type OwnedPlanRecord,
  type PlanFile,
  previewPlan,
  setPlan,
} from '../../src/operator/plans/plans.ts';
import { type Fault, invalid, refused } from '../../src/operator/use-case/errors.ts';
import { decideEach } from '../../src/operator/use-case/several.ts';
import { OPTION_TYPES, type OptionType } from '../../src/rules/options.ts';
import { Card, number } from '../components/card.tsx';
import { RefusalNote, Select, Submit, TextArea, TextField } from '../components/form.tsx';
import { BrokerLink, PlanLink, Truncated } from '../components/links.tsx';
import { type Column, Table } from '../components/table.tsx';
import { attempt } from '../forms/act.ts';
import { describeFailure, type Failure } from '../http/failures.ts';
import { readChoice } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import {
  addChosen,
  BulkResult,
  type ChosenList,
  ChosenPage,
  chosenAt,
  chosenIn,
  DecideForm,
  Decisions,
} from '../lists/chosen.tsx';
import type { Form } from '../plugins/forms.ts';

const LIST: ChosenList = {
  field: 'plan_id',
  path: '/plans',
  decidedAt: '/plans/option',
  waiting: '/plans',
  label: 'Plans',
  advice: 'Choose plans in the list.',
};

/** One more option for several plans, of one broker or of many. */
export const planOption: Routes = async (app, { context }) => {
  /** One after the other: a form names up to some hundred, and each counts its services. */
  const plansOf = async (ids: readonly string[]): Promise<PlanFile[]> => {
    const found: PlanFile[] = [];
    for (const planId of ids) {
      const { value } = await attempt(() => findPlan(context, { planId }));
      if (value) found.push(value);
    }
    return found;
  };

  addChosen(app, { ...LIST, role: 'admin' }, async ({ ids, back }, _request, reply) =>
    reply.view(<AddOption back={back} plans={await plansOf(ids)} />),
  );

  app.post('/plans/option/add', { config: { role: 'admin' } }, async (request, reply) => {
    const { form } = request;
    const { ids, back } = chosenIn(form, LIST);
    const plans = new Map<string, OwnedPlanRecord>();
    for (const planId of new Set(ids)) {
      const { value } = await attempt(() => findPlanRecord(context, { planId }));
      if (value) plans.set(planId, value);
    }
    const option = optionIn(form);
    const changeOf = ({ broker, slug, options }: OwnedPlanRecord) =>
      [{ broker: broker.slug, slug, options: JSON.stringify([...options, option]) }, { options }] as const;
    const again = async (faults: Fault[]) => {
      const named = describeFailure(invalid(...faults), labelOf) as Failure;
      request.shownAt = chosenAt(LIST, { ids, back });
      return reply.view(<AddOption back={back} plans={await plansOf(ids)} form={form} failure={named} />, named.status);
    };
    const [only] = plans.size === 1 ? plans.values() : [];
    if (only && hasOption(only, option.name)) return again([{ field: 'name', message: TAKEN }]);
    // What is wrong with the option itself is wrong for each of them, and is said before anything is changed.
    for (const plan of plans.values()) {
      if (hasOption(plan, option.name)) continue;
      const { failure } = await attempt(() => previewPlan.run(request.context, ...changeOf(plan)));
      if (!failure) break;
      const ofOption = faultsOf(failure, plan.options.length);
      if (ofOption.length > 0) return again(ofOption);
    }
    const { decided, failed } = await decideEach('plan_id', ids, async (planId) => {
      // As it is now: the one before may have taken a while.
      const plan = await findPlanRecord(context, { planId });
      if (hasOption(plan, option.name)) throw refused(`The name ${option.name} ${TAKEN}`);
      await setPlan.run(request.context, ...changeOf(plan));
    });
    const to = only ? only.display_name : counted(decided.length);
    const done = `${option.display_name} was added to ${to}.`;
    if (failed.length === 0) return reply.flash({ tone: 'good', text: done }).redirect(back, 303);
    const link = (id: string) => <PlanLink id={id} name={plans.get(id)?.display_name ?? id} />;
    const title = `${counted(failed.length)} not changed`;
    request.shownAt = back;
    return reply.view(
      <BulkResult
        of={LIST}
        heading="Not changed"
        title={title}
        failed={failed}
        link={link}
        back={back}
        done={decided.length > 0 ? done : null}
      />,
    );
  });
};

const LABELS: Readonly<Record<string, string>> = {
  name: 'Name in calls',
  display_name: 'Name',
  default: 'Default',
  choices: 'Choices',
};

const TAKEN = 'is that of another option of the plan';

const hasOption = ({ options }: OwnedPlanRecord, name: string): boolean =>
  options.some((option) => option.name === name);

const labelOf = (field: string): string | undefined => LABELS[field];

/** A fault names the option's place in the plan, as `options.4.choices.0.value` does: here the field of the form. */
const faultsOf = ({ faults = [] }: Failure, index: number) =>
  faults
    .filter(({ field }) => field.startsWith(`options.${index}.`))
    .map(({ field, message }) => ({ field: field.split('.')[2] as string, message }));

const counted = (count: number): string => `${number(count)} ${count === 1 ? 'plan' : 'plans'}`;

/** What the form says, as a plan's file would. */
function optionIn(form: Form) {
  const type = readChoice(form.get('type'), OPTION_TYPES) ?? 'choice';
  const absent = form.given('default');
  return {
    name: form.get('name').trim(),
    display_name: form.get('display_name').trim(),
    type,
    required: form.get('required') === 'true',
    ...(absent !== undefined && { default: readValue(type, absent.trim()) }),
    ...(type === 'choice' && { choices: choicesIn(form.get('choices')) }),
  };
}

const TRUTHS: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false };

/** As it is written: what cannot be read so is refused by the plan’s own rules. */
function readValue(type: OptionType, text: string): string | number | boolean {
  if (type === 'boolean') return TRUTHS[text.toLowerCase()] ?? text;
  return type === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** A line each: the value that calls use and, behind a space, what clients see. */
const choicesIn = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, value = '', shown = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
      return { value, display_name: shown || value };
    });

const COLUMNS: Array<Column<PlanFile>> = [
  { title: 'Name', cell: ({ id, display_name }) => <PlanLink id={id} name={display_name} /> },
  { title: 'Broker', cell: ({ broker }) => <BrokerLink {...broker} /> },
  { title: 'Services', figure: true, named: true, cell: ({ services }) => number(services) },
  {
    title: 'Options now',
    rest: true,
    cell: ({ options }) => <Truncated text={options.map(({ display_name }) => display_name).join(', ') || null} />,
  },
];

const TYPES: Readonly<Record<OptionType, string>> = {
  choice: 'one of several',
  boolean: 'yes or no',
  number: 'a whole number',
  text: 'a text',
};

interface AddOptionProps {
  back: string;
  plans: PlanFile[];
  form?: Form;
  failure?: Failure | undefined;
}

function AddOption({ back, plans, form, failure }: AddOptionProps) {
  const [plan] = plans;
  const to = plan && plans.length === 1 ? plan.display_name : counted(plans.length);
  const title = `Add an option to ${to}`;
  const value = (name: string) => form?.get(name) ?? '';
  const fault = (name: string) => failure?.faults?.find(({ field }) => field === name)?.message;
  return (
    <ChosenPage of={LIST} title={title}>
      <div class="columns even">
        <Card title="The option">
          <RefusalNote failure={failure} />
          <DecideForm of={LIST} ids={plans.map(({ id }) => id)} back={back} action="/plans/option/add">
            <TextField
              label="Name"
              name="display_name"
              value={value('display_name')}
              fault={fault('display_name')}
              hint="What clients see"
              required
              maxlength={100}
              focus={failure === undefined}
            />
            <TextField
              label="Name in calls"
              name="name"
              value={value('name')}
              fault={fault('name')}
              hint="Such as daily_backups; it never changes"
              required
              maxlength={50}
            />
            <Select label="What is chosen" name="type" value={value('type') || 'choice'} choices={TYPES} />
            {/* Of one of several alone: the stylesheet hides it for the others. */}
            <div class="of-choice">
              <TextArea
                label="Choices"
                name="choices"
                value={value('choices')}
                fault={fault('choices')}
                rows={4}
                hint="A line each: the value, a space, what clients see: fra Frankfurt"
              />
            </div>
            <TextField
              label="Default"
              name="default"
              value={value('default')}
              fault={fault('default')}
              hint="Chosen where a call does not say; of yes or no: yes, no. Empty: nothing"
              maxlength={255}
            />
            <Select
              label="Calls"
              name="required"
              value={value('required') || 'false'}
              choices={{ false: 'may leave it out', true: 'have to choose' }}
            />
            <p class="quiet">
              New services, and plan changes, can choose it at once. Services that exist keep what they have.
            </p>
            <Decisions back={back}>
              <Submit tone="main">Add to {to}</Submit>
            </Decisions>
          </DecideForm>
        </Card>
        <div class="card flush">
          <Table label="Plans" columns={COLUMNS} rows={plans} empty={null} />
        </div>
      </div>
    </ChosenPage>
  );
}
