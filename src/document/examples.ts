import { readFileSync } from 'node:fs';
import type { Examples } from './document.ts';

/** Recorded answers of the server: `npm run generate` writes the file (tools/examples.ts). */
export const EXAMPLES: Examples = JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8'));
