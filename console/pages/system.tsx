import type { Child } from 'hono/jsx';
import {
  declareLoss,
  declareNothingLost,
  goOn,
  keepAsCopy,
  letAllGo,
  type RestoredRecord,
  showRestored,
} from '../../src/operator/system/restored.ts';
import { type Health, type System, showSystem } from '../../src/operator/system/system.ts';
import { Tag } from '../components/badge.tsx';
import { Card, Facts, Figure, number } from '../components/card.tsx';
import { Page } from '../components/layout.tsx';
import { DocumentLink } from '../components/links.tsx';
import { milliseconds, size } from '../components/plot.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Day, exact, Minute, Time } from '../components/timestamp.tsx';
import { ActionForm, Again } from '../forms/action-form.tsx';
import { addAction, type Refused, refusedStatus, type Show as ShowPage } from '../forms/actions.tsx';
import type { Section } from '../http/section.ts';

const PATH = '/system';

/** Version, settings and health of the server. */
export const system: Section = {
  label: 'System',
  path: PATH,
  async routes(app, { context, processInfo, operatorApi }) {
    const show: ShowPage = async (_request, reply, refused) => {
      const shown = await showSystem(context, processInfo);
      const restored = await showRestored.run(context, {});
      return reply.view(
        <Show system={shown} restored={restored} refused={refused} operatorApi={operatorApi} />,
        refusedStatus(refused),
      );
    };
    app.get(PATH, { config: { role: 'viewer' } }, (request, reply) => show(request, reply));
    const page = { path: PATH, show };
    for (const each of [goOn, keepAsCopy, declareLoss, declareNothingLost]) addAction(app, each, page);
    addAction(app, letAllGo, page);
  },
};

interface ShowProps {
  system: System;
  restored: RestoredRecord;
  refused: Refused | undefined;
  operatorApi: boolean;
}

function Show({ system, restored, refused, operatorApi }: ShowProps) {
  const { health, database } = system;
  const workers = health.workers.filter(({ is_away }) => !is_away);
  const sizes = database.tables.filter(({ rows }) => rows > 0);
  return (
    <Page title="System" section="/system">
      <Again refused={refused} />
      {restored.holding === null ? null : <Records restored={restored} unseen={system.records.unseen} />}
      <div class="figures">
        <Figure title="Version" value={system.version}>
          Node {system.node.replace(/^v/, '')}
        </Figure>
        <Figure title="Health" value={isWell(system) ? 'ok' : 'degraded'} warn={!isWell(system)}>
          {isWell(system) ? 'every dependency answers' : 'see below what is unavailable'}
        </Figure>
        <Figure title="Workers" value={number(workers.length)} warn={workers.length === 0}>
          {workers.length === 0 ? 'accepted requests wait' : 'seen within a minute'}
        </Figure>
        <Figure title="Database" value={size(database.bytes)} warn={neverBackedUp(system)}>
          {ENGINES[database.engine]}
          {neverBackedUp(system) ? ', never backed up' : null}
        </Figure>
      </div>
      {neverBackedUp(system) ? <Backups system={system} /> : null}
      <div class="columns">
        <div class="stack">
          <Parts system={system} />
          <Card title="Workers">
            <Table
              label="Workers"
              columns={WORKER_COLUMNS}
              rows={health.workers}
              empty={
                <p>
                  No worker has been seen within a day. One runs in the server itself unless WORKER is off, or by
                  “broker worker”.
                </p>
              }
            />
          </Card>
          <Card title="Sizes">
            <Table label="Sizes" columns={SIZE_COLUMNS} rows={sizes.slice(0, LARGEST)} empty={null} />
            {sizes.length > LARGEST ? (
              <details>
                <summary>{number(sizes.length - LARGEST)} smaller ones</summary>
                <Table label="Smaller ones" columns={SIZE_COLUMNS} rows={sizes.slice(LARGEST)} empty={null} />
              </details>
            ) : null}
            <p class="quiet">Approximate: most tables are estimated. Other tables are empty.</p>
          </Card>
          {operatorApi ? (
            <Card title="Operator API">
              <p>
                Your own systems can do over HTTP what this console can: the{' '}
                <a href="/operator/docs">guide and reference</a>, the{' '}
                <a href="/operator/openapi.json">OpenAPI document</a>. Its keys are made under{' '}
                <a href="/operator-keys">Operator keys</a>.
              </p>
            </Card>
          ) : null}
        </div>
        <div class="stack">
          {restored.holding === null ? <Records restored={restored} unseen={system.records.unseen} /> : null}
          {system.update.waits_for_finish.length > 0 ? <UnfinishedUpdate update={system.update} /> : null}
          {neverBackedUp(system) ? null : <Backups system={system} />}
          <Move engine={database.engine} />
          <Settings settings={system.settings} />
          <Card title="Applied migrations">
            <details>
              <summary>{number(database.migrations.length)} migrations</summary>
              <ol class="rows">
                {database.migrations.map(({ name }) => (
                  <li>
                    <span class="mono">{name ?? 'of a newer release'}</span>
                  </li>
                ))}
              </ol>
            </details>
            <p class="quiet">A server applies what is missing when it starts.</p>
          </Card>
        </div>
      </div>
    </Page>
  );
}

