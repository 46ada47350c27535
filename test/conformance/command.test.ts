import t from 'tap';
import { run } from '../../conformance/src/command.ts';
import { served } from '../support/served.ts';
import { listen } from '../support/wire.ts';

async function kit(...argv: string[]) {
  let [out, err] = ['', ''];
  const code = await run(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

t.test('the kit by itself prints the report and exits 0, or 1 where a check fails', async (t) => {
  const world = await served(t);
  const address = `http://127.0.0.1:${await listen(world.app)}/api`;
  const fields = { mode: 'test' as const, rateLimit: 1_000_000 };
  const { key } = await world.addKey(world.broker, ['admin:full'], fields);
  t.match(await kit('--base-url', address, '--key', key, '--json'), {
    code: 0,
    out: /"failed": 0/,
    err: /^1 of \d+: addresses\n\d+ of /,
  });
  // Any key of another kind is not refused as an expired one is.
  const failed = await kit('--base-url', address, '--key', key, '--expired-key', key);
  t.match(failed, { code: 1, out: /^FAILED: keys: an expired key says since when$/m });
});

t.test('a run that cannot begin is one line on standard error, and exits 1', async (t) => {
  const nowhere = ['--base-url', 'http://127.0.0.1:1/api', '--key', 'sk_test_x'];
  t.match(await kit(...nowhere), {
    code: 1,
    out: '',
    err: /^http:\/\/127\.0\.0\.1:1\/api cannot be reached: [^\n]*\n$/,
  });
  t.match(await kit('--key', 'x'), { code: 1, out: '', err: '--base-url <url> is missing (see --help)\n' });
  t.match(await kit('--nonsense'), { code: 1, out: '', err: /^Unknown option '--nonsense'[^\n]*\n$/ });
});

t.test('the program lists its options', async (t) => {
  const { out, err } = await kit('--help');
  t.equal(err, '');
  t.match(out, /^ {2}--base-url <url> {12}the base address, ending in \/api$/m);
  t.match(out, /^ {2}--json {2,}\S/m);
});
