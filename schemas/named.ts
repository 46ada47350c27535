import { AccessReport, AuthorizationReport } from './access.ts';
import { Consumption } from './consumption.ts';
import { ServiceCredentials } from './credentials.ts';
import { FailureEnvelope, Pagination, PaginationOfChanges } from './envelope.ts';
import { Plan } from './plans.ts';
import { ReportResult } from './reports.ts';
import { Request, RequestWithHistory } from './requests.ts';
import { Sandbox, Scenario } from './sandbox.ts';
import { CreationResult, PlanChangeResult, Service, SingleService, UpgradeOptions } from './services.ts';
import { UsageItem } from './usage.ts';
import { WarningResult } from './warnings.ts';

/** Every schema that others refer to by name: the components of the OpenAPI document. */
export const NAMED_SCHEMAS = [
  FailureEnvelope,
  Pagination,
  PaginationOfChanges,
  AccessReport,
  AuthorizationReport,
  Service,
  SingleService,
  ServiceCredentials,
  CreationResult,
  PlanChangeResult,
  UpgradeOptions,
  WarningResult,
  Plan,
  Request,
  RequestWithHistory,
  ReportResult,
  Consumption,
  Sandbox,
  UsageItem,
  Scenario,
];
