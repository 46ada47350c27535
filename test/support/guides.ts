import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A fenced block of shell commands; what it needs beside a shell stands behind the language: ```sh nginx. */
export interface Block {
  code: string;
  needs: string[];
}

/** The blocks of shell commands of a page, in their order. */
export function blocksOf(file: string): Block[] {
  const fences = readFileSync(file, 'utf8').matchAll(/^```sh( [\w ]+)?\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, needs = '', code = '']) => ({ code, needs: needs.split(' ').filter(Boolean) }));
}

/** Whether a program is installed; as root's own ones are, whose folder need not be in the path. */
export const has = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], {
    env: { PATH: `/usr/sbin:${process.env.PATH}` },
    stdio: 'ignore',
  }).status === 0;
