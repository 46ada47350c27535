import { OperatorError } from '../src/operator/errors.ts';

/** Why something was not done, in words for a person. */
export interface Failure {
  status: number;
  message: string;
}

/** What forms call the fields of the records, where that is not the field's own name. */
const LABELS: Readonly<Record<string, string>> = {
  contact_email: 'Contact',
  sender_email: 'Sender',
  expires_date: 'Ends',
  rate_limit: 'Calls a minute',
  rule: 'Address',
  html: 'HTML',
};

/**
 * What a use case refused, for a page; undefined for what nobody foresaw. The one place that knows how the use cases
 * fail, and that puts it into the words of forms.
 */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof OperatorError)) return undefined;
  const { kind, faults, message } = error;
  return {
    status: kind === 'unknown' ? 404 : 422,
    message: kind === 'invalid' && faults.length > 0 ? faults.map(sentence).join(' ') : message,
  };
}

function sentence({ field, message }: OperatorError['faults'][number]): string {
  const label = LABELS[field] ?? field.replaceAll(/[_.]/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
  return `${label}: ${message}.`;
}