const HOLDING = {
  held: 'The records went back: work and emails wait.',
  copy: 'This is a copy for trying: nothing goes out.',
  not_noted: 'The records are of another history, which a server is about to note.',
};

/** Whether the records went back, and what is to be said of it (contract, section 15). */
function Records({ restored, unseen }: { restored: RestoredRecord; unseen: readonly string[] }) {
  const { holding, losses, withheld, withheld_total: total, note } = restored;
  const isHeld = holding === 'held' || holding === 'copy';
  return (
    <Card title="Records" aside={isHeld ? <Tag tone="warn">{holding}</Tag> : null}>
      {holding === null ? null : <p class="notice warn">{HOLDING[holding]}</p>}
      {note === null ? null : <p class="quiet">{note}.</p>}
      <Table label="Losses" columns={LOSS_COLUMNS} rows={losses} empty={<p>The records never went back.</p>} />
      {total > 0 ? (
        <>
          <p>
            {number(total)} {total === 1 ? 'request waits' : 'requests wait'} for a person, since the client may have
            withdrawn it or paid meanwhile:
          </p>
          <ul class="rows">
            {withheld.map(({ request_id, type, service_number, broker }) => (
              <li>
                <a href={`/requests/${request_id}`}>{type}</a> of service {service_number} ({broker})
              </li>
            ))}
          </ul>
          <ActionForm useCase={letAllGo} at={PATH} />
        </>
      ) : null}
      <p class="quiet">
        Not seen here: {unseen.join(', ')}. What to do after a restore stands in{' '}
        <DocumentLink name="operate" section="Restore" />.
      </p>
      <div class="actions">
        {isHeld ? <ActionForm useCase={goOn} at={PATH} tone="main" /> : null}
        {holding === 'held' ? <ActionForm useCase={keepAsCopy} at={PATH} /> : null}
        {isHeld ? null : <ActionForm useCase={declareLoss} at={PATH} />}
        <ActionForm useCase={declareNothingLost} at={PATH} />
      </div>
    </Card>
  );
}

const LOSS_COLUMNS: Array<Column<RestoredRecord['losses'][number]>> = [
  { title: 'Found', cell: ({ lost_until }) => <Time at={lost_until} /> },
  { title: 'Lost from', cell: ({ lost_from }) => exact(lost_from) },
  { title: 'Cause', cell: ({ cause }) => cause },
  { title: 'State', cell: ({ state }) => state },
];

/** First what differs from the defaults, with its meaning. */
function Settings({ settings }: Pick<System, 'settings'>) {
  const own = settings.filter(({ isDefault }) => !isDefault);
  const rest = settings.filter(({ isDefault }) => isDefault);
  return (
    <Card title="Configuration">
      {own.length === 0 ? <p class="quiet">Every setting is the default.</p> : <SettingList of={own} />}
      <details>
        <summary>{number(rest.length)} settings as they are by default</summary>
        <SettingList of={rest} />
      </details>
      <p class="quiet">
        Secrets are shown as set or not set. Settings come from the environment; changes need a restart.
      </p>
    </Card>
  );
}

