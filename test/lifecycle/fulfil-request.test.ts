import t, { type Test } from 'tap';
import { createService } from '../../src/broker/create-service.ts';
import { cancelService, downgradeService, upgradeService } from '../../src/broker/submit-request.ts';
import { fulfilRequest, MAX_ATTEMPTS, MAX_WORK_MS } from '../../src/lifecycle/fulfil-request.ts';
import { MailFailure, type WorkOutcome } from '../../src/ports.ts';
import { aRequest } from '../support/rows.ts';
import { createTestProvisioner, requestIdOf, storedRequest, workerOf } from '../support/work.ts';
import { createWorld, type WorldOptions } from '../support/world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function setUp(t: Test, options: WorldOptions = {}) {
  const world = await createWorld(options);
  t.teardown(() => world.close());
  const { context, store, clock } = world;
  const broker = await world.addBroker();
  const caller = { brokerId: broker.id };
  const starter = await world.addPlan(broker, { slug: 'starter', upgradeRank: 10, diskGb: 20 });
  const business = await world.addPlan(broker, { slug: 'business', upgradeRank: 20, diskGb: 20 });
  const service = await world.addService(broker, starter, { number: 5000, renewalAt: clock.now() + 30 * DAY_MS });
  const provisioner = createTestProvisioner();
  const worker = workerOf(world, provisioner);
  const serviceNumber = service.number;
  return {
    ...world,
    broker,
    starter,
    business,
    provisioner,
    worker,
    upgrade: async () => requestIdOf(await upgradeService(context, caller, { serviceNumber, newPlan: 'business' })),
    downgrade: async (number: number) =>
      requestIdOf(await downgradeService(context, caller, { serviceNumber: number, newPlan: 'starter' })),
    cancel: async (cancellationType: 'end_of_term' | 'immediate' = 'immediate') =>
      requestIdOf(await cancelService(context, caller, { serviceNumber, cancellationType, reason: null })),
    create: async () => {
      const client = { name: 'Ada Example', email: 'ada@example.com' };
      const input = { plan: 'business', client, label: null, externalReference: null };
      return requestIdOf(await createService(context, caller, input));
    },
    request: (id: string) => storedRequest(world, broker.id, id),
    history: async (id: string) =>
      (await store.read.requests.listHistory(broker.id, id)).map(({ status, actor, note }) => [status, actor, note]),
    async service(number = service.number) {
      const row = await store.read.services.find(broker.id, number);
      if (!row) throw new Error('the service is gone');
      return row;
    },
    setStatus: (status: 'active' | 'suspended' | 'cancelled' | 'terminated', number = service.number) =>
      store.tx((tx) => tx.services.update(broker.id, number, { status })),
    /** What a worker holds that claimed the one due request. */
    async lease(leaseOwner = 'lease-of-the-test') {
      const claim = { now: clock.now(), leaseUntil: clock.now() + 60_000, leaseOwner, limit: 1 };
      const [lease] = await store.tx((tx) => tx.requests.claimDue(claim));
      if (!lease) throw new Error('nothing is due');
      return lease;
    },
  };
}

const unreachable: WorkOutcome = {
  outcome: 'retry',
  reason: 'provisioner_unreachable',
  message: 'No',
  mayBeDone: false,
};
const unclear: WorkOutcome = { outcome: 'retry', reason: 'outcome_unknown', message: 'Cut off', mayBeDone: true };
const refused: WorkOutcome = {
  outcome: 'failed',
  reason: 'no_capacity',
  message: 'Nothing is left',
  serviceUsable: true,
  retryable: true,
};

