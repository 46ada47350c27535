import { readFileSync } from 'node:fs';
import { packageFile } from './paths.ts';

/** The versions of Node that this program runs on, as package.json has them: `^22.14 || ^24`, say. */
export const SUPPORTED_NODE = (
  JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { engines: { node: string } }
).engines.node;

/** Whether a version of Node is one of SUPPORTED_NODE: `^22.14` is 22.14 or later of 22, `>=26` that or anything later. */
export function supportsNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return SUPPORTED_NODE.split('||').some((range) => {
    const [fromMajor = 0, fromMinor = 0] = (range.match(/\d+/g) ?? []).map(Number);
    if (major === fromMajor) return minor >= fromMinor;
    return range.includes('>=') && major > fromMajor;
  });
}

/** Ends the process with one line on a Node where the packages would fail in obscure ways. Called before they load. */
export function requireSupportedNode(): void {
  if (supportsNode(process.versions.node)) return;
  process.stderr.write(`Node ${process.versions.node} is not supported: use ${SUPPORTED_NODE}\n`);
  process.exit(1);
}