const SettingList = ({ of }: { of: System['settings'] }) => (
  <ul class="rows">
    {of.map(({ name, title, value }) => (
      <li>
        <div class="grow">
          <span class="mono">{name}</span> <br />
          <span class="quiet">{title}</span>
        </div>
        {value === null ? <span class="quiet">off</span> : <span class="mono">{value}</span>}
      </li>
    ))}
  </ul>
);

/** How the installation moves to PostgreSQL. */
function Move({ engine }: { engine: System['database']['engine'] }) {
  if (engine === 'postgres') return null;
  return (
    <Card title="Move to PostgreSQL">
      <p>
        For more than one server: <code>broker copy --to postgres://…</code> copies every record while the service is
        stopped, and checks the copy. The steps are in{' '}
        <DocumentLink name="parts" section="From one file to PostgreSQL" />.
      </p>
    </Card>
  );
}

/** Tables that are shown at first, the largest ones. */
const LARGEST = 8;

/** What this release does only once none before it runs. */
function UnfinishedUpdate({ update }: { update: System['update'] }) {
  const { oldest_release, waits_for_finish, former_workers } = update;
  return (
    <Card title="The update is not finished">
      <p>
        Release {oldest_release ?? 'unknown'} may still use the database. Until “broker migrate --finish” these wait:
      </p>
      <ul>
        {waits_for_finish.map((what) => (
          <li>{what}</li>
        ))}
      </ul>
      {former_workers.length > 0 ? (
        <p class="notice warn">
          Workers of a release before still run:{' '}
          {former_workers.map(({ version, host }) => `${version} on ${host}`).join(', ')}.
        </p>
      ) : null}
    </Card>
  );
}

const isWell = ({ health: { database, clock, parts, workers }, provisioner }: System): boolean =>
  provisioner?.state !== 'not_answering' &&
  !database.is_away &&
  clock === 'steady' &&
  parts.every(({ is_away }) => !is_away) &&
  workers.some(({ is_away }) => !is_away);

/** Optional dependencies, and what their absence means. */
const PARTS: Record<string, { label: string; meaning: string }> = {
  redis: { label: 'Redis', meaning: 'each process counts rate limits for itself' },
};

export const nameOfPart = (name: string): string => PARTS[name]?.label ?? name;

/** What the states of the clock mean for the work. */
const CLOCK: Record<Health['clock'], string | null> = {
  steady: null,
  differs: 'more than 5 s off the database’s',
  jumped: 'renewals and ends of term wait',
  behind: 'behind dates that were used already',
};

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** PostgreSQL is backed up without a trace here. */
const neverBackedUp = ({ backup, database }: System): boolean => database.engine === 'sqlite' && backup === null;

function Backups({ system: { backup, database } }: { system: System }) {
  if (database.engine === 'postgres')
    return (
      <Card title="Backups" aside={<Tag tone="none">not seen here</Tag>}>
        <p>
          Back up with <code>pg_dump</code> or by archiving the write-ahead log (
          <DocumentLink name="operate" section="7. Backups" />
          ); neither leaves a trace here.
        </p>
      </Card>
    );
  return (
    <Card title="Backups" aside={backup ? null : <Tag tone="warn">none was made</Tag>}>
      {backup ? (
        <Facts
          rows={[
            ['Last', <Day at={backup.date} />],
            ['File', <span class="mono">{backup.file}</span>],
            ['By', backup.actor],
          ]}
        />
      ) : null}
      <p class="quiet">
        <code>broker backup FILE</code> copies the database while it is in use; how to do so every night stands in{' '}
        <DocumentLink name="operate" section="7. Backups" />. Copies made in another way are not seen here.
      </p>
    </Card>
  );
}

