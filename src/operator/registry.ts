import {
  allowAddress,
  checkAddress,
  disableFirewall,
  enableFirewall,
  listFirewall,
  removeAddress,
} from './access/firewall.ts';
import { createKey, listKeys, revokeKey, rotateKey, setKey, showKey } from './access/keys.ts';
import { findAudit } from './audit/audit.ts';
import { listConsumption, removeConsumption } from './billing/consumption.ts';
import { listInvoices, showInvoice } from './billing/invoices.ts';
import {
  addRecipient,
  createBroker,
  removeRecipient,
  resumeBroker,
  setBroker,
  suspendBroker,
} from './brokers/brokers.ts';
import { removeBroker } from './brokers/removal.ts';
import { listBrokers, showBroker } from './brokers/views.ts';
import { listCalls, showCall } from './calls/calls.ts';
import { showBill, showUsage } from './calls/usage.ts';
import { importRecords } from './imports/imports.ts';
import { listImports } from './imports/list.ts';
import { listEmails, settleEmail, settleUnknownEmails, showEmail } from './mail/emails.ts';
import {
  listTemplates,
  listTemplateVersions,
  previewTemplateParts,
  restoreTemplate,
  sendTestTemplate,
  setTemplateParts,
  showTemplateParts,
} from './mail/templates.ts';
import { addNotices, listNotices, removeNotices, testNotices } from './notices/notices.ts';
import { createConsoleLink, endSessions, listSessions } from './people/console-access.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from './people/operator-keys.ts';
import { addOperator, listOperators, removeOperator, setOperator, showOperator } from './people/operators.ts';
import { createPlan, listPlans, previewPlan, removePlan, setPlan, showPlan } from './plans/plans.ts';
import { decideReview, submitClientRequest, takeBackRequest } from './requests/decisions.ts';
import { listFailureReasons, retryRequest, retryRequests } from './requests/retry.ts';
import { listRequests, showRequestRecord } from './requests/views.ts';
import { eraseClient, exportClient } from './services/clients.ts';
import { compareServices } from './services/compare.ts';
import { removeNamedServices } from './services/removal.ts';
import { resumeService, setService, suspendService } from './services/services.ts';
import { listServices, showService } from './services/views.ts';
import { cancelService, createServiceOf, runAction } from './services/work.ts';
import { skipNumbers } from './system/numbers.ts';
import { declareLoss, declareNothingLost, goOn, keepAsCopy, letAllGo, letGo, showRestored } from './system/restored.ts';
import { showStatus } from './system/status.ts';
import type { AnyUseCase } from './use-case/use-case.ts';

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
  ...[removeNamedServices, compareServices],
  ...[listRequests, showRequestRecord, submitClientRequest, decideReview, takeBackRequest],
  ...[listFailureReasons, retryRequest, retryRequests],
  ...[exportClient, eraseClient],
  ...[listInvoices, showInvoice, listConsumption, removeConsumption],
  ...[...importRecords, listImports],
  ...[listTemplates, showTemplateParts, setTemplateParts, previewTemplateParts, sendTestTemplate],
  ...[listTemplateVersions, restoreTemplate],
  ...[listEmails, showEmail, settleEmail, settleUnknownEmails],
  ...[addNotices, listNotices, removeNotices, testNotices],
  ...[listCalls, showCall, findAudit, showUsage, showBill, showStatus],
  ...[letGo, letAllGo],
  // Not in the operator's API: who may sign in, and what is about the installation.
  ...[addOperator, listOperators, showOperator, setOperator, removeOperator, listSessions, endSessions],
  ...[createOperatorKey, listOperatorKeys, revokeOperatorKey],
  ...[createConsoleLink, skipNumbers],
  ...[showRestored, goOn, keepAsCopy, declareLoss, declareNothingLost],
];
