import { audit } from '../audit/audit.ts';
import { refuseIf } from '../errors.ts';
import { refusalOfEnded } from '../kinds/kind.ts';
import { findServiceView, lockService } from '../lifecycle/owned-records.ts';
import type { Context } from '../ports.ts';
import { type ServiceRecord, serviceRecord } from '../records.ts';
import { described } from '../rules/descriptions.ts';
import { lastChangeAt } from '../rules/timestamps.ts';
import type { ServiceRow } from '../store/queries/services.ts';
import { actorOf, type Caller, type Claim, type Outcome, ok, type StoredAnswer, transactOnce } from './operation.ts';

export interface UpdateInput {
  serviceNumber: number;
  /** Undefined keeps the value, null clears it. */
  label?: string | null | undefined;
  externalReference?: string | null | undefined;
  client?: { name?: string | undefined; email?: string | null | undefined } | undefined;
}

/**
 * Changes a service's label, reference and client at once, without a request (contract, section 6, "Update").
 * Throws `not_found`, `invalid_state` `service_cancelled`, `service_terminated`.
 */
export function updateService(
  context: Context,
  caller: Caller,
  { serviceNumber, label, externalReference, client = {} }: UpdateInput,
  claim?: Claim,
): Promise<Outcome<ServiceRecord> | StoredAnswer> {
  return transactOnce(context, claim, async (change) => {
    const { tx } = change;
    const service = await lockService(tx, caller, serviceNumber);
    refuseIf(refusalOfEnded(service, 'it can no longer be changed'));
    const after = described({
      label: label === undefined ? service.label : label,
      externalReference: externalReference === undefined ? service.externalReference : externalReference,
      clientName: client.name ?? service.clientName,
      clientEmail: client.email === undefined ? service.clientEmail : client.email,
      status: service.status,
      access: service.access,
    });
    await tx.services.update(caller.brokerId, serviceNumber, {
      ...after,
      updatedAt: lastChangeAt(service.updatedAt, change.now),
    });
    await audit(change, actorOf(caller), {
      action: 'service.update',
      brokerId: caller.brokerId,
      subject: `service/${serviceNumber}`,
      before: auditedFields(service),
      after: auditedFields(after),
    });
    return ok(serviceRecord(await findServiceView(tx, caller, serviceNumber)));
  });
}

const auditedFields = (row: Pick<ServiceRow, 'label' | 'externalReference' | 'clientName' | 'clientEmail'>) => ({
  label: row.label,
  external_reference: row.externalReference,
  client_name: row.clientName,
  client_email: row.clientEmail,
});
