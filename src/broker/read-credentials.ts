import { audit } from '../audit/audit.ts';
import { fail, refuseIf } from '../errors.ts';
import { refusalOfEnded } from '../kinds/kind.ts';
import { provisionedPlan } from '../lifecycle/fulfil-request.ts';
import { findInstallation, machineOwner } from '../lifecycle/machine-owner.ts';
import { findServiceView } from '../lifecycle/owned-records.ts';
import { noteReplaced } from '../lifecycle/replaced.ts';
import { type Context, type Credential, RecordsAreOld } from '../ports.ts';
import { serviceRecord } from '../records.ts';
import { configurationOf } from '../rules/options.ts';
import { isoTimestamp } from '../rules/timestamps.ts';
import { transact } from '../store/change.ts';
import { actorOf, type Caller, type Outcome, ok, slotOwner } from './operation.ts';

interface ServiceCredentials {
  service_number: number;
  credentials: readonly Credential[];
  read_date: string;
}

/**
 * The credentials of a service, as the provisioner has them now (contract, section 12.3). They are passed on
 * and kept nowhere; no connection of the database is held during the call of the provisioner.
 *
 * Throws `not_found`, `invalid_state`, and `server_error` with `Retry-After` where no answer can be had now.
 */
export async function readCredentials(
  context: Context,
  caller: Caller,
  { serviceNumber }: { serviceNumber: number },
): Promise<Outcome<ServiceCredentials>> {
  const { store, clock, credentials: source } = context;
  const view = await findServiceView(store.read, caller, serviceNumber);
  const { status, reference, configuration } = view.service;
  refuseIf(refusalOfEnded(view.service, 'it has no credentials any more'));
  if (status === 'pending')
    throw fail.invalidState('service_not_active', 'The service is pending; it is not built yet');
  const offer = await store.read.plans.findOffer(caller.brokerId, view.plan.id);
  const question = {
    ...machineOwner(view, await findInstallation(store.read, caller.brokerId)),
    broker_id: caller.brokerId,
    service_number: serviceNumber,
    service: serviceRecord(view),
    reference,
    configuration: configurationOf(configuration),
    plan: provisionedPlan(view.plan, offer),
  };
  const credentials =
    offer.hasCredentials && source
      ? await source.read(slotOwner(caller), question).catch((error: unknown) => {
          if (!(error instanceof RecordsAreOld)) throw error;
          return stopWork(context, question.history, error);
        })
      : null;
  if (!credentials) throw fail.invalidState('credentials_not_available', 'There are no credentials for this service');
  await transact(context, (change) =>
    audit(change, actorOf(caller), {
      action: 'service.read_credentials',
      brokerId: caller.brokerId,
      subject: `service/${serviceNumber}`,
    }),
  );
  return ok({ service_number: serviceNumber, credentials, read_date: isoTimestamp(clock.now()) });
}

/** Long enough for a load balancer to look at another server. */
const REPLACED_SECONDS = 60;

async function stopWork(context: Context, history: number, error: RecordsAreOld): Promise<never> {
  await transact(context, ({ tx, now: at }) => noteReplaced(tx, { history, at }));
  throw fail.unavailable(REPLACED_SECONDS, error);
}
