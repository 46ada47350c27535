import type { GateName } from '../../src/errors.ts';
import { isOutboxFile } from '../../src/operator/mail/emails.ts';
import { TEST_MAIL } from '../../src/operator/mail/templates.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'none' | 'accent';

const TONES: Record<string, Tone> = {
  active: 'good',
  completed: 'good',
  approved: 'good',
  sent: 'good',
  accepted: 'accent',
  open: 'accent',
  pending: 'warn',
  operator_review: 'warn',
  suspended: 'warn',
  unknown: 'warn',
  expired: 'warn',
  failed: 'bad',
  denied: 'bad',
  terminated: 'bad',
};

/** "operator review" for `operator_review`. */
export const words = (name: string): string => name.replaceAll(/[_-]/g, ' ');

/** "Operator review" for `operator_review`. */
export const sentence = (name: string): string => words(name).replace(/^./, (letter) => letter.toUpperCase());

export const toneOf = (state: string): Tone => TONES[state] ?? 'none';

/** A state as a coloured word. */
export const Badge = ({ state }: { state: string }) => <Tag tone={toneOf(state)}>{words(state)}</Tag>;

export function Tag({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`tag ${tone}`}>{children}</span>;
}

interface Sent {
  email_status: string;
  kind: string;
  provider_message_id: string | null;
}

/** The state of an email: one that was only a test is marked, and one that became a file was not sent. */
export const EmailState = ({ email_status, kind, provider_message_id }: Sent) => (
  <span class="line">
    {kind === TEST_MAIL ? <Tag tone="none">test</Tag> : null}{' '}
    {isOutboxFile({ provider_message_id }) ? <Tag tone="warn">{WRITTEN}</Tag> : <Badge state={email_status} />}
  </span>
);

/** What became of an email without a mail provider. */
export const WRITTEN = 'not sent: a file';

/** Whether a plan can be chosen for new services. */
export const Sold = ({ active }: { active: boolean }) => (
  <Tag tone={active ? 'good' : 'none'}>{active ? 'on sale' : 'no longer sold'}</Tag>
);

/** The gates that refuse calls, as operators know them. */
export const GATE_LABELS: Readonly<Record<GateName, string>> = {
  transport: 'HTTPS',
  authentication: 'Key',
  firewall: 'Firewall',
  rate_limit: 'Rate limit',
  scope: 'Scope',
  input: 'Fields',
  idempotency: 'Idempotency key',
  ownership: 'Not found',
  rules: 'Rules',
  work: 'Processing',
  capacity: 'Overload',
};
