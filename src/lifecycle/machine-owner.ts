import type { MachineOwner } from '../ports.ts';
import { serviceUid } from '../rules/service-uid.ts';
import type { ServiceView } from '../store/queries/services.ts';
import type { Reads } from '../store/store.ts';

/** Who calls the provisioner: the slug of the broker whose service it is about, and the number of history. */
export async function findInstallation(
  { brokers, history }: Pick<Reads, 'brokers' | 'history'>,
  brokerId: string,
): Promise<Omit<MachineOwner, 'service_uid'>> {
  const [broker, latest] = await Promise.all([brokers.find(brokerId), history.findLatest()]);
  if (!broker) throw new Error(`there is no broker ${brokerId}`);
  return { broker: broker.slug, history: latest?.history ?? 0 };
}

/** Whose machine the provisioner is called about: what each call about a service carries (contract, section 15.3). */
export const machineOwner = (
  { service, creationId }: Pick<ServiceView, 'service' | 'creationId'>,
  { broker, history }: Omit<MachineOwner, 'service_uid'>,
): MachineOwner => ({ service_uid: serviceUid(service, creationId), broker, history });
