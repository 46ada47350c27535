import t, { type Test } from 'tap';
import { checkNotices } from '../../../src/operator/notices/check.ts';
import {
  addNotices,
  listNoticeKinds,
  listNotices,
  removeNotices,
  testNotices,
} from '../../../src/operator/notices/notices.ts';
import { recordBackup } from '../../../src/operator/system/system.ts';
import { MailFailure } from '../../../src/ports.ts';
import { watchProvisioner } from '../../../src/worker/provisioner-state.ts';
import { createOperatorContext } from '../../support/operator-context.ts';
import { aBroker, anEmail, aPlan, aRequest, aService } from '../../support/rows.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ADA = 'ada@example.com';

/** An installation with a console whose notices go to Ada. */
async function installation(t: Test, email = ADA) {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  const lines: string[] = [];
  const say = (_details: object, message: string) => void lines.push(message);
  const deps = {
    ...context,
    hasProvisioner: true,
    log: { error: say, warn: say },
    consoleUrl: 'https://console.example.com',
    noticeSender: undefined,
  };
  await addNotices.run(context, { email });
  const { mailer, store, clock } = context;
  const provisioner = watchProvisioner(
    {
      fulfil: async () => ({
        outcome: 'retry',
        reason: 'provisioner_unreachable',
        message: 'The provisioner could not be reached',
        mayBeDone: false,
      }),
    },
    { store, clock },
  );
  const answering = watchProvisioner({ fulfil: async () => ({ outcome: 'done' }) }, { store, clock });
  return {
    ...deps,
    lines,
    deps,
    /** Three calls without an answer, as long after one another. */
    async goDown(ms = 30_000) {
      for (let calls = 0; calls < 3; calls += 1) {
        await provisioner.provisioner.fulfil({} as never);
        clock.advance(ms);
      }
      await provisioner.record(true);
    },
    async comeBack() {
      await answering.provisioner.fulfil({} as never);
      await answering.record(true);
    },
    check: () => checkNotices(deps),
    subjects: () => mailer.sent.map(({ subject }) => subject),
  };
}

t.test(
  'people are told once that the provisioner does not answer for five minutes, and once that it does',
  async (t) => {
    const { goDown, comeBack, check, mailer, clock, subjects } = await installation(t);
    await goDown();
    t.equal(await check(), 0, 'it is a minute and a half');
    clock.advance(4 * MINUTE);
    t.equal(await check(), 1);
    t.match(mailer.sent[0], {
      to: ADA,
      from: ADA,
      fromName: 'Broker console',
      subject: 'The provisioner does not answer',
    });
    t.match(
      mailer.sent[0]?.text,
      /^The provisioner does not answer\.\nSince 2030-01-15 12:00 UTC\. 0 requests wait\. Latest: The provisioner could not be reached\.\nhttps:\/\/console\.example\.com\/system\n/,
    );
    clock.advance(HOUR);
    t.equal(await check(), 0, 'it lasts');
    await comeBack();
    t.equal(await check(), 1);
    t.equal(await check(), 0);
    t.strictSame(subjects(), ['The provisioner does not answer', 'The provisioner answers again']);
    t.match(mailer.sent[1]?.text, /\nFrom 2030-01-15 12:00 UTC to 2030-01-15 13:05 UTC\.\n/);
  },
);

t.test('what comes and goes is told once an hour at most, and never wrongly at the end', async (t) => {
  const { goDown, comeBack, check, clock, subjects } = await installation(t);
  await goDown(2 * MINUTE);
  await check();
  for (let times = 0; times < 4; times += 1) {
    await comeBack();
    await check();
    await goDown(2 * MINUTE);
    await check();
  }
  await comeBack();
  await check();
  t.strictSame(subjects(), ['The provisioner does not answer'], 'within the hour');
  clock.advance(HOUR);
  await check();
  await check();
  t.strictSame(subjects().slice(1), ['The provisioner answers again']);
});

t.test('several processes send one email to each recipient', async (t) => {
  const { goDown, check, clock, mailer, deps } = await installation(t);
  await addNotices.run(deps, { email: 'bob@example.com' });
  await goDown();
  clock.advance(5 * MINUTE);
  await Promise.all([check(), check(), check(), check()]);
  t.strictSame(mailer.sent.map(({ to }) => to).sort(), [ADA, 'bob@example.com']);
});

t.test(
  'where nobody gets notices nothing is looked at, and what lasts is told to the first who is added',
  async (t) => {
    const { goDown, check, clock, mailer, deps } = await installation(t);
    await removeNotices.run(deps, { email: ADA.toUpperCase() });
    await goDown();
    clock.advance(5 * MINUTE);
    t.equal(await check(), 0);
    await addNotices.run(deps, { email: ADA });
    t.equal(await check(), 1);
    t.equal(mailer.sent.length, 1);
  },
);

