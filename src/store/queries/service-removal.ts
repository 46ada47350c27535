import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { count } from '../session/counters.ts';
import type { Session } from '../session/session.ts';
import { rowsOf } from '../session/statements.ts';
import type { ServiceRow } from './services.ts';

/** What has to do with a service, so that it cannot be removed as if it had never been there; the first one is named. */
export type Use = 'request' | 'invoice' | 'email';

export function removalReads(session: Session) {
  const { db, tables } = session;
  const { services, requests, invoices, emailLog } = tables;
  const USES: Array<[Use, { brokerId: SQLiteColumn; serviceNumber: SQLiteColumn }]> = [
    ['request', requests],
    ['invoice', invoices],
    ['email', emailLog],
  ];
  return {
    /** Services that an import created, by number, from the first one above `after` on. */
    listOfImport: (brokerId: string, importId: string, after: number, limit: number): Promise<ServiceRow[]> =>
      rowsOf(session, services)(
        and(eq(services.brokerId, brokerId), eq(services.importId, importId), gt(services.number, after)),
        { orderBy: [asc(services.number)], limit },
      ),
    /** Those of these services (a few hundred) that something has to do with, each with one reason. */
    async listUses(brokerId: string, numbers: number[]): Promise<Map<number, Use>> {
      const found = new Map<number, Use>();
      for (const [use, columns] of USES) {
        const rows = await db
          .selectDistinct({ number: columns.serviceNumber })
          .from(columns.brokerId.table)
          .where(and(eq(columns.brokerId, brokerId), inArray(columns.serviceNumber, numbers)));
        for (const { number } of rows) if (!found.has(Number(number))) found.set(Number(number), use);
      }
      return found;
    },
  };
}

export function removalWrites(session: Session) {
  const { db, tables } = session;
  const { services } = tables;
  return {
    /** Removals of the same thing wait for each other from here on. */
    lock: (subject: string): Promise<void> => session.lockName(`removal ${subject}`),
    /** Removes services of a broker that are locked and that nothing refers to. */
    async remove(brokerId: string, rows: readonly ServiceRow[]): Promise<void> {
      const numbers = rows.map(({ number }) => number);
      await db.delete(services).where(and(eq(services.brokerId, brokerId), inArray(services.number, numbers)));
      for (const { planId, status } of rows)
        count(session, { brokerId, subject: 'services', kind: planId, status, by: -1 });
    },
  };
}
