import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { run } from '../../src/cli/run.ts';
import { decideReview } from '../../src/operator/requests/decisions.ts';
import { openSqlite } from '../../src/store/drivers/sqlite.ts';
import { createWorld } from '../support/world.ts';

/** The operator's program on a database that holds one broker with an active service. */
async function setUp(t: Test) {
  const directory = mkdtempSync(join(tmpdir(), 'broker-work-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'broker.db');
  const world = await createWorld({
    openStore: (clock) => openSqlite({ file, monotonic: clock.monotonic }),
    // The command goes by the real clock.
    startMs: Date.now(),
  });
  t.teardown(() => world.close());
  const broker = await world.addBroker({ slug: 'acme' });
  const start = await world.addPlan(broker, { slug: 'start', upgradeRank: 1 });
  await world.addPlan(broker, { slug: 'more', upgradeRank: 2, requiresOperatorReview: true });
  await world.addService(broker, start, { number: 5000 });
  const { key } = await world.addKey(broker);

  async function command(
    line: string,
    onError: (text: string) => unknown = () => undefined,
    more: NodeJS.ProcessEnv = {},
  ) {
    let out = '';
    let err = '';
    const io = {
      out: (text: string) => {
        out += text;
      },
      err: (text: string) => {
        err += text;
        onError(text);
      },
      watched: false,
    };
    const code = await run([...line.split(' '), '--json'], io, { DATABASE_URL: `file:${file}`, ...more });
    return { code, out, err };
  }
  async function failure(expected: number, line: string) {
    const { code, out, err } = await command(line);
    t.equal(code, expected, line);
    t.same(JSON.parse(out), { error: { message: err.trimEnd() } }, line);
    return err;
  }

  return {
    ...world,
    key,
    command,
    async json(line: string) {
      const { code, out, err } = await command(line);
      t.same([code, err], [0, ''], line);
      return JSON.parse(out);
    },
    refusal: (line: string) => failure(1, line),
    /** Of a command that was called wrongly. */
    misuse: (line: string) => failure(2, line),
  };
}

const SUBMIT = 'requests submit --broker acme --service 5000';

t.test("a client's request goes from its submission over the broker to the operator's review", async (t) => {
  const { json, call, key } = await setUp(t);
  const submitted = await json(`${SUBMIT} --type plan-upgrade --new-plan more --reason Growing`);
  t.match(submitted, { request_status: 'pending', origin: 'client', new_plan: { slug: 'more' } });
  const approved = await call(key, 'POST', `/requests/${submitted.request_id}/approve`);
  t.match(approved.json.data, { request_status: 'operator_review' });
  const reviewed = await json(`requests review ${submitted.request_id} --accept --reason Fine`);
  t.match(reviewed, { request_status: 'accepted', decision: { decided_by: 'operator', reason: 'Fine' } });
  const withdrawn = await json(`requests withdraw ${submitted.request_id} --reason Paid`);
  t.match(withdrawn, { request_status: 'failed', failure: { reason: 'withdrawn' } });
  const { history } = await json(`requests show ${submitted.request_id}`);
  t.match(
    history.find((line: { request_status: string }) => line.request_status === 'failed'),
    { actor: 'operator', note: 'Paid' },
  );
});

t.test('a cancellation is meant for the end of the term unless the client wants it at once', async (t) => {
  const { json } = await setUp(t);
  t.match(await json(`${SUBMIT} --type cancellation`), { cancellation_type: 'end_of_term', reason: null });
  const { json: again } = await setUp(t);
  t.match(await again(`${SUBMIT} --type cancellation --cancellation-type immediate`), {
    cancellation_type: 'immediate',
  });
});

t.test('what the rules or the command refuse is one line that says why', async (t) => {
  const { refusal, misuse, json } = await setUp(t);
  t.match(await misuse(`${SUBMIT} --type creation`), /^--type: must be one of/);
  t.match(await misuse(`${SUBMIT} --type plan-upgrade`), /^--new-plan: is needed/);
  t.match(await misuse(`${SUBMIT} --type cancellation --new-plan more`), /^--new-plan: belongs to plan changes/);
  t.match(
    await misuse(`${SUBMIT} --type plan-upgrade --new-plan more --cancellation-type immediate`),
    /^--cancellation-type:/,
  );
  t.match(await refusal('requests submit --broker nobody --service 5000 --type cancellation'), /no broker "nobody"/);
  t.match(await refusal('requests submit --broker acme --service 1 --type cancellation'), /has no service 1$/m);
  t.match(await refusal(`${SUBMIT} --type plan-downgrade --new-plan more`), /^The plan "more" is not ranked below/);
  const { request_id: id } = await json(`${SUBMIT} --type cancellation`);
  t.match(await misuse(`requests review ${id}`), /either --accept or --deny/);
  t.match(await misuse(`requests review ${id} --accept --deny`), /either --accept or --deny/);
  t.match(await refusal(`requests review ${id} --deny`), /^The request is pending, not under review\n$/);
  t.match(await refusal(`requests withdraw ${id}`), /^The request waits for a decision/);
});

t.test('an unexpected error is not taken for a refusal of the rules', async (t) => {
  const { context } = await setUp(t);
  const broken = { ...context, store: { ...context.store, read: {} as never } };
  await t.rejects(decideReview.run(broken, { request_id: 'req_1', accept: false }), { name: 'TypeError' });
});

t.test('the worker does the work until it is told to stop, and says so in one document', async (t) => {
  const { command, call, key, clock } = await setUp(t);
  // Before the present, which is when the command itself lives.
  clock.advance(-clock.now() + Date.UTC(2020, 0, 1));
  const cancelled = await call(key, 'POST', '/services/5000/cancel', { body: { cancellation_type: 'immediate' } });
  t.equal(cancelled.status, 200);
  const before = process.listeners('SIGTERM');
  const { code, out, err } = await command('worker', () => process.emit('SIGTERM'));
  t.equal(code, 0);
  t.same(JSON.parse(out), { worker: 'stopped' });
  t.match(err, /worker has started/);
  const left = process.listeners('SIGTERM').filter((listener) => !before.includes(listener));
  t.strictSame(left, [], 'it leaves no listener behind');
  const { request_id: id } = cancelled.json.data;
  t.match((await call(key, 'GET', `/requests/${id}`)).json.data, { request_status: 'completed' });
});

t.test('a worker serves its figures too, on the port that it is given, or says that it cannot', async (t) => {
  const { command } = await setUp(t);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const refused = await command('worker', () => undefined, { METRICS_PORT: String(port) });
  t.match(refused, { code: 1, err: /^METRICS_PORT: .*EADDRINUSE/ });
  taken.close();
  await once(taken, 'close');
  let figures: Promise<string> | undefined;
  const reported = async (text: string) => {
    if (!text.includes('worker has started')) return;
    figures = fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text());
    await figures.finally(() => process.emit('SIGTERM'));
  };
  t.equal((await command('worker', reported, { METRICS_PORT: String(port) })).code, 0);
  t.match(await figures, /^broker_database_seconds_count/m);
  await t.rejects(fetch(`http://127.0.0.1:${port}/metrics`), 'the port is closed with the worker');
});

t.test('service numbers that were lost in a failover are passed over, said so and noted', async (t) => {
  const { json, misuse } = await setUp(t);
  t.match(await misuse('numbers skip 100'), /needs --yes/);
  for (const count of ['0', '1.5', '1000001', 'all']) {
    t.match(await misuse(`numbers skip ${count} --yes`), /<count>: must be a whole number from 1 to 1000000/);
  }
  const { from, to } = await json('numbers skip 100 --yes');
  t.equal(to, from + 100);
  t.strictSame(await json('numbers skip 1 --yes'), { skipped: 1, from: to, to: to + 1 });
  t.match(await json('audit list --action numbers.skip'), [
    { subject: 'counter/service_number', before: { next: to }, after: { next: to + 1 } },
    { actor_kind: 'command', before: { next: from }, after: { next: to } },
  ]);
});
