import type { FastifyReply, FastifyRequest } from 'fastify';
import { removeBroker } from '../../src/operator/broker-removal.ts';
import { type BrokerDetail, type KeyPage, pageKeys, showBroker } from '../../src/operator/broker-views.ts';
import { addRecipient, removeRecipient, resumeBroker, setBroker, suspendBroker } from '../../src/operator/brokers.ts';
import { invalid } from '../../src/operator/errors.ts';
import { listFirewall } from '../../src/operator/firewall.ts';
import { checkAddress } from '../../src/operator/firewall-check.ts';
import { type Onboarding, showOnboarding } from '../../src/operator/onboarding.ts';
import type { SandboxFigures } from '../../src/operator/system.ts';
import { act, attempt, press, UNCHANGED } from '../act.ts';
import { Badge, sentence } from '../components/badge.tsx';
import { Card, Facts, Figure, number } from '../components/card.tsx';
import { Checklist } from '../components/checklist.tsx';
import { Confirm, Dialog, Field, FormAgain, PostForm, Refusal, Submit } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { Id, pathOf } from '../components/links.tsx';
import { Day, Timestamp } from '../components/timestamp.tsx';
import { useOperator } from '../components/view.ts';
import { editForm, SeenField, type Shown } from '../edits.tsx';
import { param, queryOf } from '../query.ts';
import type { Routes } from '../section.ts';
import { Firewall, type FirewallProps, firewallForms } from './broker-firewall.tsx';
import { CreateAgain, EditAgain, Keys, keyForms, type Refused } from './broker-keys.tsx';
import { key } from './key.tsx';

/** One broker with its keys, firewall and report recipients. */
export const broker: Routes = async (app, options) => {
  const { context, processInfo } = options;

  async function show(request: FastifyRequest, reply: FastifyReply, refused: Refused & { broker?: ShownBroker } = {}) {
    const slug = param(request, 'slug');
    const query = queryOf(request);
    const [detail, keys, firewall] = await Promise.all([
      showBroker(context, { broker: slug }),
      pageKeys(context, { broker: slug, page: query.page('keys') }),
      listFirewall(context, { broker: slug }),
    ]);
    const address = query.get('address');
    const [onboarding, sandbox] = await Promise.all([
      showOnboarding(context, { brokerId: detail.broker_id }),
      processInfo.sandboxes.find(detail.broker_id),
    ]);
    const shown = { ...firewall, check: await check(slug, address) };
    const props = { broker: detail, onboarding, keys, firewall: shown, sandbox };
    return reply.view(<Broker {...props} refused={refused} />, refused.failure?.status);
  }

  async function check(slug: string, address: string | undefined): Promise<FirewallProps['check']> {
    if (address === undefined) return undefined;
    const { value, failure } = await attempt(() => checkAddress(context, { broker: slug, address }));
    return failure ? { asked: address, refusal: failure.message } : { asked: address, verdict: value };
  }

  app.get('/brokers/:slug', { config: { role: 'viewer' } }, (request, reply) => show(request, reply));

  app.post('/brokers/:slug/set', { config: { role: 'admin' } }, (request, reply) => {
    const slug = param(request, 'slug');
    const edit = EDIT.read(request.form);
    return act(
      reply,
      async () => {
        if (edit.isUnchanged) return { to: pathOf.broker(slug), done: UNCHANGED };
        await setBroker(request.context, {
          broker: slug,
          name: edit.given('name'),
          contact: edit.given('contact'),
          sender: edit.given('sender'),
          rateLimit: edit.orNull('rate_limit'),
          seen: edit.seen,
        });
        return { to: pathOf.broker(slug), done: 'Saved.' };
      },
      async (failure) => {
        const broker = edit.again(failure, await showBroker(context, { broker: slug }));
        return show(request, reply, { failure, broker });
      },
    );
  });

  const button: BrokerButton = (path, run, hash = '') =>
    app.post(`/brokers/:slug/${path}`, { config: { role: 'admin' } }, (request, reply) => {
      const slug = param(request, 'slug');
      return press(reply, pathOf.broker(slug) + hash, () => run(slug, request));
    });
  button('suspend', async (slug, { context }) => {
    await suspendBroker(context, { broker: slug });
    return 'Suspended: its keys are refused from now on.';
  });
  button('resume', async (slug, { context }) => {
    await resumeBroker(context, { broker: slug });
    return 'Resumed: its keys are accepted again.';
  });
  app.post('/brokers/:slug/remove', { config: { role: 'admin' } }, (request, reply) => {
    const slug = param(request, 'slug');
    return act(
      reply,
      async () => {
        if (request.form.get('slug').trim() !== slug) throw invalid({ field: 'slug', message: `must be ${slug}` });
        await removeBroker({ ...request.context, removeSandbox: processInfo.sandboxes.remove }, { broker: slug });
        return { to: '/brokers', done: `${slug} is removed with all its records.` };
      },
      (failure) => show(request, reply, { failure }),
    );
  });
  button('recipients/add', async (slug, { form, context }) => {
    await addRecipient(context, { broker: slug, email: form.get('email') });
    return 'Reports can be sent to this address now.';
  });
  button('recipients/remove', async (slug, { form, context }) => {
    await removeRecipient(context, { broker: slug, email: form.get('email') });
    return 'Reports are no longer sent to this address.';
  });

  await keyForms(app, options, show);
  await key(app, options);
  firewallForms(button);
};

