import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findKey, type KeyLine, type KeyPage } from '../../src/operator/broker-views.ts';
import { createKey, revokeKey, rotateKey, setKey } from '../../src/operator/keys.ts';
import { SCOPES } from '../../src/operator/scopes.ts';
import { act, attempt, press, UNCHANGED } from '../act.ts';
import { Badge } from '../components/badge.tsx';
import { Card, number, Secret } from '../components/card.tsx';
import { Checkboxes, Confirm, Dialog, Field, FormAgain, Select } from '../components/form.tsx';
import { Page } from '../components/layout.tsx';
import { pathOf, Truncated } from '../components/links.tsx';
import { Pager, type Pagination } from '../components/pager.tsx';
import { Spark, short } from '../components/plot.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Day, Timestamp } from '../components/timestamp.tsx';
import { editForm, SeenField, type Shown } from '../edits.tsx';
import type { Failure } from '../failures.ts';
import { Problem } from '../problem.ts';
import { param } from '../query.ts';
import type { ConsoleOptions } from '../section.ts';
import { FORM_NAME, newFormName, SentForms } from '../sent-forms.ts';

/** The fields of the form for a new key. */
interface KeyEntry {
  name: string;
  mode: string;
  scopes: string[];
  rateLimit: string;
  expires: string;
}

/** An edit of a key that was refused. */
interface EditedKey {
  keyId: string;
  prefix: string;
  shown: ShownKey;
}

/** Why the page is shown again, and what was typed. */
export interface Refused {
  failure?: Failure;
  newKey?: KeyEntry;
  key?: EditedKey;
}

const EDIT = editForm({ scopes: ['scopes'], rate_limit: ['rate_limit'], expires: ['expires_date'] });

type ShownKey = Shown<'scopes' | 'rate_limit' | 'expires'>;

type Show = (request: FastifyRequest, reply: FastifyReply, refused: Refused) => Promise<FastifyReply>;

/** The forms of a broker's keys. */
export async function keyForms(app: FastifyInstance, { context }: ConsoleOptions, show: Show) {
  /** The key of the path; throws unless it is this broker's. */
  async function keyOf(request: FastifyRequest): Promise<KeyLine> {
    const keyId = param(request, 'keyId');
    const key = await findKey(context, { keyId });
    if (key?.broker.slug !== param(request, 'slug')) throw new Problem(404, 'Not found', 'The broker has no such key.');
    return key;
  }

  const sent = new SentForms();

  /** The new key is shown in this response only. */
  async function issue(
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<NewKeyProps['made']>,
    again: (failure: Failure) => Promise<FastifyReply>,
  ) {
    const { value, failure } = await attempt(work);
    if (failure) return again(failure);
    return reply.view(<NewKey slug={param(request, 'slug')} made={value} />, 201);
  }

  app.post('/brokers/:slug/keys', { config: { role: 'admin' } }, (request, reply) => {
    const { form } = request;
    const formName = form.given(FORM_NAME);
    if (formName !== undefined && !sent.begin(formName)) throw alreadySent(param(request, 'slug'));
    const entry: KeyEntry = {
      ...form.pick('name', 'mode'),
      scopes: form.all('scopes'),
      rateLimit: form.get('rate_limit'),
      expires: form.get('expires'),
    };
    return issue(
      request,
      reply,
      () =>
        createKey(request.context, {
          broker: param(request, 'slug'),
          name: entry.name,
          mode: entry.mode,
          scopes: entry.scopes.join(','),
          expires: form.given('expires'),
          rateLimit: form.given('rate_limit'),
        }),
      (failure) => {
        sent.forget(form.get(FORM_NAME));
        return show(request, reply, { failure, newKey: entry });
      },
    );
  });

  app.post('/brokers/:slug/keys/:keyId/rotate', { config: { role: 'admin' } }, async (request, reply) => {
    const { key_id: keyId } = await keyOf(request);
    return issue(
      request,
      reply,
      () => rotateKey(request.context, { keyId, overlap: request.form.given('overlap') }),
      (failure) => show(request, reply, { failure }),
    );
  });

  app.post('/brokers/:slug/keys/:keyId/revoke', { config: { role: 'admin' } }, async (request, reply) => {
    const { key_id: keyId } = await keyOf(request);
    return press(reply, pathOf.key(param(request, 'slug'), keyId), async () => {
      const { key_prefix } = await revokeKey(request.context, { keyId });
      return `${key_prefix} was revoked: it is refused from now on.`;
    });
  });

  app.post('/brokers/:slug/keys/:keyId/set', { config: { role: 'admin' } }, async (request, reply) => {
    const { key_id: keyId, key_prefix: prefix } = await keyOf(request);
    const to = pathOf.key(param(request, 'slug'), keyId);
    const edit = EDIT.read(request.form);
    return act(
      reply,
      async () => {
        if (edit.isUnchanged) return { to, done: UNCHANGED };
        await setKey(request.context, {
          keyId,
          scopes: edit.given('scopes'),
          rateLimit: edit.orNull('rate_limit'),
          expires: edit.orNull('expires'),
          seen: edit.seen,
        });
        return { to, done: `${prefix} was changed. It takes effect within a second.` };
      },
      async (failure) => {
        const shown = edit.again(failure, await keyOf(request));
        return show(request, reply, { failure, key: { keyId, prefix, shown } });
      },
    );
  });
}

