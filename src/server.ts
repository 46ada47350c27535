import { requireSupportedNode } from './node-version.ts';

requireSupportedNode();
await import('./serve.ts');
