import type { Child } from 'hono/jsx';
import type { PlanFile } from '../../src/operator/plans/plans.ts';
import type { Option } from '../../src/rules/options.ts';
import { Tag } from './badge.tsx';
import { Card, Facts, number } from './card.tsx';

interface OfferProps extends Pick<PlanFile, 'options' | 'actions' | 'provisioning'> {
  /** What changes the options and the actions, for those who may. */
  tools?: { addOption: Child; removeOption(option: Option): Child; chooseActions: Child } | undefined;
}

/** What the services of a plan can be given and can do, in the words that clients see. */
export function Offer({ options, actions, provisioning, tools }: OfferProps) {
  return (
    <>
      {options.length === 0 && !tools ? null : (
        <Card title="Options" aside={tools?.addOption}>
          {options.length === 0 ? <p class="quiet">Nothing is chosen for its services.</p> : null}
          <Options of={options} tool={tools?.removeOption} />
        </Card>
      )}
      {actions.length === 0 && !tools ? null : (
        <Card title="Actions" aside={tools?.chooseActions}>
          {actions.length === 0 ? <p class="quiet">Its services have none.</p> : null}
          <ul class="rows offered">
            {actions.map(({ name, display_name, description, options, requires_operator_review, destroys_data }) => (
              <li dir="auto">
                <strong>{display_name}</strong> <span class="mono quiet">{name}</span>
                {requires_operator_review ? <Tag tone="warn">reviewed</Tag> : null}
                {destroys_data ? <Tag tone="bad">destroys data</Tag> : null}
                {description === null ? null : <p class="quiet">{description}</p>}
                {options.length === 0 ? null : <Options of={options} />}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {options.length + actions.length > 0 || tools ? null : (
        <Card title="Options and actions">
          <p class="quiet">Nothing is chosen for its services, and they have no actions.</p>
        </Card>
      )}
      {provisioning === null ? null : (
        <Card title="Provisioning">
          <pre class="letter" tabindex={0}>
            {JSON.stringify(provisioning, null, 2)}
          </pre>
        </Card>
      )}
    </>
  );
}

const Options = ({ of, tool }: { of: readonly Option[]; tool?: ((option: Option) => Child) | undefined }) => (
  <Facts
    rows={of.map((option) => [
      <>
        {option.display_name}
        <br />
        <span class="mono">{option.name}</span>
      </>,
      <>
        <Values of={option} /> {option.required && option.default === null ? <Tag tone="none">required</Tag> : null}
        {option.description === null ? null : <p class="quiet">{option.description}</p>}
        {tool?.(option)}
      </>,
    ])}
  />
);

/** Choices that the page names; the edit form has all of them. */
const MAX_NAMED = 10;

/** What can be chosen; a default is bold. */
function Values({ of: option }: { of: Option }) {
  const { type, default: absent, choices = [] } = option;
  if (type !== 'choice') return <>{rulesOf(option)}</>;
  return (
    <>
      {choices.slice(0, MAX_NAMED).map(({ value, display_name }, index) => (
        <>
          {index > 0 ? ', ' : null}
          {value === absent ? <strong title="the default">{display_name}</strong> : display_name}
        </>
      ))}
      {choices.length > MAX_NAMED ? ` and ${choices.length - MAX_NAMED} more` : null}
    </>
  );
}

function rulesOf({ type, default: absent, ...option }: Option): string {
  const { minimum = null, maximum = null, max_length, format = null } = option;
  const parts = [
    type === 'boolean' ? 'yes or no' : type,
    minimum === null ? null : `from ${number(minimum)}`,
    maximum === null ? null : `to ${number(maximum)}`,
    max_length === undefined ? null : `at most ${number(max_length)} characters`,
    format?.replaceAll('_', ' '),
    absent === null ? null : `${typeof absent === 'boolean' ? (absent ? 'yes' : 'no') : absent} by default`,
  ];
  return parts.filter(Boolean).join(', ');
}

type Configuration = Readonly<Record<string, string | number | boolean>>;

interface Chosen {
  configuration?: Configuration | undefined;
  options: readonly Option[];
}

/** What was chosen, by the names that clients see. */
export const chosenOf = ({ configuration = {}, options }: Chosen): Array<[name: Child, value: Child]> =>
  Object.entries(configuration).map(([name, value]) => [nameIn(options, name), valueIn(options, name, value)]);

/** A value of a service that a plan change brings. */
export interface ChosenChange {
  name: Child;
  /** Undefined where it is not known any more. */
  before: string | undefined;
  after: string;
}

/** The same beside what the service has, where that is known. */
export const chosenChanges = ({ configuration = {}, options }: Chosen, stored?: Configuration): ChosenChange[] =>
  Object.entries(configuration).map(([name, value]) => ({
    name: nameIn(options, name),
    before: stored && (stored[name] === undefined ? '–' : valueIn(options, name, stored[name])),
    after: valueIn(options, name, value),
  }));

const optionIn = (options: readonly Option[], name: string) => options.find((option) => option.name === name);

const nameIn = (options: readonly Option[], name: string): Child =>
  optionIn(options, name)?.display_name ?? <span class="mono">{name}</span>;

function valueIn(options: readonly Option[], name: string, value: string | number | boolean): string {
  const choice = optionIn(options, name)?.choices?.find((each) => each.value === value);
  if (choice) return choice.display_name;
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
