import type { Section } from '../check.ts';
import { addresses } from './addresses.ts';
import { cancellations } from './cancellations.ts';
import { idempotency } from './idempotency.ts';
import { bodies, numbers } from './input.ts';
import { isolation } from './isolation.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { offers } from './offers.ts';
import { planChanges } from './plan-changes.ts';
import { reports, requests } from './requests.ts';
import { lifeCycle, sandbox } from './sandbox.ts';
import { services } from './services.ts';

/** All checks, in the order in which they run: the sandbox is new at the first, and the last uses up the key's window. */
export const SECTIONS: readonly Section[] = [
  addresses,
  keys,
  sandbox,
  bodies,
  numbers,
  services,
  planChanges,
  cancellations,
  offers,
  requests,
  reports,
  lists,
  idempotency,
  isolation,
  lifeCycle,
  limits,
];
