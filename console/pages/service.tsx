import type { FastifyRequest } from 'fastify';
import type { Child } from 'hono/jsx';
import { isOutboxFile } from '../../src/operator/mail/emails.ts';
import { mayAct } from '../../src/operator/people/operators.ts';
import { listPlans } from '../../src/operator/plans/plans.ts';
import { submitClientRequest } from '../../src/operator/requests/decisions.ts';
import { ERASED } from '../../src/operator/services/clients.ts';
import { isMailbox, resumeService, setService, suspendService } from '../../src/operator/services/services.ts';
import {
  findServiceName,
  type ServiceEvent,
  type ServiceFile,
  showServiceFile,
} from '../../src/operator/services/views.ts';
import {
  actionUseCase,
  CONFIGURATION,
  cancelService,
  isCarriedOut,
  listActions,
  nameOfAction,
  requireAction,
} from '../../src/operator/services/work.ts';
import type { RequestRecord } from '../../src/records.ts';
import type { Action as PlanAction } from '../../src/rules/offers.ts';
import { omit } from '../../src/rules/omit.ts';
import { isEnded } from '../../src/rules/words.ts';
import { priceOver, sizeOf, sizesOf } from '../components/amounts.ts';
import { Badge, toneOf, WRITTEN, words } from '../components/badge.tsx';
import { Card, Copied, Facts } from '../components/card.tsx';
import type { Choices } from '../components/form.tsx';
import { Invoices } from '../components/invoices.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, CopiedId, PlanLink, pathOf, RequestLink, titleOf } from '../components/links.tsx';
import { chosenOf } from '../components/offer.tsx';
import { type Event, Timeline } from '../components/timeline.tsx';
import { Day } from '../components/timestamp.tsx';
import { ActionForm, Again, allows } from '../forms/action-form.tsx';
import { addAction, dialogIdOf, handlerOf, type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import { readParam } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import { ClientEmail, client } from './client.tsx';
import { shownRenewal } from './service-columns.tsx';

/** One service, its history, and the forms that change it. */
export const service: Routes = async (app, options) => {
  const { context } = options;
  await client(app, options);
  const record = (request: FastifyRequest) => showServiceFile(context, { number: readParam(request, 'number') });
  const show: Show = async (request, reply, refused) => {
    const file = await record(request);
    const isLiving = file.service_status === 'active';
    const actions = isLiving ? await listActions(context, { service_number: file.service_number }) : [];
    const carriedOut = await isCarriedOut(request.context);
    const submits = mayAct(request.signedIn.operator.role, 'support') && !isEnded(file.service_status);
    const { records } = submits ? await listPlans.run(context, { broker: file.broker.slug }) : { records: [] };
    const plans = new Map(records.filter(({ active }) => active).map(({ slug, display_name }) => [slug, display_name]));
    return reply.view(
      <Service file={file} actions={actions} plans={plans} carriedOut={carriedOut} refused={refused} />,
      refusedStatus(refused),
    );
  };
  const page = {
    path: '/services/:number',
    show,
    record,
    named: (request: FastifyRequest) => findServiceName(context, { number: readParam(request, 'number') }),
  };
  app.get(page.path, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));
  addAction(app, setService, {
    ...page,
    toneOf: ({ client: { email } }) => (email === null || isMailbox(email) ? 'good' : 'warn'),
  });
  for (const each of [suspendService, resumeService]) addAction<unknown>(app, each, page);
  const request = { ...page, to: ({ request_id }: RequestRecord) => pathOf.request(request_id) };
  addAction(app, submitClientRequest, request);
  addAction(app, cancelService, request);
  // The plan of the service says which actions there are, and what is asked for each.
  app.post('/services/:number/action/:action', { config: { role: 'support' } }, async (call, reply) => {
    const { service_number } = await page.named(call);
    const useCase = await requireAction(context, { service_number, action: readParam(call, 'action') });
    return handlerOf<RequestRecord>(useCase, request)(call, reply);
  });
};

interface ServiceProps {
  file: ServiceFile;
  /** What its plan offers, for an active service. */
  actions: readonly PlanAction[];
  /** The plans that its broker sells, by slug. */
  plans: Choices;
  /** Whether the provisioner carries out what the operator does. */
  carriedOut: boolean;
  refused: Refused | undefined;
}

