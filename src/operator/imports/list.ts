import { type Static, Type } from '@sinclair/typebox';
import { Id, MAX_INT32, Nullable, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import type { AuditRow } from '../../store/queries/audit.ts';
import type { Reads } from '../../store/store.ts';
import { BROKER, type ReadDeps, requireBroker } from '../use-case/dependencies.ts';
import { readPages, recordsOf } from '../use-case/exports.ts';
import { IMPORT_KINDS, type ImportKind } from '../use-case/import-task.ts';
import { COUNTED_MOST, type Listed, limitedTo, totalOf, WINDOW } from '../use-case/pages.ts';
import { answerSchema } from '../use-case/record.ts';
import { namesOf } from '../use-case/time-range.ts';
import { useCase } from '../use-case/use-case.ts';
import { IMPORTS } from './kinds.ts';

/** The kinds of imports by what the audit trail calls them. */
const KINDS = new Map(IMPORT_KINDS.map((kind) => [IMPORTS[kind].action, kind]));
const ACTIONS = [...KINDS.keys()];

/** An import, as the audit trail has it. */
const IMPORT = answerSchema('Import', {
  import_id: Id('aud', 'Its id, which is that of its row in the audit trail'),
  date: Timestamp('When it began.'),
  actor: Shown(300, 'Who imported it'),
  broker: Nullable(Shown(64, 'The broker’s slug, or its id where it was removed')),
  kind: Shown(64, 'What it brought', { examples: ['services'] }),
  file: Shown(1_000, 'What the file was called'),
  sha256: Shown(64, 'Of its content'),
  created: Whole(0, MAX_INT32, 'Records that are new'),
  updated: Whole(0, MAX_INT32, 'Records that were there'),
  skipped: Whole(0, MAX_INT32, 'Of consumption: records older than what was stored'),
  taken_back: Type.Boolean({
    description: 'Whether its services were removed again, those that nothing had happened on',
  }),
});

export type ImportLine = Static<typeof IMPORT>;

/** Imports as the audit trail has them, newest first. */
export const listImports = useCase({
  name: 'imports list',
  title: 'Imports',
  summary: 'List imports',
  description: 'List imports, newest first',
  example: 'imports list --broker acme',
  input: Type.Object({ broker: Type.Optional(BROKER.broker), ...WINDOW }),
  path: 'GET /imports',
  answer: IMPORT,
  columns: ['import_id', 'date', 'broker', 'kind', 'file', 'created', 'updated', 'taken_back', 'actor'],
  async pages(deps: ReadDeps, { broker, offset }) {
    const brokerId = await idOf(deps, broker);
    const rows = readPages<AuditRow>(deps, (read, limit, last) =>
      importRows(read, brokerId, { limit, offset: last ? 0 : offset }, last),
    );
    return recordsOf(rows, (page) => importLines(deps, brokerId, page));
  },
  run: importsOf,
});

const idOf = async ({ store }: ReadDeps, broker: string | undefined): Promise<string | undefined> =>
  broker === undefined ? undefined : (await requireBroker(store.read, broker)).id;

async function importRows(
  { audit }: Pick<Reads, 'audit'>,
  brokerId: string | undefined,
  { limit, offset }: { limit: number; offset: number },
  last?: AuditRow,
) {
  const lists = await Promise.all(
    ACTIONS.map((action) => audit.list({ brokerId, action, olderThan: last?.id }, offset + limit)),
  );
  return lists
    .flat()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(offset, offset + limit);
}

async function importsOf(
  deps: ReadDeps,
  { broker, limit, offset }: { broker?: string; limit: number; offset: number },
): Promise<Listed<ImportLine>> {
  const brokerId = await idOf(deps, broker);
  const rows = await importRows(deps.store.read, brokerId, { limit: limit + 1, offset });
  const { truncated, records } = limitedTo(limit, rows);
  const counted = await deps.store.read.audit.countUpTo({ brokerId, action: ACTIONS }, COUNTED_MOST + 1);
  return { total: totalOf(counted), truncated, records: await importLines(deps, brokerId, records) };
}

/** One import by its id; undefined where the audit trail does not have it any more. */
export async function findImport(
  deps: ReadDeps,
  { broker, importId }: { broker: string; importId: string },
): Promise<ImportLine | undefined> {
  const { id } = await requireBroker(deps.store.read, broker);
  const row = await deps.store.read.audit.find(id, importId);
  if (!row || !ACTIONS.includes(row.action)) return undefined;
  const [line] = await importLines(deps, id, [row]);
  return line;
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
    const { file, sha256, created, updated, skipped = 0 } = JSON.parse(after as string);
    return {
      import_id: id,
      date: isoTimestamp(at),
      actor,
      broker: names.broker(owner) ?? owner,
      kind: KINDS.get(action) as ImportKind,
      file: file as string,
      sha256: sha256 as string,
      created: created as number,
      updated: updated as number,
      skipped: skipped as number,
      taken_back: takenBack.has(`import/${id}`),
    };
  });
}
