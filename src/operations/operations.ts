import type { Context } from '../context/context.ts';
import type { Caller } from '../context/outcome.ts';
import { storeForBroker } from '../store/store.ts';
import { cancelService } from './cancel-service.ts';
import { changePlan } from './change-plan.ts';
import { createService } from './create-service.ts';
import { approveRequest, denyRequest, withdrawRequest } from './decide-request.ts';
import { describeAccess, describeAuthorization } from './describe-access.ts';
import { getRequest } from './get-request.ts';
import { getService } from './get-service.ts';
import { listPlans } from './list-plans.ts';
import { listRequests } from './list-requests.ts';
import { listServices } from './list-services.ts';
import { listUsage } from './list-usage.ts';
import { sendInvoicesReport, sendServicesReport } from './send-report.ts';
import { suspendService, unsuspendService } from './suspend-service.ts';
import { updateService } from './update-service.ts';
import { upgradeOptions } from './upgrade-options.ts';
import { warnCancellation } from './warn-cancellation.ts';

const USE_CASES = {
  describeAccess,
  describeAuthorization,
  warnCancellation,
  listServices,
  getService,
  createService,
  updateService,
  upgradeOptions,
  changePlan,
  cancelService,
  suspendService,
  unsuspendService,
  listPlans,
  listRequests,
  getRequest,
  approveRequest,
  denyRequest,
  withdrawRequest,
  sendServicesReport,
  sendInvoicesReport,
  listUsage,
};

type Bound<UseCase> = UseCase extends (context: Context, ...call: infer Call) => infer Answer
  ? (...call: Call) => Answer
  : never;

export type OperationName = keyof typeof USE_CASES;
/** The use cases of v1 as routes call them: on the live records or on simulated ones. */
export type Operations = { readonly [Name in OperationName]: Bound<(typeof USE_CASES)[Name]> };

/** Each call takes its connections from those of its broker. */
export const createOperations = (context: Context): Operations =>
  Object.fromEntries(
    Object.entries<(...call: never[]) => unknown>(USE_CASES).map(([name, useCase]) => [
      name,
      (...call: [never, ...never[]]) => useCase(contextFor(context, call[0]) as never, ...call),
    ]),
  ) as unknown as Operations;

const contextFor = (context: Context, { brokerId }: Caller): Context =>
  context.store.for ? { ...context, store: storeForBroker(context.store, brokerId) } : context;
