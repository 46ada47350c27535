import { existsSync, readFileSync } from 'node:fs';

/** package.json stands one folder above the sources, and two above what was built of them. */
const file = [new URL('../package.json', import.meta.url), new URL('../../package.json', import.meta.url)].find((url) =>
  existsSync(url),
) as URL;

/** The version of this program, which is not that of the interface (contract, section 1). */
export const VERSION = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
