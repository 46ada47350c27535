import type { FastifyReply, FastifyRequest } from 'fastify';
import { previewServiceRemoval, type RemovalPreview, removeServices } from '../../src/operator/service-removal.ts';
import { act } from '../act.ts';
import { Card, number } from '../components/card.tsx';
import { Confirm, Refusal } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { Id, pathOf } from '../components/links.tsx';
import type { Failure } from '../failures.ts';
import { type Job, type Jobs, Running } from '../jobs.tsx';
import { param } from '../query.ts';
import type { Routes } from '../section.ts';

/** Takes back what an import of services created. */
export const importRemoval =
  (jobs: Jobs): Routes =>
  async (app, { context }) => {
    async function show(request: FastifyRequest, reply: FastifyReply, failure?: Failure) {
      const [slug, importId] = [param(request, 'slug'), param(request, 'importId')];
      const preview = await previewServiceRemoval(context, { broker: slug, importId });
      return reply.view(<ImportRemoval {...{ importId, preview, failure, job: jobs.current }} />, failure?.status);
    }

    app.get('/brokers/:slug/imports/:importId', { config: { role: 'admin' } }, (request, reply) =>
      show(request, reply),
    );

    app.post('/brokers/:slug/imports/:importId/remove', { config: { role: 'admin' } }, (request, reply) =>
      act(
        reply,
        async () => {
          const [broker, importId] = [param(request, 'slug'), param(request, 'importId')];
          const { email } = request.signedIn.operator;
          const { removed, stayed } = await jobs.run(email, `Taking back an import of ${broker}`, (job) =>
            removeServices(request.context, { broker, importId, onProgress: (...at) => ([job.done, job.total] = at) }),
          );
          const left = stayed.length > 0 ? ` ${number(stayed.length)} stay: something has happened on them.` : '';
          return { to: '/imports', done: `${number(removed)} services were removed.${left}` };
        },
        (failure) => show(request, reply, failure),
      ),
    );
  };

interface Props {
  importId: string;
  preview: RemovalPreview;
  failure: Failure | undefined;
  job: Job | undefined;
}

function ImportRemoval({
  importId,
  preview: { broker, services, updated_services, used_services, used },
  failure,
  job,
}: Props) {
  return (
    <Page title="Take an import back" section="/imports" crumbs={[{ label: 'Imports', to: '/imports' }]} here={broker}>
      <Running job={job} />
      <Refusal failure={failure} />
      <Card title={`${number(services)} services of ${broker}`}>
        <p>
          The import <Id id={importId} /> created them. They can be removed while nothing has happened on any of them:
          no change, renewal, request, invoice or email.
          {updated_services > 0 ? ` ${number(updated_services)} others that it changed stay as they are.` : null}
        </p>
        {used_services === 0 ? (
          <div class="buttons">
            <Confirm
              id="remove"
              label="Remove them…"
              title={`Remove ${number(services)} services?`}
              action={`${pathOf.importRemoval(broker, importId)}/remove`}
              verb="Remove"
            >
              Calls that name them are answered with 404 from then on, and their numbers are not issued again.
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
