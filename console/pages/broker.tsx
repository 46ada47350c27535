import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BrokerDetail, type KeyPage, pageKeys, showBroker } from '../../src/operator/broker-views.ts';
import { addRecipient, removeRecipient, resumeBroker, setBroker, suspendBroker } from '../../src/operator/brokers.ts';
import { listFirewall } from '../../src/operator/firewall.ts';
import { checkAddress } from '../../src/operator/firewall-check.ts';
import { act, attempt, press } from '../act.ts';
import { Badge, sentence } from '../components/badge.tsx';
import { Card, Facts, Figure, number } from '../components/card.tsx';
import { Confirm, Dialog, Field, PostForm, Refusal } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf } from '../components/links.tsx';
import { Day, Timestamp } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import type { Failure } from '../failures.ts';
import { param, queryOf } from '../query.ts';
import type { ConsoleOptions } from '../section.ts';
import { Firewall, type FirewallProps, firewallForms } from './broker-firewall.tsx';
import { CreateAgain, Keys, keyForms, type Refused, type RefusedKey } from './broker-keys.tsx';
import { key } from './key.tsx';

/** One broker: what it is and has, and what an operator does with it. */
export async function broker(app: FastifyInstance, options: ConsoleOptions) {
  const { context } = options;

  async function show(request: FastifyRequest, reply: FastifyReply, { failure, refusedKey }: Refused = {}) {
    const slug = param(request, 'slug');
    const query = queryOf(request);
    const [detail, keys, firewall] = await Promise.all([
      showBroker(context, { broker: slug }),
      pageKeys(context, { broker: slug, page: query.page('keys') }),
      listFirewall(context, { broker: slug }),
    ]);
    const address = query.get('address');
    const props = { broker: detail, keys, firewall: { ...firewall, check: await check(slug, address) } };
    return reply.view(
      <Broker {...props} failure={failure} refusedKey={refusedKey} />,
      (failure ?? refusedKey?.failure)?.status,
    );
  }

  async function check(slug: string, address: string | undefined): Promise<FirewallProps['check']> {
    if (address === undefined) return undefined;
    const { value, failure } = await attempt(() => checkAddress(context, { broker: slug, address }));
    return failure ? { asked: address, refusal: failure.message } : { asked: address, verdict: value };
  }

  app.get('/brokers/:slug', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.post('/brokers/:slug/set', { config: { role: 'admin' } }, (request, reply) => {
    const slug = param(request, 'slug');
    const { form } = request;
    return act(
      reply,
      async () => {
        await setBroker(request.context, {
          broker: slug,
          name: form.get('name'),
          contact: form.get('contact'),
          sender: form.get('sender'),
        });
        return { to: pathOf.broker(slug), done: 'Saved.' };
      },
      (failure) => show(request, reply, { failure }),
    );
  });

  const button = (path: string, work: (slug: string, request: FastifyRequest) => Promise<string>) =>
    app.post(`/brokers/:slug/${path}`, { config: { role: 'admin' } }, (request, reply) => {
      const slug = param(request, 'slug');
      return press(reply, pathOf.broker(slug), () => work(slug, request));
    });
  button('suspend', async (slug, { context }) => {
    await suspendBroker(context, { broker: slug });
    return 'Suspended: its keys are refused from now on.';
  });
  button('resume', async (slug, { context }) => {
    await resumeBroker(context, { broker: slug });
    return 'Resumed: its keys are accepted again.';
  });
  button('recipients/add', async (slug, { form, context }) => {
    await addRecipient(context, { broker: slug, email: form.get('email') });
    return 'Reports may go to this address now.';
  });
  button('recipients/remove', async (slug, { form, context }) => {
    await removeRecipient(context, { broker: slug, email: form.get('email') });
    return 'Reports no longer go to this address.';
  });

  await keyForms(app, options, show);
  await key(app, options);
  await firewallForms(app);
}

interface BrokerProps {
  broker: BrokerDetail;
  keys: KeyPage;
  firewall: FirewallProps;
  failure: Failure | undefined;
  refusedKey: RefusedKey | undefined;
}

function Broker({ broker, keys, firewall, failure, refusedKey }: BrokerProps) {
  const { slug, name } = broker;
  const path = pathOf.broker(slug);
  const admin = useOperator().role === 'admin';
  return (
    <Page
      title={name}
      section="/brokers"
      crumbs={[{ label: 'Brokers', to: '/brokers' }]}
      here={slug}
      actions={
        <>
          <Badge state={broker.broker_status} />
          {admin ? <StatusButton broker={broker} /> : null}
        </>
      }
    >
      <Refusal failure={failure} />
      {refusedKey ? <CreateAgain slug={slug} refused={refusedKey} /> : null}
      <div class="figures">
        <Figure title="Services" value={<a href={`/services?broker=${slug}`}>{number(broker.services)}</a>}>
          {servicesLine(broker.services_by_status) || 'none yet'}
        </Figure>
        <Figure
          title="Open requests"
          value={<a href={`/requests?broker=${slug}`}>{number(broker.open_requests)}</a>}
          {...(broker.reviews_waiting > 0 && { tone: 'warn' as const })}
        >
          {broker.reviews_waiting > 0 ? (
            <a href={`/requests?broker=${slug}&status=operator_review`}>
              {number(broker.reviews_waiting)} wait for you
            </a>
          ) : (
            'none waits for you'
          )}
        </Figure>
        <Figure title="Keys" value={number(broker.active_keys)}>
          {keys.pagination.total > broker.active_keys
            ? `of ${number(keys.pagination.total)} ever made`
            : 'that can be used'}
        </Figure>
        <Figure title="Plans" value={number(broker.plans.active)}>
          {broker.plans.total > broker.plans.active
            ? `${number(broker.plans.total - broker.plans.active)} no longer sold`
            : 'on sale'}
        </Figure>
      </div>
      <Keys slug={slug} keys={keys} admin={admin} />
      <div class="columns">
        <Firewall slug={slug} firewall={firewall} admin={admin} />
        <div class="stack">
          <Card title="About" aside={admin ? <Edit broker={broker} /> : null}>
            <Facts
              rows={[
                ['Contact', <span class="mono">{broker.contact_email}</span>],
                ['Sender', <span class="mono">{broker.sender_email}</span>],
                ['Since', <Day at={broker.created_date} />],
                ['Changed', <Timestamp at={broker.updated_date} />],
                ['Id', <span class="mono">{broker.broker_id}</span>],
                ['Trail', <a href={`/audit?broker=${slug}`}>Who changed what of it</a>],
              ]}
            />
          </Card>
          <Recipients path={path} broker={broker} admin={admin} />
          <Card title="Templates">
            {broker.templates.length === 0 ? (
              <p class="quiet">
                None yet: without an active{' '}
                <a href={pathOf.template(slug, 'cancellation-warning')}>cancellation warning</a> no warning can be sent.
              </p>
            ) : (
              <Facts
                rows={broker.templates.map(({ kind, active }) => [
                  <a href={pathOf.template(slug, kind)}>{sentence(kind)}</a>,
                  <Badge state={active ? 'active' : 'inactive'} />,
                ])}
              />
            )}
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** What can be in use first; what has ended in one figure. */
function servicesLine({ active = 0, suspended = 0, pending = 0, ...ended }: Record<string, number>): string {
  const over = Object.values(ended).reduce((sum, count) => sum + count, 0);
  return Object.entries({ active, suspended, pending, ended: over })
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${number(count)} ${state}`)
    .join(' · ');
}

function StatusButton({ broker: { slug, name, broker_status, active_keys } }: { broker: BrokerDetail }) {
  const path = pathOf.broker(slug);
  if (broker_status === 'suspended') {
    return (
      <PostForm action={`${path}/resume`}>
        <button type="submit">Resume</button>
      </PostForm>
    );
  }
  return (
    <Confirm id="suspend" label="Suspend…" title={`Suspend ${name}?`} action={`${path}/suspend`} verb="Suspend">
      All {number(active_keys)} of its keys are refused within a second. Work that is under way goes on, and nothing is
      deleted; resuming lets the keys in again.
    </Confirm>
  );
}

function Edit({ broker }: { broker: BrokerDetail }) {
  return (
    <Dialog id="edit" label="Edit…" title="Edit the broker">
      <PostForm action={`${pathOf.broker(broker.slug)}/set`}>
        <Field label="Name" name="name" id="broker-name" required maxlength={200} value={broker.name} />
        <Field
          label="Contact"
          name="contact"
          type="email"
          required
          maxlength={254}
          value={broker.contact_email}
          hint="Where its reports go"
        />
        <Field
          label="Sender"
          name="sender"
          type="email"
          required
          maxlength={254}
          value={broker.sender_email}
          hint="Where its mail to clients comes from"
        />
        <button type="submit" class="main">
          Save
        </button>
      </PostForm>
    </Dialog>
  );
}

function Recipients({ path, broker, admin }: { path: string; broker: BrokerDetail; admin: boolean }) {
  return (
    <Card title="Reports may go to">
      <ul class="rows">
        <li>
          <span class="mono cut">{broker.contact_email}</span> <span class="quiet">contact</span>
        </li>
        {broker.report_recipients.map((email) => (
          <li>
            <span class="mono cut">{email}</span>
            {admin ? (
              <PostForm action={`${path}/recipients/remove`}>
                <input type="hidden" name="email" value={email} />
                <button type="submit" class="small" aria-label={`Remove ${email}`}>
                  Remove
                </button>
              </PostForm>
            ) : null}
          </li>
        ))}
      </ul>
      {admin ? (
        <PostForm action={`${path}/recipients/add`} kind="inline">
          <input
            type="email"
            name="email"
            required
            maxlength={254}
            placeholder="books@example.com"
            aria-label="Another address"
          />
          <button type="submit">Add</button>
        </PostForm>
      ) : null}
    </Card>
  );
}
