import { pageBrokers } from '../../src/operator/broker-views.ts';
import type { ConsoleOptions } from '../section.ts';
import { type Choice, Select } from './form.tsx';

/** So many brokers stand in a list to choose from; of more than that one is named by its slug. */
const MAX_CHOICES = 100;

/** The brokers to choose from; null where there are too many. */
export async function brokerChoices(context: ConsoleOptions['context']): Promise<Choice[] | null> {
  const { items, pagination } = await pageBrokers(context, { perPage: MAX_CHOICES });
  return pagination.totalPages > 1 ? null : items.map(({ slug, name }) => ({ value: slug, label: name }));
}

/** Narrows a list to one broker. */
export function BrokerChoice({ brokers, value }: { brokers: Choice[] | null; value: string | undefined }) {
  if (brokers) {
    const choices = [{ value: '', label: 'Any broker' }, ...brokers];
    return <Select label="Broker" name="broker" quietLabel value={value} choices={choices} />;
  }
  return (
    <input
      type="search"
      name="broker"
      value={value ?? ''}
      maxlength={64}
      placeholder="Broker’s slug"
      aria-label="Broker’s slug"
      autocomplete="off"
    />
  );
}
