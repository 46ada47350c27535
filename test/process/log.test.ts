import { PassThrough } from 'node:stream';
import t from 'tap';
import { createLog, describeError, readableLines } from '../../src/process/log.ts';
import { served } from '../support/served.ts';

t.test('an error is logged by its innermost cause, without the values that a query was given', async (t) => {
  const cause = Object.assign(new Error('no such table'), {
    code: 'SQLITE_ERROR',
    detail: 'Key (email)=(ada@example.com)',
  });
  const failed = new Error('Failed query: insert into clients\nparams: ada@example.com', { cause });
  const stream = new PassThrough();
  const log = createLog('error', stream);
  log.error({ err: failed }, 'request failed');
  const line = String(stream.read());
  t.notMatch(line, /ada@example/);
  t.match(JSON.parse(line).err, { type: 'Error', code: 'SQLITE_ERROR', message: 'no such table', stack: /log\.test/ });
  t.strictSame(describeError(null), { type: 'object' });
});

t.test('the log keeps to its level', async (t) => {
  t.equal(createLog('warn').isLevelEnabled('info'), false);
});

/** A log whose lines are kept, and whose periods end when they are told to. */
function recorded() {
  const lines: Array<Record<string, unknown>> = [];
  const ends: Array<() => void> = [];
  const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line)) }, (_ms, act) => ends.push(act));
  return {
    log,
    lines,
    end: () => {
      for (const act of ends.splice(0)) act();
    },
  };
}

t.test('what fails again and again is written three times and then counted, kind by kind', async (t) => {
  const { log, lines, end } = recorded();
  const fail = (times: number, error: object, text = 'request failed') => {
    for (let turn = 0; turn < times; turn += 1) log.error({ err: error, request_id: turn }, text);
  };
  const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const deadlock = Object.assign(new Error('deadlock'), { code: '40P01' });
  fail(5_000, new Error('no connection', { cause: away }));
  fail(4, deadlock);
  fail(3, deadlock, 'an email was not sent');
  fail(4, new TypeError('no code'));
  t.equal(lines.length, 12);
  end();
  t.strictSame(
    lines.slice(12).map(({ left_out, seconds, of }) => [left_out, seconds, of]),
    [
      [4_997, 10, 'request failed: ECONNREFUSED'],
      [1, 10, 'request failed: 40P01'],
      [1, 10, 'request failed: TypeError'],
    ],
  );
  fail(1, deadlock);
  t.match(lines.at(-1), { request_id: 0, msg: 'request failed' }, 'the next period begins anew');
  end();
  t.equal(lines.length, 16, 'and says nothing where nothing was left out');
});

t.test('kinds are bounded too: beyond two hundred they are one', async (t) => {
  const { log, lines, end } = recorded();
  for (let kind = 0; kind < 1_000; kind += 1) log.warn({}, `kind ${kind}`);
  t.equal(lines.length, 203);
  end();
  t.match(lines.at(-1), { left_out: 797, of: 'of many kinds' });
});

t.test('a hundred calls while the database is away are three lines and a count', async (t) => {
  const { log, lines, end } = recorded();
  const world = await served(t, { logger: log });
  await world.app.ready();
  world.store.read.plans.page = async () => {
    throw Object.assign(new Error('cannot open'), { code: 'SQLITE_CANTOPEN' });
  };
  for (let turn = 0; turn < 100; turn += 1) {
    const answer = await world.app.inject({ url: '/api/v1/plans', headers: { authorization: `Bearer ${world.key}` } });
    t.equal(answer.statusCode, 500);
  }
  t.equal(lines.length, 3);
  end();
  t.match(lines.at(-1), { left_out: 97, of: 'request failed: SQLITE_CANTOPEN' });
});

t.test('calls leave no line of their own at any level, and what Fastify itself has to say of one does', async (t) => {
  const lines: Array<Record<string, unknown>> = [];
  const log = createLog('debug', { write: (line) => lines.push(JSON.parse(line)) });
  const { app, key } = await served(t, { logger: log });
  let twice = false;
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (twice) reply.send('once more');
    twice = false;
    done();
  });
  const headers = { authorization: `Bearer ${key}` };
  t.equal((await app.inject({ url: '/api/v1/auth-check', headers })).statusCode, 200);
  t.equal((await app.inject({ url: '/api/v1/services/0', headers })).statusCode, 404);
  t.equal((await app.inject('/nowhere')).statusCode, 404);
  t.strictSame(lines, []);

  twice = true;
  await app.inject('/nowhere');
  t.match(lines[0], { level: 40, msg: /^Reply was already sent/ });
});

t.test('at a terminal a line is text, without the control characters of what it reports', async (t) => {
  const written = [''];
  const log = createLog('info', readableLines({ write: (text) => written.splice(0, 1, text) }));
  log.info({ signal: 'SIGTERM' }, 'closing');
  t.match(written[0], /^\d\d:\d\d:\d\d closing \{"signal":"SIGTERM"\}\n$/);
  log.error({ err: new Error('no \u001b[31msuch table') }, 'failed');
  const [first, second, third] = String(written).split('\n');
  t.match(first, /^\d\d:\d\d:\d\d ERROR: failed$/);
  t.match(second, /^ {4}Error: no .*such table$/);
  t.match(third, /^ {4}at /);
  t.notOk(String(written).includes('\u001b'));
});
