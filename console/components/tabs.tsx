import { type Choices, pairsOf } from './form.tsx';
import { withQuery } from './table.tsx';
import { useView } from './view.ts';

interface TabsProps {
  label: string;
  /** The query parameter that holds the chosen value. */
  name: string;
  value: string;
  choices: Choices;
  /** Shown behind the label of a choice, by its value. */
  counts?: Record<string, number>;
}

/** One of several views of a page, as links. */
export function Tabs({ label, name, value, choices, counts = {} }: TabsProps) {
  const { url } = useView();
  return (
    <nav class="tabs" id={`tabs-${name}`} aria-label={label}>
      {pairsOf(choices).map(([choice, text]) => (
        <a
          href={withQuery(url, { [name]: choice, page: undefined })}
          aria-current={choice === value ? 'true' : undefined}
        >
          {text}
          {counts[choice] ? <span class="quiet"> {counts[choice]}</span> : null}
        </a>
      ))}
    </nav>
  );
}
