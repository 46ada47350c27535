import { and, asc, eq, gt, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Session } from '../session/session.ts';
import type { EmailRow } from './emails.ts';
import type { IdempotencyRow } from './idempotency.ts';
import type { RequestRow } from './requests.ts';

/** What stands in place of a client's name, address, label and texts once they were erased (contract, section 9). */
export const ERASED = 'erased';

/** Reasons that the system gives by itself; as reasons and notes they stay, every other one is someone's text. */
const OWN_REASONS = ['withdrawn', 'service_cancelled', 'service_terminated'];

export type ErasableEmail = Pick<EmailRow, 'id' | 'createdAt' | 'recipient' | 'serviceNumber'>;
export type ErasableAnswer = Pick<IdempotencyRow, 'key' | 'body'>;

/** Pages of a broker's records among which those of one client are looked for, each in the order of an index. */
export function erasureReads({ db, tables }: Session) {
  const { emailLog, idempotencyRecords: answers, requests } = tables;
  return {
    /** The broker's emails, oldest first, after one of them. */
    async pageEmails(
      brokerId: string,
      after: Pick<EmailRow, 'createdAt' | 'id'> | undefined,
      limit: number,
    ): Promise<ErasableEmail[]> {
      const { id, createdAt, recipient, serviceNumber } = emailLog;
      const later = after && sql`(${createdAt}, ${id}) > (${after.createdAt}, ${after.id})`;
      return db
        .select({ id, createdAt, recipient, serviceNumber })
        .from(emailLog)
        .where(and(eq(emailLog.brokerId, brokerId), later))
        .orderBy(asc(createdAt), asc(id))
        .limit(limit);
    },
    /** The stored answers to the broker's actions, by key; the answer to a creation holds nothing of the client. */
    async pageAnswers(brokerId: string, key: string, limit: number): Promise<ErasableAnswer[]> {
      return db
        .select({ key: answers.key, body: answers.body })
        .from(answers)
        .where(and(isAction(answers, brokerId), gt(answers.key, key)))
        .orderBy(asc(answers.key))
        .limit(limit);
    },
    /** The requests of these services (a few hundred at most), by id. */
    async pageRequestIds(
      brokerId: string,
      serviceNumbers: number[],
      id: string,
      limit: number,
    ): Promise<Array<RequestRow['id']>> {
      const found = await db
        .select({ id: requests.id })
        .from(requests)
        .where(
          and(eq(requests.brokerId, brokerId), inArray(requests.serviceNumber, serviceNumbers), gt(requests.id, id)),
        )
        .orderBy(asc(requests.id))
        .limit(limit);
      return found.map((row) => row.id);
    },
  };
}

type Answers = Session['tables']['idempotencyRecords'];

const isAction = (answers: Answers, brokerId: string): SQL | undefined =>
  and(eq(answers.brokerId, brokerId), eq(answers.mode, 'live'), eq(answers.namespace, 'action'));

/** Each replaces the texts of a few hundred records at most. Repeated, it leaves what is erased already as it is. */
export function erasureWrites({ db, dialect, tables }: Session) {
  const { emailLog, idempotencyRecords: answers, requests, requestHistory } = tables;
  const ownWords = [...OWN_REASONS, ERASED];
  /** Null for null, also where the column has one of the system's own reasons. */
  const isText = (column: SQLiteColumn) => sql`${column} is not null and ${column} not in ${ownWords}`;
  const erased = (column: SQLiteColumn) => sql<string>`case when ${isText(column)} then ${ERASED} else ${column} end`;

  const requestTexts = {
    decisionReason: requests.decisionReason,
    failureMessage: requests.failureMessage,
    warningReason: requests.warningReason,
    cancellationReason: requests.cancellationReason,
  };
  const isConfigured = isNotNull(requests.actionConfiguration);
  const withoutTexts = Object.fromEntries(Object.entries(requestTexts).map(([name, column]) => [name, erased(column)]));
  const later = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');

  return {
    /** Reasons, messages of failures, notes, and what was chosen for an action; `updated_date` of those that had any moves on. Resolves with their number. */
    async eraseRequests(brokerId: string, requestIds: string[], now: number): Promise<number> {
      const noted = await db
        .update(requestHistory)
        .set({ note: ERASED })
        .where(
          and(
            eq(requestHistory.brokerId, brokerId),
            inArray(requestHistory.requestId, requestIds),
            isText(requestHistory.note),
          ),
        )
        .returning({ id: requestHistory.requestId });
      const hasTexts = or(
        ...Object.values(requestTexts).map(isText),
        isConfigured,
        inArray(
          requests.id,
          noted.map(({ id }) => id),
        ),
      );
      const changed = await db
        .update(requests)
        // The rule of src/rules/timestamps.ts in SQL.
        .set({
          ...withoutTexts,
          actionConfiguration: null,
          updatedAt: sql`${later}(${requests.updatedAt} + 1, cast(${now} as bigint))`,
        })
        .where(and(eq(requests.brokerId, brokerId), inArray(requests.id, requestIds), hasTexts))
        .returning({ id: requests.id });
      return changed.length;
    },
    /** Addresses, subjects, bodies and the operator's notes. */
    async eraseEmails(brokerId: string, emailIds: string[], now: number): Promise<void> {
      const { recipient, subject, html, text, settledNote, erasedAt } = emailLog;
      await db
        .update(emailLog)
        .set({
          recipient: erased(recipient),
          subject: erased(subject),
          html: erased(html),
          text: erased(text),
          settledNote: erased(settledNote),
          erasedAt: sql`coalesce(${erasedAt}, cast(${now} as bigint))`,
        })
        .where(and(eq(emailLog.brokerId, brokerId), inArray(emailLog.id, emailIds)));
    },
    /** Removes stored answers; no input matches their keys from now on, which are refused as reused until they expire. */
    async eraseAnswers(brokerId: string, keys: string[]): Promise<void> {
      await db
        .update(answers)
        .set({ fingerprint: ERASED, body: '' })
        .where(and(isAction(answers, brokerId), inArray(answers.key, keys)));
    },
  };
}
