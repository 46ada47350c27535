import type { Clock } from '../clock.ts';
import type { NewId } from '../ids.ts';
import type { Store } from '../store/store.ts';
import { idempotently } from './idempotently.ts';
import type { Change } from './outcome.ts';
import type { Mailer, OperationLog, TemplateRenderer } from './ports.ts';

/** What every operation works with. */
export interface Context {
  store: Store;
  mailer: Mailer;
  templates: TemplateRenderer;
  clock: Clock;
  newId: NewId;
  log: OperationLog;
  change: Change;
}

/** The context in which changes are transactions of the store itself. */
export function createContext(parts: Omit<Context, 'change'>): Context {
  const { store, clock } = parts;
  return {
    ...parts,
    change: (claim, work) => store.tx((tx) => idempotently(tx, claim, clock.now(), () => work(tx))),
  };
}