t.test(
  'a plan is written when the work has been done, in one step with the completed request, and not before',
  async (t) => {
    const { worker, provisioner, upgrade, request, history, service, starter, business } = await setUp(t);
    const id = await upgrade();
    provisioner.answers.push(async () => {
      t.equal((await service()).planId, starter.id, 'the work is not done yet');
      return { outcome: 'done' };
    });
    t.equal(await worker.runOnce(), 1);
    t.equal((await service()).planId, business.id);
    t.match(await request(id), { status: 'completed', dueAt: null, leaseOwner: null, failureReason: null });
    t.same(await history(id), [
      ['accepted', 'broker', null],
      ['completed', 'system', null],
    ]);
    t.equal(await worker.runOnce(), 0, 'what is final is never due again');
  },
);

t.test('the provisioner gets everything about it in wire form', async (t) => {
  const { worker, provisioner, upgrade, cancel, create, broker, clock } = await setUp(t);
  const id = await upgrade();
  await worker.runOnce();
  const now = new Date(clock.now()).toISOString();
  t.match(provisioner.given[0], {
    request_id: id,
    type: 'plan-upgrade',
    attempt: 1,
    broker_id: broker.id,
    service_number: 5000,
    submitted_date: now,
    effective_date: now,
    cancellation_type: null,
    current_plan: { slug: 'starter', specifications: { disk_gb: 20 } },
    new_plan: { slug: 'business', price: { amount: '9.90' } },
    service: { service_status: 'active', client: { email: 'ada@example.com' }, open_request: { request_id: id } },
  });
  await create();
  await worker.runOnce();
  t.match(provisioner.given[1], {
    type: 'service-creation',
    effective_date: null,
    current_plan: null,
    new_plan: { slug: 'business' },
  });
  await cancel();
  await worker.runOnce();
  t.match(provisioner.given[2], { type: 'cancellation', cancellation_type: 'immediate', new_plan: null });
});

t.test('a created service becomes active, and stays what the operator made of it meanwhile', async (t) => {
  const { worker, create, request, service, setStatus } = await setUp(t);
  const first = await request(await create());
  await worker.runOnce();
  t.equal((await service(first.serviceNumber)).status, 'active');
  const second = await request(await create());
  await setStatus('suspended', second.serviceNumber);
  await worker.runOnce();
  t.equal((await service(second.serviceNumber)).status, 'suspended');
  t.equal((await request(second.id)).status, 'completed');
});

t.test('a service whose creation failed is terminated and cannot be used', async (t) => {
  const { worker, provisioner, create, request, service, history } = await setUp(t);
  const { id, serviceNumber } = await request(await create());
  provisioner.answers.push(refused);
  await worker.runOnce();
  t.match(await request(id), { status: 'failed', failureReason: 'no_capacity', failureServiceUsable: false });
  t.equal((await service(serviceNumber)).status, 'terminated');
  t.same((await history(id)).at(-1), ['failed', 'system', 'no_capacity']);
});

t.test(
  'a service that was terminated before it was created stays so, and its creation fails without a call',
  async (t) => {
    const { worker, provisioner, create, request, service, setStatus } = await setUp(t);
    const { id, serviceNumber } = await request(await create());
    await setStatus('terminated', serviceNumber);
    await worker.runOnce();
    t.match(await request(id), { status: 'failed', failureReason: 'service_terminated', failureServiceUsable: false });
    t.equal((await service(serviceNumber)).status, 'terminated');
    t.equal(provisioner.given.length, 0);
  },
);

t.test('a cancellation ends the service at the end of its term and not a moment earlier', async (t) => {
  const { worker, cancel, request, service, clock } = await setUp(t);
  const id = await cancel('end_of_term');
  clock.advance(30 * DAY_MS - 1);
  t.equal(await worker.runOnce(), 0);
  t.match(await service(), { status: 'active', cancelledAt: null, cancellationRequestId: id });
  clock.advance(1);
  t.equal(await worker.runOnce(), 1);
  t.equal((await request(id)).status, 'completed');
  t.match(
    await service(),
    { status: 'cancelled', cancelledAt: clock.now(), cancellationRequestId: id, cancellationType: 'end_of_term' },
    'what was asked for stays to be seen',
  );
});

