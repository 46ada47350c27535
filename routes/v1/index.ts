import authorize from './auth-check/authorize.ts';
import checkAccess from './auth-check/read.ts';
import listPlans from './plans/list.ts';
import sendInvoicesReport from './reports/invoices.ts';
import sendServicesReport from './reports/services.ts';
import approveRequest from './requests/approve.ts';
import denyRequest from './requests/deny.ts';
import getRequest from './requests/get.ts';
import listRequests from './requests/list.ts';
import withdrawRequest from './requests/withdraw.ts';
import type { V1 } from './route.ts';
import listScenarios from './sandbox/scenarios.ts';
import cancelService from './services/cancel.ts';
import createService from './services/create.ts';
import downgradeService from './services/downgrade.ts';
import getService from './services/get.ts';
import listServices from './services/list.ts';
import suspendService from './services/suspend.ts';
import unsuspendService from './services/unsuspend.ts';
import updateService from './services/update.ts';
import upgradeService from './services/upgrade.ts';
import upgradeOptions from './services/upgrade-options.ts';
import warnCancellation from './services/warn-cancellation.ts';

/** Every endpoint of v1, one line each. */
export default async function routes(app: V1): Promise<void> {
  app.register(checkAccess);
  app.register(authorize);
  app.register(listServices);
  app.register(getService);
  app.register(createService);
  app.register(updateService);
  app.register(upgradeOptions);
  app.register(upgradeService);
  app.register(downgradeService);
  app.register(cancelService);
  app.register(suspendService);
  app.register(unsuspendService);
  app.register(warnCancellation);
  app.register(listPlans);
  app.register(listRequests);
  app.register(getRequest);
  app.register(approveRequest);
  app.register(denyRequest);
  app.register(withdrawRequest);
  app.register(sendServicesReport);
  app.register(sendInvoicesReport);
  app.register(listScenarios);
}
