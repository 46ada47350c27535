import { type ComparisonRecord, compareServices, findComparison } from '../../src/operator/services/compare.ts';
import { Card, number } from '../components/card.tsx';
import { PostForm, RefusalNote } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { ServiceLink } from '../components/links.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/timestamp.tsx';
import { attempt } from '../forms/act.ts';
import { allows } from '../forms/action-form.tsx';
import type { Failure } from '../http/failures.ts';
import type { Section } from '../http/section.ts';

const PATH = '/machines';

/** The records against the machines that the provisioner lists. */
export const machines: Section = {
  label: 'Machines',
  path: PATH,
  async routes(app, { context }) {
    app.get(PATH, { config: { role: 'viewer' } }, async (_request, reply) =>
      reply.view(<Machines last={await findComparison(context)} />),
    );
    app.post(`${PATH}/compare`, { config: { role: 'support' } }, async (request, reply) => {
      const accept = request.form.get('accept') === 'true';
      const { value: found, failure } = await attempt(() => compareServices.run(request.context, { accept }));
      request.shownAt = PATH;
      const last = await findComparison(context);
      return reply.view(<Machines last={last} found={found} failure={failure} />, failure?.status);
    });
    app.post(`${PATH}/import-file`, { config: { role: 'support' } }, async (request, reply) => {
      const { imports } = await compareServices.run(request.context, {});
      const broker = request.form.get('broker');
      const own = imports.find((each) => (each.broker ?? '') === broker);
      return reply
        .type('application/json')
        .header('content-disposition', 'attachment; filename="machines.json"')
        .send(`${JSON.stringify(own?.records ?? [], null, 2)}\n`);
    });
  },
};

interface MachinesProps {
  last: Awaited<ReturnType<typeof findComparison>>;
  found?: ComparisonRecord | undefined;
  failure?: Failure | undefined;
}

type Row = ComparisonRecord['differences'][number];

const KINDS: Record<Row['kind'], string> = {
  another_uid: 'of another service',
  no_record: 'no record',
  not_living: 'service is not active',
  no_machine: 'no machine',
  machine_suspended: 'machine is suspended',
  machine_running: 'machine runs',
  plan: 'another plan',
  configuration: 'another configuration',
  ip_addresses: 'other addresses',
  reference: 'another reference',
};

const COLUMNS: Array<Column<Row>> = [
  {
    title: 'Service',
    cell: ({ kind, service_number }) =>
      kind === 'no_record' ? String(service_number) : <ServiceLink number={service_number} />,
  },
  { title: 'Broker', cell: ({ broker }) => broker ?? '–' },
  { title: 'What', cell: ({ kind }) => KINDS[kind] },
  { title: 'Record', wide: true, cell: ({ record }) => record ?? '–' },
  { title: 'Machine', wide: true, cell: ({ machine }) => machine ?? '–' },
  {
    title: 'Then',
    rest: true,
    cell: ({ commands }) => (
      <>
        {commands.map((command) => (
          <div class="mono">broker {command}</div>
        ))}
      </>
    ),
  },
];

const NOTHING = {
  not_known: 'Nothing was compared: the provisioner cannot list its machines.',
  no_answer: 'Nothing was compared: the provisioner did not answer.',
};

function Machines({ last, found, failure }: MachinesProps) {
  return (
    <Page title="Machines" section={PATH}>
      <Card title="Records against machines">
        <RefusalNote failure={failure} />
        <p>
          {last === null ? (
            'Records and machines were never compared.'
          ) : (
            <>
              Compared <Time at={last.compared_date} />:{' '}
              {last.outcome === 'compared'
                ? `${number(last.total)} ${last.total === 1 ? 'difference' : 'differences'}${last.accepted ? ', accepted' : ''}.`
                : NOTHING[last.outcome]}
            </>
          )}
        </p>
        <p class="quiet">
          The provisioner lists its machines twice. Nothing is changed; services with open work are left out.
        </p>
        {allows(compareServices) ? (
          <PostForm action={`${PATH}/compare`}>
            <div class="buttons">
              <button type="submit" class="main">
                Compare
              </button>
              {found && found.total > 0 && !found.accepted ? (
                <button type="submit" name="accept" value="true">
                  Compare, and accept what differs
                </button>
              ) : null}
            </div>
          </PostForm>
        ) : null}
      </Card>
      {found && found.outcome === 'compared' ? <Differences found={found} /> : null}
    </Page>
  );
}

/** The buttons of a service are on its page. */
const Differences = ({ found: { machines: listed, total, differences, imports } }: { found: ComparisonRecord }) => (
  <>
    <div class="card flush">
      <Table
        label="Differences"
        columns={COLUMNS}
        rows={differences}
        empty={<p>{number(listed)} machines are as their records say.</p>}
      />
    </div>
    {total > differences.length ? <p class="quiet">The {number(differences.length)} worst are shown.</p> : null}
    {imports.length > 0 ? (
      <Card title="Machines without a record">
        <p>Fill in name and email of each client in the file, and import it.</p>
        {imports.map(({ broker, records }) => (
          <PostForm action={`${PATH}/import-file`}>
            <input type="hidden" name="broker" value={broker ?? ''} />
            <button type="submit">
              File of {number(records.length)} of {broker ?? 'no known broker'}
            </button>
          </PostForm>
        ))}
      </Card>
    ) : null}
  </>
);
