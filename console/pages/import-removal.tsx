import type { FastifyReply, FastifyRequest } from 'fastify';
import { findImport, type ImportLine } from '../../src/operator/imports/list.ts';
import { previewServiceRemoval, type RemovalPreview, removeServices } from '../../src/operator/services/removal.ts';
import { Card, number } from '../components/card.tsx';
import { Confirm, RefusalNote } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf } from '../components/links.tsx';
import { Time } from '../components/timestamp.tsx';
import { act, attempt } from '../forms/act.ts';
import { type Job, type Jobs, Running } from '../forms/jobs.tsx';
import type { Failure } from '../http/failures.ts';
import { readParam } from '../http/query.ts';
import type { Routes } from '../http/section.ts';

/** Takes back what an import of services created. */
export const importRemoval =
  (jobs: Jobs): Routes =>
  async (app, { context }) => {
    async function show(request: FastifyRequest, reply: FastifyReply, failure?: Failure) {
      const [slug, importId] = [readParam(request, 'slug'), readParam(request, 'importId')];
      const line = await findImport(context, { broker: slug, importId });
      const { value: preview, failure: gone } = await attempt(() =>
        previewServiceRemoval(context, { broker: slug, importId }),
      );
      if (preview)
        return reply.view(
          <ImportRemoval importId={importId} line={line} preview={preview} failure={failure} job={jobs.current} />,
          failure?.status,
        );
      // The way back to this page, and a second click.
      if (line?.taken_back) return reply.view(<TakenBack line={line} />, gone.status);
      throw gone.error;
    }

    app.get('/brokers/:slug/imports/:importId', { config: { role: 'admin' } }, (request, reply) =>
      show(request, reply),
    );

    app.post('/brokers/:slug/imports/:importId/remove', { config: { role: 'admin' } }, (request, reply) =>
      act(
        reply,
        async () => {
          const [broker, importId] = [readParam(request, 'slug'), readParam(request, 'importId')];
          const { email } = request.signedIn.operator;
          const { removed, stayed } = await jobs.run(email, `Taking back an import of ${broker}`, (job) =>
            removeServices(request.context, { broker, importId, onProgress: (...at) => ([job.done, job.total] = at) }),
          );
          const left = stayed.length > 0 ? ` ${number(stayed.length)} stay: something has happened on them.` : '';
          const were = removed === 1 ? 'service was' : 'services were';
          return { to: '/imports', done: `${number(removed)} ${were} removed.${left}` };
        },
        (failure) => show(request, reply, failure),
      ),
    );
  };

interface Props {
  importId: string;
  /** Undefined for an import that the audit trail does not have any more. */
  line: ImportLine | undefined;
  preview: RemovalPreview;
  failure: Failure | undefined;
  job: Job | undefined;
}

function ImportRemoval({
  importId,
  line,
  preview: { broker, services, updated_services, used_services, used },
  failure,
  job,
}: Props) {
  return (
    <Page title="Take an import back" section="/imports" crumbs={[{ label: 'Imports', to: '/imports' }]} here={broker}>
      <Running job={job} />
      <RefusalNote failure={failure} />
      <Card title={`${countOf(services)} of ${broker}`}>
        <p>
          <ImportName id={importId} line={line} /> created {services === 1 ? 'it' : 'them'}. They can be removed while
          nothing has happened on any of them: no change, renewal, request, invoice or email.
          {updated_services > 0 ? ` What it changed stays as it is now: ${countOf(updated_services)}.` : null}
        </p>
        {used_services === 0 ? (
          <div class="buttons">
            <Confirm
              id="remove"
              label="Remove them…"
              title={`Remove ${countOf(services)}?`}
              action={`${pathOf.importRemoval(broker, importId)}/remove`}
              verb="Remove"
            >
              Calls that name them are answered with 404 from then on. New services get other numbers; the same file can
              be imported again.
            </Confirm>
          </div>
        ) : (
          <>
            <p>Something has happened on {number(used_services)} of them, so none can be removed:</p>
            <ul class="rows">
              {used.map(({ service_number, why }) => (
                <li>
                  <a href={pathOf.service(service_number)}>{service_number}</a> <span class="quiet">{why}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Card>
    </Page>
  );
}

const countOf = (services: number): string => `${number(services)} ${services === 1 ? 'service' : 'services'}`;

/** An import by its file, as the list of imports names it. */
const ImportName = ({ id, line }: { id: string; line: ImportLine | undefined }) =>
  line ? (
    <>
      The import of <bdi title={id}>{line.file}</bdi> (<Time at={line.date} />)
    </>
  ) : (
    <>
      The import <code>{id}</code>
    </>
  );

const TakenBack = ({ line }: { line: ImportLine }) => (
  <Page title="Taken back" section="/imports" crumbs={[{ label: 'Imports', to: '/imports' }]}>
    <Card title={line.file}>
      <p>
        The services that this import created are removed. <a href="/imports">Imports</a>
      </p>
    </Card>
  </Page>
);
