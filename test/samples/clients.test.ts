import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { type Call, meetsFaults, type Outcome } from '../support/client-faults.ts';
import { faultyProxy } from '../support/faulty-proxy.ts';
import { type Language, languagesHere } from '../support/languages.ts';
import { createSandboxWorld } from '../support/sandbox.ts';
import { listen } from '../support/wire.ts';

/** Programs that read a call a line, make it with the sample and write its outcome; they note waits and do not wait. */
const PYTHON = `
import json, sys, time
sys.dont_write_bytecode = True
sys.path.insert(0, 'docs/examples')
import broker
for line in sys.stdin:
    call, waits = json.loads(line), []
    time.sleep = waits.append
    client = broker.Broker(call['url'], call['apiKey'], tries=3, timeout=call['timeoutSeconds'])
    try:
        if call['method'] == 'get':
            answer = client.get(call['path'])
        else:
            answer = client.post(call['path'], call['body'], call.get('idempotencyKey'))
        outcome = {'success': True, 'replayed': answer['replayed'], 'requestId': answer['x_request_id']}
    except broker.BrokerError as error:
        outcome = {'success': False, 'status': error.status or None, 'code': error.code, 'why': error.message,
                   'requestId': error.request_id, 'retryAfter': error.retry_after}
    print(json.dumps({**outcome, 'waits': waits}), flush=True)
`;
const PHP = `
$source = file_get_contents('docs/examples/broker.php');
eval(substr(str_replace('sleep(', 'note(', $source), strlen('<?php')));
function note(int $seconds): void { $GLOBALS['waits'][] = $seconds; }
while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true);
    $waits = [];
    $client = new Broker($call['url'], $call['apiKey'], tries: 3, timeout: $call['timeoutSeconds']);
    try {
        $answer = $call['method'] === 'get'
            ? $client->get($call['path'])
            : $client->post($call['path'], $call['body'], $call['idempotencyKey'] ?? null);
        $outcome = ['success' => true, 'replayed' => $answer['replayed'], 'requestId' => $answer['x_request_id']];
    } catch (BrokerError $error) {
        $outcome = ['success' => false, 'status' => $error->status ?: null, 'code' => $error->errorCode,
            'why' => $error->getMessage(), 'requestId' => $error->requestId, 'retryAfter' => $error->retryAfter];
    }
    echo json_encode($outcome + ['waits' => $waits]), PHP_EOL;
}
`;

/** Programs that print how many records a list of two pages has. */
const COLLECTING = {
  python: `
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, 'docs/examples')
import broker
print(len(list(broker.Broker(sys.argv[1], 'key').each('/v1/requests', operator_review=True))))
`,
  php: `
$source = file_get_contents('docs/examples/broker.php');
eval(substr($source, strlen('<?php')));
echo count(iterator_to_array((new Broker($argv[1], 'key'))->each('/v1/requests', ['operator_review' => true])));
`,
};

/** Programs that follow changes from a place, and print how many came, what was not met, and the next place. */
const FOLLOWING = {
  python: `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, 'docs/examples')
import broker
kept, unmet = [], []
place = broker.Broker(sys.argv[1], 'key').changes('/v1/services', sys.argv[2], kept.append, lambda: [1, 2, 999], unmet.extend)
print(json.dumps([len(kept), unmet, place[:4], place.partition(' ')[2]]))
`,
  php: `
$source = file_get_contents('docs/examples/broker.php');
eval(substr($source, strlen('<?php')));
[$kept, $unmet] = [0, []];
$keep = function (array $service) use (&$kept): void { $kept++; };
$name = function (array $numbers) use (&$unmet): void { $unmet = $numbers; };
$place = (new Broker($argv[1], 'key'))->changes('/v1/services', $argv[2], $keep, fn() => [1, 2, 999], $name);
echo json_encode([$kept, $unmet, substr($place, 0, 4), explode(' ', $place, 2)[1] ?? '']);
`,
};