t.test('a monthly downgrade waits for the renewal date', async (t) => {
  const { worker, downgrade, broker, business, starter, service, clock, addService } = await setUp(t);
  await addService(broker, business, { number: 6000, renewalAt: clock.now() + DAY_MS });
  await downgrade(6000);
  t.equal(await worker.runOnce(), 0);
  t.equal((await service(6000)).planId, business.id);
  clock.advance(DAY_MS);
  await worker.runOnce();
  t.equal((await service(6000)).planId, starter.id);
});

t.test(
  'a service that the operator ended before its cancellation was done keeps what was written of that',
  async (t) => {
    const { worker, cancel, request, service, setStatus } = await setUp(t);
    const id = await cancel();
    await setStatus('terminated');
    await worker.runOnce();
    t.equal((await request(id)).status, 'completed');
    t.match(await service(), { status: 'terminated', cancelledAt: null });
  },
);

t.test('a failed cancellation leaves the service as if it had not been asked for', async (t) => {
  const { worker, provisioner, cancel, request, service } = await setUp(t);
  const id = await cancel();
  provisioner.answers.push(refused);
  await worker.runOnce();
  t.match(await request(id), {
    status: 'failed',
    failureReason: 'no_capacity',
    failureMessage: 'Nothing is left',
    failureServiceUsable: true,
    failureRetryable: true,
  });
  t.match(await service(), {
    status: 'active',
    cancelledAt: null,
    cancellationType: null,
    cancellationEffectiveAt: null,
    cancellationRequestId: null,
  });
});

t.test(
  'a plan change of a service that has ended fails without a call; that of a suspended service is carried out',
  async (t) => {
    const { worker, provisioner, upgrade, downgrade, request, service, setStatus, business, clock } = await setUp(t);
    const carried = await upgrade();
    await setStatus('suspended');
    await worker.runOnce();
    t.equal(provisioner.given.length, 1);
    t.match(await request(carried), { status: 'completed', failureReason: null });
    t.match(await service(), { planId: business.id, status: 'suspended' });

    await setStatus('active');
    const { number, renewalAt } = await service();
    const late = await downgrade(number);
    await setStatus('terminated');
    clock.advance(Number(renewalAt) - clock.now());
    await worker.runOnce();
    t.equal(provisioner.given.length, 1);
    t.match(await request(late), {
      status: 'failed',
      failureReason: 'service_not_active',
      failureServiceUsable: false,
    });
  },
);

t.test('work that is done for a service that ended meanwhile fails without the plan', async (t) => {
  const { worker, provisioner, upgrade, request, service, setStatus, starter } = await setUp(t);
  const id = await upgrade();
  provisioner.answers.push(async () => {
    await setStatus('terminated');
    return { outcome: 'done' };
  });
  await worker.runOnce();
  t.match(await request(id), { status: 'failed', failureReason: 'service_not_active' });
  t.equal((await service()).planId, starter.id);
});

t.test(
  'where an earlier attempt may have done the work, the provisioner is asked whatever the service is by now',
  async (t) => {
    const { worker, provisioner, upgrade, request, service, setStatus, business, clock } = await setUp(t);
    const id = await upgrade();
    provisioner.answers.push(unclear);
    await worker.runOnce();
    await setStatus('suspended');
    clock.advance(60_000);
    await worker.runOnce();
    t.equal(provisioner.given.length, 2);
    t.equal((await request(id)).status, 'completed');
    t.equal((await service()).planId, business.id);
  },
);