t.test('an email that the provider surely did not take is sent later; another failure is logged', async (t) => {
  const { goDown, check, clock, mailer, lines, deps } = await installation(t);
  await goDown();
  clock.advance(5 * MINUTE);
  mailer.failWith = new MailFailure('outcome_unknown', 'it hung');
  t.equal(await check(), 1);
  t.strictSame(lines, ['a notice was not mailed']);
  mailer.failWith = undefined;
  t.equal(await check(), 0, 'it may have arrived');
  await t.rejects(
    (async () => {
      mailer.failWith = new MailFailure('unreachable', 'no route', { retryable: true });
      await testNotices.run(deps, {});
    })(),
    { message: `The test for ${ADA} was not sent (unreachable): no route; 0 of 1 were sent before` },
  );
});

t.test(
  'due work that no worker takes, reviews, unknown emails, failed clean-ups and a missing backup are told',
  async (t) => {
    const { check, clock, mailer, store, subjects, deps } = await installation(t);
    const broker = aBroker({ slug: 'acme' });
    const plan = aPlan(broker);
    const [service, other] = [aService(broker, plan, { status: 'pending' }), aService(broker, plan)];
    const now = clock.now();
    await store.tx(async (tx) => {
      await tx.brokers.insert(broker);
      await tx.plans.insert(plan);
      await tx.services.insert([service, other]);
      await tx.requests.insert(aRequest(service, { type: 'plan-upgrade', status: 'accepted', dueAt: now }));
      const waiting = { type: 'plan-downgrade', status: 'operator_review', submittedAt: now } as const;
      await tx.requests.insert(aRequest(other, waiting));
      const failed = { type: 'cancellation', status: 'failed', cleansUp: true, processedAt: now } as const;
      await tx.requests.insert(aRequest(service, failed));
      await tx.emails.insert(anEmail(broker, { status: 'unknown' }));
    });
    await recordBackup(deps, { file: 'broker.db' });
    await check();
    t.strictSame(subjects(), ['A clean-up failed, and 1 more']);
    t.match(mailer.sent[0]?.text, new RegExp(`: ${service.number} \\(acme\\)\\.\n`));
    t.match(
      mailer.sent[0]?.text,
      /1 email has to be settled\.\nhttps:\/\/console\.example\.com\/emails\?status=unknown\n/,
    );
    clock.advance(10 * MINUTE);
    await check();
    t.equal(subjects()[1], 'Work is overdue');
    clock.advance(DAY);
    await check();
    t.equal(subjects()[2], 'Reviews wait for more than a day');
    clock.advance(DAY);
    await check();
    t.equal(subjects()[3], 'Reviews wait for more than a day, and 1 more', 'reviews are told daily');
    t.match(
      mailer.sent[3]?.text,
      /No backup was made for two days\.\nSince 2030-01-17 12:00 UTC\. The last one is of 2030-01-15 12:00 UTC\./,
    );
    clock.advance(HOUR);
    t.equal(await check(), 0);
    t.match(
      (await listNoticeKinds(deps)).map(({ kind, is_on }) => [kind, is_on]),
      [
        ['records_went_back', false],
        ['records_failed_over', false],
        ['installation_replaced', false],
        ['machines_of_others', false],
        ['provisioner_not_answering', false],
        ['work_overdue', true],
        ['clean_up_failed', true],
        ['emails_unknown', true],
        ['reviews_waiting', true],
        ['backup_missing', true],
      ],
    );
  },
);

t.test('twenty people can get notices; each stands once on the list, whatever the case', async (t) => {
  const context = await createOperatorContext();
  t.teardown(() => context.close());
  await t.rejects(testNotices.run({ ...context, consoleUrl: undefined, noticeSender: undefined }, {}), {
    message: 'Nobody gets the notices: add a person first',
  });
  for (let count = 1; count <= 20; count += 1) await addNotices.run(context, { email: `p${count}@example.com` });
  await t.rejects(addNotices.run(context, { email: 'p21@example.com' }), /At most 20 people/);
  t.equal((await addNotices.perform(context, { email: 'p1@example.com' })).isChanged, false);
  await t.rejects(addNotices.run(context, { email: 'P1@example.com' }), /gets the notices already/);
  await t.rejects(removeNotices.run(context, { email: 'zoe@example.com' }), /"zoe@example.com" gets no notices/);
  t.match(await listNotices.run(context, {}), { total: 20, truncated: false });
  const deps = { ...context, consoleUrl: undefined, noticeSender: 'ops@example.com' };
  t.strictSame(await testNotices.run(deps, {}), { sent: 20, outbox: null });
  t.match(context.mailer.sent[0], { from: 'ops@example.com', subject: 'This is a test of the notices' });
  t.notMatch(context.mailer.sent[0]?.text, /http/, 'no link where no console is set');
});