/** Programs that print how a client refuses faulty keys, and make two calls with absent values. */
const GIVING = {
  python: `
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, 'docs/examples')
import broker
url, secret = sys.argv[1], 'sk_live_Secret'
for key in (secret[:7] + '\\n' + secret[7:], secret + '\\u00e9', ' ', '', None):
    try:
        print('made', broker.Broker(url, key))
    except ValueError as error:
        print('refused', error)
client = broker.Broker(url + '\\r\\n', f' {secret}\\r\\n')
client.get('/v1/services', search=None, operator_review=False, limit=0)
for key in ('a\\r\\nX-Other: 1', 'a\\n', 'a\\0', '\\u00e9', ''):
    try:
        print('sent', client.post('/v1/services', {}, key))
    except ValueError as error:
        print('refused', error)
client.post('/v1/services/1/update', {'label': None}, None)
`,
  php: `
$source = file_get_contents('docs/examples/broker.php');
eval(substr($source, strlen('<?php')));
$secret = 'sk_live_Secret';
foreach ([substr($secret, 0, 7) . "\\n" . substr($secret, 7), $secret . "\\u{e9}", ' ', '', "\\0"] as $key) {
    try {
        new Broker($argv[1], $key);
        echo 'made', PHP_EOL;
    } catch (InvalidArgumentException $error) {
        echo 'refused ', $error->getMessage(), PHP_EOL;
    }
}
$client = new Broker($argv[1] . "\\r\\n", " $secret\\r\\n");
$client->get('/v1/services', ['search' => null, 'operator_review' => false, 'limit' => 0]);
foreach (["a\\r\\nX-Other: 1", "a\\n", "a\\0", "\\u{e9}", ''] as $key) {
    try {
        $client->post('/v1/services', [], $key);
        echo 'sent', PHP_EOL;
    } catch (InvalidArgumentException $error) {
        echo 'refused ', $error->getMessage(), PHP_EOL;
    }
}
$client->post('/v1/services/1/update', ['label' => null], null);
`,
};

/** Programs that give values of every kind to the client, and print how it refuses one. */
const SENDING = {
  python: `
import sys, datetime
sys.dont_write_bytecode = True
sys.path.insert(0, 'docs/examples')
import broker
from datetime import date, datetime, timedelta, timezone
client = broker.Broker(sys.argv[1], 'key')
berlin = timezone(timedelta(hours=1))
client.get('/v1/services', created_from=datetime(2026, 3, 1, 9, 30, tzinfo=berlin), created_to=date(2026, 4, 1))
client.post('/v1/services', {'configuration': {}, 'metadata': {'since': datetime(2026, 3, 1, 9, 30, tzinfo=berlin)}})
own = {}
own['own'] = own
for value in (datetime(2026, 3, 1), [1], {}, print, object(), b'x', float('nan'), float('inf')):
    try:
        client.get('/v1/services', search=value)
        print('sent')
    except (TypeError, ValueError) as error:
        print('refused', error)
for value in (datetime(2026, 3, 1), print, object(), b'x', float('nan'), {1, 2}, own):
    try:
        client.post('/v1/services', {'label': value})
        print('sent')
    except (TypeError, ValueError) as error:
        print('refused', error)
`,
  php: `
$source = file_get_contents('docs/examples/broker.php');
eval(substr($source, strlen('<?php')));
$client = new Broker($argv[1], 'key');
$date = new DateTime('2026-03-01T09:30:00+01:00');
$client->get('/v1/services', ['created_from' => $date, 'created_to' => DateTimeImmutable::createFromMutable($date)]);
$client->post('/v1/services', ['configuration' => [], 'metadata' => ['since' => $date]]);
$own = new stdClass;
$own->own = $own;
foreach ([[1], [], new stdClass, strlen(...), STDIN, NAN, INF, -INF] as $value) {
    try {
        $client->get('/v1/services', ['search' => $value]);
        echo 'sent', PHP_EOL;
    } catch (InvalidArgumentException $error) {
        echo 'refused ', $error->getMessage(), PHP_EOL;
    }
}
foreach ([strlen(...), STDIN, NAN, INF, $own, new ArrayObject([1]), ['a' => [new DateInterval('P1D')]]] as $value) {
    try {
        $client->post('/v1/services', ['label' => $value]);
        echo 'sent', PHP_EOL;
    } catch (InvalidArgumentException $error) {
        echo 'refused ', $error->getMessage(), PHP_EOL;
    }
}
`,
};

