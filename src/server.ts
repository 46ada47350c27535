import { requireSupportedNode } from './node-version.ts';

requireSupportedNode();
if (process.argv.includes('--help')) {
  const { describeVariables } = await import('./config.ts');
  process.stdout.write(`Environment variables (values) [default]:\n\n${describeVariables()}`);
} else {
  await import('./serve.ts');
}
