import { run } from './run.ts';

/** The operator's program: takes the process's arguments and sets its exit code. */
export async function main(): Promise<void> {
  // A reader such as `head` may close the pipe before everything is written.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', leave);
  process.exitCode = await run(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    watched: process.stderr.isTTY,
  });
}

function leave(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
