import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { fail } from '../../errors.ts';
import type { RequestInput } from '../../kinds/kind.ts';
import type { OperatorsWord } from '../../kinds/suspension.ts';
import { addService } from '../../lifecycle/create-service.ts';
import { findOpenRequests } from '../../lifecycle/load-for-change.ts';
import { submit } from '../../lifecycle/submit.ts';
import { bringToMachine } from '../../lifecycle/suspend-machine.ts';
import { type RequestRecord, requestRecord } from '../../records.ts';
import type { Action } from '../../rules/offers.ts';
import { configurationOf, keptValue, type Option, textLengthOf } from '../../rules/options.ts';
import { CANCELLATION_TYPES, isEnded } from '../../rules/words.ts';
import { type Change, transact } from '../../store/change.ts';
import type { ServiceRow } from '../../store/queries/services.ts';
import { explainRefusal, REQUEST_RECORD } from '../requests/decisions.ts';
import {
  BROKER,
  type ChangeDeps,
  type OperatorContext,
  type ReadDeps,
  requireBroker,
  requireOwner,
  SERVICE_NAME,
  unknownService,
} from '../use-case/dependencies.ts';
import { type OperatorError, ofRule, unknown } from '../use-case/errors.ts';
import {
  type Field,
  flag,
  folded,
  integer,
  line,
  mailbox,
  nullable,
  oneOf,
  openObject,
  text,
} from '../use-case/fields.ts';
import { refuseStale, type Seen } from '../use-case/stale.ts';
import { type UseCase, useCase } from '../use-case/use-case.ts';
import { type ManagedService, requireView, showService } from './views.ts';

/** What the operator does with services that is carried out (contract, section 12.6). */

export type WorkDeps = ChangeDeps & Pick<OperatorContext, 'hasProvisioner'>;

/** The choice of an operator to leave the machine as it is. */
export const RECORDS_ONLY = flag({
  title: 'What changes',
  option: 'records-only',
  description: 'Change the record alone; the provisioner is not called',
  choices: { false: 'the record and the machine', true: 'the record alone' },
  default: false,
});

/** Whether anything carries out what the operator does. */
export const isCarriedOut = ({ hasProvisioner }: WorkDeps): boolean => hasProvisioner === true;

/** Brings the suspension that the record shows to the machine, in the transaction of the record's change. */
export const suspendMachine =
  ({ actor }: WorkDeps, reason: string | null) =>
  async (change: Change, service: ServiceRow): Promise<void> => {
    await explainRefusal(bringToMachine(change, service, { word: 'suspend' satisfies OperatorsWord, reason, actor }));
  };

/** Why the suspension of a service that has none cannot be lifted. */
export const notSuspended = ({ number, status }: Pick<ServiceRow, 'number' | 'status'>): OperatorError =>
  ofRule(
    fail.invalidState(
      isEnded(status) ? `service_${status}` : 'service_not_suspended',
      `Service ${number} is ${status}, not suspended`,
    ),
  );

/** Submits the end of a suspension, which is lifted when its work is done. Throws an `OperatorError`. */
export const submitResume = (
  deps: WorkDeps,
  { broker: slug, service_number: number }: { broker?: string; service_number: number },
  seen: Seen | undefined,
): Promise<ManagedService> =>
  transact(deps, async (change) => {
    const { tx } = change;
    const broker = await requireOwner(tx, { broker: slug, service_number: number });
    const service = await tx.services.lock(broker.id, number);
    if (!service) throw unknownService(broker.slug, number);
    refuseStale(seen, await requireView(tx, broker, number));
    if (service.status !== 'suspended' && !(await findOpenRequests(tx, service)).suspend) {
      throw notSuspended(service);
    }
    await explainRefusal(bringToMachine(change, service, { word: 'unsuspend', reason: null, actor: deps.actor }));
    return requireView(tx, broker, number);
  });

/** A request of origin operator: accepted at once, announced in no email. */
function submitForOperator(
  deps: WorkDeps,
  named: { broker?: string; service_number: number },
  type: 'cancellation' | 'service-action',
  input: RequestInput,
): Promise<RequestRecord> {
  const { actor } = deps;
  return explainRefusal(
    transact(deps, async (change) => {
      const { id: brokerId } = await requireOwner(change.tx, named);
      const serviceNumber = named.service_number;
      const submitted = await submit(
        change,
        { brokerId },
        { ...input, serviceNumber },
        {
          type,
          origin: 'operator',
          actor,
        },
      );
      return requestRecord(submitted, change.now);
    }),
  );
}