function Parts({ system }: Pick<ShowProps, 'system'>) {
  const { health, database: store, queue, emails, failed_requests, date } = system;
  const { database, clock, parts } = health;
  const { connections } = store;
  return (
    <Card title="State">
      <Facts
        rows={[
          [
            'Database',
            <>
              <State away={database.is_away} /> <span class="quiet">{milliseconds(database.milliseconds)}</span>
            </>,
          ],
          [
            'Connections',
            connections === null ? (
              <span class="quiet">one file, no pool</span>
            ) : (
              `${connections.inUse} in use, ${connections.idle} idle, ${connections.waiting} waiting`
            ),
          ],
          [
            'Queue',
            <>
              {queue.oldest_due_date === null ? (
                'nothing is due'
              ) : (
                <>
                  {number(queue.due)} due, the oldest <Time at={queue.oldest_due_date} />
                </>
              )}
              {queue.accepted > queue.due ? ` · ${number(queue.accepted - queue.due)} for later` : null}
            </>,
          ],
          ['Email', <Emails emails={emails} />],
          ['Provisioner', <Provisioner state={system.provisioner} />],
          [
            'Failed requests',
            <a href="/requests?status=failed&since=1h">{`${number(failed_requests)} within the hour`}</a>,
          ],
          [
            'Clock',
            <>
              <Tag tone={clock === 'steady' ? 'good' : 'warn'}>{clock}</Tag> {exact(date)}{' '}
              <span class="quiet">{CLOCK[clock]}</span>
            </>,
          ],
          ...parts.map(({ name, is_away }): [string, Child] => [
            nameOfPart(name),
            <>
              <State away={is_away} /> <span class="quiet">{is_away ? PARTS[name]?.meaning : null}</span>
            </>,
          ]),
        ]}
      />
    </Card>
  );
}

/** What its answers say: the last one, or since when and why there is none. */
function Provisioner({ state: provisioner }: { state: System['provisioner'] }) {
  if (provisioner === null)
    return (
      <>
        <Tag tone="warn">none</Tag> <span class="quiet">requests change records alone</span>
      </>
    );
  const { state, since_date, answered_date, waiting, message } = provisioner;
  const waits = waiting === 0 ? null : ` · ${number(waiting)} ${waiting === 1 ? 'request waits' : 'requests wait'}`;
  if (state === 'not_answering')
    return (
      <>
        <Tag tone="warn">does not answer</Tag> since <Minute at={since_date as string} />{' '}
        <span class="quiet">
          {message} · last answer <Time at={answered_date} never="never" />
          {waits}
        </span>
      </>
    );
  if (state === 'unknown')
    return (
      <>
        <Tag tone="none">unknown</Tag>{' '}
        <span class="quiet">
          no answer yet
          {waits}
        </span>
      </>
    );
  return (
    <>
      <Tag tone="good">answers</Tag>{' '}
      <span class="quiet">
        last <Time at={answered_date} />
        {waits}
      </span>
    </>
  );
}

function Emails({ emails: { outbox, sent, failed, unknown } }: Pick<System, 'emails'>) {
  if (outbox !== null) {
    return (
      <>
        <Tag tone="warn">no provider</Tag> <span class="quiet">emails become files in {outbox}</span>
      </>
    );
  }
  return (
    <>
      <a href="/emails?status=sent&since=1h">{`${number(sent)} sent`}</a>,{' '}
      <a href="/emails?status=failed&since=1h">{`${number(failed)} failed`}</a> within the hour;{' '}
      <a href="/emails?status=unknown">{`${number(unknown)} of unknown outcome`}</a>
    </>
  );
}

function State({ away }: { away: boolean }) {
  return <Tag tone={away ? 'warn' : 'good'}>{away ? 'unavailable' : 'ok'}</Tag>;
}

const WORKER_COLUMNS: Array<Column<Health['workers'][number]>> = [
  {
    title: 'Process',
    rest: true,
    cell: ({ host, pid }) => (
      <span class="mono" title={`${host} ${pid}`}>
        {host} {pid}
      </span>
    ),
  },
  {
    title: 'Seen',
    named: true,
    cell: ({ seen_date, is_away }) => (
      <>
        <Time at={seen_date} /> {is_away ? <State away /> : null}
      </>
    ),
  },
  { title: 'Since', named: true, cell: ({ started_date }) => <Time at={started_date} /> },
  { title: 'Version', wide: true, cell: ({ version }) => version },
];

const SIZE_COLUMNS: Array<Column<System['database']['tables'][number]>> = [
  { title: 'Table', cell: ({ table }) => <span class="mono">{table}</span> },
  { title: 'Rows', figure: true, cell: ({ rows }) => number(rows) },
];
