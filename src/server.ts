import { stopEarly } from './early-stop.ts';
import { requireSupportedNode } from './node-version.ts';

stopEarly(0);
requireSupportedNode();
if (process.argv.includes('--help')) {
  const { describeVariables } = await import('./config.ts');
  process.stdout.write(`Environment variables (values) [default]:\n\n${describeVariables()}`);
} else {
  await import('./serve.ts');
}
