import { Type } from '@sinclair/typebox';
import { Id, ListOf, MAX_INT32, Nullable, OneOf, ServiceNumber, Shown, Whole } from '../../../schemas/atoms.ts';
import { fail } from '../../errors.ts';
import { isoTimestamp } from '../../rules/timestamps.ts';
import { NO_FIELD, NOT_AN_OBJECT } from '../files/body.ts';
import { BROKER } from '../use-case/dependencies.ts';
import { ImportError, invalid, OperatorError, ofRule } from '../use-case/errors.ts';
import { flag } from '../use-case/fields.ts';
import { IMPORT_KINDS, type ImportKind } from '../use-case/import-task.ts';
import { answerSchema } from '../use-case/record.ts';
import type { AnyUseCase, UseCaseDeps } from '../use-case/use-case.ts';
import { IMPORTS } from './kinds.ts';

const FAULT = { field: Nullable(Shown(300, 'Null: the record as a whole')), message: Shown(1_000, 'For people') };
const FAULTS = ListOf(Type.Object(FAULT));
const ANY = Type.Unsafe<unknown>({});

/** What an import did or, with `dry_run`, would do. */
const IMPORT_RESULT = answerSchema('ImportResult', {
  broker: Shown(64, 'The broker’s slug'),
  dry_run: Type.Optional(Type.Literal(true, { description: 'Nothing was written' })),
  import_id: Type.Optional(Id('aud', 'What the audit trail calls it')),
  imported: Type.Optional(Whole(0, MAX_INT32, 'Records of the body')),
  created: Whole(0, MAX_INT32, 'Of these, new ones'),
  updated: Whole(0, MAX_INT32, 'Of these, some that were there'),
  issued_service_numbers: Type.Optional(
    ListOf(ServiceNumber, { description: 'Of services without a number of their own, in their order' }),
  ),
  skipped: Type.Optional(Whole(0, MAX_INT32, 'Of consumption: records older than what is stored')),
  refused: Type.Optional(Whole(0, MAX_INT32, 'Records that would be refused, and with them all')),
  warned: Type.Optional(Whole(0, MAX_INT32, 'Records with a warning')),
  warnings: Type.Optional(
    ListOf(Type.Object({ where: Shown(100, 'Its place'), ...FAULT }), {
      description: 'What looks damaged in records that were imported all the same; of the first hundred',
    }),
  ),
  without_email: Type.Optional(Whole(0, MAX_INT32, 'New services without an email: their clients get none')),
  records: Type.Optional(
    ListOf(
      Type.Object({
        where: Shown(100, 'Its place'),
        action: OneOf(['create', 'update', 'skip', 'refuse']),
        subject: Type.Unsafe<string | number | null>({
          type: ['string', 'integer', 'null'],
          maxLength: 128,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'What the body calls the record by; null: it does not say',
        }),
        summary: Type.Object({}, { additionalProperties: true }),
        changes: ListOf(Type.Object({ field: Shown(300), before: ANY, after: ANY })),
        warnings: FAULTS,
        faults: FAULTS,
      }),
      { description: 'Of a dry run: the first of each action, and the refused ones' },
    ),
  ),
});

/** Records of a kind, as a JSON array in the body. Commands and the console read them from files. */
const importOf = (kind: ImportKind): AnyUseCase => ({
  name: `${kind} import`,
  role: 'admin',
  actions: [IMPORTS[kind].action, ...(IMPORTS[kind].furtherActions ?? [])],
  title: `Import ${kind}`,
  description: `Create or update ${kind}, all or nothing: the records as they stand in a file (docs/imports.md)`,
  example: `${kind} import ${kind}.csv --broker acme --dry-run`,
  input: Type.Object({
    ...BROKER,
    records: Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'The records' }),
    dry_run: Type.Optional(flag({ description: 'Write nothing; say what would be created, updated and refused' })),
  }),
  on: ['broker'],
  path: `POST /brokers/:broker/${kind}/import`,
  answer: IMPORT_RESULT,
  takesFile: true,
  ask: async () => null,
  perform: async (deps: UseCaseDeps, given: ImportBody) => ({
    record: await importBody(kind, deps, given),
    isChanged: true,
  }),
  run: (deps: UseCaseDeps, given: ImportBody) => importBody(kind, deps, given),
});

interface ImportBody {
  broker: string;
  content: Uint8Array;
}

async function importBody(kind: ImportKind, { runImport, actor }: UseCaseDeps, { broker, content }: ImportBody) {
  const task = { kind, broker, name: 'records.json', content, isBody: true, dryRun: false, actor };
  const outcome = await runImport(task, () => undefined);
  if ('preview' in outcome) return outcome.preview;
  if ('report' in outcome) return outcome.report;
  if ('endedImporter' in outcome) {
    const { expiredAt } = outcome;
    throw expiredAt === undefined
      ? fail.unauthenticated('inactive')
      : fail.unauthenticated('expired', { expired_date: isoTimestamp(expiredAt) });
  }
  const { kind: why = 'invalid', refusal, records = [], more, faults = [] } = outcome;
  if (records.length > 0) throw new ImportError(refusal, records, more);
  if (faults.some(({ field }) => field === NO_FIELD)) {
    throw ofRule(fail.invalidRequest(refusal === NOT_AN_OBJECT ? 'not_an_object' : 'malformed_json', refusal));
  }
  if (why !== 'invalid' || faults.length > 0) throw new OperatorError(why, refusal, faults);
  // Of the array as a whole.
  throw invalid({ field: 'records', message: refusal.replace(/^records\.json: /, '') });
}

export const importRecords: readonly AnyUseCase[] = IMPORT_KINDS.map(importOf);
