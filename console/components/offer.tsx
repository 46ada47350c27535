import type { PlanFile } from '../../src/operator/plans.ts';
import type { Option } from '../../src/rules/options.ts';
import { Tag } from './badge.tsx';
import { Card } from './card.tsx';

/** What the services of a plan can be given and can do. */
export function Offer({ options, actions, provisioning }: Pick<PlanFile, 'options' | 'actions' | 'provisioning'>) {
  return (
    <>
      <Card title="Options">
        {options.length === 0 ? <p class="quiet">Nothing is chosen for its services.</p> : <Options of={options} />}
      </Card>
      <Card title="Actions">
        {actions.length === 0 ? (
          <p class="quiet">Its services can do nothing besides.</p>
        ) : (
          <ul class="plain">
            {actions.map(({ name, display_name, description, options, requires_operator_review, destroys_data }) => (
              <li dir="auto">
                <strong>{display_name}</strong> <span class="mono">{name}</span>{' '}
                {requires_operator_review ? <Tag tone="warn">reviewed</Tag> : null}{' '}
                {destroys_data ? <Tag tone="bad">destroys data</Tag> : null}
                {description === null ? null : <div class="quiet">{description}</div>}
                {options.length === 0 ? null : <Options of={options} />}
              </li>
            ))}
          </ul>
        )}
      </Card>
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

const Options = ({ of }: { of: readonly Option[] }) => (
  <ul class="plain">
    {of.map((option) => (
      <li dir="auto">
        {option.display_name} <span class="mono">{option.name}</span>: {rulesOf(option)}
        {option.description === null ? null : <div class="quiet">{option.description}</div>}
      </li>
    ))}
  </ul>
);

/** Choices that the page names; the edit form has all of them. */
const MAX_NAMED = 10;

function rulesOf({ type, required, default: absent, choices = [], ...option }: Option): string {
  const { minimum = null, maximum = null, max_length, format = null } = option;
  const more = choices.length > MAX_NAMED ? ` and ${choices.length - MAX_NAMED} more` : '';
  const parts = [
    type === 'choice'
      ? `one of ${choices
          .slice(0, MAX_NAMED)
          .map(({ value }) => value)
          .join(', ')}${more}`
      : type,
    minimum === null ? null : `from ${minimum}`,
    maximum === null ? null : `to ${maximum}`,
    max_length === undefined ? null : `at most ${max_length} characters`,
    format?.replaceAll('_', ' '),
    absent === null ? null : `${absent} by default`,
    required && absent === null ? 'required' : null,
  ];
  return parts.filter(Boolean).join(', ');
}