t.test(
  'an attempt that never got through is repeated ever more rarely, an hour at most, until it is given up',
  async (t) => {
    const { worker, provisioner, upgrade, request, history, service, clock } = await setUp(t);
    const id = await upgrade();
    const pauses: number[] = [];
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      provisioner.answers.push(unreachable);
      t.equal(await worker.runOnce(), 1);
      const { status, dueAt, leaseOwner, attempts } = await request(id);
      t.same({ status, leaseOwner, attempts }, { status: 'accepted', leaseOwner: null, attempts: attempt });
      const pause = (dueAt as number) - clock.now();
      pauses.push(pause);
      clock.advance(pause - 1);
      t.equal(await worker.runOnce(), 0);
      clock.advance(1);
    }
    for (const [index, pause] of pauses.entries()) {
      const whole = Math.min(2_000 * 2 ** index, HOUR_MS);
      t.ok(pause >= whole / 2 && pause <= whole, `${pause} ms after attempt ${index + 1}`);
    }
    t.equal((await history(id)).length, 1, 'attempts leave no line in the history');
    provisioner.answers.push(unreachable);
    await worker.runOnce();
    t.match(await request(id), {
      status: 'failed',
      failureReason: 'provisioner_unreachable',
      failureServiceUsable: true,
      failureRetryable: false,
      attempts: MAX_ATTEMPTS,
    });
    t.equal((await service()).status, 'active');
  },
);

t.test('an action is tried for fifteen minutes with growing pauses, counted anew after each answer', async (t) => {
  const MINUTE_MS = 60_000;
  const { worker, provisioner, request, clock, store, service } = await setUp(t);
  const act = async () => {
    const row = aRequest(await service(), {
      type: 'service-action',
      status: 'accepted',
      origin: 'broker',
      dueAt: clock.now(),
      actionName: 'reboot',
      actionDisplayName: 'Reboot',
      actionConfiguration: '{}',
    });
    await store.tx((tx) => tx.requests.insert(row));
    return row.id;
  };
  /** Tries for so long at most. */
  const run = async (id: string, forMs: number) => {
    const end = clock.now() + forMs;
    const pauses: number[] = [];
    while (clock.now() <= end) {
      await worker.runOnce();
      const { dueAt } = await request(id);
      if (dueAt === null || dueAt > end) break;
      pauses.push(dueAt - clock.now());
      clock.advance(dueAt - clock.now());
    }
    return pauses;
  };
  const always = (outcome: WorkOutcome) => {
    provisioner.answers.push(...Array.from({ length: 100 }, () => outcome));
  };

  const lost = await act();
  always(unreachable);
  const begunAt = clock.now();
  const pauses = await run(lost, HOUR_MS);
  t.equal(clock.now() - begunAt, 15 * MINUTE_MS, 'the last attempt is at the end');
  t.ok(pauses.every((pause) => pause <= MINUTE_MS));
  t.ok((pauses[0] as number) <= 2_000);
  t.match(await request(lost), { status: 'failed', failureReason: 'provisioner_unreachable' });

  provisioner.answers.length = 0;
  const id = await act();
  always(unreachable);
  await run(id, 14 * MINUTE_MS);
  provisioner.answers.length = 0;
  provisioner.answers.push({ outcome: 'in_progress', token: null, checkAfterSeconds: 1 });
  clock.advance(MINUTE_MS);
  await worker.runOnce();
  always(unreachable);
  await run(id, 14 * MINUTE_MS);
  t.equal((await request(id)).status, 'accepted', 'since the last answer');
  provisioner.answers.length = 0;
  clock.advance(MINUTE_MS);
  await worker.runOnce();
  t.equal((await request(id)).status, 'completed');
});

t.test('the attempts of requests that failed together spread over time', async (t) => {
  const { provisioner, upgrade, request, lease, context, clock } = await setUp(t);
  const id = await upgrade();
  for (const [random, pause] of [
    [0, 1_000],
    [0.5, 3_000],
  ] as const) {
    provisioner.answers.push(unreachable);
    await fulfilRequest(context, provisioner, await lease(), { random: () => random });
    t.equal((await request(id)).dueAt, clock.now() + pause);
    clock.advance(pause);
  }
});

t.test(
  'after one attempt of unknown outcome the end is honest about it, however clear the later ones were',
  async (t) => {
    const { worker, provisioner, upgrade, request, clock } = await setUp(t);
    const id = await upgrade();
    provisioner.answers.push(unclear, ...Array.from({ length: MAX_ATTEMPTS - 1 }, () => unreachable));
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await worker.runOnce();
      clock.advance(HOUR_MS);
    }
    t.match(await request(id), {
      status: 'failed',
      failureReason: 'outcome_unknown',
      failureMessage: /not known/,
      failureServiceUsable: false,
      failureRetryable: false,
    });
  },
);

