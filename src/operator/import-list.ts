import { isoTimestamp } from '../rules/timestamps.ts';
import type { ReadDeps } from './dependencies.ts';
import { integer, read, type Texts } from './fields.ts';
import { type Limited, limitedTo } from './pages.ts';
import { namesOf, readOwner } from './time-range.ts';

const ACTIONS = ['plan.import', 'service.import', 'invoice.import'];

/** Imports as the audit trail has them, newest first. Throws an `OperatorError` where there is no such broker. */
export async function listImports(
  { store }: ReadDeps,
  input: Texts<'broker' | 'limit'> = {},
): Promise<Limited<ImportLine>> {
  const limit = read('limit', integer(1, 10_000), input.limit ?? '100');
  const { brokerId } = await readOwner(store.read, { broker: input.broker });
  const lists = await Promise.all(ACTIONS.map((action) => store.read.audit.list({ brokerId, action }, limit + 1)));
  const rows = lists.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
  const { truncated, records } = limitedTo(limit, rows);
  const subjects = records.map(({ id }) => `import/${id}`);
  const removals = await store.read.audit.list({ brokerId, action: 'service.remove', subjects }, limit);
  const takenBack = new Set(removals.map(({ subject }) => subject));
  const names = await namesOf(store.read, []);
  const lines = records.map(({ id, at, actor, action, brokerId: owner, after }) => {
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
  return { truncated, records: lines };
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
