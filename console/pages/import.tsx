import { type ImportPreview, type ImportReport, RECORDS_TOLD } from '../../src/operator/importing.ts';
import { sentence, Tag } from '../components/badge.tsx';
import { Card, Facts, Figure, number } from '../components/card.tsx';
import { Confirm, PostForm, Submit } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf, Truncated } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import type { Upload } from '../uploads.ts';

/** What an import does with a record. */
export const STEPS = ['create', 'update', 'refuse'] as const;

const PER_PAGE = 100;

interface ImportProps {
  id: string;
  upload: Upload;
  only: (typeof STEPS)[number] | undefined;
  page: number;
}

/** One file: its preview, then the progress of the import, then the result. */
export function Import({ id, upload, only, page }: ImportProps) {
  const { name, kind, broker, bytes, sha256, progress } = upload;
  const isRunning = progress.step === 'checking' || progress.step === 'importing';
  // htmx polls while the job runs.
  const live = {
    'hx-get': pathOf.import(id),
    'hx-trigger': 'every 1s',
    'hx-select': '#import',
    'hx-swap': 'outerHTML',
  };
  return (
    <Page
      title={`${sentence(kind)} of ${broker}`}
      section="/imports"
      crumbs={[{ label: 'Imports', to: '/imports' }]}
      here={
        <span class="cut" dir="auto" title={name}>
          {name}
        </span>
      }
    >
      <div id="import" {...(isRunning && live)}>
        <Step id={id} upload={upload} only={only} page={page} />
        <Card title="The file">
          <Facts
            rows={[
              ['Name', name],
              ['Size', `${number(bytes)} bytes`],
              ['SHA-256', <span class="mono">{sha256}</span>],
              ['Broker', <a href={pathOf.broker(broker)}>{broker}</a>],
            ]}
          />
        </Card>
      </div>
    </Page>
  );
}

function Step({ id, upload, only, page }: ImportProps) {
  const { progress, kind } = upload;
  switch (progress.step) {
    case 'checking':
      return <InProgress id={id} title="The file is being read" />;
    case 'importing':
      return <InProgress id={id} title="The file is being imported" done={progress.done} total={progress.total} />;
    case 'checked':
      return <Checked id={id} upload={upload} preview={progress.preview} only={only} page={page} />;
    case 'done':
      return <Done kind={kind} report={progress.report} />;
    case 'refused':
      return <NotImported message={progress.message} />;
    case 'broken':
      return <NotImported message="Something went wrong; the server’s log has the details." />;
  }
}

function InProgress({ id, title, done = 0, total }: { id: string; title: string; done?: number; total?: number }) {
  return (
    <Card title={title}>
      <progress aria-label={title} value={total ? done : undefined} max={total || undefined}></progress>
      <p class="quiet" role="status">
        {total ? `${number(done)} of ${number(total)}` : 'Files are read one at a time.'}
      </p>
      <p class="scriptless">
        <a href={pathOf.import(id)}>Show the progress</a>
      </p>
    </Card>
  );
}

function NotImported({ message }: { message: string }) {
  return (
    <Card title="Nothing was imported">
      <p class="told bad" role="alert" dir="auto">
        {message.slice(0, 1000)}
      </p>
      <p>
        <a class="button main" href="/imports">
          Upload another file
        </a>
      </p>
    </Card>
  );
}

function Done({ kind, report: { broker, created, updated } }: { kind: Upload['kind']; report: ImportReport }) {
  const action = `${kind.replace(/s$/, '')}.import`;
  return (
    <Card title="Imported">
      <p>
        {number(created)} {kind} of <a href={pathOf.broker(broker)}>{broker}</a> were created, {number(updated)}{' '}
        changed. <a href={`${pathOf.audit(`broker/${broker}`)}&action=${action}`}>See the audit trail</a>.
      </p>
      <p>
        <a class="button" href="/imports">
          Import another file
        </a>
      </p>
    </Card>
  );
}

type Line = ImportPreview['records'][number];

const WORDS: Record<Line['action'], { label: string; tone: 'good' | 'accent' | 'bad' }> = {
  create: { label: 'create', tone: 'good' },
  update: { label: 'change', tone: 'accent' },
  refuse: { label: 'refuse', tone: 'bad' },
};

const COLUMNS: Array<Column<Line>> = [
  { title: 'Line', cell: ({ where }) => <span class="line">{where}</span> },
  { title: 'Action', cell: ({ action }) => <Tag tone={WORDS[action].tone}>{WORDS[action].label}</Tag> },
  {
    title: 'Record',
    cell: ({ subject }) => <Truncated text={subject === null ? null : String(subject)} />,
  },
  {
    title: 'Faults',
    cell: ({ faults }) =>
      faults.length === 0 ? null : (
        <ul class="faults" dir="auto">
          {faults.map(({ field, message }) => (
            <li>
              {field === null ? null : <code>{field}</code>} {message.slice(0, 300)}
            </li>
          ))}
        </ul>
      ),
  },
];

function titleOf(refused: number, total: number): string {
  if (refused > 0) return 'Correct the file and upload it again';
  return total > 0 ? 'Import the file?' : 'The file has no records';
}

function Checked({ id, upload: { kind, broker }, preview, only, page }: ImportProps & { preview: ImportPreview }) {
  const { created, updated, refused } = preview;
  const total = created + updated;
  const lines = preview.records.filter(({ action }) => only === undefined || action === only);
  const counts = { create: created, update: updated, refuse: refused };
  const all = only === undefined ? total + refused : counts[only];
  const pagination = { page, perPage: PER_PAGE, total: lines.length, totalPages: Math.ceil(lines.length / PER_PAGE) };
  return (
    <>
      <div class="figures">
        <Figure title="To create" value={number(created)}>
          new {kind}
        </Figure>
        <Figure title="To change" value={number(updated)}>
          replaced as a whole
        </Figure>
        <Figure title="Refused" value={number(refused)} warn={refused > 0}>
          {refused > 0 ? 'so the file cannot be imported' : 'every record is valid'}
        </Figure>
      </div>
      <Card title={titleOf(refused, total)}>
        <div class="decide">
          {refused > 0 || total === 0 ? (
            <a class="button main" href="/imports">
              Upload it again
            </a>
          ) : (
            <Confirm
              id="run"
              label={`Import ${number(total)} ${kind}…`}
              title={`Import ${number(total)} ${kind}?`}
              tone="main"
              action={`${pathOf.import(id)}/run`}
              verb="Import"
            >
              {number(created)} {kind} of {broker} will be created and {number(updated)} replaced. If a record was
              changed in the meantime, nothing is imported.
            </Confirm>
          )}
          <PostForm action={`${pathOf.import(id)}/drop`}>
            <Submit>Remove the file</Submit>
          </PostForm>
        </div>
      </Card>
      <div class="bar">
        <Tabs
          label="Which records"
          name="only"
          value={only ?? ''}
          choices={{ '': 'All', refuse: 'Refused', create: 'To create', update: 'To change' }}
          counts={{ '': total + refused, ...counts }}
        />
      </div>
      <div class="card flush" id="records">
        <Table
          label="Records"
          columns={COLUMNS}
          rows={lines.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
          empty={<p>No records.</p>}
        />
        <Pager pagination={pagination} noun="records" />
        {all > lines.length ? (
          <p class="quiet more">
            {number(all - lines.length)} more are not shown: the preview has at most {number(RECORDS_TOLD)} refused and
            {number(RECORDS_TOLD)} other records.
          </p>
        ) : null}
      </div>
    </>
  );
}
