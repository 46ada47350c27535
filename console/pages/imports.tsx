import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { showBroker } from '../../src/operator/broker-views.ts';
import { IMPORT_COLUMNS, IMPORT_KINDS, type ImportKind } from '../../src/operator/importing.ts';
import { attempt, press } from '../act.ts';
import { sentence } from '../components/badge.tsx';
import { brokerChoices } from '../components/broker-choice.tsx';
import { Card } from '../components/card.tsx';
import { type Choice, Field, PostForm, Refusal, Select } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf } from '../components/links.tsx';
import { useOperator } from '../components/view.ts';
import type { Failure } from '../failures.ts';
import { receiveFile, takeFiles } from '../plugins/files.ts';
import { Problem } from '../problem.ts';
import { oneOf, param, queryOf } from '../query.ts';
import type { ConsoleOptions, Section } from '../section.ts';
import { MAX_PER_OPERATOR, MAX_UPLOAD_BYTES, type Upload, Uploads } from '../uploads.ts';
import { Import, STEPS } from './import.tsx';

/** Files of plans, services and invoices: first what would become of them, then it is done. */
export const imports: Section = { label: 'Imports', path: '/imports', routes };

/** Files on their way at the same time, over all people; one of each. */
const RECEIVED_AT_ONCE = 4;

/** A small file is looked at before the page comes back, so that it need not be asked for again. */
const PATIENCE_MS = 1_500;

async function routes(app: FastifyInstance, { context, runImport }: ConsoleOptions) {
  const uploads = new Uploads({ clock: context.clock, run: runImport, log: app.log });
  app.addHook('onClose', () => uploads.close());
  const receiving = new Set<string>();
  await takeFiles(app);

  const ownerOf = (request: FastifyRequest): string => request.signedIn.operator.operator_id;

  async function show(request: FastifyRequest, reply: FastifyReply, failure?: Failure) {
    const waiting = uploads.list(ownerOf(request));
    const query = queryOf(request);
    const chosen = { broker: query.get('broker'), kind: query.get('kind') };
    const props = { brokers: await brokerChoices(context), waiting, chosen, failure };
    return reply.view(<Imports {...props} />, failure?.status);
  }

  app.get('/imports', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.post('/imports', { config: { role: 'admin', files: true } }, async (request, reply) => {
    const owner = ownerOf(request);
    if (receiving.has(owner) || receiving.size >= RECEIVED_AT_ONCE || !uploads.reserve(owner)) throw TOO_MANY_FILES;
    receiving.add(owner);
    try {
      const { fields, file } = await receiveFile(request, () => uploads.newPath());
      const kind = oneOf(fields.get('kind'), IMPORT_KINDS);
      const broker = fields.get('broker')?.trim() ?? '';
      const { failure } =
        kind && broker !== '' ? await attempt(() => showBroker(context, { broker })) : { failure: UNTOLD };
      if (failure) {
        uploads.forget(file);
        return show(request, reply, { status: 422, message: failure.message });
      }
      const upload = { ...file, kind: kind as ImportKind, broker };
      const { id, checked } = uploads.take(owner, request.context.actor, upload);
      await orLater(checked);
      return reply.redirect(pathOf.import(id), 303);
    } finally {
      receiving.delete(owner);
    }
  });

  function find(request: FastifyRequest): Upload {
    const upload = uploads.find(ownerOf(request), param(request, 'uploadId'));
    if (!upload) throw GONE;
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
    if (begun === false) reply.flash({ tone: 'bad', text: 'Nothing was begun: see below how far it has come.' });
    else await orLater(begun);
    return reply.redirect(pathOf.import(param(request, 'uploadId')), 303);
  });

  app.post('/imports/:uploadId/drop', { config: { role: 'admin' } }, (request, reply) =>
    press(reply, '/imports', async () =>
      uploads.drop(ownerOf(request), param(request, 'uploadId'))
        ? 'The file is forgotten; nothing was imported.'
        : 'It is being imported: too late to forget it.',
    ),
  );
}

/** Waits for a work, but not longer than a person likes to. */
async function orLater(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}

const NEXT = { to: '/imports', label: 'Back to the imports' };
const UNTOLD: Failure = { status: 422, message: 'Say whether it holds plans, services or invoices, and whose.' };
const TOO_MANY_FILES = new Problem(
  429,
  'Too many files',
  `Of each person ${MAX_PER_OPERATOR} files wait at most: import or forget one first. If none of them is yours, try again in a minute.`,
  NEXT,
  60,
);
const GONE = new Problem(
  404,
  'This file is gone',
  'It was forgotten, or nobody came back for it within an hour. Upload it again.',
  NEXT,
);

interface ImportsProps {
  brokers: Choice[] | null;
  waiting: Array<{ id: string; value: Upload }>;
  chosen: { broker?: string | undefined; kind?: string | undefined };
  failure: Failure | undefined;
}

function Imports({ brokers, waiting, chosen, failure }: ImportsProps) {
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
              <p class="quiet">Whoever has the role admin can import plans, services and invoices.</p>
            </Card>
          )}
          {waiting.length > 0 ? (
            <Card title="Files that wait for you">
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
          <Card title="Imported before">
            <ul class="rows">
              {IMPORT_KINDS.map((kind) => (
                <li>
                  <a href={`/audit?action=${kind.replace(/s$/, '')}.import`}>Who imported {kind}, when and how many</a>
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </Page>
  );
}

function Send({ brokers, chosen }: Pick<ImportsProps, 'brokers' | 'chosen'>) {
  if (brokers?.length === 0) {
    return (
      <Card title="Import a file">
        <p class="quiet">
          There is no broker yet whose records these could be. <a href="/brokers">Add one</a> first.
        </p>
      </Card>
    );
  }
  return (
    <Card title="Import a file">
      <p class="quiet">
        First you see line by line what would be created, changed and refused. Nothing is written before.
      </p>
      <PostForm action="/imports" files>
        <Select
          label="What it holds"
          name="kind"
          value={chosen.kind}
          choices={IMPORT_KINDS.map((kind) => ({ value: kind, label: sentence(kind) }))}
        />
        {brokers ? (
          <Select
            label="Whose"
            name="broker"
            value={chosen.broker}
            choices={[{ value: '', label: 'Choose a broker' }, ...brokers]}
          />
        ) : (
          <Field label="Whose (the broker’s slug)" name="broker" value={chosen.broker} required maxlength={64} />
        )}
        <div class="field">
          <label for="f-file">File</label>
          <input
            id="f-file"
            type="file"
            name="file"
            accept=".csv,.json,text/csv,application/json"
            required
            aria-describedby="h-file"
          />
          <small id="h-file" class="quiet">
            CSV or JSON in UTF-8, up to {MAX_UPLOAD_BYTES / 1_000_000} MB. Larger ones: broker services import FILE
            --broker SLUG
          </small>
        </div>
        <button type="submit" class="main">
          Look at it
        </button>
      </PostForm>
    </Card>
  );
}

function Columns() {
  return (
    <Card title="What a CSV file’s first line may name">
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
        What stands in bold is required. A record whose number or slug the broker has is changed as a whole; all or
        nothing of a file is taken.
      </p>
    </Card>
  );
}
