import { type ImportPreview, type ImportReport, RECORDS_TOLD } from '../../src/operator/importing.ts';
import { sentence, Tag } from '../components/badge.tsx';
import { Card, Facts, Figure, number } from '../components/card.tsx';
import { Tabs } from '../components/filters.tsx';
import { Dialog, PostForm } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf } from '../components/links.tsx';
import { Pager } from '../components/pager.tsx';
import { type Column, Table } from '../components/table.tsx';
import type { Upload } from '../uploads.ts';

/** What would become of a record. */
export const STEPS = ['create', 'update', 'refuse'] as const;

const PER_PAGE = 100;

interface ImportProps {
  id: string;
  upload: Upload;
  only: (typeof STEPS)[number] | undefined;
  page: number;
}

/** One file on its way: what would become of it, then how far it is, then what it did. */
export function Import({ id, upload, only, page }: ImportProps) {
  const { name, kind, broker, bytes, sha256, progress } = upload;
  const moves = progress.step === 'checking' || progress.step === 'importing';
  // What moves is asked for again and again, and takes the place of what stands here.
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
      <div id="import" {...(moves && live)}>
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
      return <Moving id={id} title="The file is being read" />;
    case 'importing':
      return <Moving id={id} title="It is being imported" done={progress.done} total={progress.total} />;
    case 'checked':
      return <Checked id={id} upload={upload} preview={progress.preview} only={only} page={page} />;
    case 'done':
      return <Done kind={kind} report={progress.report} />;
    case 'refused':
      return <Over message={progress.message} />;
    case 'broken':
      return <Over message="Something went wrong; the server’s log has the rest." />;
  }
}

function Moving({ id, title, done = 0, total }: { id: string; title: string; done?: number; total?: number }) {
  return (
    <Card title={title}>
      <progress aria-label={title} value={total ? done : undefined} max={total || undefined}></progress>
      <p class="quiet" role="status">
        {total ? `${number(done)} of ${number(total)}` : 'One file at a time is read.'}
      </p>
      <p class="scriptless">
        <a href={pathOf.import(id)}>See how far it is</a>
      </p>
    </Card>
  );
}

function Over({ message }: { message: string }) {
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
        changed. <a href={`${pathOf.audit(`broker/${broker}`)}&action=${action}`}>It stands in the audit trail</a>.
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
  { title: 'Where', cell: ({ where }) => <span class="line">{where}</span> },
  { title: 'What would happen', cell: ({ action }) => <Tag tone={WORDS[action].tone}>{WORDS[action].label}</Tag> },
  {
    title: 'Which',
    cell: ({ subject }) => (
      <span class="cut" dir="auto" title={subject === null ? undefined : String(subject)}>
        {subject ?? <span class="quiet">–</span>}
      </span>
    ),
  },
  {
    title: 'What is wrong',
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
        <Figure title="Would be created" value={number(created)}>
          new {kind}
        </Figure>
        <Figure title="Would be changed" value={number(updated)}>
          as a whole
        </Figure>
        <Figure title="Are refused" value={number(refused)} {...(refused > 0 && { tone: 'warn' as const })}>
          {refused > 0 ? 'so nothing of the file is taken' : 'every record is in order'}
        </Figure>
      </div>
      <Card
        title={
          refused > 0
            ? 'Mend the file and upload it again'
            : total > 0
              ? 'Shall it be done?'
              : 'The file holds no record'
        }
      >
        <div class="decide">
          {refused > 0 || total === 0 ? (
            <a class="button main" href="/imports">
              Upload it again
            </a>
          ) : (
            <Dialog
              id="run"
              label={`Import ${number(total)} ${kind}…`}
              title={`Import ${number(total)} ${kind}?`}
              tone="main"
            >
              <p>
                {number(created)} {kind} of {broker} are created and {number(updated)} are set to what the file says.
                All or nothing: if something came in between, nothing is done.
              </p>
              <PostForm action={`${pathOf.import(id)}/run`} kind="decide">
                <button type="submit" class="main">
                  Import
                </button>
                <button type="button" popovertarget="o-run" popovertargetaction="hide">
                  Not yet
                </button>
              </PostForm>
            </Dialog>
          )}
          <PostForm action={`${pathOf.import(id)}/drop`}>
            <button type="submit">Forget the file</button>
          </PostForm>
        </div>
      </Card>
      <div class="bar">
        <Tabs
          label="Which records"
          name="only"
          value={only ?? ''}
          choices={[
            { value: '', label: 'All', count: total + refused },
            { value: 'refuse', label: 'Refused', count: refused },
            { value: 'create', label: 'Created', count: created },
            { value: 'update', label: 'Changed', count: updated },
          ]}
        />
      </div>
      <div class="card flush" id="records">
        <Table
          label="Records"
          columns={COLUMNS}
          rows={lines.slice((page - 1) * PER_PAGE, page * PER_PAGE)}
          empty={<p>No record of this kind.</p>}
        />
        <Pager pagination={pagination} noun="records" />
        {all > lines.length ? (
          <p class="quiet more">
            {number(all - lines.length)} more are not shown: of the refused and of the others {number(RECORDS_TOLD)}{' '}
            each.
          </p>
        ) : null}
      </div>
    </>
  );
}
