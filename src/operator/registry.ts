import { findAudit } from './audit.ts';
import { removeBroker } from './broker-removal.ts';
import { listBrokers, showBroker } from './broker-views.ts';
import { addRecipient, createBroker, removeRecipient, resumeBroker, setBroker, suspendBroker } from './brokers.ts';
import { listCalls, showCall } from './calls.ts';
import { eraseClient, exportClient } from './clients.ts';
import { createConsoleLink, endSessions, listSessions } from './console-access.ts';
import { listConsumption, removeConsumption } from './consumption.ts';
import { decideReview, submitRequest, takeBackRequest } from './decisions.ts';
import { listEmails, settleEmail, settleUnknownEmails, showEmail } from './emails.ts';
import {
  allowAddress,
  checkAddress,
  disableFirewall,
  enableFirewall,
  listFirewall,
  removeAddress,
} from './firewall.ts';
import { listImports } from './import-list.ts';
import { importRecords } from './imports.ts';
import { listInvoices, showInvoice } from './invoices.ts';
import { createKey, listKeys, revokeKey, rotateKey, setKey, showKey } from './keys.ts';
import { skipNumbers } from './numbers.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from './operator-keys.ts';
import { addOperator, listOperators, removeOperator, setOperator, showOperator } from './operators.ts';
import { createPlan, listPlans, previewPlan, removePlan, setPlan, showPlan } from './plans.ts';
import { listRequests, showRequestRecord } from './request-views.ts';
import { removeNamedServices } from './service-removal.ts';
import { listServices, showService } from './service-views.ts';
import { cancelService, createServiceOf, runAction } from './service-work.ts';
import { resumeService, setService, suspendService } from './services.ts';
import { showStatus } from './status.ts';
import {
  listTemplates,
  listTemplateVersions,
  previewTemplateParts,
  restoreTemplate,
  sendTestTemplate,
  setTemplateParts,
  showTemplateParts,
} from './templates.ts';
import { showBill, showUsage } from './usage.ts';
import type { AnyUseCase } from './use-case.ts';

/**
 * Every use case of the operator, in the order in which help and documents name them. Commands, the operator's API, its
 * document and the tests over all of them take them from here.
 */
export const USE_CASES: readonly AnyUseCase[] = [
  ...[createBroker, listBrokers, showBroker, setBroker, suspendBroker, resumeBroker, removeBroker],
  ...[addRecipient, removeRecipient],
  ...[createKey, listKeys, showKey, setKey, rotateKey, revokeKey],
  ...[listFirewall, enableFirewall, disableFirewall, allowAddress, removeAddress, checkAddress],
  ...[listPlans, showPlan, createPlan, setPlan, previewPlan, removePlan],
  ...[createServiceOf, listServices, showService, setService, suspendService, resumeService, cancelService, runAction],
  removeNamedServices,
  ...[listRequests, showRequestRecord, submitRequest, decideReview, takeBackRequest],
  ...[exportClient, eraseClient],
  ...[listInvoices, showInvoice, listConsumption, removeConsumption],
  ...[...importRecords, listImports],
  ...[listTemplates, showTemplateParts, setTemplateParts, previewTemplateParts, sendTestTemplate],
  ...[listTemplateVersions, restoreTemplate],
  ...[listEmails, showEmail, settleEmail, settleUnknownEmails],
  ...[listCalls, showCall, findAudit, showUsage, showBill, showStatus],
  // Not in the operator's API: who may sign in, and what is about the installation.
  ...[addOperator, listOperators, showOperator, setOperator, removeOperator, listSessions, endSessions],
  ...[createOperatorKey, listOperatorKeys, revokeOperatorKey],
  ...[createConsoleLink, skipNumbers],
];