/** Creates a service as the broker's own order would; of the operator's API alone (contract, section 13.2). */
export const createServiceOf = useCase({
  name: 'services create',
  role: 'support',
  audits: ['service.create'],
  title: 'Create service',
  summary: 'Order a service',
  description: 'Order a service for a broker’s client; the broker sees the request and cannot withdraw it',
  example: 'services create --broker acme --plan starter --client-name "Ada Example" --client-email ada@example.com',
  input: Type.Object({
    ...BROKER,
    plan: text(128, { title: 'Plan', description: 'Id, slug or display name of an active plan' }),
    'client.name': folded(200, { title: 'Client’s name', option: 'client-name' }),
    'client.email': mailbox({ title: 'Client’s email', option: 'client-email' }),
    label: Type.Optional(folded(255, { title: 'Label', description: 'A name for the service' })),
    external_reference: Type.Optional(folded(255, { title: 'Reference', description: 'The broker’s own reference' })),
    configuration: Type.Optional(nullable(openObject({ description: 'Values by the names of the plan’s options' }))),
  }),
  on: ['broker'],
  path: 'POST /brokers/:broker/services',
  answer: REQUEST_RECORD,
  reasons: ['plan_not_available'],
  run: (deps: WorkDeps, { broker: slug, plan, label = null, external_reference: externalReference = null, ...given }) =>
    explainRefusal(
      transact(deps, async (change) => {
        const { id: brokerId } = await requireBroker(change.tx, slug);
        const client = { name: given['client.name'], email: given['client.email'] };
        const input = { plan, client, label, externalReference, configuration: given.configuration ?? {} };
        const { actor } = deps;
        return requestRecord(await addService(change, { brokerId }, input, { origin: 'operator', actor }), change.now);
      }),
    ),
});

const ON_SERVICE = { on: ['broker', 'service_number'], argument: 'service_number' } as const;

/** Cancels a service, or repeats the clean-up after a creation that failed. */
export const cancelService = useCase({
  name: 'services cancel',
  role: 'support',
  audits: ['service.cancel'],
  title: 'Cancel service',
  summary: 'Cancel a service',
  description:
    'Cancel a service at the end of its term or at once, or clean up after a creation that failed; the broker cannot withdraw that',
  example: 'services cancel 1000001 --type immediate --reason "unpaid"',
  input: Type.Object({
    ...SERVICE_NAME,
    cancellation_type: oneOf(CANCELLATION_TYPES, {
      title: 'When',
      option: 'type',
      default: 'end_of_term',
      choices: { end_of_term: 'at the end of its term', immediate: 'at once' },
    }),
    reason: Type.Optional(text(1000, { title: 'Reason', description: 'The broker can read it', multiline: true })),
  }),
  ...ON_SERVICE,
  path: 'POST /services/:service_number/cancel',
  answer: REQUEST_RECORD,
  reasons: ['service_cancelled', 'service_terminated', 'cancellation_scheduled', 'end_of_term_not_available'],
  show: showService.run,
  confirm: ({ service_number: number, client, plan }, { cancellation_type: type }) =>
    type === 'immediate' ? `Service ${number} of ${client.name} (${plan.display_name}) is removed at once.` : null,
  done: ({ effective_date: date }: RequestRecord) =>
    `Submitted: the service is cancelled ${date ? `from ${String(date).slice(0, 10)} on` : 'when that is done'}.`,
  run: (deps: WorkDeps, { cancellation_type: cancellationType, reason = null, ...named }) =>
    submitForOperator(deps, named, 'cancellation', { cancellationType, reason }),
});

/**
 * The actions that the plan of a service offers; the default of an option is the value that the service has, if that is valid.
 * Throws an `OperatorError`.
 */
export async function listActions(
  { store }: Pick<ReadDeps, 'store'>,
  named: { broker?: string; service_number: number },
): Promise<readonly Action[]> {
  const { read } = store;
  const { id, slug } = await requireOwner(read, named);
  const service = await read.services.find(id, named.service_number);
  if (!service) throw unknownService(slug, named.service_number);
  const { actions } = await read.plans.findOffer(id, service.planId);
  const stored = configurationOf(service.configuration);
  return actions.map((action) => ({
    ...action,
    options: action.options.map((option) => ({ ...option, default: keptValue(option, stored) })),
  }));
}

/** The names of an action's options in the input of its use case. */
export const CONFIGURATION = 'configuration.';

export type ActionUseCase = UseCase<
  WorkDeps & ReadDeps,
  ReturnType<typeof inputOf>,
  RequestRecord,
  Awaited<ReturnType<typeof showService.run>>
>;

