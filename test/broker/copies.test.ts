import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { createService } from '../../src/broker/create-service.ts';
import { approveRequest, denyRequest, withdrawRequest } from '../../src/broker/decide-request.ts';
import { getRequest } from '../../src/broker/get-request.ts';
import { getService } from '../../src/broker/get-service.ts';
import { listRequests } from '../../src/broker/list-requests.ts';
import { listServices } from '../../src/broker/list-services.ts';
import { cancelService, downgradeService, upgradeService } from '../../src/broker/submit-request.ts';
import { updateService } from '../../src/broker/update-service.ts';
import { warnCancellation } from '../../src/broker/warn-cancellation.ts';
import { ApiError } from '../../src/errors.ts';
import { reviewRequest, submitForClient } from '../../src/lifecycle/operator-requests.ts';
import { importServices } from '../../src/operator/services/import.ts';
import { setService } from '../../src/operator/services/services.ts';
import type { Provisioner } from '../../src/ports.ts';
import type { RequestRecord, ServiceRecord } from '../../src/records.ts';
import { createProcessClock } from '../../src/runtime/clock.ts';
import { NONE_MOVED } from '../../src/store/queries/moved-dates.ts';
import { createDateMover } from '../../src/worker/move-dates.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { full } from '../support/full.ts';
import { aLoss } from '../support/rows.ts';
import { openScratchPostgres, services } from '../support/services.ts';
import { AN_OPERATOR, createWorld, type World } from '../support/world.ts';

const DAY_MS = 86_400_000;
const OVERLAP_MS = 60_000;
const PLANS = ['small', 'medium', 'large'];
const NUMBERS = Array.from({ length: 12 }, (_, index) => 5000 + index);

const KINDS = [
  'upgrade',
  'downgrade',
  'ask-upgrade',
  'ask-cancellation',
  'cancel',
  'approve',
  'deny',
  'accept',
  'refuse',
  'update',
  'create',
  'set',
  'import',
  'work',
  'fail',
  'wait',
  'step',
  'loss',
] as const;

interface Act {
  kind: (typeof KINDS)[number];
  pick: number;
}

const act: fc.Arbitrary<Act> = fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(1000) });
/** Acts of one gust go off together, with a reader in their midst. */
const storm = fc.array(fc.array(act, { minLength: 1, maxLength: 8 }), { minLength: 8, maxLength: 20 });

/** A reader that follows the rule: on from the last item while there are more, and back by a minute for the next round. */
function createCopy({ context }: World, caller: { brokerId: string }) {
  const services = new Map<number, ServiceRecord>();
  const requests = new Map<string, RequestRecord>();
  const since = { services: 0, requests: 0 };
  /** Follows both lists; resolves with how many records were read. */
  async function follow(limit: number): Promise<number> {
    return (await followServices(limit)) + (await followRequests(limit));
  }
  async function followServices(limit: number): Promise<number> {
    let window: { updatedSince: number; afterNumber?: number } = { updatedSince: since.services };
    let next: number | undefined;
    for (let read = 0; ; ) {
      const { data, serverDate } = await listServices(context, caller, { limit, offset: 0, ...window });
      next ??= Number(serverDate) - OVERLAP_MS;
      for (const record of data) services.set(record.service_number, record);
      read += data.length;
      const last = data.at(-1);
      if (last) window = { updatedSince: Date.parse(last.updated_date), afterNumber: last.service_number };
      if (data.length === limit) continue;
      since.services = next;
      return read;
    }
  }
  async function followRequests(limit: number): Promise<number> {
    let window: { updatedSince: number; afterRequest?: string } = { updatedSince: since.requests };
    let next: number | undefined;
    for (let read = 0; ; ) {
      const { data, serverDate } = await listRequests(context, caller, { limit, offset: 0, ...window });
      next ??= Number(serverDate) - OVERLAP_MS;
      for (const record of data) requests.set(record.request_id, record);
      read += data.length;
      const last = data.at(-1);
      if (last) window = { updatedSince: Date.parse(last.updated_date), afterRequest: last.request_id };
      if (data.length === limit) continue;
      since.requests = next;
      return read;
    }
  }
  return { copy: services, requests, follow };
}

