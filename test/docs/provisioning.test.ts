import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import type { CredentialsQuestion, Work, WorkOutcome } from '../../src/ports.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createHttpCredentials } from '../../src/worker/credentials-http.ts';
import { createHttpMachines } from '../../src/worker/machines-http.ts';
import { createHttpProvisioner } from '../../src/worker/provisioner-http.ts';
import { serveEndpoint } from '../support/provisioner.ts';
import { makeCertificate } from '../support/tls.ts';

/** What the example and the connectors share (docs/examples/provisioning.mjs), with work that a test holds in its hands. */

const MODULE = pathToFileURL('docs/examples/provisioning.mjs').href;
const { createProvisioner, done, exchange, Failure, inProgress } = await import(MODULE);

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
    url,
    fulfil: (
      id: string,
      serviceNumber = 5001,
      type: Work['type'] = 'service-suspension',
      token: string | null = null,
    ): Promise<WorkOutcome> =>
      provisioner.fulfil({ request_id: id, service_number: serviceNumber, service: {}, type, token } as Work),
    read: () => createHttpCredentials(endpoint).read({ key: 'brk_1' }, question),
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
    const going = { outcome: 'in_progress', checkAfterSeconds: Number };
    t.match(await fulfil('first'), { ...going, token: 'first' });
    t.match(await fulfil('first'), going);
    t.match(await fulfil('second'), { ...going, token: null });
    t.match(await fulfil('elsewhere', 5002), going);
    t.strictSame(begun, ['first', 'elsewhere'], 'the second work of the service waits');
    ends.get('first')?.();
    t.match(await fulfil('second'), going);
    t.strictSame(begun, ['first', 'elsewhere', 'second']);
    t.match(await fulfil('first'), { outcome: 'done' }, 'a repeat gets the answer, though other work has begun');
    ends.get('second')?.();
    for (const id of ['second', 'first', 'second']) t.match(await fulfil(id), { outcome: 'done' });
    t.strictSame(begun, ['first', 'elsewhere', 'second'], 'each is done once');
  },
);

t.test('two slow works of one service that are repeated all the time are done once each', async (t) => {
  const begun: string[] = [];
  const calls = new Map<string, number>();
  const ends = new Map<string, () => void>();
  const { fulfil } = await serve(t, {
    patienceMs: 1,
    work({ request_id: id }: Work) {
      begun.push(id);
      calls.set(id, 0);
      return new Promise<void>((resolve) => ends.set(id, resolve)).then(done);
    },
  });
  /** Repeats a work as the worker does; it takes ten calls from its begin on. */
  async function end(id: string): Promise<WorkOutcome> {
    for (;;) {
      const outcome = await fulfil(id);
      if (outcome.outcome !== 'in_progress') return outcome;
      const count = (calls.get(id) ?? Number.NEGATIVE_INFINITY) + 1;
      calls.set(id, count);
      if (count > 10) ends.get(id)?.();
    }
  }
  t.match(await Promise.all([end('first'), end('second'), end('third')]), Array(3).fill({ outcome: 'done' }));
  t.strictSame(begun.sort(), ['first', 'second', 'third']);
});

t.test('the steps of one work are not mixed with those of another, save where the service ends', async (t) => {
  const begun: string[] = [];
  let left = 2;
  const { fulfil } = await serve(t, {
    async work({ request_id: id, token }: Work) {
      begun.push(`${id} ${token}`);
      if (!['first', 'other'].includes(id)) return done();
      left -= 1;
      return left >= 0 ? inProgress(`task-${left}`) : done();
    },
  });
  t.match(await fulfil('first'), { token: 'task-1' });
  t.match(await fulfil('second'), { outcome: 'in_progress', checkAfterSeconds: 1 });
  t.match(await fulfil('first', 5001, undefined, 'task-1'), { token: 'task-0' });
  t.match(await fulfil('second'), { outcome: 'in_progress' });
  t.match(await fulfil('first', 5001, undefined, 'task-0'), { outcome: 'done' });
  t.match(await fulfil('second'), { outcome: 'done' });
  t.strictSame(begun, ['first null', 'first task-1', 'first task-0', 'second null']);
  left = 2;
  t.match(await fulfil('other', 5002), { token: 'task-1' });
  t.match(await fulfil('end', 5002, 'cancellation'), { outcome: 'done' });
});

t.test('work that takes longer than its call keeps its token', async (t) => {
  const { fulfil } = await serve(t, { work: () => new Promise(() => undefined) });
  t.match(await fulfil('first', 5001, undefined, 'task-7'), { outcome: 'in_progress', token: 'task-7' });
});

