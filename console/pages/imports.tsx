import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IMPORTS } from '../../src/operator/imports/kinds.ts';
import { type ImportLine, listImports } from '../../src/operator/imports/list.ts';
import { showRecords } from '../../src/operator/system/records.ts';
import type { ImportPreview, ImportReport } from '../../src/operator/use-case/import-task.ts';
import { IMPORT_KINDS, type ImportKind } from '../../src/operator/use-case/import-task.ts';
import { sentence } from '../components/badge.tsx';
import { Card, Facts, number } from '../components/card.tsx';
import { type Choices, PostForm, pairsOf, RefusalNote, Select, Submit, TextField } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf } from '../components/links.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import { type Job, Jobs, Running } from '../forms/jobs.tsx';
import type { Failure } from '../http/failures.ts';
import { Problem } from '../http/problem.ts';
import { readChoice, readQuery } from '../http/query.ts';
import type { Routes, Section } from '../http/section.ts';
import { brokerChoices } from '../lists/list-page.tsx';
import { MAX_UPLOAD_BYTES, receiveFile, takeFiles } from '../plugins/files.ts';
import { countRecords, Preview } from './import-preview.tsx';
import { importRemoval } from './import-removal.tsx';

/** Earlier imports that the page lists. */
const EARLIER = '10';