t.test('a repeat under the same id can still succeed after an attempt of unknown outcome', async (t) => {
  const { worker, provisioner, upgrade, request, service, business, clock, logged } = await setUp(t);
  const id = await upgrade();
  provisioner.answers.push(unclear, new Error('a bug'));
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await worker.runOnce();
    clock.advance(HOUR_MS);
  }
  t.same(
    provisioner.given.map((work) => [work.request_id, work.attempt]),
    [1, 2, 3].map((attempt) => [id, attempt]),
  );
  t.equal((await request(id)).status, 'completed');
  t.equal((await service()).planId, business.id);
  t.match(logged, [{ level: 'error', message: /provisioner broke/ }]);
});

t.test('work that is in progress is asked for again when it said, with its token, and costs no attempt', async (t) => {
  const { worker, provisioner, upgrade, request, history, service, business, clock } = await setUp(t);
  const id = await upgrade();
  const inProgress = (token: string | null, checkAfterSeconds: number): WorkOutcome => ({
    outcome: 'in_progress',
    token,
    checkAfterSeconds,
  });
  provisioner.answers.push(unreachable, inProgress('first', 60), inProgress(null, 5));
  await worker.runOnce();
  clock.advance(2_000);
  await worker.runOnce();
  const begunAt = clock.now();
  t.match(await request(id), { status: 'accepted', attempts: 0, dueAt: begunAt + 60_000, workBegunAt: begunAt });
  clock.advance(59_999);
  t.equal(await worker.runOnce(), 0, 'it is not asked before');
  clock.advance(1);
  await worker.runOnce();
  t.match(await request(id), { attempts: 0, dueAt: clock.now() + 5_000, workToken: null, workBegunAt: begunAt });
  clock.advance(5_000);
  await worker.runOnce();
  t.same(
    provisioner.given.map(({ attempt, token }) => [attempt, token]),
    [
      [1, null],
      [2, null],
      [1, 'first'],
      [1, null],
    ],
  );
  t.match(await request(id), { status: 'completed', workToken: null });
  t.equal((await history(id)).length, 2, 'questions leave no line in the history');
  t.equal((await service()).planId, business.id);
});

t.test('work that is in progress is asked for soon at first, then in growing intervals of 30 s at most', async (t) => {
  const { worker, provisioner, upgrade, request, clock } = await setUp(t);
  const id = await upgrade();
  const pauses: number[] = [];
  for (let question = 0; question < 25; question += 1) {
    provisioner.answers.push({ outcome: 'in_progress', token: null, checkAfterSeconds: null });
    await worker.runOnce();
    const pause = Number((await request(id)).dueAt) - clock.now();
    pauses.push(pause);
    clock.advance(pause);
  }
  t.strictSame(pauses.slice(0, 5), [200, 200, 200, 300, 450]);
  t.equal(pauses.at(-1), 30_000);
});

t.test('a request keeps when its work was first sent to the provisioner', async (t) => {
  const { worker, provisioner, upgrade, request, clock } = await setUp(t);
  const id = await upgrade();
  t.equal((await request(id)).calledAt, null);
  provisioner.answers.push(unreachable);
  clock.advance(30);
  const begunAt = clock.now();
  await worker.runOnce();
  clock.advance(2_000);
  await worker.runOnce();
  t.match(await request(id), { status: 'completed', calledAt: begunAt });
});

t.test('what was in progress keeps its token while the provisioner cannot be reached', async (t) => {
  const { worker, provisioner, upgrade, request, clock } = await setUp(t);
  const id = await upgrade();
  provisioner.answers.push({ outcome: 'in_progress', token: 'build-7', checkAfterSeconds: 1 }, unreachable);
  for (let calls = 0; calls < 3; calls += 1) {
    await worker.runOnce();
    clock.advance(2_000);
  }
  t.same(provisioner.given.at(-1)?.token, 'build-7');
  t.equal((await request(id)).status, 'completed');
});