const alreadySent = (slug: string) =>
  new Problem(
    409,
    'Key already created',
    'This form was sent before, and its key was shown then. If the key was not saved, revoke it and create another.',
    { to: `${pathOf.broker(slug)}#keys`, label: 'Back to the keys' },
  );

interface KeysProps {
  slug: string;
  keys: { items: KeyItem[]; pagination: Pagination };
  admin: boolean;
  /** The key whose edit form stands on the page already. */
  edited: string | undefined;
}

type KeyItem = KeyPage['items'][number];

export function Keys({ slug, keys, admin, edited }: KeysProps) {
  return (
    <Card title="Keys" id="keys" aside={admin ? <Create slug={slug} /> : null}>
      <Table
        label="Keys"
        columns={admin ? [...columnsOf(slug), actions(slug, edited)] : columnsOf(slug)}
        rows={keys.items}
        rowId={({ key_id }) => key_id}
        empty={
          <p>No key yet. {admin ? 'Create one: it is shown once, for the broker.' : 'An admin can create one.'}</p>
        }
      />
      {keys.pagination.totalPages > 1 ? <Pager pagination={keys.pagination} noun="keys" name="keys" /> : null}
    </Card>
  );
}

const columnsOf = (slug: string): Array<Column<KeyItem>> => [
  {
    title: 'Key',
    cell: ({ key_id, key_prefix }) => (
      <a href={pathOf.keyUse(slug, key_id)} class="mono">
        {key_prefix}
      </a>
    ),
  },
  {
    title: 'Name',
    cell: ({ name, key_state }) => (
      <>
        <Truncated text={name} /> {key_state === 'active' ? null : <Badge state={key_state} />}
      </>
    ),
  },
  { title: 'Scopes', wide: true, cell: ({ scopes }) => <span class="quiet">{scopes.join(' ') || 'none'}</span> },
  {
    title: 'Limit',
    figure: true,
    wide: true,
    cell: ({ rate_limit }) => (rate_limit === null ? <span class="quiet">default</span> : number(rate_limit)),
  },
  { title: 'Ends', wide: true, named: true, cell: ({ expires_date }) => <Timestamp at={expires_date} never="never" /> },
  {
    title: 'Last used',
    named: true,
    cell: ({ last_used_date, last_used_ip }) => (
      <span class="quiet">
        <Timestamp at={last_used_date} never="never" />
        {last_used_ip ? <span class="roomy"> · {last_used_ip}</span> : null}
      </span>
    ),
  },
  {
    title: 'Calls, 24 h',
    figure: true,
    cell: ({ use: { calls, refused } }) => (
      <span
        title={`${number(calls)} calls, ${number(refused)} refused`}
        class={isBad(calls, refused) ? 'warn' : undefined}
      >
        {short(calls)}
      </span>
    ),
  },
  {
    title: 'Over time',
    untitled: true,
    wide: true,
    cell: ({ use: { calls, refused, points } }) => <Spark points={points} warn={isBad(calls, refused)} />,
  },
];

/** A quarter or more refused calls point to a broken integration. */
const isBad = (calls: number, refused: number): boolean => refused * 4 > calls;

const actions = (slug: string, edited: string | undefined): Column<KeyItem> => ({
  title: 'What can be done',
  untitled: true,
  cell: (key) =>
    key.key_state === 'revoked' ? null : <Actions slug={slug} keyLine={key} isEdited={key.key_id === edited} />,
});

interface ActionsProps {
  slug: string;
  keyLine: KeyLine;
  /** The form that edits it stands on the page already. */
  isEdited?: boolean;
}

/** The dialogs of a key that is not revoked. */
export function Actions({ slug, keyLine, isEdited = false }: ActionsProps) {
  const { key_id: id, key_prefix: prefix } = keyLine;
  const path = `${pathOf.broker(slug)}/keys/${encodeURIComponent(id)}`;
  return (
    <div class="buttons">
      {isEdited ? null : (
        <Dialog id={`edit-${id}`} label="Edit…" {...editOf(slug, id, prefix)}>
          <EditFields id={id} shown={EDIT.of(keyLine)} />
        </Dialog>
      )}
      {keyLine.key_state === 'active' ? (
        <Dialog id={`rotate-${id}`} label="Rotate…" title={`Rotate ${prefix}`} action={`${path}/rotate`} verb="Rotate">
          <p>
            A new key with the same name, scopes, limit and expiry is created and shown once. The old key stays valid
            for:
          </p>
          <Select label="Overlap" name="overlap" id={`overlap-${id}`} value="24h" choices={OVERLAPS} />
        </Dialog>
      ) : null}
      <Confirm
        id={`revoke-${id}`}
        label="Revoke…"
        title={`Revoke ${prefix}?`}
        action={`${path}/revoke`}
        verb="Revoke the key"
      >
        Calls with this key are refused within a second. It cannot be restored.{' '}
        {keyLine.last_used_date ? (
          <>
            It was last used <Timestamp at={keyLine.last_used_date} />
            {keyLine.last_used_ip ? ` from ${keyLine.last_used_ip}` : null}.
          </>
        ) : (
          'It was never used.'
        )}
      </Confirm>
    </div>
  );
}

