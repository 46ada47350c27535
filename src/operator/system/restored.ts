import { type Static, Type } from '@sinclair/typebox';
import { Id, MAX_INT32, Nullable, OneOf, ServiceNumber, Shown, Timestamp, Whole } from '../../../schemas/atoms.ts';
import type { RecordsPlace } from '../../history/loss.ts';
import { NOTHING_LOST, noteLoss, noteNothingLost, passedOver } from '../../history/loss.ts';
import { KINDS, REQUEST_TYPES } from '../../kinds/index.ts';
import { close } from '../../lifecycle/close.ts';
import { HOUR_MS } from '../../rules/durations.ts';
import { isoTimestamp, isoTimestampOrNull } from '../../rules/timestamps.ts';
import { LOSS_CAUSES, LOSS_STATES } from '../../rules/words.ts';
import { transact } from '../../store/change.ts';
import type { LossRow } from '../../store/queries/history.ts';
import type { WithheldView } from '../../store/queries/withheld.ts';
import type { Reads } from '../../store/store.ts';
import { type ChangeDeps, type OperatorContext, type ReadDeps, recordChange } from '../use-case/dependencies.ts';
import { refused, unknown } from '../use-case/errors.ts';
import { named } from '../use-case/fields.ts';
import { answerSchema } from '../use-case/record.ts';
import { useCase } from '../use-case/use-case.ts';
import { HISTORY, HOLDING, TRAIL_READ } from './records.ts';

type RestoredDeps = ChangeDeps & Pick<OperatorContext, 'hasProvisioner'> & { recordsPlace: RecordsPlace };

/** Withheld requests that are named; the rest is counted. */
const MAX_NAMED = 100;

/** Actions that are looked at in one step. */
const STEP = 100;

const DATABASE = { brokerId: null, subject: 'database' };

const LOSS = Type.Object({
  history: Whole(1, Number.MAX_SAFE_INTEGER, 'Its number: the second in which it was found'),
  cause: OneOf(LOSS_CAUSES, { description: 'Why the records went back' }),
  state: OneOf(LOSS_STATES, { description: 'held: nothing goes out; copy: for good; over: it goes on' }),
  lost_from: Timestamp('The last heartbeat of before.'),
  lost_until: Timestamp('When it was found.'),
  first_number: ServiceNumber,
  last_number: ServiceNumber,
  place: Shown(1000, 'The machine and the database'),
  ended_date: Nullable(Timestamp('Since when work and emails go out again.')),
});

const RESTORED = answerSchema('Restored', {
  history: HISTORY,
  holding: HOLDING,
  losses: Type.Array(LOSS, { description: 'The newest first' }),
  withheld_total: Whole(0, MAX_INT32, 'Requests that a loss withholds'),
  withheld: Type.Array(
    Type.Object({
      request_id: Id('req', 'The request'),
      broker: Shown(64, 'The broker’s slug'),
      service_number: ServiceNumber,
      type: Shown(64, 'What it does'),
      submitted_date: Timestamp('When it was submitted.'),
    }),
    {
      maxItems: MAX_NAMED,
      description: 'Of these the oldest; “requests go-on” lets one go, “requests withdraw” ends it',
    },
  ),
  note: Nullable(Shown(1000, 'What is left to do')),
});

export type RestoredRecord = Static<typeof RESTORED>;

const lossRecord = (row: LossRow): Static<typeof LOSS> => ({
  history: row.history,
  cause: row.cause,
  state: row.state,
  lost_from: isoTimestamp(row.lostFrom),
  lost_until: isoTimestamp(row.lostUntil),
  first_number: row.firstNumber,
  last_number: row.lastNumber,
  place: row.place,
  ended_date: isoTimestampOrNull(row.endedAt),
});

const withheldRecord = ({ request, broker }: WithheldView) => ({
  request_id: request.id,
  broker,
  service_number: request.serviceNumber,
  type: request.type,
  submitted_date: isoTimestamp(request.submittedAt),
});

/** What may be valid again, where nobody has read a trail since a restore. */
async function noteOf({ audit }: Pick<Reads, 'audit'>, losses: readonly LossRow[]): Promise<string | null> {
  const [trail] = await audit.list({ action: TRAIL_READ }, 1);
  const unread = losses.filter(({ cause, lostUntil }) => cause === 'restore' && lostUntil > (trail?.at ?? 0));
  const [latest, first] = [unread[0], unread.at(-1)];
  if (!latest || !first) return null;
  return (
    `Keys that were revoked, people who were erased and brokers that were suspended between ${isoTimestamp(first.lostFrom)} and ` +
    `${isoTimestamp(latest.lostUntil)} may be valid again: “broker restored --trail FILE” does it again`
  );
}

