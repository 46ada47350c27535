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
import { act, press, UNCHANGED } from '../act.ts';
import { Badge, toneOf, words } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { priceOf, sizeOf } from '../components/change.tsx';
import { Confirm, Dialog, Field, FormAgain, Refusal, Select, TextArea } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, Id, PlanLink, pathOf, RequestLink, requestTitle } from '../components/links.tsx';
import { type Event, Timeline } from '../components/timeline.tsx';
import { Day } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import { editForm, readSeen, SeenField, type Shown, seenOf, usualText } from '../edits.tsx';
import type { Failure } from '../failures.ts';
import { param } from '../query.ts';
import type { Routes } from '../section.ts';

/** One service, its history, and the form that edits it. */
export const service: Routes = async (app, { context }) => {
  async function show(request: FastifyRequest, reply: FastifyReply, refused?: Refused) {
    const file = await showServiceFile(context, { number: param(request, 'number') });
    return reply.view(<Service file={file} refused={refused} />, refused?.failure.status);
  }

  app.get('/services/:number', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.post('/services/:number/set', { config: { role: 'support' } }, (request, reply) => {
    const number = param(request, 'number');
    const edit = EDIT.read(request.form);
    return act(
      reply,
      async () => {
        const { broker, service_number } = await showServiceFile(context, { number });
        const to = pathOf.service(service_number);
        if (edit.isUnchanged) return { to, done: UNCHANGED };
        await setService(request.context, {
          broker: broker.slug,
          number,
          status: edit.given('status'),
          review: edit.flag('review'),
          clientName: edit.given('client_name'),
          clientEmail: edit.orNull('email'),
          renewal: edit.orNull('renewal'),
          seen: edit.seen,
        });
        return { to, done: 'Saved.' };
      },
      async (failure) => {
        const shown = edit.again(failure, await showServiceFile(context, { number }));
        return show(request, reply, { failure, shown });
      },
    );
  });

  /** Sets the status of a service that is still as the operator saw it. */
  const move = (path: string, status: 'suspended' | 'active', done: string) =>
    app.post(`/services/:number/${path}`, { config: { role: 'support' } }, (request, reply) => {
      const number = param(request, 'number');
      const { form } = request;
      return act(
        reply,
        async () => {
          const { broker, service_number } = await showServiceFile(context, { number });
          const reason = form.given('reason');
          const seen = readSeen(form, STATUS);
          await setService(request.context, { broker: broker.slug, number, status, reason, seen });
          return { to: pathOf.service(service_number), done };
        },
        (failure) => show(request, reply, { failure, ...(status === 'suspended' && { reason: form.get('reason') }) }),
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

/** What a status is compared by: a suspension by whom and since when. */
const STATUS = ['service_status', 'suspension.suspended_date'] as const;

const EDIT = editForm(
  {
    status: STATUS,
    review: ['requires_operator_review'],
    client_name: ['client.name'],
    email: ['client.email'],
    renewal: ['renewal_date'],
  },
  (value, name) => (name === 'renewal' ? usualText(value).slice(0, DAY_LENGTH) : usualText(value)),
);

const DAY_LENGTH = '2030-01-31'.length;

/** Why the page is shown again, and what was typed. */
interface Refused {
  failure: Failure;
  shown?: ShownService;
  /** Of a suspension. */
  reason?: string;
}

type ShownService = Shown<'status' | 'review' | 'client_name' | 'email' | 'renewal'>;

function Service({ file, refused }: { file: ServiceFile; refused: Refused | undefined }) {
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
          {edits && refused?.reason === undefined ? <Suspend file={file} /> : null}
          {edits && !refused?.shown ? <Edit file={file} /> : null}
        </>
      }
    >
      <Again file={file} refused={refused} />
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

/** The form that was refused, with what was typed. */
function Again({ file, refused }: { file: ServiceFile; refused: Refused | undefined }) {
  if (!refused) return null;
  const { failure, shown, reason } = refused;
  if (shown)
    return (
      <FormAgain {...editOf(file.service_number)} failure={failure}>
        <EditFields shown={shown} />
      </FormAgain>
    );
  if (reason !== undefined)
    return (
      <FormAgain {...suspensionOf(file.service_number)} failure={failure}>
        <SuspendFields file={file} reason={reason} />
      </FormAgain>
    );
  return <Refusal failure={failure} />;
}

const suspensionOf = (number: number) => ({
  title: `Suspend service ${number}`,
  action: `${pathOf.service(number)}/suspend`,
  verb: 'Suspend',
});

function SuspendFields({ file, reason }: { file: ServiceFile; reason: string }) {
  return (
    <>
      <SeenField seen={seenOf(file, STATUS)} />
      <p>It becomes suspended in the records, and the broker cannot lift that. The provisioner is not asked.</p>
      <TextArea label="Reason" name="reason" value={reason} maxlength={1000} hint="Optional. The broker can read it." />
    </>
  );
}

/** Suspends a service that is not the operator's to lift yet, or lifts what is suspended. */
function Suspend({ file }: { file: ServiceFile }) {
  const { service_number: number, service_status: status, suspension } = file;
  return (
    <>
      {suspension ? (
        <Confirm
          id="lift"
          label="Lift the suspension…"
          title={`Lift the suspension of service ${number}?`}
          action={`${pathOf.service(number)}/lift`}
          verb="Lift"
          fields={<SeenField seen={seenOf(file, STATUS)} />}
        >
          It becomes active in the records. The provisioner is not asked.
        </Confirm>
      ) : null}
      {['pending', 'active'].includes(status) || suspension?.suspended_by === 'broker' ? (
        <Dialog id="suspend" label="Suspend…" {...suspensionOf(number)}>
          <SuspendFields file={file} reason="" />
        </Dialog>
      ) : null}
    </>
  );
}

const editOf = (number: number) => ({
  title: `Edit service ${number}`,
  action: `${pathOf.service(number)}/set`,
  verb: 'Save',
});

const Edit = ({ file }: { file: ServiceFile }) => (
  <Dialog id="edit" label="Edit…" {...editOf(file.service_number)}>
    <EditFields shown={EDIT.of(file)} />
  </Dialog>
);

function EditFields({ shown: { texts, seen } }: { shown: ShownService }) {
  return (
    <>
      <SeenField seen={seen} />
      <Select
        label="Status"
        name="status"
        value={texts.status}
        choices={new Map(SERVICE_STATUSES.map((status) => [status, words(status)]))}
      />
      <Select
        label="Plan changes"
        name="review"
        value={texts.review}
        choices={{ no: 'reviewed where the plan requires it', yes: 'all reviewed' }}
      />
      <Field label="Client’s name" name="client_name" required maxlength={200} value={texts.client_name} />
      <Field
        label="Client’s email"
        name="email"
        maxlength={254}
        value={texts.email}
        hint="Empty: not known, no warnings can be sent"
      />
      <Field
        label="Renews"
        name="renewal"
        maxlength={30}
        value={texts.renewal}
        hint="A date, or a time such as 2030-01-31T12:00:00Z"
      />
    </>
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
