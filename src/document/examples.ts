import { readFileSync } from 'node:fs';
import { packageFile } from '../paths.ts';
import type { Examples } from './document.ts';

/** Recorded answers of the server: `npm run generate` writes the file (tools/examples.ts). */
export const EXAMPLES: Examples = JSON.parse(readFileSync(packageFile('src/document/examples.json'), 'utf8'));
