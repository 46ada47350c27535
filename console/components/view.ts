import { createContext, useContext } from 'hono/jsx';
import type { OperatorRecord } from '../../src/operator/people/operators.ts';
import type { AssetName } from '../http/assets.ts';
import type { Flash } from '../http/flash.ts';

interface NavigationGroup {
  label: string;
  entries: ReadonlyArray<{ label: string; path: string; badge: number }>;
}

/** What every component can read. */
export interface View {
  /** When the page was made, epoch milliseconds. */
  now: number;
  operator: OperatorRecord | null;
  /** Path and query of the page. */
  url: string;
  /** The same, where the page answers a form: another one than the browser shows. */
  shownAt: string | undefined;
  formToken: string;
  flash: Flash | null;
  navigation: readonly NavigationGroup[];
  /** Shown beside the operator's role, such as "demo data". */
  environmentLabel: string | undefined;
  asset(name: AssetName): string;
}

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (!view) throw new Error('a component is rendered outside of a page');
  return view;
}

/** The signed-in operator. Throws on a page without one. */
export function useOperator(): OperatorRecord {
  const { operator } = useView();
  if (!operator) throw new Error('a page that needs a signed-in operator has none');
  return operator;
}
