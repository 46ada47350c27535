import { faultsAsCsv, RECORDS_LISTED } from '../../src/operator/imports/run.ts';
import type { ImportKind, ImportPreview, PreviewedRecord } from '../../src/operator/use-case/import-task.ts';
import { sentence } from '../components/badge.tsx';
import { Figure, number } from '../components/card.tsx';
import { PostForm, Submit } from '../components/form.tsx';
import { Truncated } from '../components/links.tsx';
import { type Column, Table } from '../components/table.tsx';

/** What a file of a kind holds, in words, for so many of them. */
export function countRecords(kind: string, count = 0): string {
  const records = kind === 'consumption' ? 'measurements' : kind;
  return count === 1 ? records.slice(0, -1) : records;
}

/** What an import would do, the faults first. */
export function Preview({ kind, preview }: { kind: ImportKind; preview: ImportPreview }) {
  const { created, updated, skipped = 0, refused, warned, without_email: withoutEmail = 0, records } = preview;
  // Those with a warning first: the others need no look.
  const of = (action: PreviewedRecord['action']) =>
    records
      .filter((record) => record.action === action)
      .sort((a, b) => Number(b.warnings.length > 0) - Number(a.warnings.length > 0));
  const faulty = of('refuse');
  return (
    <>
      <div class="figures">
        <Figure title="Refused" value={number(refused)} warn={refused > 0}>
          {refused > 0 ? 'so the file cannot be imported' : 'every record is valid'}
        </Figure>
        <Figure title="To change" value={number(updated)}>
          in what the file has
        </Figure>
        <Figure title="To create" value={number(created)}>
          new {countRecords(kind, created)}
        </Figure>
        {skipped > 0 ? (
          <Figure title="Skipped" value={number(skipped)}>
            older than what is stored
          </Figure>
        ) : null}
        {warned > 0 ? (
          <Figure title="With a warning" value={number(warned)} warn>
            imported all the same
          </Figure>
        ) : null}
      </div>
      {withoutEmail > 0 ? (
        <p class="notice warn">
          {withoutEmail === 1
            ? '1 new service has no email: the client gets none.'
            : `${number(withoutEmail)} new services have no email: their clients get none.`}
        </p>
      ) : null}
      <Records title="Refused" total={refused} records={faulty.slice(0, RECORDS_LISTED)} what="Faults">
        <PostForm action="/imports/faults.csv">
          <input type="hidden" name="csv" value={faultsAsCsv(faulty)} />
          <Submit>Download the faults as CSV</Submit>
        </PostForm>
      </Records>
      <Records title="To change" total={updated} records={of('update')} what="What changes" folded={refused > 0} />
      <Records title="To create" total={created} records={of('create')} what="Warnings" folded={refused > 0} />
      <Records title="Skipped" total={skipped} records={of('skip')} what="Warnings" folded={refused > 0} />
    </>
  );
}

interface RecordsProps {
  title: string;
  /** How many there are; `records` has the first ones. */
  total: number;
  records: PreviewedRecord[];
  /** The heading of the last column. */
  what: string;
  /** Behind its title: what is refused is to be seen first. */
  folded?: boolean;
  children?: unknown;
}

function Records({ title, total, records, what, folded = false, children }: RecordsProps) {
  const [first] = records;
  if (!first) return null;
  const columns: Array<Column<PreviewedRecord>> = [
    { title: sentence(first.where.replace(/ .*/, '')), cell: ({ where }) => <span class="line">{where}</span> },
    { title: 'Record', named: true, cell: ({ subject }) => <Text value={subject} /> },
    ...Object.keys(first.summary).map((name) => ({
      title: sentence(name),
      named: true,
      cell: ({ summary }: PreviewedRecord) => <Text value={summary[name]} />,
    })),
    { title: what, cell: (record) => <Remarks {...record} /> },
  ];
  const heading = `${title} (${number(total)})`;
  const list = (
    <>
      <Table label={title} columns={columns} rows={records} empty={null} />
      {total > records.length ? (
        <p class="quiet more">{number(total - records.length)} more are not shown; the command lists them: --dry-run</p>
      ) : null}
    </>
  );
  return (
    <section class="card flush" aria-label={title}>
      {folded ? (
        <details>
          <summary class="folded">{heading}</summary>
          {list}
        </details>
      ) : (
        <>
          <div class="head">
            <h2>{heading}</h2>
            {children}
          </div>
          {list}
        </>
      )}
    </section>
  );
}

function Remarks({ action, faults, changes, warnings }: PreviewedRecord) {
  if (action === 'update' && changes.length === 0 && warnings.length === 0) return <span class="quiet">nothing</span>;
  return (
    <ul class="faults" dir="auto">
      {changes.map(({ field, before, after }) => (
        <li>
          <code>{field}</code> <span class="quiet">{shown(before)}</span> → {shown(after)}
        </li>
      ))}
      {[...faults, ...warnings].map(({ field, message }) => (
        <li class={action === 'refuse' ? undefined : 'warn'}>
          {field === null ? null : <code>{field}</code>} {message.slice(0, 300)}
        </li>
      ))}
    </ul>
  );
}

const Text = ({ value }: { value: unknown }) => <Truncated text={value === null ? null : String(value)} />;

const LONGEST_VALUE = 300;

const shown = (value: unknown): string => (value === null ? '–' : String(value).slice(0, LONGEST_VALUE));
