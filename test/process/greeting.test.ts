import t from 'tap';
import { greetingOf } from '../../src/process/greeting.ts';

t.test('a start on a terminal names every address, the demo key, and the link on a line of its own', async (t) => {
  const api = 'http://127.0.0.1:3000/api';
  const console = 'http://127.0.0.1:3001';
  const link = `${console}/sign-in/abc`;
  const lines = greetingOf({ api, console, demoKey: 'sk_live_x', link }).split('\n');
  t.strictSame(
    lines.filter((line) => line.startsWith('  ') && !line.includes('link')).map((line) => line.trim().split(/ {2,}/)),
    [
      ['API', api],
      ['Documentation', `${api}/docs`],
      ['Console', console],
      ['Demo key', 'sk_live_x'],
    ],
  );
  t.ok(lines.includes(link));
});

t.test('what a server has not is not named', async (t) => {
  const text = greetingOf({
    api: 'https://api.hosting.test/api',
    console: undefined,
    demoKey: undefined,
    link: undefined,
  });
  t.notMatch(text, /Console|Demo key|link|undefined/);
});