t.test('work that is still in progress after seven days is given up, and the end is honest about it', async (t) => {
  const { worker, provisioner, upgrade, request, clock } = await setUp(t);
  const id = await upgrade();
  const inProgress: WorkOutcome = { outcome: 'in_progress', token: null, checkAfterSeconds: 3600 };
  const week = (MAX_WORK_MS / HOUR_MS) as 168;
  provisioner.answers.push(...Array.from({ length: week + 1 }, () => inProgress));
  for (let hour = 0; hour < week; hour += 1) {
    await worker.runOnce();
    clock.advance(HOUR_MS);
  }
  t.equal((await request(id)).status, 'accepted');
  await worker.runOnce();
  t.match(await request(id), {
    status: 'failed',
    failureReason: 'outcome_unknown',
    failureMessage: /after seven days/,
    failureServiceUsable: false,
    failureRetryable: false,
  });
});

t.test('what a killed worker left is taken up when its lease has run out, and done once', async (t) => {
  const { worker, provisioner, upgrade, request, lease, clock } = await setUp(t);
  const id = await upgrade();
  t.equal((await lease()).takenOver, false);
  clock.advance(59_999);
  t.equal(await worker.runOnce(), 0, 'the lease still holds');
  clock.advance(1);
  t.equal(await worker.runOnce(), 1);
  t.match(await request(id), { status: 'completed', attempts: 2 });
  t.equal(provisioner.given.length, 1);
});

t.test('a worker that comes back after its lease ran out changes nothing any more', async (t) => {
  const { provisioner, upgrade, request, lease, context, clock, logged, service, business } = await setUp(t);
  const id = await upgrade();
  const late = await lease();
  clock.advance(60_000);
  await fulfilRequest(context, provisioner, await lease('the-other'));
  t.equal((await request(id)).status, 'completed');
  await fulfilRequest(context, provisioner, late);
  t.equal(provisioner.given.length, 1);
  t.match(logged, [{ level: 'warn', message: /before its work began/, details: { request_id: id } }]);
  t.equal((await service()).planId, business.id);
});

t.test('a lease that is lost while the work is done leaves the decision to its new holder', async (t) => {
  for (const answer of [{ outcome: 'done' }, refused, unreachable] as WorkOutcome[]) {
    const { provisioner, upgrade, request, lease, context, clock, logged, service, starter } = await setUp(t);
    const id = await upgrade();
    provisioner.answers.push(async () => {
      clock.advance(60_000);
      await lease('the-other');
      return answer;
    });
    await fulfilRequest(context, provisioner, await lease());
    t.match(await request(id), { status: 'accepted', leaseOwner: 'the-other' });
    t.equal((await service()).planId, starter.id);
    t.match(logged, [{ level: 'warn', message: /while its work was done/ }]);
  }
});

t.test(
  'a plan change that an accepted cancellation closed is not completed, even if its work was under way',
  async (t) => {
    const { worker, provisioner, upgrade, cancel, request, service, starter, logged } = await setUp(t);
    const id = await upgrade();
    provisioner.answers.push(async () => {
      await cancel('end_of_term');
      return { outcome: 'done' };
    });
    await worker.runOnce();
    t.match(await request(id), { status: 'failed', failureReason: 'service_cancelled' });
    t.equal((await service()).planId, starter.id);
    t.match(logged, [{ level: 'warn' }]);
  },
);

t.test('a broker that is removed while the work is done takes its requests along', async (t) => {
  const { worker, provisioner, upgrade, broker, store, logged, lease, context } = await setUp(t);
  await upgrade();
  const held = await lease();
  provisioner.answers.push(async () => {
    await store.tx(async (tx) => {
      while (await tx.owned.removeSome(broker.id, 100));
    });
    return { outcome: 'done' };
  });
  await fulfilRequest(context, provisioner, held);
  await fulfilRequest(context, provisioner, held);
  t.match(logged, [{ message: /while its work was done/ }, { message: /before its work began/ }]);
  t.equal(await worker.runOnce(), 0);
});