const SAMPLES: Array<{ lang: Language; program: string; file: string; driver: string[] }> = [
  { lang: 'python', program: 'python3', file: 'docs/examples/broker.py', driver: ['-c', PYTHON] },
  { lang: 'php', program: 'php', file: 'docs/examples/broker.php', driver: ['-r', PHP] },
];

function drive(t: Test, program: string, driver: string[]) {
  const child = spawn(program, driver, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.stdin.end());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (call: Call): Promise<Outcome> => {
    const path = call.path.replace('{service_number}', String(call.service_number));
    child.stdin.write(`${JSON.stringify({ ...call, path })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} ended at ${call.method} ${path}`);
    return JSON.parse(value);
  };
}

for (const { lang, program, file, driver } of SAMPLES) {
  t.test(`over a bad connection ${file} repeats what is safe, and a failure says what happened`, async (t) => {
    if (languagesHere(t).has(lang)) await meetsFaults(t, drive(t, program, driver));
  });

  t.test(
    `${file} collects the pages of a list until one is not full, and sends a flag as the API reads it`,
    async (t) => {
      if (!languagesHere(t).has(lang)) return;
      const asked: string[] = [];
      const server = createServer(({ url = '' }, response) => {
        asked.push(url);
        const data = Array.from({ length: url.includes('offset=0') ? 100 : 1 }, () => ({}));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ success: true, data, pagination: { total: 100 } }));
      }).listen(0, '127.0.0.1');
      t.teardown(() => server.close());
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const collecting = COLLECTING[lang as keyof typeof COLLECTING];
      const { stdout } = await promisify(execFile)(program, [
        driver[0] as string,
        collecting,
        `http://127.0.0.1:${port}`,
      ]);
      t.equal(stdout.trim(), '101');
      for (const url of asked) t.match(url, /[?&]operator_review=true(&|$)/);
    },
  );

  t.test(`${file} reads the list once from its beginning after a loss, and names what is not in it`, async (t) => {
    if (!languagesHere(t).has(lang)) return;
    let history: string | undefined;
    const server = createServer((request, response) => {
      const query = new URL(String(request.url), 'http://127.0.0.1').searchParams;
      const begin = query.get('after_number') ? 100 : query.get('updated_since') === '1970-01-01' ? 0 : 130;
      const data = Array.from({ length: 130 }, (_, index) => ({
        service_number: index + 1,
        updated_date: '2030-01-01T00:00:00.000Z',
      })).slice(begin, begin + 100);
      response
        .setHeader('content-type', 'application/json')
        .setHeader('x-server-date', '2030-02-01T00:00:00.000Z')
        .end(JSON.stringify({ success: true, data, pagination: { history } }));
    }).listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const follow = async (place: string) => {
      const given = [FOLLOWING[lang as keyof typeof FOLLOWING], `http://127.0.0.1:${port}`, place];
      return JSON.parse((await promisify(execFile)(program, [driver[0] as string, ...given])).stdout);
    };
    t.strictSame(await follow('2030-01-15'), [0, [], '2030', ''], 'a server of 1.1');
    history = '0';
    t.strictSame(await follow('2030-01-15'), [0, [], '2030', ''], 'before the first loss');
    history = '1893456600';
    t.strictSame(await follow('2030-01-15'), [130, [999], '2030', 'history 1893456600']);
    t.strictSame(await follow('2030-01-15 history 1893456600'), [0, [], '2030', 'history 1893456600'], 'once');
    t.strictSame((await follow('2030-01-15 history 1893450000'))[0], 130, 'after another loss');
  });

  t.test(`${file} trims its key and never shows it, checks headers, and leaves out what is absent`, async (t) => {
    if (!languagesHere(t).has(lang)) return;
    const sent: Array<{ method: string | undefined; url: string | undefined; headers: object; body: string }> = [];
    const server = createServer(async (request, response) => {
      const { method, url, headers } = request;
      sent.push({ method, url, headers, body: await text(request) });
      response.setHeader('content-type', 'application/json').end('{"success":true,"data":[]}');
    }).listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const giving = GIVING[lang as keyof typeof GIVING];
    const { stdout, stderr } = await promisify(execFile)(program, [
      driver[0] as string,
      giving,
      `http://127.0.0.1:${port}`,
    ]);
    t.strictSame(stdout.trim().split('\n'), [
      ...Array(5).fill('refused The API key is empty or holds a character that no key has'),
      ...Array(5).fill('refused The idempotency key must be printable ASCII on one line'),
    ]);
    t.equal(stderr, '');
    t.match(sent, [
      { method: 'GET', url: '/v1/services?operator_review=false&limit=0' },
      { method: 'POST', url: '/v1/services/1/update', body: /^\{"label": ?null\}$/ },
    ]);
    t.equal(sent.length, 2, 'what is refused is not sent');
    for (const { headers } of sent) t.match(headers, { authorization: 'Bearer sk_live_Secret' });
  });

  t.test(
    `${file} sends a date as ISO 8601 and an empty configuration as an object, and refuses what it cannot send`,
    async (t) => {
      if (!languagesHere(t).has(lang)) return;
      const sent: Array<{ url: string; body: string }> = [];
      const server = createServer(async (request, response) => {
        sent.push({ url: request.url as string, body: await text(request) });
        response.setHeader('content-type', 'application/json').end('{"success":true,"data":[]}');
      }).listen(0, '127.0.0.1');
      t.teardown(() => server.close());
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const sending = SENDING[lang as keyof typeof SENDING];
      const { stdout, stderr } = await promisify(execFile)(program, [
        driver[0] as string,
        sending,
        `http://127.0.0.1:${port}`,
      ]);
      t.equal(stderr, '');
      const refusals = stdout.trim().split('\n');
      t.equal(refusals.length, 15);
      for (const line of refusals) t.match(line, /^refused ./);
      const [read, change] = sent;
      t.equal(sent.length, 2, 'what is refused is not sent');
      const query = new URLSearchParams(read?.url.split('?')[1]);
      t.equal(Date.parse(query.get('created_from') as string), Date.parse('2026-03-01T08:30:00Z'));
      t.match(query.get('created_to'), /^2026-0[34]-01/);
      const { configuration, metadata } = JSON.parse(change?.body as string);
      t.strictSame([configuration, Date.parse(metadata.since)], [{}, Date.parse('2026-03-01T08:30:00Z')]);
      t.notMatch(change?.body, /\[/);
    },
  );

  t.test(`${file} orders a service, reaches it, follows its work and copies all services`, async (t) => {
    if (!languagesHere(t).has(lang)) return;
    const { app, key, clock, get } = await createSandboxWorld(t);
    const proxy = await faultyProxy(t, await listen(app), [
      {
        when: /./,
        answer: (answer) => {
          // Simulated work ends with each call, and no test waits for the seconds of a real sandbox.
          clock.advance(10_000);
          return { ...answer, body: answer.body.replace(/"next_check_seconds":\d+/, '"next_check_seconds":1') };
        },
      },
    ]);
    const BROKER_URL = `http://127.0.0.1:${proxy}/api`;
    const run = (BROKER_KEY: string) =>
      promisify(execFile)(program, [file], {
        env: { PATH: process.env.PATH, BROKER_URL, BROKER_KEY, ORDER: 'order-1' },
      });
    t.strictSame((await run(key)).stdout.trim().split('\n'), [
      'created completed 950001',
      'access shop.example.com chosen shop.example.com',
      'credentials Root login root',
      'reboot completed',
      'upgrade completed',
      'refused invalid_parameter plan_is_current',
      'copied True next round True',
      'consumption 3',
    ]);
    const { data } = (await get('/requests?service_number=950001')).json;
    t.strictSame(
      data.map(({ type }: { type: string }) => type),
      ['plan-upgrade', 'service-action', 'service-creation'],
    );
    await t.rejects(run('sk_test_none'), /401 authentication_failed: Invalid API key \(X-Request-Id \S+\)/);
  });
}
