import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import type { Test } from 'tap';

export type Language = 'sh' | 'ts' | 'python' | 'php';

/** What runs a program of each language, the file of the program after it. */
const COMMANDS: Record<Language, readonly string[]> = {
  sh: ['sh'],
  ts: [process.execPath],
  python: ['python3'],
  php: ['php'],
};

/** What has to succeed where the language is there, with what its samples use. */
const PROBES: Record<Language, readonly string[]> = {
  sh: ['curl', '--version'],
  ts: [process.execPath, '--version'],
  python: ['python3', '-c', 'import urllib.request'],
  php: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
};

/**
 * The languages that can be run here. Those that cannot are left out with a line that cannot be overlooked, or fail the
 * test where `REQUIRE_SERVICES` is set.
 */
export function languagesHere(t: Test): Set<Language> {
  const here = new Set<Language>();
  for (const [language, [program = '', ...given]] of Object.entries(PROBES)) {
    if (spawnSync(program, given, { stdio: 'ignore' }).status === 0) {
      here.add(language as Language);
      continue;
    }
    const line = `${PROBES[language as Language].join(' ')} DOES NOT SUCCEED HERE, so ${language} samples are NOT TESTED`;
    if (process.env.REQUIRE_SERVICES) t.fail(line);
    else {
      process.stderr.write(`\n*** ${line}\n`);
      t.pass(line, { skip: line });
    }
  }
  return here;
}

/**
 * Runs a program as a reader would who has pasted it into a file, with no more of an environment than a path.
 * @throws where its exit code is not 0
 */
export async function run(folder: string, language: Language, source: string) {
  const [program = '', ...given] = COMMANDS[language];
  const file = join(folder, `sample-${counter++}.${language === 'ts' ? 'mjs' : language}`);
  writeFileSync(file, language === 'ts' ? asJavaScript(source) : source);
  // Samples wait as long as the server says, and the test moves its clock: Python looks here for how to begin.
  writeFileSync(
    join(folder, 'sitecustomize.py'),
    'import time\n_sleep = time.sleep\ntime.sleep = lambda s: _sleep(0.05)\n',
  );
  const env = { PATH: process.env.PATH, PYTHONPATH: folder };
  return promisify(execFile)(program, [...given, file], { cwd: folder, env, timeout: 300_000 });
}

let counter = 0;

const asJavaScript = (source: string): string => transformSync(source, { loader: 'ts' }).code;

/** What the compiler, as strict as it can be, finds in programs of TypeScript, a line each. */
export function typeFaults(folder: string, sources: readonly string[]): string[] {
  const files = sources.map((source, index) => {
    const file = join(folder, `sample-${index}.ts`);
    writeFileSync(file, source);
    return file;
  });
  const options = '--strict --noEmit --noUncheckedIndexedAccess --skipLibCheck --target es2022 --module esnext';
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      resolve('node_modules/typescript/lib/tsc.js'),
      ...[...options.split(' '), '--moduleDetection', 'force', '--pretty', 'false'],
      ...['--types', 'node', '--typeRoots', resolve('node_modules/@types'), ...files],
    ],
    { encoding: 'utf8', cwd: folder },
  );
  if (stderr !== '') throw new Error(stderr);
  return stdout.split('\n').filter(Boolean);
}
