import type { FastifyReply, FastifyRequest } from 'fastify';
import { showBroker } from '../../src/operator/broker-views.ts';
import { type ImportLine, listImports } from '../../src/operator/import-list.ts';
import { IMPORT_COLUMNS, IMPORT_KINDS, type ImportKind } from '../../src/operator/importing.ts';
import { attempt, press } from '../act.ts';
import { sentence } from '../components/badge.tsx';
import { Card, number } from '../components/card.tsx';
import { type Choices, Field, PostForm, pairsOf, Refusal, Select, Submit } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf } from '../components/links.tsx';
import { brokerChoices } from '../components/list.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import type { Failure } from '../failures.ts';
import { receiveFile, takeFiles } from '../plugins/files.ts';
import { Problem } from '../problem.ts';
import { oneOf, param, queryOf } from '../query.ts';
import type { Routes, Section } from '../section.ts';
import { MAX_PER_OPERATOR, MAX_UPLOAD_BYTES, type Upload, Uploads } from '../uploads.ts';
import { Import, STEPS } from './import.tsx';
import { importRemoval } from './import-removal.tsx';

/** Uploads received at the same time; one for each operator. */
export const MAX_RECEIVING = 4;

/** How long a response waits for a small file, so that the page need not be reloaded. */
const WAIT_MS = 1_500;

/** Earlier imports that the page lists. */
const EARLIER = '10';

