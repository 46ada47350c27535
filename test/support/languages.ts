import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import ts from 'typescript';

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
  return promisify(execFile)(program, [...given, file], { cwd: folder, env, timeout: 60_000 });
}

let counter = 0;

const asJavaScript = (source: string): string =>
  ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  }).outputText;

/** What the compiler, as strict as it can be, finds in programs of TypeScript, a line each. */
export function typeFaults(sources: readonly string[]): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    types: ['node'],
  };
  const files = new Map(sources.map((source, index) => [`/sample-${index}.ts`, source]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, target, ...rest) => {
    const source = files.get(name);
    return source === undefined ? getSourceFile(name, target, ...rest) : ts.createSourceFile(name, source, target);
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}
