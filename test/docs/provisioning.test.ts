import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { systemClock } from '../../src/clock.ts';
import type { CredentialsQuestion, Work, WorkOutcome } from '../../src/ports.ts';
import { createHttpCredentials } from '../../src/worker/credentials-http.ts';
import { createHttpProvisioner } from '../../src/worker/provisioner-http.ts';

/** What the example and the connectors share (docs/examples/provisioning.mjs), with work that a test holds in its hands. */

const MODULE = pathToFileURL('docs/examples/provisioning.mjs').href;
const { createProvisioner, done, Failure, inProgress } = await import(MODULE);

const SECRET = 'secret-of-the-test';

async function serve(t: Test, parts: object) {
  const server = createProvisioner({ secrets: [SECRET], patienceMs: 50, ...parts });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const endpoint = { url, secret: SECRET, clock: systemClock, log: { warn: () => undefined } };
  const provisioner = createHttpProvisioner(endpoint);
  const question = { service_number: 5001, service: {} } as CredentialsQuestion;
  return {
    fulfil: (id: string, serviceNumber = 5001, type: Work['type'] = 'service-suspension'): Promise<WorkOutcome> =>
      provisioner.fulfil({ request_id: id, service_number: serviceNumber, service: {}, type } as Work),
    read: () => createHttpCredentials(endpoint).read({ brokerId: 'brk_1' }, question),
  };
}

t.test(
  'a repeat begins nothing while the work goes on, and the work of one service is done in its order',
  async (t) => {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const { fulfil } = await serve(t, {
      work({ request_id: id }: Work) {
        begun.push(id);
        return new Promise<void>((resolve) => ends.set(id, resolve)).then(done);
      },
    });
    const going = { outcome: 'in_progress', checkAfterSeconds: 5 };
    t.match(await fulfil('first'), { ...going, token: 'first' });
    t.match(await fulfil('first'), going);
    t.match(await fulfil('second'), { ...going, token: 'second' });
    t.match(await fulfil('elsewhere', 5002), going);
    t.strictSame(begun, ['first', 'elsewhere'], 'the second work of the service waits');
    ends.get('first')?.();
    t.match(await fulfil('second'), going);
    t.strictSame(begun, ['first', 'elsewhere', 'second']);
    t.match(await fulfil('first'), going, 'work that is done begins anew, in its order: it finds what is true already');
    t.equal(begun.length, 3);
    ends.get('second')?.();
    t.match(await fulfil('first'), going);
    t.strictSame(begun, ['first', 'elsewhere', 'second', 'first']);
  },
);

t.test(
  'what became of work while no call waited for it is kept for its repeat, and begins anew after that',
  async (t) => {
    let begun = 0;
    const ends: Array<() => void> = [];
    const { fulfil } = await serve(t, {
      work() {
        begun += 1;
        return new Promise<void>((resolve) => ends.push(resolve)).then(() => inProgress(`operation-${begun}`));
      },
    });
    t.match(await fulfil('first'), { token: 'first' });
    ends.shift()?.();
    t.match(await fulfil('first'), { token: 'operation-1' });
    t.match(await fulfil('first'), { token: 'first' });
    t.equal(begun, 2);
  },
);

t.test('a creation that comes behind the cancellation of its service begins nothing', async (t) => {
  const begun: string[] = [];
  const { fulfil } = await serve(t, {
    async work({ type }: Work) {
      begun.push(type);
      return done();
    },
  });
  t.match(await fulfil('end', 5001, 'cancellation'), { outcome: 'done' });
  t.match(await fulfil('late', 5001, 'service-creation'), { outcome: 'failed', reason: 'service_cancelled' });
  t.match(await fulfil('other', 5002, 'service-creation'), { outcome: 'done' });
  t.strictSame(begun, ['cancellation', 'service-creation']);
});

t.test('who waits for the work gets what became of it', async (t) => {
  const { fulfil } = await serve(t, { patienceMs: 60_000, work: async () => done({ reference: 'vm-1' }) });
  t.strictSame(await fulfil('first'), { outcome: 'done', reference: 'vm-1' });
});

t.test(
  'what goes on elsewhere is asked for again, a failure is reported, and anything else is tried again',
  async (t) => {
    const answers: Record<string, () => unknown> = {
      elsewhere: () => inProgress('task-7', 20),
      failed: () => {
        throw new Failure('no_capacity', 'No node is free', { service_usable: true, retryable: true });
      },
      broken: () => {
        throw new Error('the node is away');
      },
    };
    const logged: unknown[] = [];
    const { error } = console;
    console.error = (line) => void logged.push(line);
    t.teardown(() => {
      console.error = error;
    });
    const { fulfil } = await serve(t, { work: async ({ request_id: id }: Work) => answers[id]?.() });
    t.strictSame(await fulfil('elsewhere'), { outcome: 'in_progress', token: 'task-7', checkAfterSeconds: 20 });
    t.strictSame(await fulfil('failed'), {
      ...{ outcome: 'failed', reason: 'no_capacity', message: 'No node is free', serviceUsable: true, retryable: true },
    });
    t.match(await fulfil('broken'), { outcome: 'retry', reason: 'outcome_unknown', mayBeDone: true });
    t.match(logged, [{ message: 'the node is away' }]);
  },
);

t.test('a question is answered at once, beside work, and anew each time', async (t) => {
  let password = 1;
  const { fulfil, read } = await serve(t, {
    work: () => new Promise(() => undefined),
    credentials: () => {
      password += 1;
      return password > 3 ? null : [{ display_name: 'Root login', username: 'root', password: `p${password}` }];
    },
  });
  t.match(await fulfil('first'), { outcome: 'in_progress' });
  t.match(await read(), [{ password: 'p2' }]);
  t.match(await read(), [{ password: 'p3' }]);
  t.equal(await read(), null);
  const { read: none } = await serve(t, { work: () => done() });
  t.equal(await none(), null, 'an endpoint without credentials has none');
});