async function restoredRecord(read: Pick<Reads, 'history' | 'withheld' | 'audit'>): Promise<RestoredRecord> {
  const losses = await read.history.list();
  return {
    history: losses[0]?.history ?? 0,
    holding: await read.history.findHolding(),
    losses: losses.map(lossRecord),
    withheld_total: await read.withheld.count(),
    withheld: (await read.withheld.list(MAX_NAMED)).map(withheldRecord),
    note: await noteOf(read, losses),
  };
}

/** The times that the records went back, and what waits since. Contract, section 15. */
export const showRestored = useCase({
  name: 'restored',
  title: 'Records that went back',
  summary: 'Read where the records went back',
  description: 'Show when the records went back, and what waits since',
  example: 'restored',
  input: Type.Object({}),
  answer: RESTORED,
  run: ({ store }: ReadDeps) => restoredRecord(store.read),
});

const isHeld = ({ state }: { state: LossRow['state'] }): boolean => state !== 'over';

/** Says that this installation is the one: what waits goes out. Contract, section 15.5. */
export const goOn = useCase({
  name: 'restored go-on',
  role: 'admin',
  audits: ['records.go-on'],
  title: 'Go on',
  summary: 'Let work and emails go out again',
  description: 'Say that this installation is the one: what waits begins, and emails are sent',
  example: 'restored --go-on',
  input: Type.Object({}),
  answer: RESTORED,
  show: ({ store }: ReadDeps) => restoredRecord(store.read),
  confirm: ({ holding }) =>
    holding === 'copy' ? 'This is a copy for trying: it would mail clients and change their machines.' : null,
  done: 'Work and emails go out again.',
  async run(deps: RestoredDeps): Promise<RestoredRecord> {
    const held = (await deps.store.read.history.list()).filter(isHeld);
    const [latest] = held;
    if (!latest) throw refused('Nothing is held back');
    await withhold(deps, latest);
    await transact(deps, async (change) => {
      const { tx, now } = change;
      await tx.history.lock();
      for (const { history, lostUntil } of held) {
        const { to } = await tx.sequences.skip(passedOver(now - lostUntil));
        await tx.history.update(history, { state: 'over', endedAt: now, lastNumber: to - 1 });
      }
      await recordChange(deps, tx, {
        ...DATABASE,
        action: 'records.go-on',
        after: { history: latest.history, withheld: await tx.withheld.count() },
      });
    });
    return restoredRecord(deps.store.read);
  },
});

const STOPPING = REQUEST_TYPES.filter((type) => KINDS[type].stops === true);

/**
 * Withholds what was accepted before the loss and destroys or stops, and fails the other actions. A run that is cut off is
 * done again: until then the installation is held.
 */
async function withhold(deps: RestoredDeps, { history, lostFrom }: LossRow): Promise<void> {
  await deps.store.tx((tx) => tx.withheld.add(history, STOPPING, lostFrom));
  for (;;) {
    const actions = await deps.store.read.withheld.listActions(lostFrom, STEP);
    for (const action of actions) await settleAction(deps, history, action);
    if (actions.length < STEP) return;
  }
}

const LOST = {
  reason: 'records_lost',
  message: 'The records went back after it was accepted, and it may have been done',
  serviceUsable: true,
  retryable: true,
};

/** An action that destroys data is withheld; any other fails. */
const settleAction = (deps: RestoredDeps, history: number, { request, planId }: WithheldView): Promise<void> =>
  transact(deps, async (change) => {
    const { tx } = change;
    const service = await tx.services.lock(request.brokerId, request.serviceNumber);
    const { actions } = await tx.plans.findOffer(request.brokerId, planId);
    const action = actions.find(({ name }) => name === request.actionName);
    if (!service || action?.destroys_data !== false) {
      const withheld = { withheldBy: history, dueAt: null };
      await tx.requests.move(request.brokerId, request.id, { status: 'accepted' }, withheld);
      return;
    }
    await close(change, service, request, { status: 'failed', failure: LOST }, { actor: 'system', leasedBy: null });
  });

/** Says that this is a copy for trying, which asks nobody anything. Contract, section 15.5. */
export const keepAsCopy = useCase({
  name: 'restored as-copy',
  role: 'admin',
  audits: ['records.as-copy', 'records.went-back'],
  title: 'Keep as a copy',
  summary: 'Hold everything back for good',
  description: 'Say that this is a copy for trying: nothing goes out, and the provisioner is asked nothing',
  example: 'restored --as-copy',
  input: Type.Object({}),
  answer: RESTORED,
  done: 'This is a copy for trying: nothing goes out.',
  async run(deps: RestoredDeps): Promise<RestoredRecord> {
    await transact(deps, async (change) => {
      const { tx } = change;
      await tx.history.lock();
      const held = (await tx.history.list()).filter(isHeld);
      const rows = held.length > 0 ? held : [await declared(change, deps)];
      for (const { history } of rows) await tx.history.update(history, { state: 'copy' });
      await recordChange(deps, tx, { ...DATABASE, action: 'records.as-copy', after: { history: rows[0]?.history } });
    });
    return restoredRecord(deps.store.read);
  },
});

