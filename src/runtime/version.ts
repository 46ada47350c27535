import { readFileSync } from 'node:fs';
import { packageFile } from './paths.ts';

/** The version of this release, which its documents name too (contract, section 1). */
export const VERSION = (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
