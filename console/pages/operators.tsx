import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  createConsoleLink,
  endSession,
  endSessions,
  listSessions,
  type SessionRecord,
} from '../../src/operator/console-access.ts';
import {
  addOperator,
  listOperators,
  type OperatorRecord,
  type ROLES,
  removeOperator,
  setOperator,
} from '../../src/operator/operators.ts';
import { act, attempt, press, UNCHANGED } from '../act.ts';
import { Badge } from '../components/badge.tsx';
import { Card, Secret } from '../components/card.tsx';
import { Confirm, Dialog, Field, FormAgain, PostForm, Refusal, Select, Submit } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { Truncated } from '../components/links.tsx';
import { Table } from '../components/table.tsx';
import { Timestamp } from '../components/timestamp.tsx';
import { editForm, SeenField, type Shown } from '../edits.tsx';
import type { Failure } from '../failures.ts';
import { Problem } from '../problem.ts';
import { param } from '../query.ts';
import type { ConsoleOptions } from '../section.ts';
import { SessionList } from './sessions.tsx';

const PATH = '/operators';
const ROLE_CHOICES = {
  viewer: 'viewer: reads',
  support: 'support: also decides reviews, edits services, settles emails',
  admin: 'admin: everything',
} satisfies Record<(typeof ROLES)[number], string>;

/** The console's operators and their roles. */
export async function operators(app: FastifyInstance, { context, consoleUrl }: ConsoleOptions) {
  async function show(_request: FastifyRequest, reply: FastifyReply, failure?: Failure, edited?: Edited) {
    const rows = await listOperators(context);
    return reply.view(<Operators rows={rows} failure={failure} edited={edited} />, failure?.status);
  }

  app.get(PATH, { config: { role: 'admin' } }, (request, reply) => show(request, reply));

  app.post(PATH, { config: { role: 'admin' } }, (request, reply) => {
    const { form } = request;
    return act(
      reply,
      async () => {
        const { name } = await addOperator(request.context, form.pick('email', 'name', 'role'));
        return { to: PATH, done: `${name} was added. Create a sign-in link, or let them request one.` };
      },
      (failure) => show(request, reply, failure),
    );
  });

  app.post(`${PATH}/set`, { config: { role: 'admin' } }, (request, reply) => {
    const email = request.form.get('email');
    const edit = EDIT.read(request.form);
    return act(
      reply,
      async () => {
        if (edit.isUnchanged) return { to: PATH, done: UNCHANGED };
        const { name } = await setOperator(request.context, {
          email,
          name: edit.given('name'),
          role: edit.given('role'),
          active: edit.flag('active'),
          seen: edit.seen,
        });
        return { to: PATH, done: `${name} was changed. It takes effect with their next request.` };
      },
      async (failure) => {
        const person = (await listOperators(context)).find((row) => row.email === email);
        return show(request, reply, failure, person && { person, shown: edit.again(failure, person) });
      },
    );
  });

  app.post(`${PATH}/remove`, { config: { role: 'admin' } }, ({ form, context }, reply) =>
    press(reply, PATH, async () => {
      const { name } = await removeOperator(context, { email: form.get('email') });
      return `${name} was removed, with all sessions.`;
    }),
  );

  async function personOf(request: FastifyRequest): Promise<OperatorRecord> {
    const id = param(request, 'operatorId');
    const person = (await listOperators(context)).find(({ operator_id }) => operator_id === id);
    if (!person) throw new Problem(404, 'Not found', 'There is no such operator.', { to: PATH, label: 'Operators' });
    return person;
  }

  app.get(`${PATH}/:operatorId/sessions`, { config: { role: 'admin' } }, async (request, reply) => {
    const person = await personOf(request);
    const rows = await listSessions(context, person);
    return reply.view(<PersonSessions person={person} rows={rows} own={request.signedIn.session.session_id} />);
  });

  app.post(`${PATH}/:operatorId/sessions/:sessionId/end`, { config: { role: 'admin' } }, async (request, reply) => {
    const { operator_id, email } = await personOf(request);
    return press(reply, sessionsPath(operator_id), async () => {
      await endSession(request.context, { email, sessionId: param(request, 'sessionId') });
      return 'The session was ended.';
    });
  });

  app.post(`${PATH}/:operatorId/sign-out`, { config: { role: 'admin' } }, async (request, reply) => {
    const { operator_id, email, name } = await personOf(request);
    return press(reply, sessionsPath(operator_id), async () => {
      await endSessions(request.context, { email });
      return `${name} was signed out everywhere.`;
    });
  });

  app.post(`${PATH}/link`, { config: { role: 'admin' } }, async (request, reply) => {
    const email = request.form.get('email');
    const { value, failure } = await attempt(() => createConsoleLink(request.context, { email, consoleUrl }));
    if (failure) return show(request, reply, failure);
    return reply.view(<Link email={email} url={value.url} />, 201);
  });
}

const EDIT = editForm({ name: ['name'], role: ['role'], active: ['active'] });

type ShownOperator = Shown<'name' | 'role' | 'active'>;

