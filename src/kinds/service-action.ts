import { fail, refuseIf } from '../errors.ts';
import { MINUTE_MS } from '../rules/durations.ts';
import { configurationOf, configure } from '../rules/options.ts';
import { ALL_BUT_WARNINGS } from '../rules/words.ts';
import { failureIfEnded, type Kind, refusalOfEnded, type Unmet } from './kind.ts';

/** What else a service's plan lets its services do: a restart, a reinstallation (contract, section 12.4). */
export const serviceAction = {
  component: 'ServiceActionRequest',
  fields: ['action', 'configuration'],
  statuses: ALL_BUT_WARNINGS,
  excludes: 'action',
  precedence: 5,
  action: 'service.action',
  template: 'service-action-completed',
  outlastsCancellation: true,
  startsMachine: true,
  readsOffer: 'current_plan',
  // Longer than a provisioner's restart, and not for hours as other work: a restart that comes at night does harm.
  tried: { forMs: 15 * MINUTE_MS, maxPauseMs: MINUTE_MS },
  assess({ service, open, offer, hasProvisioner }, { id, action: name, configuration = {} }) {
    refuseIf(refusalOfEnded(service, 'it can do nothing any more'));
    if (service.status !== 'active') {
      throw fail.invalidState(
        'service_not_active',
        `The service is ${service.status}; only an active service takes actions`,
      );
    }
    const action = offer.actions.find((one) => one.name === name);
    if (!action) {
      throw fail.invalidParameter(
        'action_not_available',
        'The plan of this service has no action of this name; the service shows which it has',
      );
    }
    // What was submitted already was checked then.
    const isNew = id === undefined;
    const { values, faults } = isNew
      ? configure(action.options, configuration, 'body.configuration', {
          stored: configurationOf(service.configuration),
        })
      : { values: {}, faults: [] };
    if (faults.length > 0) throw fail.invalidFields(faults);
    if (open.action) {
      throw fail.invalidState(
        'action_in_progress',
        'Another action of this service is still open; wait until it is final',
        {
          request_id: open.action.id,
        },
      );
    }
    return {
      currentPlan: null,
      newPlan: null,
      // Without a provisioner a person does it: to accept it says that it is done.
      needsReview: action.requires_operator_review || !hasProvisioner,
      effectiveAt: null,
      fields: {
        actionName: action.name,
        actionDisplayName: action.display_name,
        actionConfiguration: JSON.stringify(values),
      },
    };
  },
  audited: ({ request: { actionName } }) => ({ after: { action: actionName } }),
  precondition: (service) => failureIfEnded(service) ?? (service.status === 'active' ? undefined : NOT_ACTIVE),
  /** What was chosen for the action is the service's own where its plan has an option of that name. */
  configure({ configuration }, { actionConfiguration }, { options }) {
    const chosen = Object.entries(configurationOf(actionConfiguration));
    const lasting = chosen.filter(([name]) => options.some((option) => option.name === name));
    if (lasting.length === 0) return {};
    return {
      configuration: JSON.stringify({ ...configurationOf(configuration), ...Object.fromEntries(lasting) }),
    };
  },
} as const satisfies Kind;

const NOT_ACTIVE: Unmet = { reason: 'service_not_active', message: 'The service is not active' };
