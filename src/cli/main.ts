import { createInterface } from 'node:readline';
import type { WriteStream } from 'node:tty';
import { stopEarly } from '../runtime/early-stop.ts';
import { requireSupportedNode } from '../runtime/node-version.ts';

/** The operator's program: takes the process's arguments and sets its exit code. */
export async function main(): Promise<void> {
  // The worker is a service; any other command that is stopped has not done what it was called for.
  stopEarly(process.argv[2] === 'worker' ? 0 : undefined);
  requireSupportedNode();
  const { run } = await import('./run.ts');
  const { stdin, stdout, stderr } = process;
  // A reader such as `head` may close the pipe before everything is written.
  for (const stream of [stdout, stderr]) stream.on('error', leave);
  process.exitCode = await run(process.argv.slice(2), {
    out: (text) => new Promise((resolve) => stdout.write(text, (error) => resolve(!error))),
    err: (text) => void stderr.write(text),
    watched: stderr.isTTY,
    colours: { out: showsColours(stdout), err: showsColours(stderr) },
    ...(stdin.isTTY && stderr.isTTY && { ask }),
  });
}

/** Whether it is a terminal, and not set to be plain (NO_COLOR, TERM=dumb). */
const showsColours = (stream: WriteStream): boolean => stream.isTTY && stream.hasColors();

/** Yes is said with the word or its letter, or with `words`; anything else, Ctrl-C and Ctrl-D are a no. */
function ask(question: string, words?: string): Promise<boolean> {
  const dialogue = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    dialogue.once('close', () => resolve(false));
    dialogue.question(question, (answer) => {
      resolve(words === undefined ? /^y(es)?$/i.test(answer.trim()) : answer.trim() === words);
      dialogue.close();
    });
  });
}

function leave(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
