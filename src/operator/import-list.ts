import { Type } from '@sinclair/typebox';
import { isoTimestamp } from '../rules/timestamps.ts';
import type { AuditRow } from '../store/audit.ts';
import type { Reads } from '../store/store.ts';
import { BROKER, type ReadDeps, requireBroker } from './dependencies.ts';
import { pagesOf, recordsOf } from './exports.ts';
import { type Listed, limitedTo, limitOf } from './pages.ts';
import { namesOf } from './time-range.ts';
import { useCase } from './use-case.ts';

const ACTIONS = ['plan.import', 'service.import', 'invoice.import'];

/** Imports as the audit trail has them, newest first. */
export const listImports = useCase({
  name: 'imports list',
  title: 'Imports',
  description: 'List imports, newest first',
  example: 'imports list --broker acme',
  input: Type.Object({ broker: Type.Optional(BROKER.broker), limit: limitOf(100) }),
  columns: ['import_id', 'date', 'broker', 'kind', 'file', 'created', 'updated', 'taken_back', 'actor'],
  async pages(deps: ReadDeps, { broker }) {
    const brokerId = await idOf(deps, broker);
    const rows = pagesOf<AuditRow>(deps, (read, limit, last) => importRows(read, brokerId, limit, last));
    return recordsOf(rows, (page) => importLines(deps, brokerId, page));
  },
  run: importsOf,
});

const idOf = async ({ store }: ReadDeps, broker: string | undefined): Promise<string | undefined> =>
  broker === undefined ? undefined : (await requireBroker(store.read, broker)).id;

async function importRows(
  { audit }: Pick<Reads, 'audit'>,
  brokerId: string | undefined,
  limit: number,
  last?: AuditRow,
) {
  const lists = await Promise.all(
    ACTIONS.map((action) => audit.list({ brokerId, action, olderThan: last?.id }, limit)),
  );
  return lists
    .flat()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

async function importsOf(
  deps: ReadDeps,
  { broker, limit }: { broker?: string; limit: number },
): Promise<Listed<ImportLine>> {
  const brokerId = await idOf(deps, broker);
  const { truncated, records } = limitedTo(limit, await importRows(deps.store.read, brokerId, limit + 1));
  return { truncated, records: await importLines(deps, brokerId, records) };
}

async function importLines(
  { store }: ReadDeps,
  brokerId: string | undefined,
  records: AuditRow[],
): Promise<ImportLine[]> {
  const subjects = records.map(({ id }) => `import/${id}`);
  const removals = await store.read.audit.list({ brokerId, action: 'service.remove', subjects }, records.length);
  const takenBack = new Set(removals.map(({ subject }) => subject));
  const names = await namesOf(store.read, []);
  return records.map(({ id, at, actor, action, brokerId: owner, after }) => {
    const { file, sha256, created, updated } = JSON.parse(after as string);
    return {
      import_id: id,
      date: isoTimestamp(at),
      actor,
      broker: names.broker(owner) ?? owner,
      kind: `${action.split('.')[0]}s`,
      file: file as string,
      sha256: sha256 as string,
      created: created as number,
      updated: updated as number,
      taken_back: takenBack.has(`import/${id}`),
    };
  });
}

export interface ImportLine {
  import_id: string;
  date: string;
  actor: string;
  broker: string | null;
  kind: string;
  file: string;
  /** Of the file's content. */
  sha256: string;
  created: number;
  updated: number;
  /** Whether its services were removed again, those that nothing had happened on. */
  taken_back: boolean;
}
