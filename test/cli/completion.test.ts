import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { run } from '../../src/cli/run.ts';

const directory = mkdtempSync(join(tmpdir(), 'broker-completion-'));
t.teardown(() => rmSync(directory, { recursive: true }));

async function printed(...args: string[]) {
  let out = '';
  const code = await run(['completion', ...args], {
    out: (text) => {
      out += text;
    },
    err: () => undefined,
    watched: false,
  });
  return { code, out };
}

/** How each shell is asked for what may follow a line, of which the last word is being typed; a word a line. */
const ASKING: Record<string, (script: string, words: string[]) => string[]> = {
  bash: (script, words) => [
    '-c',
    `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _broker; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // Without a line editor: what is found is printed where it would be shown.
  zsh: (script, words) => [
    '-fc',
    `compdef() {}; _describe() { print -l -- "\${(@)\${(@P)2}%%:*}" }; source ${script}; words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; _broker`,
  ],
  fish: (script, words) => [
    '--no-config',
    '-c',
    `source ${script}; complete -C '${words.join(' ')}' | string split -f1 \\t`,
  ],
};

for (const [shell, asking] of Object.entries(ASKING)) {
  t.test(`${shell} completes commands and options at every level, behind options and their values too`, async (t) => {
    const { code, out } = await printed(shell);
    t.equal(code, 0);
    if (!isInstalled(shell)) return void t.pass(`${shell} is not installed`, { skip: `${shell} is not installed` });
    const script = join(directory, shell);
    writeFileSync(script, out);
    const offered = (...words: string[]) =>
      execFileSync(shell, asking(script, ['broker', ...words]), { encoding: 'utf8' })
        .trim()
        .split('\n');
    // zsh filters by what has been typed itself.
    const typed = (text: string) => (shell === 'zsh' ? '' : text);
    t.has(offered(typed('bro')), ['brokers']);
    t.ok(offered('brokers', '').includes('suspend'));
    t.ok(offered('brokers', 'recipients', '').includes('add'));
    t.ok(offered('services', 'list', typed('--')).includes('--search'));
    t.ok(offered('services', 'list', '--broker', 'acme', typed('--')).includes('--limit'), 'behind an option');
    t.notOk(offered('services', 'list', typed('--')).includes('--expires'), 'no option of another command');
  });
}

t.test('another shell is refused as a wrong call; --json gives the script in a document', async (t) => {
  t.equal((await printed('tcsh')).code, 2);
  const { out } = await printed('bash', '--json');
  t.strictSame(JSON.parse(out), { shell: 'bash', script: (await printed('bash')).out });
});

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
