import type { Command } from 'commander';
import type { FirewallRecord } from '../../operator/access/firewall.ts';
import { asDayBegins, type KeyRecord } from '../../operator/access/keys.ts';
import { type PlanPreview, setPlan } from '../../operator/plans/plans.ts';
import { USE_CASES } from '../../operator/registry.ts';
import type { showRequestRecord } from '../../operator/requests/views.ts';
import { valueAt } from '../../operator/use-case/stale.ts';
import type { CliContext } from '../context.ts';
import { printRecord, printTable } from '../output.ts';
import type { Style } from '../style.ts';
import { addCommand, type Differing, printAnswer } from '../use-cases.ts';

const firewall = ({ broker, ip_restriction_enabled, rules }: FirewallRecord, style: Style): string =>
  `The firewall of ${broker} is ${ip_restriction_enabled ? 'enabled' : 'disabled'}.\n` +
  printTable(rules, ['rule', 'note', 'created_date'], style);

type RequestRecord = Awaited<ReturnType<typeof showRequestRecord.run>>;

const request = ({ history, ...record }: RequestRecord, style: Style): string =>
  `${printRecord(record, style)}\n\n${printTable(history, ['date', 'request_status', 'actor', 'note'], style)}`;

/** What would be changed of a plan, and for how many. */
function preview({ before, after }: PlanPreview, style: Style): string {
  const { services, ended_services: ended, open_requests: open } = before;
  const on: readonly string[] = setPlan.on ?? [];
  const changes = Object.keys(setPlan.input.properties)
    .filter((field) => !on.includes(field))
    .map((field) => ({ field, before: valueAt(before, field), after: valueAt(after, field) }))
    .filter((change) => change.before !== change.after);
  const table =
    changes.length === 0 ? 'Nothing would change.' : printTable(changes, ['field', 'before', 'after'], style);
  return `${table}\n\nServices on it: ${services}, ended: ${ended}. Open requests to it: ${open}.`;
}

/** A key, and that one which ends with a date ends as that day begins. */
function key(record: KeyRecord & { key?: string }, style: Style): string {
  const { expires_date: end } = record;
  const note = asDayBegins(end);
  const text = printAnswer(record, style, 'key' in record ? 'key' : undefined);
  return `${text}${
    note === ''
      ? ''
      : `

The key ends ${end}${note}.`
  }`;
}

/**
 * Commands that read files, stream, ask for words or have further options: they are written out, over the same use cases;
 * `services create` is of the operator's API alone.
 */
const WRITTEN_OUT: readonly string[] = [
  'brokers remove',
  'consumption import',
  'invoices import',
  'plans import',
  'requests go-on',
  'requests go-on-all',
  'requests retry',
  'requests retry-all',
  'requests review',
  'restored',
  'restored as-copy',
  'restored declare',
  'restored go-on',
  'restored nothing-lost',
  'services action',
  'services compare',
  'services create',
  'services import',
  'services remove',
  'status',
  'templates preview',
  'templates set',
  'usage',
];

/** How some commands differ from what their declarations say. */
const DIFFERING: Readonly<Record<string, Differing>> = {
  'brokers create': { migrating: 'new' },
  'firewall allow': { show: firewall },
  'firewall disable': { show: firewall },
  'firewall enable': { show: firewall },
  'firewall list': { show: firewall },
  'firewall remove': { show: firewall },
  'keys create': { show: key },
  'keys set': { show: key },
  'plans preview': { show: preview },
  'requests show': { show: request },
};

/** The commands that are their use cases' declarations. */
export function register(program: Command, context: CliContext): void {
  for (const useCase of USE_CASES) {
    if (!WRITTEN_OUT.includes(useCase.name)) addCommand(program, context, useCase, DIFFERING[useCase.name]);
  }
}
