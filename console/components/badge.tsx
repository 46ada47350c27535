type Tone = 'good' | 'warn' | 'bad' | 'none' | 'accent';

/** Words of the records, as people read them; others stand as they are, with spaces. */
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

export const words = (name: string): string => name.replaceAll(/[_-]/g, ' ');

/** The same at the beginning of a line: "Plan change completed". */
export const sentence = (name: string): string => words(name).replace(/^./, (letter) => letter.toUpperCase());

/** The state of something, in a word and a colour. */
export function Badge({ state, label }: { state: string; label?: string }) {
  return <Tag tone={TONES[state] ?? 'none'}>{label ?? words(state)}</Tag>;
}

export function Tag({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`tag ${tone}`}>{children}</span>;
}
