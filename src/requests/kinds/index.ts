import type { RequestType } from '../../rules/words.ts';
import { cancellation } from './cancellation.ts';
import { creation } from './creation.ts';
import type { Kind } from './kind.ts';
import { planChange } from './plan-change.ts';
import { warning } from './warning.ts';

/** Every kind of request, one line each: whoever has to do with requests asks here, and never for the type itself. */
export const KINDS: Readonly<Record<RequestType, Kind>> = {
  'plan-upgrade': planChange,
  'plan-downgrade': planChange,
  cancellation,
  'service-creation': creation,
  'cancellation-warning': warning,
};