function Service({ file, actions, plans, carriedOut, refused }: ServiceProps) {
  const { service_number: number, label, broker, plan, suspension } = file;
  const isErased = (file.client.email ?? file.client.name) === ERASED;
  const action = { at: pathOf.service(number), record: file, of: `service ${number}` };
  const refusedAction = actions.find(({ name }) => refused?.form?.useCase.name === nameOfAction(name));
  // Without a provisioner there is only the record.
  const records = carriedOut ? {} : { fixed: { records_only: 'true' } };
  return (
    <Page
      title={isErased || label === null ? `Service ${number}` : label}
      section="/services"
      crumbs={[{ label: 'Services', to: '/services' }]}
      here={<CopiedId id={String(number)} />}
      state={<Badge state={file.service_status} />}
      actions={
        <>
          {suspension ? (
            <ActionForm {...action} {...records} useCase={resumeService}>
              {carriedOut ? (
                <p>The provisioner is asked; the suspension is lifted when that is done.</p>
              ) : (
                <p>Only the record changes: start the server yourself, the provisioner is not called.</p>
              )}
            </ActionForm>
          ) : null}
          {['pending', 'active'].includes(file.service_status) || suspension?.suspended_by === 'broker' ? (
            <ActionForm {...action} {...records} useCase={suspendService}>
              {carriedOut ? (
                <p>The record changes at once, and the provisioner is asked. The broker cannot lift this.</p>
              ) : (
                <p>
                  Only the record changes: the server itself runs on until you stop it. The broker cannot lift this.
                </p>
              )}
            </ActionForm>
          ) : null}
          {isEnded(file.service_status) && !isCleanable(file) ? null : (
            <ActionForm
              {...action}
              useCase={cancelService}
              tone="danger"
              texts={file.plan.billing_type === 'hourly' ? { cancellation_type: 'immediate' } : {}}
            >
              <Submitted carriedOut={carriedOut} />
            </ActionForm>
          )}
          {/* Of an erased client nothing is left to edit. */}
          {isErased && isEnded(file.service_status) ? null : <ActionForm {...action} useCase={setService} />}
        </>
      }
    >
      <Again
        refused={refused}
        choices={{ ...(refusedAction && unsetOf(refusedAction)), new_plan: plans }}
        hints={NEW_PLAN}
      />
      <div class="columns record">
        <div class="stack">
          <UnderWay file={file} />
          <Card title="Service">
            <Facts
              two
              rows={[
                ['Client', <a href={pathOf.client(number)}>{file.client.name}</a>],
                ['Email', <ClientEmail email={file.client.email} isErased={isErased} />],
                ['Broker', <BrokerLink {...broker} />],
                ['Broker’s reference', file.external_reference ?? <span class="quiet">none</span>],
                ['Machine', <Machine reference={file.reference} />],
                ['Renews', <Day at={shownRenewal(file)} />],
                ['Since', <Day at={file.created_date} />],
                file.cancelled_date ? ['Ended', <Day at={file.cancelled_date} />] : null,
                ['Changed', <Day at={file.updated_date} />],
                ['Uid', <CopiedId id={file.service_uid} />],
              ]}
            />
          </Card>
          <Access {...file} carriedOut={carriedOut} />
          {allows(submitClientRequest) && !isEnded(file.service_status) ? (
            <Card title="Actions">
              <div class="buttons">
                {actions.map((each) => (
                  <ActionForm {...action} useCase={actionUseCase(each)} row={each.name} choices={unsetOf(each)}>
                    {each.description === null ? null : <p dir="auto">{each.description}</p>}
                    <Submitted carriedOut={carriedOut} />
                  </ActionForm>
                ))}
                <ActionForm {...action} useCase={submitClientRequest} choices={{ new_plan: plans }} hints={NEW_PLAN} />
              </div>
            </Card>
          ) : null}
          <Card title="Plan">
            <Facts
              two
              rows={[
                ['Plan', <PlanLink id={plan.id} name={plan.display_name} />],
                ['Price', priceOver(plan)],
                ...sizesOf(plan.specifications),
                ...chosenOf(file),
                file.requires_operator_review ? ['Plan changes', <strong>are all reviewed</strong>] : null,
              ]}
            />
          </Card>
          <Invoices
            rows={file.invoices}
            leftOut={['Service']}
            all={`/invoices?${new URLSearchParams({ broker: broker.slug, service: String(number) })}`}
          />
          {file.consumption ? (
            <Card title="Consumption">
              <Facts
                two
                rows={[
                  ['Measured', <Day at={file.consumption.measured_date} />],
                  file.consumption.period_from ? ['Since', <Day at={file.consumption.period_from} />] : null,
                  ['Disk', sizeOf(file.consumption.disk_gb_used, 'GB')],
                  ['Transfer', sizeOf(file.consumption.transfer_gb_used, 'GB')],
                ]}
              />
            </Card>
          ) : null}
        </div>
        <div class="stack">
          <Card title="History">
            {file.events.length === 0 ? (
              <p class="quiet">There are no requests and no changes yet.</p>
            ) : (
              <Timeline events={file.events.map(eventOf)} />
            )}
            <p class="links">
              <a href={`/requests?service=${number}`}>Requests</a> <a href={`/emails?service=${number}`}>Emails</a>{' '}
              <a href={`/calls?service=${number}`}>Calls</a> <AuditLink subject={`service/${number}`} />
            </p>
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** The provisioner's own id of it, and what else is on the same machine: what stands before the last slash. */
function Machine({ reference }: { reference: string | null }) {
  if (reference === null) return <span class="quiet">not known</span>;
  const host = /^.+\//.exec(reference)?.[0];
  return (
    <>
      <span class="mono">{reference}</span>{' '}
      {host === undefined ? null : (
        <a href={`/services?${new URLSearchParams({ reference: host })}`}>all of {host.slice(0, -1)}</a>
      )}
    </>
  );
}

/** Of what an operator submits (contract, section 12.6). */
const Submitted = ({ carriedOut }: Pick<ServiceProps, 'carriedOut'>) => (
  <>
    <p>The broker sees the request and cannot withdraw it. No email is sent.</p>
    {carriedOut ? null : <p>No provisioner is called: only the record changes, nothing is done at the server.</p>}
  </>
);

/** The creation of a service that waits for nothing any more: what there is of it is not known. */
function lostCreation(file: ServiceFile) {
  return file.service_status === 'pending' && !file.open_request ? failedCreation(file) : undefined;
}

function failedCreation({ events }: ServiceFile) {
  return events.find(
    (event) => event.kind === 'request' && event.type === 'service-creation' && event.request_status === 'failed',
  ) as Extract<ServiceEvent, { kind: 'request' }> | undefined;
}

/** Whether something may be left of a service that never came to be, though its creation failed. */
const isCleanable = (file: ServiceFile): boolean =>
  file.service_status === 'terminated' && !file.open_request && failedCreation(file) !== undefined;

/** What is not as the badge alone says: a suspension, a cancellation, a request, what is expected. */
function UnderWay({ file }: { file: ServiceFile }) {
  const { cancellation, suspension, expected, open_request } = file;
  const lost = lostCreation(file);
  const [action] = file.events.flatMap((event) =>
    event.kind === 'request' && event.request_id === open_request?.request_id ? [event.action] : [],
  );
  if (!cancellation && !suspension && !expected && !open_request && !lost) return null;
  return (
    <Card title="Now">
      <Facts
        rows={[
          lost
            ? [
                'Creation',
                <>
                  <RequestLink id={lost.request_id} label="failed" />, and there may be something of it left:{' '}
                  <a href={`#o-${dialogIdOf(cancelService)}`}>cancel the service</a> to clean up.
                </>,
              ]
            : null,
          suspension ? ['Suspended', <Suspended {...suspension} />] : null,
          open_request
            ? [
                'Open request',
                <>
                  <RequestLink id={open_request.request_id} label={titleOf({ ...open_request, action })} />{' '}
                  <Badge state={open_request.request_status} />
                  {open_request.effective_date ? (
                    <>
                      {' '}
                      for <Day at={open_request.effective_date} />
                    </>
                  ) : null}
                </>,
              ]
            : null,
          expected ? ['Then', <Expected {...expected} />] : null,
          cancellation
            ? [
                'Cancelled for',
                <>
                  <Day at={cancellation.effective_date} />{' '}
                  <RequestLink id={cancellation.request_id} label={words(cancellation.cancellation_type)} />
                </>,
              ]
            : null,
        ]}
      />
    </Card>
  );
}

const NEW_PLAN = { new_plan: 'For a plan change' };

/** Options of which none has to be chosen begin with that. */
const unsetOf = ({ options }: PlanAction): Record<string, Choices> =>
  Object.fromEntries(
    options
      .filter(
        ({ type, required, default: value }) => !required && value === null && type !== 'text' && type !== 'number',
      )
      .map(({ name, type, choices = [] }) => {
        const known: Array<[string, string]> =
          type === 'boolean'
            ? [
                ['true', 'yes'],
                ['false', 'no'],
              ]
            : choices.map(({ value, display_name }) => [value, display_name]);
        return [`${CONFIGURATION}${name}`, new Map([['', 'as it is'], ...known])];
      }),
  );

/** How the client reaches it. */
function Access({
  access,
  has_credentials,
  carriedOut,
}: Pick<ServiceFile, 'access' | 'has_credentials'> & Pick<ServiceProps, 'carriedOut'>) {
  if (!access) return null;
  const { hostname, ip_addresses, username, login_url, notes } = access;
  return (
    <Card title="Access">
      <Facts
        rows={[
          hostname === null ? null : ['Host name', <Copied text={hostname} />],
          ...ip_addresses.map((address): [string, Child] => ['Address', <Copied text={address} />]),
          username === null ? null : ['User', <Copied text={username} />],
          has_credentials
            ? [
                'Password',
                carriedOut
                  ? 'the client sees it at the broker; it is not kept here'
                  : 'none: a provisioner would be asked for it',
              ]
            : null,
          login_url === null ? null : ['Login', <Copied text={login_url} />],
          notes === null ? null : ['Notes', <blockquote class="quote">{notes}</blockquote>],
        ]}
      />
    </Card>
  );
}

/** The service once every accepted request that waits for no date is done. */
const Expected = ({ service_status: status, plan }: NonNullable<ServiceFile['expected']>) => (
  <>
    <Badge state={status} /> {plan.display_name}
  </>
);

function Suspended({ suspended_by, reason, suspended_date }: NonNullable<ServiceFile['suspension']>) {
  return (
    <>
      by the {suspended_by}, <Day at={suspended_date} />
      {reason ? <blockquote class="quote">{reason}</blockquote> : null}
    </>
  );
}

function eventOf(event: ServiceEvent): Event {
  const { date } = event;
  if (event.kind === 'request') {
    const { request_id, request_status: status, actor, note } = event;
    const title = (
      <>
        <RequestLink id={request_id} label={titleOf(event)} />: {words(status)}
      </>
    );
    return { title, date, detail: actor, note, tone: toneOf(status) };
  }
  if (event.kind === 'email') {
    const { email_id, email_kind, email_status, note } = event;
    const status = isOutboxFile(event) ? WRITTEN : email_status;
    const title = (
      <>
        Email <a href={pathOf.email(email_id)}>{words(email_kind)}</a>: {words(status)}
      </>
    );
    return { title, date, detail: 'to the client', note, tone: toneOf(status) };
  }
  const { actor, action, before } = event;
  // Who suspended it is the one who did it.
  const { suspension_reason: reason, ...after } = omit(event.after ?? {}, 'suspended_by');
  const note = typeof reason === 'string' ? reason : null;
  return { title: <Edited before={before} after={after} action={action} />, date, detail: <bdi>{actor}</bdi>, note };
}

/** The changed fields; the action where the audit record has no values. */
function Edited({ before, after, action }: { before: object | null; after: object; action: string }) {
  if (action === 'client.erase') return <>Client erased</>;
  if (action === 'service.import' && 'file' in after) return <>Imported from {after.file}</>;
  const now = Object.entries(after);
  if (now.length === 0) return <>{words(action.replace('.', ': '))}</>;
  const was = new Map(Object.entries(before ?? {}));
  return (
    <>
      {now.map(([field, value], index) => (
        <>
          {index > 0 ? ', ' : null}
          {words(field)} {was.has(field) ? `${shown(was.get(field))} → ${shown(value)}` : shown(value)}
        </>
      ))}
    </>
  );
}

const shown = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return text.slice(0, 10);
  // An id is shown unchanged.
  return /^[a-z]{3}_[0-9A-Z]{26}$/.test(text) ? text : words(text);
};