const routes: Routes = async (app, options) => {
  const { context, runImport } = options;
  const uploads = new Uploads({ clock: context.clock, run: runImport, log: app.log });
  app.addHook('onClose', () => uploads.close());
  const receiving = new Set<string>();
  await takeFiles(app);
  await importRemoval(app, options);

  const ownerOf = (request: FastifyRequest): string => request.signedIn.operator.operator_id;

  async function show(request: FastifyRequest, reply: FastifyReply, failure?: Failure) {
    const waiting = uploads.list(ownerOf(request));
    const query = queryOf(request);
    const chosen = { broker: query.get('broker'), kind: query.get('kind') };
    const [brokers, { records: earlier }] = await Promise.all([
      brokerChoices(context),
      listImports(context, { limit: EARLIER }),
    ]);
    const props = { brokers, earlier, waiting, chosen, failure };
    return reply.view(<Imports {...props} />, failure?.status);
  }

  app.get('/imports', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.post('/imports', { config: { role: 'admin', files: true } }, async (request, reply) => {
    const owner = ownerOf(request);
    if (receiving.has(owner) || receiving.size >= MAX_RECEIVING || !uploads.reserve(owner)) throw TOO_MANY_FILES;
    receiving.add(owner);
    try {
      const { fields, file } = await receiveFile(request, () => uploads.newPath());
      const kind = oneOf(fields.get('kind'), IMPORT_KINDS);
      const broker = fields.get('broker')?.trim() ?? '';
      const { failure } =
        kind && broker !== '' ? await attempt(() => showBroker(context, { broker })) : { failure: INCOMPLETE };
      if (failure) {
        uploads.discard(file);
        return show(request, reply, { status: 422, message: failure.message });
      }
      const upload = { ...file, kind: kind as ImportKind, broker };
      const { id, checked } = uploads.take(owner, request.context.actor, upload);
      await waitBriefly(checked);
      return reply.redirect(pathOf.import(id), 303);
    } finally {
      receiving.delete(owner);
    }
  });

  function find(request: FastifyRequest): Upload {
    const upload = uploads.find(ownerOf(request), param(request, 'uploadId'));
    if (!upload) throw EXPIRED;
    return upload;
  }

  app.get('/imports/:uploadId', { config: { role: 'admin' } }, async (request, reply) => {
    const upload = find(request);
    const query = queryOf(request);
    const only = oneOf(query.get('only'), STEPS);
    return reply.view(
      <Import id={param(request, 'uploadId')} upload={upload} only={only} page={query.page()} />,
      upload.progress.step === 'refused' || upload.progress.step === 'broken' ? 422 : 200,
    );
  });

  app.post('/imports/:uploadId/run', { config: { role: 'admin' } }, async (request, reply) => {
    const begun = uploads.begin(find(request), request.context.actor);
    if (begun === false) reply.flash({ tone: 'bad', text: 'The import was not started: see its state below.' });
    else await waitBriefly(begun);
    return reply.redirect(pathOf.import(param(request, 'uploadId')), 303);
  });

  app.post('/imports/:uploadId/drop', { config: { role: 'admin' } }, (request, reply) =>
    press(reply, '/imports', async () =>
      uploads.drop(ownerOf(request), param(request, 'uploadId'))
        ? 'The file was removed; nothing was imported.'
        : 'The file is being imported and cannot be removed.',
    ),
  );
};

/** Files of plans, services and invoices: first a preview, then the import. */
export const imports: Section = { label: 'Imports', path: '/imports', routes };

/** Waits for a job, for `WAIT_MS` at most. */
async function waitBriefly(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}

const NEXT = { to: '/imports', label: 'Back to the imports' };
const INCOMPLETE: Failure = { status: 422, message: 'Choose plans, services or invoices, and a broker.' };
const TOO_MANY_FILES = new Problem(
  429,
  'Too many files',
  `Each operator can have ${MAX_PER_OPERATOR} files: import or remove one first. If none is yours, try again in a minute.`,
  NEXT,
  60,
);
const EXPIRED = new Problem(404, 'File not found', 'It was removed, or an hour has passed. Upload it again.', NEXT);

interface ImportsProps {
  brokers: Choices | null;
  earlier: ImportLine[];
  waiting: Array<{ id: string; value: Upload }>;
  chosen: { broker?: string | undefined; kind?: string | undefined };
  failure: Failure | undefined;
}

function Imports({ brokers, earlier, waiting, chosen, failure }: ImportsProps) {
  const { role } = useOperator();
  return (
    <Page title="Imports" section="/imports">
      <Refusal failure={failure} />
      <div class="columns">
        <div class="stack">
          {role === 'admin' ? (
            <Send brokers={brokers} chosen={chosen} />
          ) : (
            <Card title="Import a file">
              <p class="quiet">The role admin can import plans, services and invoices.</p>
            </Card>
          )}
          {waiting.length > 0 ? (
            <Card title="Your files">
              <ul class="rows">
                {waiting.map(({ id, value: { name, kind, broker, progress } }) => (
                  <li>
                    <span class="grow" dir="auto">
                      <a href={pathOf.import(id)}>{name}</a>{' '}
                      <span class="quiet">
                        {kind} of {broker}
                      </span>
                    </span>
                    <span class="quiet">{progress.step}</span>
                  </li>
                ))}
              </ul>
            </Card>
          ) : null}
        </div>
        <div class="stack">
          <Columns />
          <Earlier imports={earlier} />
        </div>
      </div>
    </Page>
  );
}

function Send({ brokers, chosen }: Pick<ImportsProps, 'brokers' | 'chosen'>) {
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
    <Card title="Import a file">
      <p class="quiet">
        First a preview shows line by line what would be created, changed and refused. It writes nothing.
      </p>
      <PostForm action="/imports" files>
        <Select
          label="Records"
          name="kind"
          value={chosen.kind}
          choices={new Map(IMPORT_KINDS.map((kind) => [kind, sentence(kind)]))}
        />
        {brokers ? (
          <Select
            label="Broker"
            name="broker"
            value={chosen.broker}
            choices={new Map([['', 'Choose a broker'], ...pairsOf(brokers)])}
          />
        ) : (
          <Field label="Broker’s slug" name="broker" value={chosen.broker} required maxlength={64} />
        )}
        <Field
          label="File"
          name="file"
          type="file"
          accept=".csv,.json,text/csv,application/json"
          required
          hint={`CSV or JSON in UTF-8, up to ${MAX_UPLOAD_BYTES / 1_000_000} MB. Larger files: broker services import FILE --broker SLUG`}
        />
        <Submit tone="main">Preview</Submit>
      </PostForm>
    </Card>
  );
}

function Earlier({ imports: rows }: { imports: ImportsProps['earlier'] }) {
  const { role } = useOperator();
  return (
    <Card title="Earlier imports" aside={<a href="/audit?action=service.import">In the audit trail</a>}>
      {rows.length === 0 ? <p class="quiet">None yet.</p> : null}
      <ul class="rows">
        {rows.map(({ import_id, date, broker, kind, file, created, updated, taken_back }) => (
          <li>
            <span class="grow">
              <bdi>{file}</bdi>{' '}
              <span class="quiet">
                {number(created)} {kind} of {broker} created, {number(updated)} updated, <Timestamp at={date} />
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
          <p>
            {IMPORT_COLUMNS[kind].map(({ name, required }) => (
              <>
                <code>{required ? <strong>{name}</strong> : name}</code>{' '}
              </>
            ))}
          </p>
        </details>
      ))}
      <p class="quiet">
        Bold columns are required. A record whose number or slug exists is replaced. A file is imported completely or
        not at all.
      </p>
    </Card>
  );
}