const doing = (outcome: 'done' | 'failed'): Provisioner => ({
  async fulfil() {
    await setImmediate();
    if (outcome === 'done') return { outcome };
    return { outcome, reason: 'no_capacity', message: 'None', serviceUsable: true, retryable: true };
  },
});

async function play(world: World, brokerId: string, { kind, pick }: Act): Promise<unknown> {
  const { context, store, clock } = world;
  // Time goes on in the midst of everything that happens.
  clock.advance(pick % 4);
  const caller = { brokerId };
  const serviceNumber = NUMBERS[pick % NUMBERS.length] as number;
  const newPlan = PLANS[pick % 3] as string;
  const work = (outcome: 'done' | 'failed') =>
    createWorker({ context, provisioner: doing(outcome), keptDays: { emails: 90, calls: 14, audit: 730 } }).runOnce();
  const request = async (status: 'pending' | 'operator_review') => {
    const rows = await store.read.requests.page(brokerId, { status }, { limit: 100, offset: 0 });
    return rows[pick % rows.length]?.request.id ?? 'none';
  };
  const operator = { store, clock: context.clock, newId: context.newId, actor: AN_OPERATOR };
  switch (kind) {
    case 'upgrade':
    case 'downgrade':
      return (kind === 'upgrade' ? upgradeService : downgradeService)(context, caller, { serviceNumber, newPlan });
    case 'ask-upgrade':
      return submitForClient(context, { ...caller, serviceNumber, type: 'plan-upgrade', newPlan, reason: null });
    case 'ask-cancellation':
      return submitForClient(context, {
        ...caller,
        serviceNumber,
        type: 'cancellation',
        cancellationType: 'end_of_term',
        reason: null,
      });
    case 'cancel':
      return cancelService(context, caller, {
        serviceNumber,
        cancellationType: pick % 2 ? 'immediate' : 'end_of_term',
        reason: null,
      });
    case 'approve':
      return approveRequest(context, caller, { requestId: await request('pending'), reason: null });
    case 'deny':
      return denyRequest(context, caller, { requestId: await request('pending'), reason: 'No' });
    case 'accept':
    case 'refuse':
      return reviewRequest(context, {
        requestId: await request('operator_review'),
        accept: kind === 'accept',
        reason: null,
      });
    case 'update':
      return updateService(context, caller, { serviceNumber, label: `label ${pick}` });
    case 'create': {
      const client = { name: 'Ada', email: 'ada@example.com' };
      return createService(context, caller, { plan: newPlan, client, label: null, externalReference: null });
    }
    case 'set': {
      const status = ['active', 'suspended', 'terminated'][pick % 3] as string;
      return setService.run(operator, { broker: 'acme', service_number: serviceNumber, service_status: status });
    }
    case 'import': {
      const records = NUMBERS.slice(pick % 6).map((number) => ({
        service_number: number,
        label: `imported ${pick}`,
        client: { name: 'Ada' },
        plan: PLANS[number % 3],
      }));
      const content = Buffer.from(JSON.stringify([...records, { client: { name: 'New' }, plan: newPlan }]));
      return importServices(operator, {
        broker: 'acme',
        file: { name: 's.json', content },
        onProgress: () => clock.advance(pick % 30),
      });
    }
    case 'work':
      return work('done');
    case 'fail':
      return work('failed');
    case 'loss': {
      const latest = await store.read.history.findLatest();
      const loss = aLoss({ history: (latest?.history ?? 0) + 1 + pick, moving: NONE_MOVED });
      // Several may be found at once, of which the number decides.
      await store.tx((tx) => tx.history.insert(loss)).catch(() => undefined);
      const { step } = createDateMover({
        ...context,
        sleep: async () => undefined,
        signal: new AbortController().signal,
      });
      while (await step());
      return undefined;
    }
    case 'wait':
    case 'step':
      return undefined;
  }
}

