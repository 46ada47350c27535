import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  createConsoleLink,
  endSession,
  endSessions,
  listSessions,
  type SessionRecord,
} from '../../src/operator/people/console-access.ts';
import {
  addOperator,
  exportOperators,
  listOperators,
  type OperatorRecord,
  removeOperator,
  setOperator,
} from '../../src/operator/people/operators.ts';
import { Badge } from '../components/badge.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf, Truncated } from '../components/links.tsx';
import { More } from '../components/menu.tsx';
import { Table } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { press } from '../forms/act.ts';
import { ActionForm, Again } from '../forms/action-form.tsx';
import { addAction, type Refused, refusedStatus, type Show } from '../forms/actions.tsx';
import { Problem } from '../http/problem.ts';
import { readParam } from '../http/query.ts';
import type { ConsoleOptions } from '../http/section.ts';
import { csvFile } from '../lists/list-page.tsx';
import { SessionList } from './sessions.tsx';
import { ShownOnce } from './shown-once.tsx';

const PATH = '/operators';

/** The console's operators, their roles and sessions. */
export async function operators(app: FastifyInstance, { context }: ConsoleOptions) {
  const show: Show = async (_request, reply, refused) => {
    const rows = await listOperators.run(context, {});
    return reply.view(<Operators rows={rows} refused={refused} />, refusedStatus(refused));
  };
  app.get(PATH, { config: { role: 'admin' } }, (request, reply) => show(request, reply));
  app.get(`${PATH}.csv`, { config: { role: 'admin' } }, (_request, reply) =>
    reply.sendExport({
      ...csvFile(PATH, context.clock.now()),
      make: () => exportOperators(context),
    }),
  );
  addAction(app, addOperator, { path: PATH, show });

  async function personOf(request: FastifyRequest): Promise<OperatorRecord> {
    const id = readParam(request, 'operatorId');
    const person = (await listOperators.run(context, {})).find(({ operator_id }) => operator_id === id);
    if (!person) throw new Problem(404, 'Not found', 'There is no such operator.', { to: PATH, label: 'People' });
    return person;
  }
  const page = {
    path: `${PATH}/:operatorId`,
    show,
    record: personOf,
    named: async (request: FastifyRequest) => ({ email: (await personOf(request)).email }),
    back: () => PATH,
  };
  for (const each of [setOperator, removeOperator]) addAction<unknown>(app, each, page);
  addAction(app, createConsoleLink, {
    ...page,
    answer: async ({ record }, request, reply) => {
      const { name, email } = await personOf(request);
      const text = `It signs in ${email} once, within 15 minutes: send it to them alone.`;
      const shown = { title: `Sign-in link for ${name}`, secret: record.url, text, next: PATH, section: PATH };
      return reply.view(<ShownOnce {...shown} crumbs={[{ label: 'People', to: PATH }]} here="Sign-in link" />, 201);
    },
  });
  addAction(app, endSessions, { ...page, back: (request) => sessionsPath(readParam(request, 'operatorId')) });

  app.get(`${page.path}/sessions`, { config: { role: 'admin' } }, async (request, reply) => {
    const person = await personOf(request);
    const rows = await listSessions.run(context, { email: person.email });
    return reply.view(<PersonSessions person={person} rows={rows} own={request.signedIn.session.session_id} />);
  });

  app.post(`${page.path}/sessions/:sessionId/end`, { config: { role: 'admin' } }, async (request, reply) => {
    const { operator_id, email } = await personOf(request);
    return press(reply, sessionsPath(operator_id), async () => {
      await endSession(request.context, { email, sessionId: readParam(request, 'sessionId') });
      return 'The session was ended.';
    });
  });
}

const pathOfPerson = (operatorId: string) => `${PATH}/${encodeURIComponent(operatorId)}`;

const sessionsPath = (operatorId: string) => `${pathOfPerson(operatorId)}/sessions`;

function PersonSessions({ person, rows, own }: { person: OperatorRecord; rows: SessionRecord[]; own: string }) {
  const { operator_id, name } = person;
  return (
    <Page
      title={`Sessions of ${name}`}
      crumbs={[{ label: 'People', to: PATH }]}
      actions={
        rows.length === 0 ? null : <ActionForm useCase={endSessions} at={pathOfPerson(operator_id)} tone="danger" />
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
  refused: Refused | undefined;
}

function Operators({ rows, refused }: OperatorsProps) {
  return (
    <Page title="People" actions={<ActionForm useCase={addOperator} at={PATH} tone="main" />}>
      <Again refused={refused} />
      <div class="card flush">
        <Table
          label="People"
          rows={rows}
          rowId={({ operator_id }) => operator_id}
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
              cell: ({ email }) => <a href={pathOf.auditOf(email)}>Audit trail</a>,
            },
            { title: 'Sessions', cell: ({ operator_id }) => <a href={sessionsPath(operator_id)}>Sessions</a> },
            {
              title: 'Last sign-in',
              wide: true,
              cell: ({ last_sign_in_date }) => <Time at={last_sign_in_date} never="never" />,
            },
            {
              title: 'What can be done',
              untitled: true,
              cell: (person) => <Actions person={person} />,
            },
          ]}
        />
        <div class="more shown">
          <a href={`${PATH}.csv`} class="download" hx-boost="false">
            CSV of this list
          </a>
        </div>
      </div>
    </Page>
  );
}

function Actions({ person }: { person: OperatorRecord }) {
  const { operator_id: id, name, active } = person;
  const common = { at: pathOfPerson(id), record: person };
  return (
    <div class="buttons">
      <ActionForm {...common} useCase={setOperator} row={id} of={name} />
      <More of={name}>
        {active ? <ActionForm {...common} useCase={createConsoleLink} row={id} /> : null}
        <ActionForm {...common} useCase={removeOperator} row={id} />
      </More>
    </div>
  );
}
