import type { Context } from '../context/context.ts';
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
import { sendInvoicesReport, sendServicesReport } from './send-report.ts';
import { updateService } from './update-service.ts';
import { upgradeOptions } from './upgrade-options.ts';
import { warnCancellation } from './warn-cancellation.ts';

/** The door that routes call: every use case of v1, bound to what it works with. */
export function createOperations(context: Context) {
  const bound =
    <Call extends unknown[], Answer>(useCase: (context: Context, ...call: Call) => Answer) =>
    (...call: Call): Answer =>
      useCase(context, ...call);
  return {
    describeAccess: bound(describeAccess),
    describeAuthorization: bound(describeAuthorization),
    warnCancellation: bound(warnCancellation),
    listServices: bound(listServices),
    getService: bound(getService),
    createService: bound(createService),
    updateService: bound(updateService),
    upgradeOptions: bound(upgradeOptions),
    changePlan: bound(changePlan),
    cancelService: bound(cancelService),
    listPlans: bound(listPlans),
    listRequests: bound(listRequests),
    getRequest: bound(getRequest),
    approveRequest: bound(approveRequest),
    denyRequest: bound(denyRequest),
    withdrawRequest: bound(withdrawRequest),
    sendServicesReport: bound(sendServicesReport),
    sendInvoicesReport: bound(sendInvoicesReport),
  };
}

/** On the live records or on simulated ones. */
export type Operations = Readonly<ReturnType<typeof createOperations>>;
export type OperationName = keyof Operations;
