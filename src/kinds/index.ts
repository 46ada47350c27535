import { keysOf } from '../rules/keys.ts';
import { cancellation } from './cancellation.ts';
import { creation } from './creation.ts';
import type { Kind } from './kind.ts';
import { planDowngrade, planUpgrade } from './plan-change.ts';
import { serviceAction } from './service-action.ts';
import { suspension, unsuspension } from './suspension.ts';
import { warning } from './warning.ts';

/** Every type of request. A new type is one file in this folder and one line here; everything else is derived. */
const TABLE = {
  'cancellation-warning': warning,
  'plan-upgrade': planUpgrade,
  'plan-downgrade': planDowngrade,
  cancellation,
  'service-suspension': suspension,
  'service-unsuspension': unsuspension,
  'service-creation': creation,
  'service-action': serviceAction,
};

export type RequestType = keyof typeof TABLE;
export const KINDS: Readonly<Record<RequestType, Kind & { template: TemplateKind }>> = TABLE;
export const REQUEST_TYPES = keysOf(KINDS);

/** The types of which a failed one can be done once more: a service whose creation failed has ended. */
export const RETRIED_TYPES = REQUEST_TYPES.filter((type) => {
  const { statuses, createsService } = KINDS[type];
  return statuses.includes('failed') && createsService !== true;
});

/** The types that clients can submit. */
export type ClientRequestType = {
  [T in RequestType]: (typeof TABLE)[T] extends { clientField: string } ? T : never;
}[RequestType];
export const CLIENT_REQUEST_TYPES = REQUEST_TYPES.filter(
  (type): type is ClientRequestType => KINDS[type].clientField !== undefined,
);

/** The fields of a type's record in addition to those of every type. */
export type FieldOf<T extends RequestType> = (typeof TABLE)[T]['fields'][number];

export type PlanChangeType = Extract<RequestType, `plan-${string}`>;

/** The kinds of email templates: a warning is sent when the caller submits it, the others when the work is done. */
type TemplateKind = (typeof TABLE)[RequestType]['template'];
export const TEMPLATE_KINDS = [...new Set(REQUEST_TYPES.map((type) => KINDS[type].template))] as TemplateKind[];

/** The exclusion groups of the types (`Kind.excludes`). */
export const EXCLUSIONS = [...new Set(REQUEST_TYPES.flatMap((type) => KINDS[type].excludes ?? []))];
export const typesExcludedBy = (word: string): RequestType[] =>
  REQUEST_TYPES.filter((type) => KINDS[type].excludes === word);