/** Adds a form of admins to a broker's page. `run` returns the message that confirms it. */
export type BrokerButton = (
  path: string,
  run: (slug: string, request: FastifyRequest) => Promise<string>,
  hash?: string,
) => void;

interface BrokerProps {
  broker: BrokerDetail;
  onboarding: Onboarding | null;
  keys: KeyPage;
  firewall: FirewallProps;
  sandbox: SandboxFigures | null;
  refused: Refused & { broker?: ShownBroker };
}

const EDIT = editForm({
  name: ['name'],
  contact: ['contact_email'],
  sender: ['sender_email'],
  rate_limit: ['rate_limit'],
});

type ShownBroker = Shown<'name' | 'contact' | 'sender' | 'rate_limit'>;

function Broker({ broker, onboarding, keys, firewall, sandbox, refused }: BrokerProps) {
  const { failure } = refused;
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
      {failure && refused.newKey ? <CreateAgain slug={slug} failure={failure} entry={refused.newKey} /> : null}
      {failure && refused.key ? <EditAgain slug={slug} failure={failure} edited={refused.key} /> : null}
      {failure && refused.broker ? (
        <FormAgain {...editOf(slug)} failure={failure}>
          <EditFields shown={refused.broker} />
        </FormAgain>
      ) : null}
      {refused.newKey || refused.key || refused.broker ? null : <Refusal failure={failure} />}
      <Checklist onboarding={onboarding} />
      <div class="figures">
        <Figure title="Services" value={<a href={`/services?broker=${slug}`}>{number(broker.services)}</a>}>
          {servicesLine(broker.services_by_status) || 'none yet'}
        </Figure>
        <Figure
          title="Open requests"
          value={<a href={`/requests?broker=${slug}`}>{number(broker.open_requests)}</a>}
          warn={broker.reviews_waiting > 0}
        >
          {broker.reviews_waiting > 0 ? (
            <a href={`/requests?broker=${slug}&status=operator_review`}>{number(broker.reviews_waiting)} to review</a>
          ) : (
            'none to review'
          )}
        </Figure>
        <Figure title="Keys" value={number(broker.active_keys)}>
          {keys.pagination.total > broker.active_keys ? `of ${number(keys.pagination.total)} ever created` : 'active'}
        </Figure>
        <Figure title="Plans" value={<a href={`/plans?broker=${slug}`}>{number(broker.plans.active)}</a>}>
          {broker.plans.total > broker.plans.active
            ? `${number(broker.plans.total - broker.plans.active)} no longer sold`
            : 'on sale'}
        </Figure>
      </div>
      <Keys slug={slug} keys={keys} admin={admin} edited={refused.key?.keyId} />
      <div class="columns">
        <Firewall slug={slug} firewall={firewall} admin={admin} />
        <div class="stack">
          <Card title="About" aside={admin && !refused.broker ? <Edit broker={broker} /> : null}>
            <Facts
              rows={[
                ['Contact', <span class="mono">{broker.contact_email}</span>],
                ['Sender', <span class="mono">{broker.sender_email}</span>],
                [
                  'Limit',
                  broker.rate_limit === null
                    ? 'each key’s own'
                    : `${number(broker.rate_limit)} a minute over all live keys`,
                ],
                ['Since', <Day at={broker.created_date} />],
                ['Changed', <Timestamp at={broker.updated_date} />],
                ['Id', <Id id={broker.broker_id} />],
                ['Sandbox', sandbox ? <Sandbox of={sandbox} /> : 'not used yet'],
                ['Changes', <a href={`/audit?broker=${slug}`}>Audit trail</a>],
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
                rows={broker.templates.map(({ kind, state }) => [
                  <a href={pathOf.template(slug, kind)}>{sentence(kind)}</a>,
                  <Badge state={state} />,
                ])}
              />
            )}
          </Card>
        </div>
      </div>
    </Page>
  );
}

