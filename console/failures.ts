import { OperatorError } from '../src/operator/errors.ts';

/** Why a use case refused, as a text for operators. */
export interface Failure {
  status: number;
  message: string;
}

/** The labels of fields in forms, where they differ from the field's name. */
const LABELS: Readonly<Record<string, string>> = {
  contact_email: 'Contact',
  sender_email: 'Sender',
  expires_date: 'Ends',
  rate_limit: 'Calls a minute',
  rule: 'Address',
  html: 'HTML',
  display_name: 'Name',
  upgrade_rank: 'Rank',
  billing_type: 'Billing',
  'price.amount': 'Price',
  'price.currency': 'Currency',
};

/** The failure of an `OperatorError`, in the words of forms; undefined for an unexpected error. */
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