const routes: Routes = async (app, options) => {
  const { context, runImport } = options;
  const jobs = new Jobs();
  app.addHook('preClose', async () => jobs.close());
  await takeFiles(app);
  await importRemoval(jobs)(app, options);

  async function show(request: FastifyRequest, reply: FastifyReply, shown: Shown = {}) {
    const query = readQuery(request);
    const chosen = shown.chosen ?? { broker: query.get('broker'), kind: query.get('kind') };
    const [brokers, { records: earlier }] = await Promise.all([
      brokerChoices(context),
      listImports.run(context, { limit: EARLIER }),
    ]);
    const importId = shown.report?.import_id ?? query.get('done');
    const done = earlier.find(({ import_id }) => import_id === importId);
    const props = { ...shown, brokers, earlier, chosen, done, job: jobs.current };
    return reply.view(<Imports {...props} />, shown.failure?.status);
  }

  app.get('/imports', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.get('/imports/running', { config: { role: 'viewer' } }, (_request, reply) =>
    reply.view(<Running job={jobs.current} />),
  );

  // The same form previews a file and imports it: nothing is kept here in between.
  app.post('/imports', { config: { role: 'admin', files: true } }, async (request, reply) => {
    const { email, operator_id: operatorId } = request.signedIn.operator;
    let chosen: Shown['chosen'];
    const work = async (job: Job, signal: AbortSignal): Promise<Shown & { doneBefore?: string }> => {
      const { fields, file } = await receiveFile(request);
      chosen = { broker: fields.get('broker')?.trim(), kind: fields.get('kind') };
      const kind = readChoice(chosen.kind, IMPORT_KINDS);
      const { broker } = chosen;
      if (!kind || !broker) return { failure: INCOMPLETE };
      const sha256 = sha256Of(file.content);
      const hash = sha256Of(JSON.stringify([kind, broker, file.name, sha256]));
      const previewed = fields.get('previewed');
      const dryRun = previewed === undefined;
      const [at, previewedHash] = dryRun ? [String(context.clock.now()), hash] : previewed.split('/');
      if (previewedHash !== hash) return { failure: NOT_PREVIEWED };
      // A restore ends what was previewed and not run (contract, section 15.1).
      const { lost_until: lostUntil } = await showRecords(context.store.read);
      if (lostUntil !== null && Number(at) <= Date.parse(lostUntil)) return { failure: NOT_PREVIEWED };
      // A second click, and a form that is sent again, import nothing twice.
      const same = ({ sha256: other, date }: ImportLine) => other === sha256 && Date.parse(date) >= Number(at);
      const earlier = dryRun
        ? undefined
        : (await listImports.run(context, { broker, limit: EARLIER })).records.find(same);
      if (earlier) return { doneBefore: earlier.import_id };
      job.title = `${dryRun ? 'Reading' : 'Importing'} ${kind} of ${broker}: ${file.name}`;
      job.waits = true;
      const outcome = await runImport(
        { kind, broker, ...file, dryRun, actor: request.context.actor, importer: { operatorId } },
        (done, total) => Object.assign(job, { done, total }),
        signal,
        () => Object.assign(job, { waits: false }),
      );
      if ('report' in outcome) return { report: outcome.report };
      if ('preview' in outcome)
        return { result: { kind, name: file.name, preview: outcome.preview, previewed: `${at}/${hash}` } };
      return { failure: { status: 422, message: outcome.refusal.slice(0, LONGEST_REFUSAL) } };
    };
    try {
      const { doneBefore, ...shown } = await jobs.run(email, 'Receiving a file', work);
      const { import_id: importId = doneBefore, warned = 0 } = shown.report ?? {};
      if (importId === undefined) return show(request, reply, { ...shown, chosen });
      const to = `/imports?done=${importId}`;
      // Warnings are kept nowhere: this answer alone has them.
      if (warned === 0) return reply.redirect(to, 303);
      request.shownAt = to;
      return show(request, reply, shown);
    } catch (error) {
      if (!(error instanceof Problem) || error.statusCode === 403) throw error;
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
      return show(request, reply, { chosen, failure: { status: error.statusCode, message: error.message } });
    }
  });

  app.post('/imports/faults.csv', { config: { role: 'admin' } }, async (request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="faults.csv"')
      .send(`\uFEFF${request.form.get('csv')}`),
  );
};

const sha256Of = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** Files of plans, services, invoices and consumption: first a preview, then the import. */
export const imports: Section = { label: 'Imports', path: '/imports', routes };

const LONGEST_REFUSAL = 1000;
const INCOMPLETE: Failure = { status: 422, message: 'Choose what the file holds, and a broker.' };
const NOT_PREVIEWED: Failure = {
  status: 422,
  message:
    'Nothing was imported: the file, the broker or the kind of records is not the one of the preview. Preview it first.',
};

/** The outcome of a preview. */
interface Result {
  kind: ImportKind;
  name: string;
  preview: ImportPreview;
  /** When this was, and the hash of the file and of what was chosen with it; the import sends it back. */
  previewed: string;
}

interface Shown {
  chosen?: { broker?: string | undefined; kind?: string | undefined } | undefined;
  result?: Result;
  /** Of an import that was just completed, with warnings. */
  report?: ImportReport;
  failure?: Failure;
}

interface ImportsProps extends Shown {
  brokers: Choices | null;
  earlier: ImportLine[];
  /** The import that was just completed. */
  done: ImportLine | undefined;
  job: Job | undefined;
}

function Imports(props: ImportsProps) {
  const { role } = useOperator();
  const { result, report, failure, done, job, earlier } = props;
  return (
    <Page title="Imports" section="/imports">
      <Running job={job} />
      <div id="imports" class="stack">
        {failure ? (
          <div data-of-choice>
            <RefusalNote failure={failure} />
          </div>
        ) : null}
        {done ? <Done line={done} /> : null}
        {report ? <Warnings kind={done?.kind ?? ''} report={report} /> : null}
        <div class={result ? 'stack' : 'columns'}>
          {role === 'admin' ? (
            <Send {...props} />
          ) : (
            <Card title="Import a file">
              <p class="quiet">The role admin can import plans, services, invoices and consumption.</p>
            </Card>
          )}
          {result ? (
            <div class="stack" data-of-choice>
              <Preview {...result} />
            </div>
          ) : (
            <div class="stack">
              <Columns />
              <Earlier imports={earlier} />
            </div>
          )}
        </div>
      </div>
    </Page>
  );
}

function Done({ line: { kind, broker, created, updated, skipped, file } }: { line: ImportLine }) {
  const { action, list } = IMPORTS[kind as ImportKind];
  return (
    <Card title="Imported">
      <p role="status">
        <bdi>{file}</bdi>: {number(created)} {countRecords(kind, created)} of{' '}
        <a href={pathOf.broker(String(broker))}>{broker}</a> {created === 1 ? 'was' : 'were'} created, {number(updated)}{' '}
        changed{older(skipped)}.
      </p>
      <p>
        {list ? <a href={`${list}?${new URLSearchParams({ broker: String(broker) })}`}>See its {kind}</a> : null}{' '}
        <a href={`${pathOf.audit(`broker/${broker}`)}&action=${action}`}>See the audit trail</a>
      </p>
    </Card>
  );
}

const WARNING_COLUMNS: Array<Column<NonNullable<ImportReport['warnings']>[number]>> = [
  { title: 'Record', cell: ({ where }) => <span class="line">{where}</span> },
  { title: 'Field', named: true, cell: ({ field }) => (field === null ? null : <code>{field}</code>) },
  { title: 'Warning', cell: ({ message }) => <bdi>{message}</bdi> },
];

/** What looks damaged in records that were imported all the same. */
function Warnings({ kind, report: { warned = 0, warnings = [] } }: { kind: string; report: ImportReport }) {
  const unnamed = warned - new Set(warnings.map(({ where }) => where)).size;
  return (
    <>
      <p class="notice warn">
        {number(warned)} {countRecords(kind, warned)} {warned === 1 ? 'was' : 'were'} imported with a warning. Compare
        with the system that the file comes from, and import what you correct.
      </p>
      <section class="card flush" aria-label="Warnings">
        <div class="head">
          <h2>Warnings</h2>
        </div>
        <Table label="Warnings" columns={WARNING_COLUMNS} rows={warnings} empty={null} />
        {unnamed > 0 ? <p class="quiet more">{number(unnamed)} more records have one and are not shown.</p> : null}
      </section>
    </>
  );
}

/** The answer replaces the page below its title, and the browser keeps the chosen file. */
const IN_PLACE = {
  'hx-boost': 'true',
  'hx-target': '#imports',
  'hx-select': '#imports',
  'hx-swap': 'outerHTML show:none',
  'hx-push-url': 'false',
};

function Send({ brokers, chosen, result, failure }: ImportsProps) {
  if (brokers && pairsOf(brokers).length === 0) {
    return (
      <Card title="Import a file">
        <p class="quiet">
          There are no brokers yet. <a href="/brokers">Add one</a> first.
        </p>
      </Card>
    );
  }
  return (
    <div {...IN_PLACE}>
      <Card title="Import a file">
        <p class="quiet">
          First a preview shows line by line what would be created, changed and refused. It writes nothing.
        </p>
        <PostForm action="/imports" files>
          <Select
            label="Records"
            name="kind"
            value={chosen?.kind}
            choices={
              new Map([['', 'Choose what it holds'], ...IMPORT_KINDS.map((kind) => [kind, sentence(kind)] as const)])
            }
            required
          />
          {brokers ? (
            <Select
              label="Broker"
              name="broker"
              value={chosen?.broker}
              choices={new Map([['', 'Choose a broker'], ...pairsOf(brokers)])}
            />
          ) : (
            <TextField label="Broker’s slug" name="broker" value={chosen?.broker} required maxlength={64} />
          )}
          {/* An answer to the form gets the chosen file back; a new page begins without one. */}
          <div id="chosen-file" hx-preserve={result || failure ? 'true' : undefined}>
            <TextField
              label="File"
              name="file"
              type="file"
              accept=".csv,.json,text/csv,application/json"
              required
              hint={`CSV or JSON in UTF-8, up to ${MAX_UPLOAD_BYTES / 1_000_000} MB. Larger files: broker services import FILE --broker SLUG`}
            />
          </div>
          {result ? <Decision {...result} /> : <Submit tone="main">Preview</Submit>}
        </PostForm>
      </Card>
    </div>
  );
}

/** Records that are skipped, where there are some. */
const older = (skipped: number): string =>
  skipped > 0 ? `, ${number(skipped)} older than what is stored skipped` : '';

function Decision({ kind, name, previewed, preview: { broker, created, updated, refused, skipped = 0 } }: Result) {
  const total = created + updated;
  return (
    <>
      <p class={refused > 0 ? 'notice bad' : 'notice'} role="status" autofocus tabindex={-1} dir="auto" data-of-choice>
        <bdi>{name}</bdi>: {resultOf(refused, total, skipped)}
        {refused > 0 || total === 0
          ? null
          : ` ${number(created)} ${countRecords(kind, created)} of ${broker} would be created and ${number(updated)} changed${older(skipped)}.`}
      </p>
      <div class="buttons">
        <Submit>Preview</Submit>
        {refused > 0 || total === 0 ? null : (
          <>
            <button type="submit" class="main" name="previewed" value={previewed} data-of-choice>
              Import {number(total)} {countRecords(kind, total)}
            </button>
            <span class="scriptless" data-of-choice>
              Choose the same file again to import it.
            </span>
          </>
        )}
      </div>
    </>
  );
}

function resultOf(refused: number, total: number, skipped: number): string {
  if (refused > 0) return 'nothing can be imported until the faults are corrected.';
  if (total === 0 && skipped > 0) return 'every record is older than what is stored: there is nothing to import.';
  return total > 0 ? 'every record can be imported.' : 'the file has no records.';
}

function Earlier({ imports: rows }: { imports: ImportsProps['earlier'] }) {
  const { role } = useOperator();
  return (
    <Card title="Earlier imports" aside={<a href="/audit?action=service.import">In the audit trail</a>}>
      <p class="quiet">
        {rows.length === 0
          ? 'None yet.'
          : 'Only services can be taken back. Plans are removed on their pages; invoices and consumption are corrected by another import.'}
      </p>
      <ul class="rows">
        {rows.map(({ import_id, date, broker, kind, file, created, updated, skipped, taken_back }) => (
          <li>
            <span class="grow">
              <bdi>{file}</bdi>{' '}
              <span class="quiet">
                {number(created)} {countRecords(kind, created)} of {broker} created, {number(updated)} changed
                {older(skipped)}, <Time at={date} />
                {taken_back ? ', taken back' : null}
              </span>
            </span>
            {role === 'admin' && kind === 'services' && created > 0 && !taken_back ? (
              <a href={pathOf.importRemoval(String(broker), import_id)}>Take back…</a>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Columns() {
  return (
    <Card title="Columns of a CSV file">
      {IMPORT_KINDS.map((kind) => (
        <details>
          <summary>{sentence(kind)}</summary>
          <Facts
            long
            rows={IMPORTS[kind].columns.map(({ name, required, rule }) => [
              <code>{required ? <strong>{name}</strong> : name}</code>,
              rule,
            ])}
          />
        </details>
      ))}
      <p class="quiet">
        Bold columns are required in new records. Of a record whose number or slug exists, what the file does not have
        stays as it is, and an empty cell empties a field. A file is imported completely or not at all.
      </p>
    </Card>
  );
}
