import { fold } from '../../rules/search-text.ts';
import type { Reads } from '../../store/store.ts';

/** A person of the operator who gets notices. */
export interface NoticeRecipient {
  email: string;
  /** Epoch milliseconds. */
  addedAt: number;
}

/** Few enough to be mailed one by one. Contract, section 14.6. */
export const MAX_RECIPIENTS = 20;

const SETTING = 'notice.to ';

/** By address. */
export async function listRecipients({ settings }: Pick<Reads, 'settings'>): Promise<NoticeRecipient[]> {
  const rows = await settings.list(SETTING, MAX_RECIPIENTS);
  return rows.map(({ value }) => JSON.parse(value) as NoticeRecipient);
}

/** The name under which a person's address is stored: the same whatever its case. */
export const settingOf = (email: string): string => SETTING + fold(email);
