import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Child } from 'hono/jsx';
import { eraseClient, exportClient } from '../../src/operator/clients.ts';
import { mayAct } from '../../src/operator/operators.ts';
import {
  SERVICE_STATUSES,
  type ServiceEvent,
  type ServiceFile,
  showServiceFile,
} from '../../src/operator/service-views.ts';
import { setService } from '../../src/operator/services.ts';
import { act, press } from '../act.ts';
import { Badge, toneOf, words } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { priceOf, sizeOf } from '../components/change.tsx';
import { Confirm, Dialog, Field, Refusal, Select, TextArea } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, Id, PlanLink, pathOf, RequestLink, requestTitle } from '../components/links.tsx';
import { type Event, Timeline } from '../components/timeline.tsx';
import { Day } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import type { Failure } from '../failures.ts';
import { param } from '../query.ts';
import type { Routes } from '../section.ts';

/** One service, its history, and the form that edits it. */
export const service: Routes = async (app, { context }) => {
  async function show(request: FastifyRequest, reply: FastifyReply, failure?: Failure) {
    const file = await showServiceFile(context, { number: param(request, 'number') });
    return reply.view(<Service file={file} failure={failure} />, failure?.status);
  }

  app.get('/services/:number', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.post('/services/:number/set', { config: { role: 'support' } }, (request, reply) => {
    const number = param(request, 'number');
    const { form } = request;
    return act(
      reply,
      async () => {
        const { broker, ...before } = await showServiceFile(context, { number });
        const email = form.given('email') ?? null;
        const renewal = form.given('renewal') ?? null;
        await setService(request.context, {
          broker: broker.slug,
          number,
          // The status as it stands would make a broker's suspension the operator's.
          status: form.given('status') === before.service_status ? undefined : form.given('status'),
          review: form.get('review') === 'yes',
          // Unchanged values are not set: the form shows a date, the record has a timestamp.
          ...(email !== before.client.email && { clientEmail: email }),
          ...(renewal !== dayOf(before.renewal_date) && { renewal }),
        });
        return { to: pathOf.service(before.service_number), done: 'Saved.' };
      },
      (failure) => show(request, reply, failure),
    );
  });

  /** Sets the status of a service that still has the one that the operator saw. */
  const move = (path: string, status: 'suspended' | 'active', done: string) =>
    app.post(`/services/:number/${path}`, { config: { role: 'support' } }, (request, reply) => {
      const number = param(request, 'number');
      const { form } = request;
      return act(
        reply,
        async () => {
          const { broker, service_number } = await showServiceFile(context, { number });
          const reason = form.given('reason');
          await setService(request.context, { broker: broker.slug, number, status, from: form.get('from'), reason });
          return { to: pathOf.service(service_number), done };
        },
        (failure) => show(request, reply, failure),
      );
    });
  move('suspend', 'suspended', 'Suspended: only an operator can lift that.');
  move('lift', 'active', 'The suspension is lifted.');

  // A read for the browser's cookies, which no other site's request carries; the audit trail notes it.
  app.get('/services/:number/client.json', { config: { role: 'admin' } }, async (request, reply) => {
    const { broker, client } = await showServiceFile(context, { number: param(request, 'number') });
    const exported = await exportClient(request.context, { broker: broker.slug, email: client.email ?? '' });
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="client.json"')
      .send(JSON.stringify(exported, null, 2));
  });

  app.post('/services/:number/erase-client', { config: { role: 'admin' } }, async (request, reply) => {
    const { broker, service_number } = await showServiceFile(context, { number: param(request, 'number') });
    const email = request.form.get('email');
    return press(reply, pathOf.service(service_number), async () => {
      const { remains } = await eraseClient(request.context, { broker: broker.slug, email });
      return `The client is erased. ${remains}.`;
    });
  });
};

const dayOf = (date: string | null): string | null => (date === null ? null : date.slice(0, 10));

function Service({ file, failure }: { file: ServiceFile; failure: Failure | undefined }) {
  const edits = mayAct(useOperator().role, 'support');
  const { service_number: number, label, broker, plan, cancellation, suspension, open_request } = file;
  return (
    <Page
      title={label ?? `Service ${number}`}
      section="/services"
      crumbs={[{ label: 'Services', to: '/services' }]}
      here={<Id id={String(number)} />}
      actions={
        <>
          <Badge state={file.service_status} />
          {edits ? <Suspend file={file} /> : null}
          {edits ? <Edit file={file} /> : null}
        </>
      }
    >
      <Refusal failure={failure} />
      <div class="columns">
        <div class="stack">
          <Card title="History" aside={<a href={`/requests?service=${number}`}>Requests</a>}>
            {file.events.length === 0 ? (
              <p class="quiet">There are no requests and no changes yet.</p>
            ) : (
              <Timeline events={file.events.map(eventOf)} />
            )}
          </Card>
        </div>
        <div class="stack">
          <Card title="About">
            <Facts
              rows={[
                ['Number', <span class="mono">{number}</span>],
                ['Broker', <BrokerLink {...broker} />],
                ['Reference', file.external_reference ?? <None />],
                ['Renews', <Day at={file.renewal_date} />],
                ['Since', <Day at={file.created_date} />],
                ['Changed', <Day at={file.updated_date} />],
                ['Changes', <AuditLink subject={`service/${number}`} />],
                file.cancelled_date ? ['Ended', <Day at={file.cancelled_date} />] : null,
                cancellation
                  ? [
                      'Cancelled for',
                      <>
                        <Day at={cancellation.effective_date} />{' '}
                        <RequestLink id={cancellation.request_id} label={words(cancellation.cancellation_type)} />
                      </>,
                    ]
                  : null,
                suspension ? ['Suspended', <Suspended {...suspension} />] : null,
                open_request
                  ? [
                      'Open request',
                      <>
                        <RequestLink id={open_request.request_id} label={requestTitle(open_request.type)} />{' '}
                        <Badge state={open_request.request_status} />
                      </>,
                    ]
                  : null,
                [
                  'Plan changes',
                  file.requires_operator_review ? (
                    <strong>are all reviewed</strong>
                  ) : (
                    'are reviewed where its plan requires it'
                  ),
                ],
              ]}
            />
          </Card>
          <Client file={file} />
          <Card title="Plan">
            <Facts
              rows={[
                ['Plan', <PlanLink id={plan.id} name={plan.display_name} />],
                ['Slug', <span class="mono">{plan.slug}</span>],
                ['Billed', plan.billing_type],
                ...(plan.specifications
                  ? ([
                      ['vCPU', sizeOf(plan.specifications.vcpu, '')],
                      ['Memory', sizeOf(plan.specifications.memory_mb, 'MB')],
                      ['Disk', sizeOf(plan.specifications.disk_gb, 'GB')],
                      ['Transfer', sizeOf(plan.specifications.transfer_gb, 'GB')],
                    ] satisfies Array<[string, Child]>)
                  : []),
                ['Price', priceOf(plan.price)],
              ]}
            />
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** The person behind the service; admins export and erase everything about the address. */
function Client({ file: { service_number: number, client } }: { file: ServiceFile }) {
  const admin = useOperator().role === 'admin';
  const path = pathOf.service(number);
  return (
    <Card
      title="Client"
      aside={
        admin && client.email ? (
          <>
            <a class="button" href={`${path}/client.json`} download>
              Export
            </a>{' '}
            <Confirm
              id="erase-client"
              label="Erase…"
              title={`Erase ${client.email}?`}
              action={`${path}/erase-client`}
              verb="Erase"
              fields={<input type="hidden" name="email" value={client.email} />}
            >
              Name, address, labels and texts are replaced for good, in all services of this address, their requests and
              emails; all of them must have ended. Numbers, dates and plans stay. Backups and exports made before still
              hold the client.
            </Confirm>
          </>
        ) : null
      }
    >
      <Facts
        rows={[
          ['Name', <bdi>{client.name}</bdi>],
          ['Email', client.email ? <span class="mono">{client.email}</span> : <None why="no warnings can be sent" />],
        ]}
      />
    </Card>
  );
}

function None({ why }: { why?: string }) {
  return <span class="quiet">{why ? `none: ${why}` : 'none'}</span>;
}

function Suspended({ suspended_by, reason, suspended_date }: NonNullable<ServiceFile['suspension']>) {
  return (
    <>
      by the {suspended_by}, <Day at={suspended_date} />
      {reason ? <blockquote class="said">{reason}</blockquote> : null}
    </>
  );
}

/** Suspends a service that is not the operator's to lift yet, or lifts what is suspended. */
function Suspend({ file: { service_number: number, service_status: status, suspension } }: { file: ServiceFile }) {
  const from = <input type="hidden" name="from" value={status} />;
  return (
    <>
      {suspension ? (
        <Confirm
          id="lift"
          label="Lift the suspension…"
          title={`Lift the suspension of service ${number}?`}
          action={`${pathOf.service(number)}/lift`}
          verb="Lift"
          fields={from}
        >
          It becomes active in the records. The provisioner is not asked.
        </Confirm>
      ) : null}
      {['pending', 'active'].includes(status) || suspension?.suspended_by === 'broker' ? (
        <Dialog
          id="suspend"
          label="Suspend…"
          title={`Suspend service ${number}`}
          action={`${pathOf.service(number)}/suspend`}
          verb="Suspend"
        >
          {from}
          <p>It becomes suspended in the records, and the broker cannot lift that. The provisioner is not asked.</p>
          <TextArea label="Reason" name="reason" value="" maxlength={1000} hint="Optional. The broker can read it." />
        </Dialog>
      ) : null}
    </>
  );
}

function Edit({ file }: { file: ServiceFile }) {
  return (
    <Dialog
      id="edit"
      label="Edit…"
      title={`Edit service ${file.service_number}`}
      action={`${pathOf.service(file.service_number)}/set`}
      verb="Save"
    >
      <Select
        label="Status"
        name="status"
        value={file.service_status}
        choices={new Map(SERVICE_STATUSES.map((status) => [status, words(status)]))}
      />
      <Select
        label="Plan changes"
        name="review"
        value={file.requires_operator_review ? 'yes' : 'no'}
        choices={{ no: 'reviewed where the plan requires it', yes: 'all reviewed' }}
      />
      <Field
        label="Client’s email"
        name="email"
        maxlength={254}
        value={file.client.email ?? ''}
        hint="Empty: not known, no warnings can be sent"
      />
      <Field
        label="Renews"
        name="renewal"
        maxlength={30}
        value={dayOf(file.renewal_date) ?? ''}
        hint="A date, or a time such as 2030-01-31T12:00:00Z"
      />
    </Dialog>
  );
}

function eventOf(event: ServiceEvent): Event {
  const { date } = event;
  if (event.kind === 'request') {
    const { request_id, type, request_status: status, actor, note } = event;
    const title = (
      <>
        <RequestLink id={request_id} label={requestTitle(type)} />: {words(status)}
      </>
    );
    return { title, date, detail: actor, note, tone: toneOf(status) };
  }
  if (event.kind === 'email') {
    const { email_id, email_kind, email_status: status, note } = event;
    const title = (
      <>
        Email <a href={pathOf.email(email_id)}>{words(email_kind)}</a>: {words(status)}
      </>
    );
    return { title, date, detail: 'to the client', note, tone: toneOf(status) };
  }
  const { actor, ...change } = event;
  return { title: <Edited {...change} />, date, detail: <bdi>{actor}</bdi>, note: null };
}

/** The changed fields; the action where the audit record has no values. */
function Edited({ before, after, action }: { before: object | null; after: object | null; action: string }) {
  const now = Object.entries(after ?? {});
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