/** A person whose edit was refused, and what was typed. */
interface Edited {
  person: OperatorRecord;
  shown: ShownOperator;
}

const sessionsPath = (operatorId: string) => `${PATH}/${encodeURIComponent(operatorId)}/sessions`;

function PersonSessions({ person, rows, own }: { person: OperatorRecord; rows: SessionRecord[]; own: string }) {
  const { operator_id, name } = person;
  return (
    <Page
      title={`Sessions of ${name}`}
      crumbs={[{ label: 'Operators', to: PATH }]}
      actions={
        <PostForm action={`${PATH}/${encodeURIComponent(operator_id)}/sign-out`}>
          <Submit tone="danger">Sign out everywhere</Submit>
        </PostForm>
      }
    >
      <SessionList
        rows={rows}
        own={own}
        action={({ session_id }) => `${sessionsPath(operator_id)}/${encodeURIComponent(session_id)}/end`}
      />
    </Page>
  );
}

interface OperatorsProps {
  rows: OperatorRecord[];
  failure: Failure | undefined;
  edited: Edited | undefined;
}

function Operators({ rows, failure, edited }: OperatorsProps) {
  return (
    <Page title="Operators" crumbs={[{ label: 'Your account', to: '/sessions' }]} actions={<Add />}>
      {failure && edited ? (
        <FormAgain {...editOf(edited.person)} failure={failure}>
          <EditFields {...edited} />
        </FormAgain>
      ) : (
        <Refusal failure={failure} />
      )}
      <div class="card flush">
        <Table
          label="Operators"
          rows={rows}
          empty={null}
          columns={[
            {
              title: 'Name',
              cell: ({ name, active }) => (
                <>
                  <Truncated text={name} /> {active ? null : <Badge state="inactive" />}
                </>
              ),
            },
            { title: 'Email', wide: true, cell: ({ email }) => <span class="mono cut">{email}</span> },
            { title: 'Role', cell: ({ role }) => role },
            {
              title: 'Changes',
              wide: true,
              cell: ({ email }) => <a href={`/audit?${new URLSearchParams({ actor: email })}`}>Audit trail</a>,
            },
            { title: 'Sessions', cell: ({ operator_id }) => <a href={sessionsPath(operator_id)}>Sessions</a> },
            {
              title: 'Last sign-in',
              wide: true,
              cell: ({ last_sign_in_date }) => <Timestamp at={last_sign_in_date} never="never" />,
            },
            {
              title: 'What can be done',
              untitled: true,
              cell: (person) => <Actions person={person} isEdited={person.email === edited?.person.email} />,
            },
          ]}
        />
      </div>
    </Page>
  );
}

const EmailField = ({ email }: Pick<OperatorRecord, 'email'>) => <input type="hidden" name="email" value={email} />;

const editOf = ({ name }: OperatorRecord) => ({ title: `Edit ${name}`, action: `${PATH}/set`, verb: 'Save' });

function EditFields({ person: { operator_id: id, email }, shown: { texts, seen } }: Edited) {
  return (
    <>
      <EmailField email={email} />
      <SeenField seen={seen} />
      <Field label="Name" name="name" id={`name-${id}`} value={texts.name} required maxlength={200} />
      <Select label="Role" name="role" id={`role-${id}`} value={texts.role} choices={ROLE_CHOICES} />
      <Select
        label="Can sign in"
        name="active"
        id={`active-${id}`}
        value={texts.active}
        choices={{ yes: 'yes', no: 'no' }}
      />
    </>
  );
}

function Actions({ person, isEdited }: { person: OperatorRecord; isEdited: boolean }) {
  const { operator_id: id, email, name, active } = person;
  const hidden = <EmailField email={email} />;
  return (
    <div class="buttons">
      {active ? (
        <PostForm action={`${PATH}/link`}>
          {hidden}
          <Submit>Create a link</Submit>
        </PostForm>
      ) : null}
      {isEdited ? null : (
        <Dialog id={`edit-${id}`} label="Edit…" {...editOf(person)}>
          <EditFields person={person} shown={EDIT.of(person)} />
        </Dialog>
      )}
      <Confirm
        id={`remove-${id}`}
        label="Remove…"
        title={`Remove ${name}?`}
        action={`${PATH}/remove`}
        verb="Remove"
        fields={hidden}
      >
        Their sessions end at once. Their changes stay in the audit trail.
      </Confirm>
    </div>
  );
}

function Add() {
  return (
    <Dialog id="add" label="Add an operator…" title="Add an operator" action={PATH} verb="Add">
      <Field label="Email" name="email" type="email" required maxlength={254} hint="Receives sign-in links" />
      <Field label="Name" name="name" required maxlength={200} />
      <Select label="Role" name="role" choices={ROLE_CHOICES} />
    </Dialog>
  );
}

function Link({ email, url }: { email: string; url: string }) {
  return (
    <Page title="A sign-in link" crumbs={[{ label: 'Operators', to: PATH }]} here={email}>
      <Card>
        <p>
          It signs {email} in once, within 15 minutes. <strong>It is shown only once.</strong>
        </p>
        <Secret id="new-link" text={url} />
      </Card>
    </Page>
  );
}
