import type { Section } from '../kit.ts';
import { access } from './access.ts';
import { addresses } from './addresses.ts';
import { bodies } from './bodies.ts';
import { failures } from './failures.ts';
import { idempotency } from './idempotency.ts';
import { isolation } from './isolation.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { numbers } from './numbers.ts';
import { planChanges } from './plan-changes.ts';
import { requests } from './requests.ts';
import { scenario } from './scenario.ts';
import { services } from './services.ts';

/** All checks of the kit, in the order in which they run. */
export const SECTIONS: readonly Section[] = [
  addresses,
  keys,
  access,
  bodies,
  numbers,
  services,
  planChanges,
  requests,
  lists,
  idempotency,
  failures,
  isolation,
  scenario,
  limits,
];
