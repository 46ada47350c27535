import type { FastifyRequest } from 'fastify';
import { eraseClient, exportClient, previewErasure } from '../../src/operator/services/clients.ts';
import { isMailbox } from '../../src/operator/services/services.ts';
import { type ClientFile, showClient } from '../../src/operator/services/views.ts';
import { isEnded } from '../../src/rules/words.ts';
import { Tag } from '../components/badge.tsx';
import { Card, Facts } from '../components/card.tsx';
import { Invoices } from '../components/invoices.tsx';
import { Page } from '../components/layout.tsx';
import { AuditLink, BrokerLink, pathOf, ServiceLink } from '../components/links.tsx';
import { Table } from '../components/table.tsx';
import { Day } from '../components/timestamp.tsx';
import { attempt } from '../forms/act.ts';
import { ActionForm, Again, allows } from '../forms/action-form.tsx';
import { addAction, type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import type { Failure } from '../http/failures.ts';
import { readParam } from '../http/query.ts';
import type { Routes } from '../http/section.ts';
import { LISTED_SERVICE_COLUMNS, type ServiceItem } from './service-columns.tsx';

/** The client of a service: all services of that address; admins export and erase what a broker has of them. */
export const client: Routes = async (app, { context }) => {
  const path = '/services/:number/client';
  const record = (request: FastifyRequest) => showClient(context, { number: readParam(request, 'number') });
  async function named(request: FastifyRequest) {
    const { broker, service_number } = await record(request);
    return { broker: broker.slug, service_number };
  }
  const show: Show = async (request, reply, refused) => {
    const file = await record(request);
    const erasure = await attempt(async () => previewErasure(context, await named(request)));
    return reply.view(<Client file={file} erasure={erasure} refused={refused} />, refusedStatus(refused));
  };
  app.get(path, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));
  addAction<unknown>(app, eraseClient, { path, show, named });

  // A read for the browser's cookies, which no other site's request carries; the audit trail notes it.
  app.get(`${path}.json`, { config: { role: 'admin' } }, async (request, reply) => {
    const input = await named(request);
    return reply.sendExport({
      name: `client-of-${input.service_number}.json`,
      type: 'application/json; charset=utf-8',
      make: () => exportClient.run(request.context, input),
    });
  });
};

interface ClientProps {
  file: ClientFile;
  /** What an erasure would erase, or why it is not possible. */
  erasure: { value?: object | undefined; failure?: Failure | undefined };
  refused: Refused | undefined;
}

function Client({ file, erasure, refused }: ClientProps) {
  const { client, broker, service_number: number, is_erased: isErased } = file;
  const isNamedByAddress = client.email !== null && !isErased;
  const own = file.services.filter(({ broker: { slug } }) => slug === broker.slug);
  const others = file.services.filter(({ broker: { slug } }) => slug !== broker.slug);
  return (
    <Page
      title={isErased ? 'Erased client' : client.name}
      section="/services"
      crumbs={[
        { label: 'Services', to: '/services' },
        { label: String(number), to: pathOf.service(number) },
      ]}
      here="Client"
      state={isErased ? undefined : <Tag tone="accent">client</Tag>}
      actions={
        isErased || !allows(eraseClient) ? null : (
          <>
            <a class="button" href={`${pathOf.client(number)}.json`} download>
              Export
            </a>
            {erasure.value ? (
              <ActionForm
                useCase={eraseClient}
                at={pathOf.client(number)}
                record={erasure.value}
                of={client.name}
                tone="danger"
              />
            ) : null}
          </>
        )
      }
    >
      <Again refused={refused} />
      <Card title="Client">
        <Facts
          rows={[
            ['Broker', <BrokerLink {...broker} />],
            isErased ? ['Erased', <Erased file={file} />] : ['Email', <ClientEmail email={client.email} />],
            client.email === null || isErased
              ? null
              : ['Emails', <a href={pathOf.emailsTo(client.email, broker.slug)}>Sent to it</a>],
            isErased || !allows(eraseClient) ? null : ['Erasure', <Erasure services={own} {...erasure} />],
          ]}
        />
      </Card>
      <Invoices
        allOf="All of the broker"
        rows={file.invoices}
        all={`/invoices?${new URLSearchParams({ broker: broker.slug })}`}
      />
      <Services
        title={isNamedByAddress ? `Services of ${broker.name} with this address` : 'The service'}
        rows={own}
        leftOut={['Client', 'Broker']}
      />
      {others.length === 0 ? null : (
        <Services title="Of other brokers, with the same address" rows={others} leftOut={[]} />
      )}
    </Page>
  );
}

interface ServicesProps {
  title: string;
  rows: ServiceItem[];
  /** Columns that would say the same in each row. */
  leftOut: string[];
}

const Services = ({ title, rows, leftOut }: ServicesProps) => (
  <section class="card flush" aria-label={title}>
    <div class="head">
      <h2>{title}</h2>
    </div>
    <Table
      label={title}
      columns={LISTED_SERVICE_COLUMNS.filter((column) => !leftOut.includes(column.title))}
      rows={rows}
      empty={null}
    />
  </section>
);

/** When and by whom, as far as the audit trail has it. */
function Erased({ file: { erasure, service_number: number } }: { file: ClientFile }) {
  return (
    <>
      {erasure ? (
        <>
          <Day at={erasure.date} /> by <bdi>{erasure.actor}</bdi> ·{' '}
        </>
      ) : null}
      <AuditLink subject={`service/${number}`} />
    </>
  );
}

/** What cannot be done now is named before it is tried. */
function Erasure({ services, value, failure }: { services: ServiceItem[] } & ClientProps['erasure']) {
  const open = services.filter(({ service_status }) => !isEnded(service_status));
  if (value) return <>possible: every service with this address has ended</>;
  if (open.length === 0) return <>{failure?.message ?? 'not possible'}</>;
  return (
    <>
      not possible yet, these services have not ended:{' '}
      {open.map(({ service_number }, index) => (
        <>
          {index > 0 ? ', ' : null}
          <ServiceLink number={service_number} />
        </>
      ))}
    </>
  );
}

export function ClientEmail({ email, isErased = false }: { email: string | null; isErased?: boolean }) {
  if (email === null) return <span class="quiet">none: no warnings can be sent</span>;
  if (isErased) return <span class="quiet">{email}</span>;
  return (
    <>
      <span class="mono">{email}</span>
      {isMailbox(email) ? null : <span class="quiet"> no email address: the client gets no email</span>}
    </>
  );
}