const inputOf = ({ options }: Action) => {
  const fields = options.map((option) => [`${CONFIGURATION}${option.name}`, fieldOf(option)] as const);
  return Type.Object({ ...SERVICE_NAME, ...(Object.fromEntries(fields) as TProperties) });
};

/** The name of an action's use case. */
export const nameOfAction = (action: string): string => `services action ${action}`;

/** Runs one action of a plan: its options are the fields of the form. */
export const actionUseCase = (action: Action): ActionUseCase =>
  useCase({
    name: nameOfAction(action.name),
    role: 'support',
    audits: ['service.action'],
    title: action.display_name,
    description: action.description ?? action.display_name,
    example: `services action 1000001 ${action.name}`,
    input: inputOf(action),
    ...ON_SERVICE,
    show: (deps: WorkDeps & ReadDeps, { broker, service_number }) =>
      showService.run(deps, { ...(broker !== undefined && { broker }), service_number }),
    confirm: (service) => questionOf(action, service),
    done: ({ service_number: number }: RequestRecord) => `Submitted: ${action.display_name} of service ${number}.`,
    run: (deps, { broker, service_number, ...values }) =>
      submitForOperator(deps, { ...(broker !== undefined && { broker }), service_number }, 'service-action', {
        action: action.name,
        configuration: Object.fromEntries(
          Object.entries(values).map(([name, value]) => [name.slice(CONFIGURATION.length), value]),
        ),
      }),
  });

/** Runs any action by its name: the operator's API, whose callers give the configuration as a broker does. */
export const runAction = useCase({
  name: 'services action',
  role: 'support',
  audits: ['service.action'],
  title: 'Run action',
  summary: 'Run an action on a service',
  description: 'Run an action that the service’s plan offers; the broker cannot withdraw it',
  example: 'services action 1000001 reinstall --set image=debian-13',
  input: Type.Object({
    ...SERVICE_NAME,
    action: line(50, { title: 'Action', description: 'Its name, as the plan has it' }),
    configuration: Type.Optional(nullable(openObject({ description: 'Values by the names of options of the action' }))),
  }),
  ...ON_SERVICE,
  path: 'POST /services/:service_number/actions',
  answer: REQUEST_RECORD,
  reasons: [
    'service_cancelled',
    'service_terminated',
    'service_not_active',
    'action_not_available',
    'action_in_progress',
  ],
  async show(deps: WorkDeps & ReadDeps, { action: name, broker, service_number }) {
    const named = { service_number, ...(broker !== undefined && { broker }) };
    const service = await showService.run(deps, named);
    return { service, action: (await listActions(deps, named)).find((one) => one.name === name) };
  },
  // An action that the plan lacks is refused by the rules, as a broker's.
  confirm: ({ service, action }) => (action ? questionOf(action, service) : null),
  run: (deps, { action, configuration, ...named }) =>
    submitForOperator(deps, named, 'service-action', { action, configuration: configuration ?? {} }),
});

/** The question before an action; null where it needs none. */
const questionOf = (action: Action, { service_number: number, client }: ManagedService): string | null =>
  action.destroys_data ? `${action.display_name} deletes the data of service ${number} of ${client.name}.` : null;

/** The use case of an action that the service's plan offers. Throws an `OperatorError`. */
export async function requireAction(
  deps: Pick<ReadDeps, 'store'>,
  { action: name, ...named }: { broker?: string; service_number: number; action: string },
): Promise<ActionUseCase> {
  const actions = await listActions(deps, named);
  const action = actions.find((one) => one.name === name);
  if (action) return actionUseCase(action);
  const names = actions.map((one) => one.name).join(', ');
  throw unknown(
    `The plan of service ${named.service_number} has no action "${name}"${names === '' ? '' : `; it has ${names}`}`,
  );
}

/** An option as the field of a form; the rules of the configuration decide (src/rules/options.ts). */
function fieldOf(option: Option): TSchema {
  const { display_name: title, description, required, default: value } = option;
  const words = { title, ...(description !== null && { description }), ...(value !== null && { default: value }) };
  const field = typed(option, words);
  return required ? field : Type.Optional(field);
}

function typed(option: Option, words: object): Field<string | number | boolean> {
  const { type, choices = [], format, max_length = textLengthOf(format) } = option;
  if (type === 'choice') {
    const names = Object.fromEntries(choices.map(({ value, display_name }) => [value, display_name]));
    return oneOf(
      choices.map(({ value }) => value),
      { ...words, choices: names },
    );
  }
  if (type === 'number') {
    return integer(option.minimum ?? Number.MIN_SAFE_INTEGER, option.maximum ?? Number.MAX_SAFE_INTEGER, words);
  }
  return type === 'boolean' ? flag(words) : line(max_length, words);
}
