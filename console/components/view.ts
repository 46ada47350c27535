import { createContext, useContext } from 'hono/jsx';
import type { OperatorRecord } from '../../src/operator/operators.ts';
import type { Flash } from '../flash.ts';
import type { AssetName } from '../plugins/assets.ts';

/** What every part of a page may look at. */
export interface View {
  /** The moment of the page, epoch milliseconds: ages count from it. */
  now: number;
  operator: OperatorRecord | null;
  /** Path and query of the page. */
  url: string;
  formToken: string;
  flash: Flash | null;
  navigation: Array<{ label: string; path: string; badge: number }>;
  /** Stands beside the person's role: that these are demo data. */
  environmentLabel: string | undefined;
  asset(name: AssetName): string;
}

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (!view) throw new Error('a part of a page stands outside of it');
  return view;
}

/** The person at work, on a page that only people see who are signed in. */
export function useOperator(): OperatorRecord {
  const { operator } = useView();
  if (!operator) throw new Error('a page of somebody who is signed in is shown to nobody');
  return operator;
}
