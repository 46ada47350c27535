import { stopEarly } from './runtime/early-stop.ts';
import { requireSupportedNode } from './runtime/node-version.ts';

stopEarly(0);
requireSupportedNode();
if (process.argv.includes('--help')) {
  const { describeVariables } = await import('./config.ts');
  // A reader such as `head` may close the pipe before everything is written.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.stdout.write(`Environment variables (values) [default]:\n\n${describeVariables()}`);
} else {
  await import('./process/serve.ts');
}