t.test(
  'the client is notified by the template of what was done, from the broker, and the mail belongs to the request',
  async (t) => {
    const { worker, upgrade, cancel, create, broker, mailer, store, clock, addTemplate } = await setUp(t);
    for (const kind of ['plan-change-completed', 'service-created', 'cancellation-completed'])
      await addTemplate(broker, kind);
    const ids = [];
    for (const ask of [upgrade, create, cancel]) {
      ids.push(await ask());
      await worker.runOnce();
    }
    t.match(mailer.sent, Array(3).fill({ to: 'ada@example.com', from: 'sender@broker.example', fromName: 'Example' }));
    const emails = await store.read.emails.list({ now: clock.now(), limit: 10 });
    t.same(emails.map(({ kind, status, requestId }) => ({ kind, status, requestId })).reverse(), [
      { kind: 'plan-change-completed', status: 'sent', requestId: ids[0] },
      { kind: 'service-created', status: 'sent', requestId: ids[1] },
      { kind: 'cancellation-completed', status: 'sent', requestId: ids[2] },
    ]);
  },
);

t.test('no mail goes out without an active template, without one clear address, or of work that failed', async (t) => {
  const { worker, provisioner, upgrade, mailer, broker, store, request, addTemplate } = await setUp(t);
  const setEmail = (clientEmail: string | null) =>
    store.tx((tx) => tx.services.update(broker.id, 5000, { clientEmail }));
  await addTemplate(broker, 'plan-change-completed', false);
  const first = await upgrade();
  await worker.runOnce();
  t.equal((await request(first)).status, 'completed');
  await addTemplate(broker, 'plan-change-completed');
  const back = async () => {
    const plans = await store.read.plans.listActive(broker.id);
    await store.tx((tx) => tx.services.update(broker.id, 5000, { planId: plans[0]?.id as string }));
  };
  for (const address of [null, 'ada@example.com, eve@example.com']) {
    await back();
    await setEmail(address);
    const id = await upgrade();
    await worker.runOnce();
    t.equal((await request(id)).status, 'completed');
  }
  await back();
  await setEmail('ada@example.com');
  provisioner.answers.push(refused);
  await upgrade();
  await worker.runOnce();
  t.equal(mailer.sent.length, 0);
});

t.test('a mail that cannot be sent or rendered fails no request, and the operator can see it', async (t) => {
  const { worker, upgrade, request, mailer, broker, store, clock, logged, create, addTemplate } = await setUp(t);
  await addTemplate(broker, 'plan-change-completed');
  mailer.failWith = new MailFailure('outcome_unknown', 'no answer');
  const id = await upgrade();
  await worker.runOnce();
  t.equal((await request(id)).status, 'completed');
  t.match(await store.read.emails.list({ status: 'unknown', now: clock.now(), limit: 10 }), [
    { status: 'unknown', requestId: id },
  ]);
  t.match(logged.at(-1), { level: 'error', message: /could not be mailed/ });

  // Its check passes with the example's values, and writing it with these takes more than a million characters.
  const tooLong = '{{ broker_name }}'.repeat(4_000);
  await store.tx((tx) => tx.brokers.update(broker.id, { name: 'a'.repeat(300) }));
  await store.tx((tx) =>
    tx.templates.upsert({
      brokerId: broker.id,
      kind: 'service-created',
      subject: 'x',
      html: 'x',
      text: tooLong,
      active: true,
      updatedAt: clock.now(),
    }),
  );
  const creation = await create();
  await worker.runOnce();
  t.equal((await request(creation)).status, 'completed');
  t.match(logged.at(-1), { level: 'error', details: { request_id: creation } });
});