const declared = (change: Parameters<typeof noteLoss>[0], { recordsPlace: place, actor }: RestoredDeps) =>
  noteLoss(change, { cause: 'restore', finding: 'declared' }, { place, actor });

/** Says by hand that the records went back, where no server can see it. Contract, section 15.1. */
export const declareLoss = useCase({
  name: 'restored declare',
  role: 'admin',
  audits: ['records.went-back'],
  title: 'Declare a restore',
  summary: 'Say that the records went back',
  description: 'Say that the records went back, where no server can see it: after a snapshot of a whole machine',
  example: 'restored --declare',
  input: Type.Object({}),
  answer: RESTORED,
  confirm: () => 'Work and emails are held back until an operator says that they go on.',
  done: 'The records are taken as gone back: nothing goes out.',
  async run(deps: RestoredDeps): Promise<RestoredRecord> {
    await transact(deps, async (change) => {
      await change.tx.history.lock();
      await declared(change, deps);
    });
    return restoredRecord(deps.store.read);
  },
});

/**
 * Says that a change of history loses nothing: a move or an upgrade. Before it, it is good for one within an hour; after it, it
 * ends what is held. Contract, section 15.1.
 */
export const declareNothingLost = useCase({
  name: 'restored nothing-lost',
  role: 'admin',
  audits: ['records.nothing-lost'],
  title: 'Nothing was lost',
  summary: 'Say that a move loses nothing',
  description: 'Say that nothing is lost: within the hour before a move or an upgrade of the database, or after it',
  example: 'restored --nothing-lost',
  input: Type.Object({}),
  answer: RESTORED,
  done: 'Noted that nothing is lost.',
  async run(deps: RestoredDeps): Promise<RestoredRecord> {
    await transact(deps, async (change) => {
      const { tx, now } = change;
      await tx.history.lock();
      const held = (await tx.history.list()).filter(isHeld);
      if (held.length > 0) {
        for (const { history } of held) await tx.history.update(history, { state: 'over', endedAt: now });
        await noteNothingLost(change, { place: deps.recordsPlace, actor: deps.actor }, 'operator');
        return;
      }
      await tx.settings.put({ name: NOTHING_LOST, value: String(now + HOUR_MS) });
      await recordChange(deps, tx, {
        ...DATABASE,
        action: 'records.nothing-lost',
        after: { said_by: 'operator', until: isoTimestamp(now + HOUR_MS) },
      });
    });
    return restoredRecord(deps.store.read);
  },
});

/** Lets a withheld request go. Contract, section 15.5. */
export const letGo = useCase({
  name: 'requests go-on',
  role: 'support',
  action: 'request.go-on',
  title: 'Let it go',
  summary: 'Let withheld work begin',
  description: 'Let a request begin that was accepted before the records went back',
  example: 'requests go-on req_01J9ZQ8V3M4N5P6Q7R8S9TABCD',
  input: Type.Object({ request_id: named('request-id', 'The request’s id') }),
  on: ['request_id'],
  argument: 'request_id',
  path: 'POST /requests/:request_id/go-on',
  answer: RESTORED,
  done: 'Its work begins.',
  async change(tx, { clock }: ChangeDeps, { request_id: requestId }) {
    const brokerId = await tx.requests.findOwner(requestId);
    const view = brokerId === null ? null : await tx.requests.findView(brokerId, requestId);
    if (!view) throw unknown(`There is no request "${requestId}"`);
    const { request } = view;
    if (request.withheldBy === null || request.status !== 'accepted') throw refused('Nothing withholds the request');
    const dueAt = request.effectiveAt ?? clock.now();
    await tx.requests.move(request.brokerId, requestId, { status: 'accepted' }, { dueAt, withheldBy: null });
    return {
      record: await restoredRecord(tx),
      about: { brokerId: request.brokerId, subject: `request/${requestId}` },
      before: { withheld_by: request.withheldBy },
      after: { withheld_by: null },
    };
  },
});

/** The same for all that are withheld. */
export const letAllGo = useCase({
  name: 'requests go-on-all',
  role: 'support',
  audits: letGo.actions,
  title: 'Let all go',
  summary: 'Let all withheld work begin',
  description: 'Let all requests begin that were accepted before the records went back',
  example: 'requests go-on --all',
  input: Type.Object({}),
  path: 'POST /requests/go-on',
  answer: RESTORED,
  show: ({ store }: ReadDeps) => restoredRecord(store.read),
  confirm: ({ withheld_total: total }) => `${total} requests begin that cancel, suspend, downgrade or destroy.`,
  done: 'Their work begins.',
  async run(deps: ChangeDeps): Promise<RestoredRecord> {
    for (;;) {
      const views = await deps.store.read.withheld.list(STEP);
      for (const { request } of views) await letGo.run(deps, { request_id: request.id });
      if (views.length < STEP) return restoredRecord(deps.store.read);
    }
  },
});
