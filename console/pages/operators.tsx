import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createConsoleLink } from '../../src/operator/console-access.ts';
import {
  addOperator,
  listOperators,
  type OperatorRecord,
  type ROLES,
  removeOperator,
  setOperator,
} from '../../src/operator/operators.ts';
import { act, attempt, press } from '../act.ts';
import { Badge } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { Dialog, Field, PostForm, Refusal, Select } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { Table } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import type { Failure } from '../failures.ts';
import type { ConsoleOptions } from '../section.ts';

const PATH = '/operators';
const CHOICES = [
  { value: 'viewer', label: 'viewer: sees' },
  { value: 'support', label: 'support: also decides reviews, edits services, settles emails' },
  { value: 'admin', label: 'admin: everything' },
] satisfies Array<{ value: (typeof ROLES)[number]; label: string }>;

/** Who may come in, and as what. */
export async function operators(app: FastifyInstance, { context, consoleUrl }: ConsoleOptions) {
  async function show(_request: FastifyRequest, reply: FastifyReply, failure?: Failure) {
    return reply.view(<Operators rows={await listOperators(context)} failure={failure} />, failure?.status);
  }

  app.get(PATH, { config: { role: 'admin' } }, (request, reply) => show(request, reply));

  app.post(PATH, { config: { role: 'admin' } }, (request, reply) => {
    const { form } = request;
    return act(
      reply,
      async () => {
        const { name } = await addOperator(request.context, {
          email: form.get('email'),
          name: form.get('name'),
          role: form.get('role'),
        });
        return { to: PATH, done: `${name} may come in. Make them a link, or let them ask for one.` };
      },
      (failure) => show(request, reply, failure),
    );
  });

  app.post(`${PATH}/set`, { config: { role: 'admin' } }, ({ form, context }, reply) =>
    press(reply, PATH, async () => {
      const changes = { name: form.get('name'), role: form.get('role'), active: form.get('active') === 'yes' };
      const { name } = await setOperator(context, { email: form.get('email'), ...changes });
      return `${name} is changed; it counts from their next click on.`;
    }),
  );

  app.post(`${PATH}/remove`, { config: { role: 'admin' } }, ({ form, context }, reply) =>
    press(reply, PATH, async () => {
      const { name } = await removeOperator(context, { email: form.get('email') });
      return `${name} is removed, with all their sessions.`;
    }),
  );

  app.post(`${PATH}/link`, { config: { role: 'admin' } }, async (request, reply) => {
    const email = request.form.get('email');
    const { value, failure } = await attempt(() => createConsoleLink(request.context, { email, consoleUrl }));
    if (failure) return show(request, reply, failure);
    return reply.view(<Link email={email} url={value.url} />, 201);
  });
}

function Operators({ rows, failure }: { rows: OperatorRecord[]; failure: Failure | undefined }) {
  return (
    <Page title="People" crumbs={[{ label: 'You', to: '/sessions' }]} actions={<Add />}>
      <Refusal failure={failure} />
      <div class="card flush">
        <Table
          label="People"
          rows={rows}
          empty={<p>Nobody.</p>}
          columns={[
            {
              title: 'Name',
              cell: ({ name, active }) => (
                <>
                  <span class="cut" dir="auto" title={name}>
                    {name}
                  </span>{' '}
                  {active ? null : <Badge state="inactive" />}
                </>
              ),
            },
            { title: 'Email', wide: true, cell: ({ email }) => <span class="mono cut">{email}</span> },
            { title: 'Role', cell: ({ role }) => role },
            {
              title: 'Did',
              wide: true,
              cell: ({ email }) => <a href={`/audit?${new URLSearchParams({ actor: email })}`}>what they did</a>,
            },
            {
              title: 'Last sign-in',
              wide: true,
              cell: ({ last_sign_in_date }) => <Timestamp at={last_sign_in_date} never="never" />,
            },
            { title: 'What can be done', untitled: true, cell: (person) => <Actions person={person} /> },
          ]}
        />
      </div>
    </Page>
  );
}

function Actions({ person: { operator_id: id, email, name, role, active } }: { person: OperatorRecord }) {
  const hidden = <input type="hidden" name="email" value={email} />;
  return (
    <div class="buttons">
      {active ? (
        <PostForm action={`${PATH}/link`}>
          {hidden}
          <button type="submit">Make a link</button>
        </PostForm>
      ) : null}
      <Dialog id={`edit-${id}`} label="Edit…" title={`Edit ${name}`}>
        <PostForm action={`${PATH}/set`}>
          {hidden}
          <Field label="Name" name="name" id={`name-${id}`} value={name} required maxlength={200} />
          <Select label="Role" name="role" id={`role-${id}`} value={role} choices={CHOICES} />
          <Select
            label="May come in"
            name="active"
            id={`active-${id}`}
            value={active ? 'yes' : 'no'}
            choices={[
              { value: 'yes', label: 'yes' },
              { value: 'no', label: 'no' },
            ]}
          />
          <button type="submit" class="main">
            Save
          </button>
        </PostForm>
      </Dialog>
      <Dialog id={`remove-${id}`} label="Remove…" title={`Remove ${name}?`} tone="danger">
        <p>Their sessions end at once. What they did stays in the audit trail.</p>
        <PostForm action={`${PATH}/remove`} kind="decide">
          {hidden}
          <button type="submit" class="danger main">
            Remove
          </button>
        </PostForm>
      </Dialog>
    </div>
  );
}

function Add() {
  return (
    <Dialog id="add" label="Let somebody in…" title="Let somebody in">
      <PostForm action={PATH}>
        <Field label="Email" name="email" type="email" required maxlength={254} hint="Where sign-in links are mailed" />
        <Field label="Name" name="name" required maxlength={200} />
        <Select label="Role" name="role" choices={CHOICES} />
        <button type="submit" class="main">
          Let in
        </button>
      </PostForm>
    </Dialog>
  );
}

function Link({ email, url }: { email: string; url: string }) {
  return (
    <Page title="A sign-in link" crumbs={[{ label: 'People', to: PATH }]} here={email}>
      <Card>
        <p>
          It signs {email} in once, within 15 minutes. <strong>It is shown this once.</strong>
        </p>
        <div class="secret">
          <code id="new-link">{url}</code>
          <button type="button" data-copy="#new-link" class="scripted">
            Copy
          </button>
        </div>
      </Card>
    </Page>
  );
}