const Sandbox = ({ of: { services, requests, sandbox_date, called_date } }: { of: SandboxFigures }) => (
  <>
    {number(services)} services, {number(requests)} requests; its date is <Day at={sandbox_date} />, last called{' '}
    <Timestamp at={called_date} />
  </>
);

/** "3 active · 1 ended": all ended states as one figure. */
function servicesLine({ active = 0, suspended = 0, pending = 0, ...ended }: Record<string, number>): string {
  const over = Object.values(ended).reduce((sum, count) => sum + count, 0);
  return Object.entries({ active, suspended, pending, ended: over })
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${number(count)} ${state}`)
    .join(' · ');
}

function StatusButton({ broker: { slug, name, broker_status, active_keys, services } }: { broker: BrokerDetail }) {
  const path = pathOf.broker(slug);
  if (broker_status === 'suspended') {
    return (
      <>
        <PostForm action={`${path}/resume`}>
          <Submit>Resume</Submit>
        </PostForm>
        <Dialog
          id="remove"
          label="Remove…"
          title={`Remove ${name} for good?`}
          action={`${path}/remove`}
          verb="Remove"
          tone="danger"
          cancel
        >
          <p>
            {number(services)} services go with it, their requests, invoices and emails, its keys, plans and usage; the
            audit trail remains. The broker must have been suspended for a day. Before that,{' '}
            <code>broker brokers export {slug} --to DIRECTORY</code> writes all of it into files.
          </p>
          <Field label="Its short name" name="slug" id="remove-slug" required hint={`Type ${slug}`} />
        </Dialog>
      </>
    );
  }
  return (
    <Confirm id="suspend" label="Suspend…" title={`Suspend ${name}?`} action={`${path}/suspend`} verb="Suspend">
      All {number(active_keys)} of its keys are refused within a second. Accepted requests are still completed, and
      nothing is deleted; resuming accepts the keys again.
    </Confirm>
  );
}

const editOf = (slug: string) => ({
  title: 'Edit the broker',
  action: `${pathOf.broker(slug)}/set`,
  verb: 'Save',
});

const Edit = ({ broker }: { broker: BrokerDetail }) => (
  <Dialog id="edit" label="Edit…" {...editOf(broker.slug)}>
    <EditFields shown={EDIT.of(broker)} />
  </Dialog>
);

function EditFields({ shown: { texts, seen } }: { shown: ShownBroker }) {
  return (
    <>
      <SeenField seen={seen} />
      <BrokerFields texts={texts} />
      <Field
        label="Requests a minute"
        name="rate_limit"
        value={texts.rate_limit}
        hint="Of all its live keys together; empty: each key’s own limit alone"
      />
    </>
  );
}

/** The fields that a broker is created with. */
export function BrokerFields({ texts }: { texts?: ShownBroker['texts'] }) {
  const email = { type: 'email', required: true, maxlength: 254 } as const;
  return (
    <>
      <Field
        label="Name"
        name="name"
        id="broker-name"
        required
        maxlength={200}
        value={texts?.name}
        hint="Shown to clients in emails"
      />
      <Field {...email} label="Contact" name="contact" value={texts?.contact} hint="Receives its reports" />
      <Field {...email} label="Sender" name="sender" value={texts?.sender} hint="Sends its emails to clients" />
    </>
  );
}

function Recipients({ path, broker, admin }: { path: string; broker: BrokerDetail; admin: boolean }) {
  return (
    <Card title="Report recipients">
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