async function keepInStep(t: Test, numRuns: number, openStore?: typeof openScratchPostgres) {
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(storm, fc.integer({ min: 1, max: 7 }), async (gusts, limit) => {
      const world = await createWorld(openStore ? { openStore } : { onFile: true });
      try {
        const { clock } = world;
        // The machine's clock is set back by up to nine minutes, and caught by the guard.
        let offMs = 0;
        const guarded = createProcessClock({ now: () => clock.now() + offMs, monotonic: clock.monotonic });
        const context = { ...world.context, clock: guarded };
        const guardedWorld = { ...world, context };
        const broker = await world.addBroker({ slug: 'acme' });
        const caller = { brokerId: broker.id };
        const plans = [];
        for (const [index, slug] of PLANS.entries())
          plans.push(
            await world.addPlan(broker, { slug, upgradeRank: index, requiresOperatorReview: slug === 'large' }),
          );
        for (const [index, number] of NUMBERS.entries()) {
          const plan = plans[index % 3];
          if (plan) await world.addService(broker, plan, { number, renewalAt: clock.now() + (index % 5) * DAY_MS + 1 });
        }
        const { copy, requests, follow } = createCopy(guardedWorld, caller);
        for (const gust of gusts) {
          // Days pass between the gusts alone: no transaction is held for longer than readers go back.
          for (const { kind, pick } of gust) if (kind === 'wait') clock.advance(pick * DAY_MS * 0.03);
          for (const { kind, pick } of gust) if (kind === 'step') offMs = -(pick % 9) * 60_000;
          // Beyond the overlap, which would bring again what did not say that it had changed.
          clock.advance(2 * OVERLAP_MS);
          const ends = await Promise.allSettled([
            follow(limit),
            ...gust.map((each) => play(guardedWorld, broker.id, each)),
          ]);
          for (const end of ends) if (end.status === 'rejected' && !(end.reason instanceof ApiError)) throw end.reason;
        }
        // What has passed meanwhile is a change once the worker has come by.
        await play(guardedWorld, broker.id, { kind: 'work', pick: 0 });
        await follow(limit);
        const { data, pagination } = await listServices(context, caller, { limit: 100, offset: 0 });
        t.equal(copy.size, pagination.total);
        const asked = await listRequests(context, caller, { limit: 100, offset: 0 });
        // The countdown is not stored.
        const stored = ({ next_check_seconds: _, ...record }: RequestRecord) => record;
        for (const record of asked.data) {
          t.strictSame(stored(requests.get(record.request_id) as RequestRecord), stored(record));
          const { data: single } = await getRequest(context, caller, { requestId: record.request_id });
          const dates = single.history.map(({ date }) => date);
          t.strictSame(dates, dates.toSorted(), 'a history never goes back');
          t.ok(record.processed_date === null || record.processed_date >= record.submitted_date);
        }
        for (const record of data) {
          t.strictSame(copy.get(record.service_number), record);
          const { data } = await getService(context, caller, { serviceNumber: record.service_number });
          // What only one service by itself has.
          const { actions: _, has_credentials: __, ...single } = data;
          t.strictSame(single, record);
          changes += Number(Date.parse(record.updated_date) > clock.now() - 30 * DAY_MS);
        }
      } finally {
        await world.close();
      }
    }),
    { numRuns, endOnFailure: true },
  );
  t.ok(changes > 0);
}

