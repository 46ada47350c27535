import { createKey } from '../../src/operator/access/keys.ts';
import { createBroker } from '../../src/operator/brokers/brokers.ts';
import type { Onboarding, Step } from '../../src/operator/brokers/onboarding.ts';
import { mayAct } from '../../src/operator/people/operators.ts';
import { createPlan } from '../../src/operator/plans/plans.ts';
import { Tag } from '../components/badge.tsx';
import { Card, FirstCall } from '../components/card.tsx';
import { pathOf } from '../components/links.tsx';
import { useOperator } from '../components/view.ts';
import { dialogIdOf } from './actions.tsx';

const LABELS: Record<Step['name'], string> = {
  broker: 'Add a broker',
  plan: 'Add its plans',
  key: 'Create a key',
  template: 'Write the cancellation warning',
  call: 'Make a first call with the key',
};

/** What an installation or a broker still needs, in its order; each open step leads to its page. */
export function Checklist({ onboarding, apiUrl }: { onboarding: Onboarding | null; apiUrl: string }) {
  if (onboarding === null) return null;
  const { steps, broker, first_call } = onboarding;
  const done = steps.filter((step) => step.done).length;
  // Its steps are an admin's.
  const isAdmin = mayAct(useOperator().role, 'admin');
  const hasKey = steps.some(({ name, done }) => name === 'key' && done);
  return (
    <Card title="Set up" aside={<span class="quiet">{`${done} of ${steps.length} done`}</span>}>
      <ol class="checklist">
        {steps.map((step) => (
          <li>
            <span aria-hidden="true">{step.done ? '✓' : '○'}</span>{' '}
            {step.done || step.name === 'call' || !isAdmin ? (
              <span class="quiet">{LABELS[step.name]}</span>
            ) : (
              <a href={pageOf(step.name, broker)}>{LABELS[step.name]}</a>
            )}
            <span class="visually-hidden">{step.done ? ': done' : ': open'}</span>
            {step.name === 'plan' && !step.done && isAdmin && broker !== null ? (
              <>
                {' '}
                <span class="quiet">
                  or <a href={`/imports?${new URLSearchParams({ broker })}`}>import them from a file</a>
                </span>
              </>
            ) : null}
            {step.name === 'call' && !step.done && hasKey ? <BrokersFirstCall apiUrl={apiUrl} /> : null}
            {step.name === 'call' && first_call ? <CallMade call={first_call} /> : null}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** A broker's first call. */
export const BrokersFirstCall = ({ apiUrl }: { apiUrl: string }) => (
  <>
    <FirstCall url={`${apiUrl}/v1/auth-check`} />
    <p>
      <a href={`${apiUrl}/docs`}>Documentation for the broker</a>
    </p>
  </>
);

function CallMade({ call }: { call: NonNullable<Onboarding['first_call']> }) {
  const { outcome, key_id, key_prefix, broker } = call;
  return (
    <>
      {': '}
      {outcome === 'ok' ? <Tag tone="good">answered</Tag> : <Tag tone="bad">{outcome}</Tag>} with{' '}
      <a href={pathOf.keyUse(broker, key_id)} class="mono">
        {key_prefix}
      </a>{' '}
      {outcome === 'ok' ? null : (
        <a href={`/calls/failures?${new URLSearchParams({ key: key_prefix, since: '24h' })}`}>Why it was refused</a>
      )}
    </>
  );
}

/** Without a broker every step begins with one; the call is not made here. */
function pageOf(step: Exclude<Step['name'], 'call'>, broker: string | null): string {
  if (broker === null || step === 'broker') return `/brokers#o-${dialogIdOf(createBroker)}`;
  if (step === 'plan') return `${pathOf.plans(broker)}#o-${dialogIdOf(createPlan)}`;
  if (step === 'key') return `${pathOf.broker(broker)}#o-${dialogIdOf(createKey)}`;
  return pathOf.template(broker, 'cancellation-warning');
}