interface AgainProps {
  slug: string;
  failure: Failure;
}

/** The form for a new key again. */
export const CreateAgain = ({ slug, failure, entry }: AgainProps & { entry: KeyEntry }) => (
  <FormAgain title="Create a key" action={`${pathOf.broker(slug)}/keys`} verb="Create" failure={failure}>
    <CreateFields id="again" entry={entry} />
  </FormAgain>
);

/** The form that edits a key again. */
export const EditAgain = ({ slug, failure, edited }: AgainProps & { edited: EditedKey }) => (
  <FormAgain {...editOf(slug, edited.keyId, edited.prefix)} failure={failure}>
    <EditFields id={edited.keyId} shown={edited.shown} />
  </FormAgain>
);

const editOf = (slug: string, keyId: string, prefix: string) => ({
  title: `Edit ${prefix}`,
  action: `${pathOf.keyUse(slug, keyId)}/set`,
  verb: 'Save',
});

const EditFields = ({ id, shown: { texts, seen } }: { id: string; shown: ShownKey }) => (
  <>
    <SeenField seen={seen} />
    <KeyFields id={id} scopes={texts.scopes.split(',')} rateLimit={texts.rate_limit} expires={texts.expires} />
  </>
);

function Create({ slug }: { slug: string }) {
  const action = `${pathOf.broker(slug)}/keys`;
  return (
    <Dialog id="create-key" label="Create a key…" title="Create a key" action={action} verb="Create">
      <CreateFields id="new" />
    </Dialog>
  );
}

const BLANK: KeyEntry = { name: '', mode: 'live', scopes: [], rateLimit: '', expires: '' };

function CreateFields({ id, entry = BLANK }: { id: string; entry?: KeyEntry }) {
  return (
    <>
      <input type="hidden" name={FORM_NAME} value={newFormName()} />
      <Field
        label="Name"
        name="name"
        id={`name-${id}`}
        value={entry.name}
        required
        maxlength={200}
        hint="Its purpose, such as “Shop”"
      />
      <Select label="Mode" name="mode" id={`mode-${id}`} value={entry.mode} choices={MODES} />
      <KeyFields id={id} {...entry} />
    </>
  );
}

const MODES = { live: 'live', test: 'test: responses are simulated' };

const OVERLAPS = {
  '0': 'not at all: it is refused at once',
  '1h': 'an hour',
  '24h': 'a day',
  '7d': 'a week',
  '30d': '30 days',
};

interface KeyFieldsProps extends Pick<KeyEntry, 'scopes' | 'rateLimit' | 'expires'> {
  /** Unique on the page. */
  id: string;
}

function KeyFields({ id, scopes, rateLimit, expires }: KeyFieldsProps) {
  return (
    <>
      <Checkboxes
        legend="Scopes"
        name="scopes"
        choices={SCOPES}
        chosen={scopes}
        hint="admin:full implies all others. None: the key can only be checked"
      />
      <Field
        label="Calls a minute"
        name="rate_limit"
        id={`limit-${id}`}
        value={rateLimit}
        maxlength={7}
        hint="Empty: the server’s default"
      />
      <Field
        label="Ends"
        name="expires"
        id={`expires-${id}`}
        value={expires}
        maxlength={30}
        placeholder="2030-01-31"
        hint="A date, or a time such as 2030-01-31T12:00:00Z. Empty: never"
      />
    </>
  );
}

interface NewKeyProps {
  slug: string;
  made: { key: string; name: string; mode: string; scopes: string[]; key_id: string; expires_date: string | null };
}

function NewKey({ slug, made }: NewKeyProps) {
  return (
    <Page
      title={`A new key: ${made.name}`}
      section="/brokers"
      crumbs={[
        { label: 'Brokers', to: '/brokers' },
        { label: slug, to: pathOf.broker(slug) },
      ]}
      here="new key"
    >
      <Card>
        <p>
          <strong>The key is shown only once.</strong> Give it to the broker over a secure channel; it cannot be shown
          again.
        </p>
        <Secret id="new-key" text={made.key} />
        <p class="quiet">
          {made.mode} · {made.scopes.join(' ') || 'no scopes'} · ends <Day at={made.expires_date} never="never" />
        </p>
        <p>
          <a class="button main" href={pathOf.key(slug, made.key_id)}>
            Done
          </a>
        </p>
      </Card>
    </Page>
  );
}