t.test('a call that is too long is refused while it is read, however it is sent', async (t) => {
  const { url } = await serve(t, { work: () => done() });
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  const sent = fetch(url, { method: 'POST', body: endless, duplex: 'half' } as RequestInit);
  const status = await sent.then((response) => response.status).catch(() => 'closed');
  t.ok([413, 'closed'].includes(status), `${status}`);
  const declared = await fetch(url, { method: 'POST', body: Buffer.alloc(2_000_000) })
    .then((response) => response.status)
    .catch(() => 'closed');
  t.ok([413, 'closed'].includes(declared), `${declared}`);
});

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
    t.strictSame(await fulfil('failed', 5002), {
      outcome: 'failed',
      reason: 'no_capacity',
      message: 'No node is free',
      serviceUsable: true,
      retryable: true,
    });
    t.match(await fulfil('broken', 5002), { outcome: 'retry', reason: 'outcome_unknown', mayBeDone: true });
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

t.test('a program behind a Unix socket, and one that wants a client certificate, are called', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'broker-exchange-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const listener: RequestListener = (request, response) => {
    const socket = request.socket as TLSSocket;
    const isKnown = socket.getPeerCertificate === undefined || socket.authorized;
    request.setEncoding('utf8').on('data', (body) => {
      const { method, headers } = request;
      response.writeHead(isKnown ? 201 : 403, { 'Retry-After': '7' });
      response.end(JSON.stringify({ method, type: headers['content-type'], body }));
    });
  };
  const listen = async (server: Server, at: string | number) => {
    server.listen(at);
    await once(server, 'listening');
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  };
  const socketPath = join(folder, 'socket');
  await listen(createServer(listener), socketPath);
  const { certFile, keyFile } = makeCertificate(folder);
  const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)];
  const tls = { cert, key, ca: cert, requestCert: true, rejectUnauthorized: false };
  const port = await listen(createTlsServer(tls, listener), 0);
  const call = { method: 'POST', body: new URLSearchParams({ a: 'ä b' }) };
  const answered = {
    status: 201,
    body: { method: 'POST', type: 'application/x-www-form-urlencoded', body: 'a=%C3%A4+b' },
  };
  const bySocket = await exchange('http://program/1.0', { ...call, socketPath });
  t.match(bySocket, answered);
  t.equal(bySocket.headers.get('retry-after'), '7');
  const url = `https://localhost:${port}/`;
  t.match(await exchange(url, { ...call, cert, key, ca: cert }), answered);
  t.match(await exchange(url, { ...call, ca: cert }), { status: 403 }, 'without a certificate of its own');
  await t.rejects(exchange(url, { ...call, cert, key }), /certificate/, 'a server that is not trusted');
});

t.test('an answer that leads elsewhere is followed by no secret', async (t) => {
  const { url } = await serveEndpoint(t, (_received, response) => {
    response.writeHead(307, { Location: 'http://192.0.2.1/' });
    return {};
  });
  const headers = { Authorization: 'secret' };
  await t.rejects(exchange(url, { method: 'POST', body: '{}', headers }), /leads elsewhere/);
});

/** A machine of service 5001, and the kit in front of it. */
async function guarded(t: Test, machine: { uid?: string; request?: string } | undefined) {
  const begun: Work[] = [];
  const state = { machine };
  const parts = {
    work(job: Work) {
      begun.push(job);
      return done();
    },
    credentials: () => [{ display_name: 'Root login', password: 'p' }],
    whose: () =>
      state.machine && {
        ...state.machine,
        keep(uid: string) {
          if (state.machine) state.machine.uid = uid;
        },
      },
  };
  const { url } = await serve(t, parts);
  const endpoint = { url, secret: SECRET, clock: systemClock, log: { warn: () => undefined } };
  let count = 0;
  return {
    begun,
    state,
    call(fields: Partial<Work>, type: Work['type'] = 'service-suspension') {
      count += 1;
      const job = { request_id: `req_${count}`, type, service_number: 5001, service: {}, token: null, ...fields };
      return createHttpProvisioner(endpoint).fulfil(job as unknown as Work);
    },
    read: (uid: string) =>
      createHttpCredentials(endpoint).read({ key: 'brk_1' }, {
        service_number: 5001,
        service_uid: uid,
        service: {},
      } as CredentialsQuestion),
  };
}

const FOREIGN = { outcome: 'failed', reason: 'not_this_service' };

t.test('nothing is done to the machine of another service, and none of its logins are told', async (t) => {
  const { call, read, begun, state } = await guarded(t, { uid: 'req_a', request: 'req_a' });
  for (const type of ['service-suspension', 'service-creation', 'cancellation', 'plan-upgrade'] as const)
    t.match(await call({ service_uid: 'req_b', token: 'a-token' }, type), FOREIGN, type);
  t.equal(await read('req_b'), null);
  t.strictSame([begun, state.machine?.uid], [[], 'req_a']);
  t.match(await call({ service_uid: 'req_a' }), { outcome: 'done' });
  t.match(await read('req_a'), [{ password: 'p' }]);
});

