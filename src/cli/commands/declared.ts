import type { Command } from 'commander';
import { findAudit } from '../../operator/audit.ts';
import { listBrokers } from '../../operator/broker-views.ts';
import {
  addRecipient,
  createBroker,
  removeRecipient,
  resumeBroker,
  setBroker,
  suspendBroker,
} from '../../operator/brokers.ts';
import { listCalls, showCall } from '../../operator/calls.ts';
import { eraseClient, exportClient } from '../../operator/clients.ts';
import { createConsoleLink, endSessions, listSessions } from '../../operator/console-access.ts';
import { submitRequest, takeBackRequest } from '../../operator/decisions.ts';
import { listEmails, settleEmail } from '../../operator/emails.ts';
import {
  allowAddress,
  checkAddress,
  disableFirewall,
  enableFirewall,
  type FirewallRecord,
  listFirewall,
  removeAddress,
} from '../../operator/firewall.ts';
import { listImports } from '../../operator/import-list.ts';
import { listInvoices, showInvoice } from '../../operator/invoices.ts';
import { asDayBegins, createKey, type KeyRecord, listKeys, revokeKey, rotateKey, setKey } from '../../operator/keys.ts';
import { skipNumbers } from '../../operator/numbers.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from '../../operator/operator-keys.ts';
import { addOperator, listOperators, removeOperator, setOperator } from '../../operator/operators.ts';
import {
  createPlan,
  listPlans,
  type PlanPreview,
  previewPlan,
  removePlan,
  setPlan,
  showPlan,
} from '../../operator/plans.ts';
import { listRequests, showRequestRecord } from '../../operator/request-views.ts';
import { listServices, showService } from '../../operator/service-views.ts';
import { resumeService, setService, suspendService } from '../../operator/services.ts';
import { valueAt } from '../../operator/stale.ts';
import { listTemplates, listTemplateVersions, restoreTemplate, sendTestTemplate } from '../../operator/templates.ts';
import type { AnyUseCase } from '../../operator/use-case.ts';
import type { CliContext } from '../context.ts';
import { fieldsOf, tableOf } from '../output.ts';
import type { Style } from '../style.ts';
import { addCommand, type Differing, shown } from '../use-cases.ts';

const firewall = ({ broker, ip_restriction_enabled, rules }: FirewallRecord, style: Style): string =>
  `The firewall of ${broker} is ${ip_restriction_enabled ? 'enabled' : 'disabled'}.\n` +
  tableOf(rules, ['rule', 'note', 'created_date'], style);

type RequestRecord = Awaited<ReturnType<typeof showRequestRecord.run>>;

const request = ({ history, ...record }: RequestRecord, style: Style): string =>
  `${fieldsOf(record, style)}\n\n${tableOf(history, ['date', 'request_status', 'actor', 'note'], style)}`;

/** What would be changed of a plan, and for how many. */
function preview({ before, after }: PlanPreview, style: Style): string {
  const { services, ended_services: ended, open_requests: open } = before;
  const on: readonly string[] = setPlan.on ?? [];
  const changes = Object.keys(setPlan.input.properties)
    .filter((field) => !on.includes(field))
    .map((field) => ({ field, before: valueAt(before, field), after: valueAt(after, field) }))
    .filter((change) => change.before !== change.after);
  const table = changes.length === 0 ? 'Nothing would change.' : tableOf(changes, ['field', 'before', 'after'], style);
  return `${table}\n\nServices on it: ${services}, ended: ${ended}. Open requests to it: ${open}.`;
}

/** A key, and that one which ends with a date ends as that day begins. */
const key =
  ({ secret }: { secret?: string | undefined }) =>
  (record: KeyRecord, style: Style): string => {
    const { expires_date: end } = record;
    const note = asDayBegins(end);
    return `${shown(record, style, secret)}${note === '' ? '' : `\n\nThe key ends ${end}${note}.`}`;
  };

/** The commands that are their use cases' declarations, and how the answers of some are shown. */
export function register(program: Command, context: CliContext): void {
  const add = (useCase: AnyUseCase, differing?: Differing) => addCommand(program, context, useCase, differing);
  add(createBroker, { migrating: 'new' });
  for (const each of [listBrokers, setBroker, suspendBroker, resumeBroker, addRecipient, removeRecipient]) add(each);
  for (const each of [createKey, setKey]) add(each, { show: key(each) });
  for (const each of [listKeys, revokeKey, rotateKey]) add(each);
  for (const each of [enableFirewall, disableFirewall, listFirewall]) add(each, { show: firewall });
  add(checkAddress);
  for (const each of [allowAddress, removeAddress]) add(each, { show: firewall });
  for (const each of [listPlans, showPlan, createPlan, setPlan, removePlan]) add(each);
  add(previewPlan, { show: preview });
  for (const each of [listServices, showService, setService, suspendService, resumeService]) add(each);
  add(exportClient);
  for (const each of [eraseClient, listInvoices, showInvoice, listRequests]) add(each);
  add(showRequestRecord, { show: request });
  for (const each of [submitRequest, takeBackRequest, listEmails, settleEmail]) add(each);
  for (const each of [addOperator, listOperators, setOperator, removeOperator, listSessions, endSessions]) add(each);
  for (const each of [createOperatorKey, listOperatorKeys, revokeOperatorKey]) add(each);
  for (const each of [listTemplates, listTemplateVersions, restoreTemplate, sendTestTemplate]) add(each);
  for (const each of [createConsoleLink, skipNumbers, listImports, findAudit, listCalls, showCall]) add(each);
}
