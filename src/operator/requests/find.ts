import type { RequestView } from '../../store/queries/requests.ts';
import type { ServiceView } from '../../store/queries/services.ts';
import type { Reads } from '../../store/store.ts';
import { brokerOf } from '../use-case/dependencies.ts';
import { unknown } from '../use-case/errors.ts';

/** A request with its broker, service and history. Throws an `OperatorError` where there is none. */
export async function requireRequest({ brokers, requests, services }: Reads, requestId: string) {
  const brokerId = await requests.findOwner(requestId);
  if (brokerId === null) throw unknown(`There is no request "${requestId}"`);
  // A request is removed only with its broker.
  const view = (await requests.findView(brokerId, requestId)) as RequestView;
  const [broker, service, history] = await Promise.all([
    brokerOf({ brokers }, brokerId),
    // A foreign key says that there is one.
    services.findView(brokerId, view.request.serviceNumber) as Promise<ServiceView>,
    requests.listHistory(brokerId, requestId),
  ]);
  return { broker, view, service, history };
}