t.test('a machine without a uid takes it from the first work, and from no question', async (t) => {
  const { call, read, state } = await guarded(t, {});
  await read('before_req_a');
  t.equal(state.machine?.uid, undefined);
  t.match(await call({ service_uid: 'before_req_a' }), { outcome: 'done' });
  t.equal(state.machine?.uid, 'before_req_a');
  t.match(await call({ service_uid: 'req_b' }), FOREIGN);
});

t.test('a creation takes over no machine but its own', async (t) => {
  const creation = { request_id: 'req_b', service_uid: 'req_b' };
  const made = await guarded(t, { request: 'req_a' });
  t.match(await made.call(creation, 'service-creation'), FOREIGN);
  const own = await guarded(t, { request: 'req_b' });
  t.match(await own.call(creation, 'service-creation'), { outcome: 'done' });
  t.equal(own.state.machine?.uid, 'req_b');
  const begun = await guarded(t, {});
  t.match(await begun.call({ ...creation, token: 'task-7' }, 'service-creation'), { outcome: 'done' });
  const of11 = await guarded(t, { uid: 'req_a', request: 'req_a' });
  t.match(await of11.call({ request_id: 'req_c' }, 'service-creation'), FOREIGN, 'nor one of release 1.1');
  t.match(await of11.call({}), { outcome: 'done' }, 'whose other work says nothing of a uid');
});

t.test('a creation is not late for the cancellation of another service of its number', async (t) => {
  const { call } = await guarded(t, undefined);
  await call({ service_uid: 'req_a' }, 'cancellation');
  t.match(await call({ service_uid: 'req_a' }, 'service-creation'), { reason: 'service_cancelled' });
  t.match(await call({ service_uid: 'req_b' }, 'service-creation'), { outcome: 'done' });
});

t.test('calls of an installation that was replaced are refused, also after a restart', async (t) => {
  const historyFile = join(t.testdir({}), 'history');
  const begun: string[] = [];
  const work = ({ request_id: id }: Work) => {
    begun.push(id);
    return done();
  };
  const start = async () => {
    const { url } = await serve(t, { work, historyFile, credentials: () => [{ display_name: 'x' }] });
    const endpoint = { url, secret: SECRET, clock: systemClock, log: { warn: () => undefined } };
    const provisioner = createHttpProvisioner(endpoint);
    return {
      call: (id: string, history?: number) =>
        provisioner.fulfil({
          request_id: id,
          service_number: 5001,
          service: {},
          type: 'plan-upgrade',
          history,
        } as Work),
      read: (history: number) =>
        createHttpCredentials(endpoint).read({ key: 'b' }, {
          service_number: 5001,
          service: {},
          history,
        } as CredentialsQuestion),
    };
  };
  const first = await start();
  t.match(await first.call('a', 0), { outcome: 'done' });
  t.match(await first.call('b', 20), { outcome: 'done' });
  const old = { outcome: 'retry', reason: 'records_are_old', mayBeDone: false };
  t.match(await first.call('c', 19), old);
  t.match(await first.call('b', 19), old, 'a repeat too');
  await t.rejects(first.read(0), { name: 'RecordsAreOld' });
  t.match(await first.call('d'), { outcome: 'done' }, 'release 1.1 does not say it');
  const second = await start();
  t.match(await second.call('e', 19), old);
  t.match(await second.call('f', 21), { outcome: 'done' });
  t.strictSame(begun, ['a', 'b', 'd', 'f']);
});

t.test(
  'machines are listed page by page, where the endpoint can; else it says that it does not know them',
  async (t) => {
    const asked: object[] = [];
    const { url } = await serve(t, {
      work: () => done(),
      list(question: object) {
        asked.push(question);
        return { machines: [{ service_number: 5001, service_uid: 'req_a' }], after: 'p2' };
      },
    });
    const listing = (at: string) =>
      createHttpMachines({ url: at, secret: SECRET, clock: systemClock, log: { warn: () => undefined } });
    const question = { after: 'p1', broker: null, history: 0 };
    t.match(await listing(url).list(question), {
      machines: [{ service_number: 5001, service_uid: 'req_a' }],
      after: 'p2',
    });
    t.strictSame(asked, [{ after: 'p1', limit: 1000 }]);
    const { url: other } = await serve(t, { work: () => done() });
    t.equal(await listing(other).list(question), 'not_known');
  },
);