t.test('the updated date moves whenever anything shown moves, and only then', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { clock, context, store } = world;
  const broker = await world.addBroker({ slug: 'acme' });
  await world.addTemplate(broker);
  const caller = { brokerId: broker.id, broker };
  const small = await world.addPlan(broker, { slug: 'small', upgradeRank: 0 });
  await world.addPlan(broker, { slug: 'medium', upgradeRank: 1 });
  await world.addPlan(broker, { slug: 'large', upgradeRank: 2, requiresOperatorReview: true });
  const serviceNumber = 5000;
  await world.addService(broker, small, { number: serviceNumber, renewalAt: clock.now() + DAY_MS });
  const asked = { ...caller, serviceNumber, type: 'plan-upgrade' as const, reason: null };
  const latest = async () => {
    const [view] = await store.read.requests.page(broker.id, {}, { limit: 1, offset: 0 });
    return view?.request.id ?? '';
  };
  const decision = async () => ({ requestId: await latest(), reason: 'So be it' });
  const work = (outcome: 'done' | 'failed') =>
    createWorker({ context, provisioner: doing(outcome), keptDays: { emails: 90, calls: 14, audit: 730 } }).runOnce();
  const warn = () => warnCancellation(context, caller, { serviceNumber, warningReason: 'x' });
  const acts: Array<[string, moves: boolean, () => Promise<unknown>]> = [
    ['a warning', false, warn],
    ['a read', false, () => getService(context, caller, { serviceNumber })],
    ['a client asks', true, () => submitForClient(context, { ...asked, newPlan: 'medium' })],
    ['the broker denies', true, async () => denyRequest(context, caller, await decision())],
    ['a client asks for what is reviewed', true, () => submitForClient(context, { ...asked, newPlan: 'large' })],
    ['the broker approves', true, async () => approveRequest(context, caller, await decision())],
    ['the operator denies', true, async () => reviewRequest(context, { ...(await decision()), accept: false })],
    ['a reviewed upgrade', true, () => upgradeService(context, caller, { serviceNumber, newPlan: 'large' })],
    ['the operator accepts', true, async () => reviewRequest(context, { ...(await decision()), accept: true })],
    ['the work fails', true, () => work('failed')],
    ['an upgrade', true, () => upgradeService(context, caller, { serviceNumber, newPlan: 'medium' })],
    ['the work is done', true, () => work('done')],
    ['an update', true, () => updateService(context, caller, { serviceNumber, label: 'x' })],
    [
      'its plan is renamed',
      false,
      () => store.tx((tx) => tx.plans.update(broker.id, small.id, { displayName: 'Tiny' })),
    ],
    ['a day passes', false, async () => void clock.advance(DAY_MS)],
    ['the worker renews it', true, () => work('done')],
    [
      'a cancellation',
      true,
      () => cancelService(context, caller, { serviceNumber, cancellationType: 'end_of_term', reason: null }),
    ],
    ['the broker withdraws it', true, async () => withdrawRequest(context, caller, await decision())],
    ['another reviewed upgrade', true, () => upgradeService(context, caller, { serviceNumber, newPlan: 'large' })],
    ['the broker withdraws that', true, async () => withdrawRequest(context, caller, await decision())],
  ];
  const shown = async () => {
    const { data } = await getService(context, caller, { serviceNumber });
    const { updated_date: updated, ...rest } = data as ServiceRecord;
    return { updated, rest: JSON.stringify(rest) };
  };
  for (const [title, moves, act] of acts) {
    clock.advance(OVERLAP_MS);
    const before = await shown();
    await act();
    const after = await shown();
    t.equal(after.rest !== before.rest, moves, `${title}: ${after.rest}`);
    t.equal(after.updated, moves ? new Date(clock.now()).toISOString() : before.updated, title);
  }
});

t.test('a copy that follows the rule has every change of services that change meanwhile, on SQLite', (t) =>
  keepInStep(t, full ? 60 : 4),
);

t.test('and on PostgreSQL, where changes come to light in another order than they began', async (t) => {
  if (!(await services(t, 'PostgreSQL'))) return;
  await keepInStep(t, full ? 20 : 2, openScratchPostgres);
});

t.test('a reader of a quiet broker reads next to nothing, however much was imported at once before', async (t) => {
  const world = await createWorld();
  t.teardown(() => world.close());
  const { clock, context, store } = world;
  const broker = await world.addBroker({ slug: 'acme' });
  await world.addPlan(broker, { slug: 'small' });
  const { copy, follow } = createCopy(world, { brokerId: broker.id });
  const records = Array.from({ length: 1_000 }, () => ({ client: { name: 'Ada' }, plan: 'small' }));
  const file = { name: 's.json', content: Buffer.from(JSON.stringify(records)) };
  await importServices({ store, clock, newId: context.newId, actor: AN_OPERATOR }, { broker: 'acme', file });
  t.equal(await follow(100), 1_000);
  clock.advance(2 * OVERLAP_MS);
  await follow(100);
  t.equal(await follow(100), 0);
  t.equal(copy.size, 1_000);
});
