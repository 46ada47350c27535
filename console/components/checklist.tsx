import type { Onboarding, Step } from '../../src/operator/onboarding.ts';
import { Tag } from './badge.tsx';
import { Card } from './card.tsx';
import { pathOf } from './links.tsx';
import { Timestamp } from './timestamp.tsx';

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
  const hasKey = steps.some(({ name, done }) => name === 'key' && done);
  return (
    <Card title="Set up" aside={<span class="quiet">{`${done} of ${steps.length} done`}</span>}>
      <ol class="checklist">
        {steps.map((step) => (
          <li>
            <span aria-hidden="true">{step.done ? '✓' : '○'}</span>{' '}
            {step.done || step.name === 'call' ? (
              <span class="quiet">{LABELS[step.name]}</span>
            ) : (
              <a href={pageOf(step.name, broker)}>{LABELS[step.name]}</a>
            )}
            <span class="visually-hidden">{step.done ? ': done' : ': open'}</span>
            {step.name === 'plan' && !step.done && broker !== null ? (
              <>
                {' '}
                <span class="quiet">
                  or <a href={`/imports?${new URLSearchParams({ broker })}`}>import them from a file</a>
                </span>
              </>
            ) : null}
            {step.name === 'call' && !step.done && hasKey ? (
              <>
                <pre class="letter" tabindex={0}>{`curl -H "Authorization: Bearer KEY" ${apiUrl}/v1/auth-check`}</pre>
                <a href={`${apiUrl}/docs`}>Documentation for the broker</a>
              </>
            ) : null}
            {step.name === 'call' && first_call ? <FirstCall call={first_call} /> : null}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function FirstCall({ call }: { call: NonNullable<Onboarding['first_call']> }) {
  const { date, operation, outcome, key_id, key_prefix, broker } = call;
  return (
    <>
      {': '}
      <span class="mono">{operation}</span> <Tag tone={outcome === 'ok' ? 'good' : 'bad'}>{outcome}</Tag> with{' '}
      <a href={pathOf.keyUse(broker, key_id)} class="mono">
        {key_prefix}
      </a>{' '}
      <span class="quiet">
        <Timestamp at={date} />
      </span>{' '}
      {outcome === 'ok' ? (
        <a href={`/calls?${new URLSearchParams({ key: key_prefix, since: '24h' })}`}>Its calls</a>
      ) : (
        <a href={`/calls/failures?${new URLSearchParams({ key: key_prefix, since: '24h' })}`}>Why it was refused</a>
      )}
    </>
  );
}

/** Without a broker every step begins with one; the call is not made here. */
function pageOf(step: Exclude<Step['name'], 'call'>, broker: string | null): string {
  if (broker === null || step === 'broker') return '/brokers';
  if (step === 'plan') return pathOf.plans(broker);
  if (step === 'key') return `${pathOf.broker(broker)}#keys`;
  return pathOf.template(broker, 'cancellation-warning');
}
