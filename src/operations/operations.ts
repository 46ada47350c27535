import { cancelService } from './cancel-service.ts';
import type { Context } from './context.ts';
import { createService } from './create-service.ts';
import { approveRequest, denyRequest } from './decide-request.ts';
import { describeAccess, describeAuthorization } from './describe-access.ts';
import { getRequest, getService, listPlans, listRequests, listServices } from './lists.ts';
import type { Caller, Claim, Outcome, StoredAnswer } from './outcome.ts';
import { changePlan, upgradeOptions } from './plan-changes.ts';
import { sendInvoicesReport, sendServicesReport } from './send-report.ts';
import { warnCancellation } from './warn-cancellation.ts';

type UseCase<Input> = (
  context: Context,
  caller: Caller,
  input: Input,
  claim?: Claim,
) => Promise<Outcome<unknown> | StoredAnswer>;

const useCases = {
  describeAccess,
  describeAuthorization,
  warnCancellation,
  listServices,
  getService,
  createService,
  upgradeOptions,
  changePlan,
  cancelService,
  listPlans,
  listRequests,
  getRequest,
  approveRequest,
  denyRequest,
  sendServicesReport,
  sendInvoicesReport,
};

type UseCases = typeof useCases;
export type OperationName = keyof UseCases;
export type InputOf<Name extends OperationName> = UseCases[Name] extends UseCase<infer Input> ? Input : never;

/** The door that routes call: every use case of v1, on the live records or on simulated ones. */
export type Operations = {
  readonly [Name in OperationName]: (
    caller: Caller,
    input: InputOf<Name>,
    claim?: Claim,
  ) => Promise<Outcome<unknown> | StoredAnswer>;
};

export const OPERATION_NAMES = Object.keys(useCases) as OperationName[];

/** Binds the use cases to what they work with. */
export const createOperations = (context: Context): Operations =>
  Object.fromEntries(
    Object.entries(useCases).map(([name, useCase]) => [
      name,
      (caller: Caller, input: never, claim?: Claim) => (useCase as UseCase<never>)(context, caller, input, claim),
    ]),
  ) as unknown as Operations;
