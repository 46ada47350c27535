import type { Option } from './options.ts';

/** What can be submitted for a plan's services (contract, section 12.4), in its wire form. */
export interface Action {
  readonly name: string;
  readonly display_name: string;
  readonly description: string | null;
  readonly options: readonly Option[];
  readonly requires_operator_review: boolean;
  /** A panel asks its client first. */
  readonly destroys_data: boolean;
}

/** What a plan offers beyond its figures. */
export interface PlanOffer {
  readonly options: readonly Option[];
  readonly actions: readonly Action[];
  readonly hasCredentials: boolean;
  /** For the provisioner alone. */
  readonly provisioning: Readonly<Record<string, unknown>> | null;
}

export const NO_OFFER: PlanOffer = { options: [], actions: [], hasCredentials: false, provisioning: null };

export const MAX_ACTIONS = 20;
/** Of options and actions together, as JSON. */
export const MAX_OFFER_BYTES = 32 * 1024;
export const MAX_PROVISIONING_BYTES = 8 * 1024;

/** The form of the names of options and actions. */
export const NAME_PATTERN = '^[a-z][a-z0-9_]{0,49}$';

/** The columns of an offer. */
export interface OfferColumns {
  options: string;
  actions: string;
  hasCredentials: boolean;
  provisioning: string | null;
}

export const offerOf = (row: OfferColumns | null | undefined): PlanOffer =>
  row
    ? {
        options: JSON.parse(row.options) as Option[],
        actions: JSON.parse(row.actions) as Action[],
        hasCredentials: row.hasCredentials,
        provisioning: row.provisioning === null ? null : (JSON.parse(row.provisioning) as Record<string, unknown>),
      }
    : NO_OFFER;

export const offerColumns = ({ options, actions, hasCredentials, provisioning }: PlanOffer): OfferColumns => ({
  options: JSON.stringify(options),
  actions: JSON.stringify(actions),
  hasCredentials,
  provisioning: provisioning && JSON.stringify(provisioning),
});
